/* report: struct ptog_output: text in memory that a sink appends to, for callers without a callback of their own. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/report.h>

#include "base/array.h"

/* A sink that keeps the bytes, up to a limit; notes when it cuts or cannot. */
static void append_output(void *user, const char *bytes, size_t length)
{
    struct ptog_output *output = user;
    if (output->most > 0 && length > output->most - output->used) {
        length = output->most - output->used;
        output->cut = true;
    }
    if (output->no_memory || length == 0)
        return;
    if (length > SIZE_MAX - output->used || !ptog_array_reserve(&output->bytes, output->used + length, &output->room)) {
        output->no_memory = true;
        return;
    }
    memcpy(output->bytes + output->used, bytes, length);
    output->used += length;
}

struct ptog_sink ptog_output_sink(struct ptog_output *output)
{
    return (struct ptog_sink){.write = append_output, .user = output};
}

void ptog_output_free(struct ptog_output *output)
{
    if (!output)
        return;
    free(output->bytes);
    *output = (struct ptog_output){.most = output->most};
}
