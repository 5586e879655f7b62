/* faults: allocations that fail. Preloaded into a command:
 *
 *   FAULT_AT       the number of the first allocation that fails, counted from 1
 *   FAULT_ONCE     the ones behind it succeed; without it, they fail, too
 *   FAULT_MARK     a file that is made when an allocation failed
 *
 * The variables are gone for programs that the command starts. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static long at = -1, once;
static atomic_long count;

__attribute__((constructor)) static void start(void)
{
    const char *number = getenv("FAULT_AT");
    at = number ? atol(number) : 0;
    once = getenv("FAULT_ONCE") != NULL;
    unsetenv("LD_PRELOAD");
}

static int is_refused(void)
{
    if (at <= 0) /* off, or before the command starts */
        return 0;
    long number = atomic_fetch_add(&count, 1) + 1;
    const char *mark = getenv("FAULT_MARK");
    if (once ? number != at : number < at)
        return 0;
    if (number == at && mark)
        syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT, 0600));
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return is_refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return is_refused() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return is_refused() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    return is_refused() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    if (is_refused())
        return ENOMEM;
    *to = __libc_memalign(alignment, size);
    return *to ? 0 : ENOMEM;
}
