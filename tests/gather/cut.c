/* gather tests: an mmap that cuts a file short as soon as it is mapped, as another process may at any time. Preloaded
 * into ptog: CUT_FILE names the file, CUT_TO how many bytes are left of it, and CUT_AT at which mapping; 1 when not
 * given. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef void *mmap_fn(void *at, size_t size, int access, int flags, int fd, off_t from);

void *mmap(void *at, size_t size, int access, int flags, int fd, off_t from)
{
    mmap_fn *real = (mmap_fn *)dlsym(RTLD_NEXT, "mmap");
    void *mapped = real(at, size, access, flags, fd, from);
    const char *path = getenv("CUT_FILE"), *to = getenv("CUT_TO");
    const char *when = getenv("CUT_AT");
    static long times;
    struct stat wanted, found;
    if (fd >= 0 && path && to && stat(path, &wanted) == 0 && fstat(fd, &found) == 0 && wanted.st_ino == found.st_ino &&
        ++times == (when ? atol(when) : 1) && truncate(path, atol(to)) != 0)
        abort();
    return mapped;
}
