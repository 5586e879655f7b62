/* tool/io: stdout and stderr that survive interrupted and partial writes. */
#define _GNU_SOURCE /* fopencookie, where the C library is glibc */
#include "stream.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "sys.h"

static int stdout_error; /* errno of the first write that failed */

#ifdef __GLIBC__

/* Writes all bytes to a stream; the first error of standard output is kept for the end. */
static ssize_t write_stream(void *cookie, const char *bytes, size_t size)
{
    int fd = (int)(intptr_t)cookie;
    if (tool_sys_write(fd, bytes, size))
        return (ssize_t)size;
    if (fd == STDOUT_FILENO && stdout_error == 0)
        stdout_error = errno;
    return 0; /* how an error is returned */
}

static int close_stream(void *cookie)
{
    return tool_sys_close((int)(intptr_t)cookie) ? 0 : -1;
}

/* A stream to a descriptor; `otherwise` when out of memory. */
static FILE *open_stream(int fd, FILE *otherwise)
{
    FILE *stream =
        fopencookie((void *)(intptr_t)fd, "w", (cookie_io_functions_t){.write = write_stream, .close = close_stream});
    return stream ? stream : otherwise;
}

#endif

void tool_streams_start(void)
{
#ifdef __GLIBC__
    stdout = open_stream(STDOUT_FILENO, stdout);
    stderr = open_stream(STDERR_FILENO, stderr);
    if (isatty(STDOUT_FILENO))
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
#endif
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
}

int tool_stdout_end(void)
{
    errno = 0;
    bool failed = ferror(stdout), closed = fclose(stdout) == 0;
    if (stdout_error == 0 && (failed || !closed))
        stdout_error = errno ? errno : EIO;
    return stdout_error;
}
