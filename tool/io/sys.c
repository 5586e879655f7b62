/* tool/io: system calls on files that finish what they were given. */
#define _XOPEN_SOURCE 700 /* pwrite, fsync */
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int tool_sys_open(const char *path, int flags, mode_t mode)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

ssize_t tool_sys_read(int fd, void *bytes, size_t size)
{
    ssize_t n;
    do
        n = read(fd, bytes, size);
    while (n < 0 && errno == EINTR);
    return n;
}

/* The rest of a write after a call that returned `n`: false when nothing can follow. A device that takes no byte and
 * says no error would be asked forever. */
static bool go_on(ssize_t n, const unsigned char **at, size_t *left)
{
    if (n < 0)
        return errno == EINTR;
    if (n == 0)
        return errno = EIO, false;
    *at += n;
    *left -= (size_t)n;
    return true;
}

bool tool_sys_write(int fd, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    while (size > 0)
        if (!go_on(write(fd, at, size), &at, &size))
            return false;
    return true;
}

bool tool_sys_pwrite(int fd, const void *bytes, size_t size, uint64_t to)
{
    const unsigned char *at = bytes;
    while (size > 0)
        if (!go_on(pwrite(fd, at, size, (off_t)(to + (uint64_t)(at - (const unsigned char *)bytes))), &at, &size))
            return false;
    return true;
}

bool tool_sys_fsync(int fd)
{
    int result;
    do
        result = fsync(fd);
    while (result != 0 && errno == EINTR);
    return result == 0 || errno == EINVAL;
}

/* Linux closes the descriptor before it says EINTR: a second call could close one that another thread has opened. */
bool tool_sys_close(int fd)
{
    return close(fd) == 0 || errno == EINTR;
}

bool tool_sys_read_text(const char *path, char *text, size_t size)
{
    size_t used = 0;
    ssize_t n = 1;
    int fd = tool_sys_open(path, O_RDONLY, 0);
    if (fd < 0)
        return false;
    while (used + 1 < size && (n = tool_sys_read(fd, text + used, size - 1 - used)) > 0)
        used += (size_t)n;
    text[used] = '\0';
    tool_sys_close(fd);
    return n >= 0;
}
