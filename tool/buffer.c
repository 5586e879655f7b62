/* tool: the text of a program in memory, and into a file. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

#include "io/file.h"

static void append(void *user, const char *bytes, size_t length)
{
    struct tool_buffer *buffer = user;
    if (length > buffer->room - buffer->used) {
        size_t room = (buffer->used + length) * 2;
        char *larger = buffer->no_memory ? NULL : realloc(buffer->bytes, room);
        if (!larger) {
            buffer->no_memory = true;
            return;
        }
        buffer->bytes = larger;
        buffer->room = room;
    }
    if (length > 0)
        memcpy(buffer->bytes + buffer->used, bytes, length);
    buffer->used += length;
}

struct ptog_sink tool_buffer_sink(struct tool_buffer *buffer)
{
    return (struct ptog_sink){.write = append, .user = buffer};
}

bool tool_buffer_write(const char *command, const struct tool_buffer *buffer, const char *path)
{
    struct tool_file file;
    struct tool_why why;
    path = path ? path : "-";
    bool done = tool_file_start(&file, path, &why);
    if (done) {
        done = tool_file_write(&file, buffer->bytes, buffer->used, &why);
        if (done)
            done = tool_file_keep(&file, &why);
        else
            tool_file_drop(&file);
    }
    if (!done)
        tool_fail(command, "%s: %s", path, why.text);
    return done;
}
