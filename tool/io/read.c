/* tool/io: reads whole files, pipes and standard input into memory. */
#define _POSIX_C_SOURCE 200809L /* fstat */
#include "file.h"
#include "grow.h"
#include "memory.h"
#include "pick.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct read_buffer {
    char *bytes;
    size_t used, room;
};

/* Reads to the end: a pipe does not say how long it is, and a file may change while it is read. */
static bool fill(int fd, uint64_t most, struct read_buffer *buffer, struct tool_why *why)
{
    for (;;) {
        ssize_t n = tool_sys_read(fd, buffer->bytes + buffer->used, buffer->room - buffer->used);
        if (n == 0)
            return true;
        if (n < 0)
            return tool_why(why, "cannot be read: %s", strerror(errno));
        buffer->used += (size_t)n;
        if (buffer->used > most)
            return tool_why(why, "has more than %" PRIu64 " bytes, the most that can be read", most);
        if (!tool_reserve(&buffer->bytes, buffer->used + 1, &buffer->room))
            return tool_why(why, "does not fit in memory");
    }
}

/* Reads a stream to its end into memory that the caller frees; false, with *why, when that fails. */
static bool read_all(int fd, uint64_t most, size_t room, void **bytes, size_t *size, struct tool_why *why)
{
    struct read_buffer buffer = {malloc(room), 0, room};
    if (!buffer.bytes)
        return tool_why(why, "does not fit in memory");
    if (!fill(fd, most, &buffer, why)) {
        free(buffer.bytes);
        return false;
    }
    *bytes = buffer.bytes;
    *size = buffer.used;
    return true;
}

/* Reads an open file or stream, at most `most` bytes; false, with *why, when that fails. */
static bool read_open(int fd, uint64_t most, void **bytes, size_t *size, struct tool_why *why)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return tool_why(why, "cannot be read: %s", strerror(errno));
    if (S_ISDIR(info.st_mode))
        return tool_why(why, "is a directory");
    if (!S_ISREG(info.st_mode))
        return read_all(fd, tool_min(most, TOOL_MAX_STREAM), 65536, bytes, size, why);
    if (info.st_size < 0 || (uint64_t)info.st_size > most)
        return tool_why(why, "has %" PRId64 " bytes; at most %" PRIu64 " can be read", (int64_t)info.st_size, most);
    return read_all(fd, most, (size_t)info.st_size + 1, bytes, size, why);
}

bool tool_file_read(const char *path, uint64_t most, void **bytes, size_t *size, struct tool_why *why)
{
    bool is_stdin = strcmp(path, "-") == 0;
    uint64_t memory = tool_memory();
    *bytes = NULL;
    *size = 0;
    int fd = is_stdin ? STDIN_FILENO : tool_sys_open(path, O_RDONLY, 0);
    if (fd < 0)
        return tool_why(why, "cannot be read: %s", strerror(errno));
    bool done = read_open(fd, tool_min(most, memory), bytes, size, why);
    if (!is_stdin)
        tool_sys_close(fd);
    return done;
}
