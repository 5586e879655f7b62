/* report: text in memory, which a sink appends to. */
#include <stdlib.h>
#include <string.h>

#include <ptog/report.h>

static bool make_room(struct ptog_output *output, size_t length)
{
    if (length <= output->room - output->used)
        return true;
    size_t room = (output->used + length) * 2;
    char *larger = realloc(output->bytes, room);
    if (!larger)
        return false;
    output->bytes = larger;
    output->room = room;
    return true;
}

static void append(void *user, const char *bytes, size_t length)
{
    struct ptog_output *output = user;
    if (output->most > 0 && length > output->most - output->used) {
        length = output->most - output->used;
        output->cut = true;
    }
    if (output->no_memory || length == 0)
        return;
    if (!make_room(output, length)) {
        output->no_memory = true;
        return;
    }
    memcpy(output->bytes + output->used, bytes, length);
    output->used += length;
}

struct ptog_sink ptog_output_sink(struct ptog_output *output)
{
    return (struct ptog_sink){.write = append, .user = output};
}

void ptog_output_free(struct ptog_output *output)
{
    if (!output)
        return;
    free(output->bytes);
    *output = (struct ptog_output){.most = output->most};
}
