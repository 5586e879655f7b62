/* tool/io: stdout and stderr that survive interrupted and partial writes. */
#define _GNU_SOURCE /* fopencookie, where the C library is glibc */
#include "stream.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "sys.h"

#ifdef __GLIBC__

static ssize_t write_stream(void *cookie, const char *bytes, size_t size)
{
    return tool_sys_write((int)(intptr_t)cookie, bytes, size) ? (ssize_t)size : 0; /* 0 is an error; errno says which */
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
