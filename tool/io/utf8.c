/* tool/io: the length of a UTF-8 character, or that there is none. */
#include "utf8.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes of the character at `at`; 0: none as the standard has it: no longer than needed, nothing beyond U+10FFFF, no
 * half of a surrogate pair. */
size_t tool_utf8_length(const char *at, const char *end)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*at;
    size_t more = (size_t)(first >= 0xc0) + (first >= 0xe0) + (first >= 0xf0);
    uint32_t code = first & (0x3fu >> more);
    if (first < 0x80)
        return 1;
    if (more == 0 || first > 0xf4 || (size_t)(end - at) <= more)
        return 0;
    for (size_t i = 1; i <= more; i++) {
        if (((unsigned char)at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | ((unsigned char)at[i] & 0x3f);
    }
    bool is_half = code >= 0xd800 && code < 0xe000;
    if (code >= least[more] && code <= 0x10ffff && !is_half)
        return more + 1;
    return 0;
}
