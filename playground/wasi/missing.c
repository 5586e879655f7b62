/* playground: functions of POSIX that wasi-libc lacks. Files have one name and no mode, and there is one process. */
#include "missing.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

char *realpath(const char *path, char *resolved)
{
    if (access(path, F_OK) != 0)
        return NULL; /* errno is that of access */
    return resolved ? strcpy(resolved, path) : strdup(path);
}

static int refuse_call(void)
{
    errno = ENOSYS;
    return -1;
}

int dup(int fd)
{
    (void)fd;
    return refuse_call();
}

int dup2(int fd, int to)
{
    (void)fd, (void)to;
    return refuse_call();
}

int fchmod(int fd, unsigned mode)
{
    (void)fd, (void)mode;
    return 0;
}

int pause(void)
{
    return refuse_call();
}

int madvise(void *at, unsigned long bytes, int advice)
{
    (void)at, (void)bytes, (void)advice;
    return 0;
}
