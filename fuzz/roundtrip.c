/* Fuzz: whatever parses is printed, in each form that can say it, and read back as the same tree. */
#include <stdint.h>

#include "../tests/asm/round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *problem = round_trip((const char *)data, size);
    if (problem) {
        fprintf(stderr, "%s\n", problem);
        abort();
    }
    return 0;
}
