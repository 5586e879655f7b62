/* faults: system calls on files that fail, or do only a part. Preloaded into a command:
 *
 *   FAULT_KIND     eintr: the call returns -1 and EINTR, and its caller has to repeat it
 *                  short: one byte is read or written; with FAULT_EVERY, half of them
 *                  eio: the call returns -1 and EIO
 *   FAULT_AT       the number of the call that gets it, counted from 1 among the calls that can
 *   FAULT_EVERY    instead of that: every so many calls
 *   FAULT_MARK     a file that is made when a fault was injected; it contains the name of the call
 *
 * As PTOG_URING_LIBRARY it is liburing, too: each read that ends is a call.
 *
 * The variables are gone for programs that the command starts. */
#define _GNU_SOURCE /* RTLD_NEXT, mode_t, off_t */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EINTR_TOO = 1, SHORT_TOO = 2 }; /* what a call can have besides EIO */

static enum { NONE, INTERRUPTED, PARTIAL, BROKEN } kind;
static long at, every;
static atomic_long count;
static const char *mark;

__attribute__((constructor)) static void start(void)
{
    const char *name = getenv("FAULT_KIND"), *number = getenv("FAULT_AT"), *step = getenv("FAULT_EVERY");
    if (name && strcmp(name, "eintr") == 0)
        kind = INTERRUPTED;
    else if (name)
        kind = strcmp(name, "short") == 0 ? PARTIAL : BROKEN;
    at = number ? atol(number) : 0;
    every = step ? atol(step) : 0;
    mark = getenv("FAULT_MARK");
    unsetenv("LD_PRELOAD");
}

static void leave_mark(const char *name)
{
    static atomic_flag is_left = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&is_left))
        return;
    int fd = mark ? (int)syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd < 0)
        return;
    syscall(SYS_write, fd, name, strlen(name));
    syscall(SYS_close, fd);
}

/* Whether this call gets the fault. */
static int is_hit(const char *name, int can)
{
    if (kind == NONE || (kind == INTERRUPTED && !(can & EINTR_TOO)) || (kind == PARTIAL && !(can & SHORT_TOO)))
        return 0;
    long number = atomic_fetch_add(&count, 1) + 1;
    if (every ? number % every != 0 : number != at)
        return 0;
    leave_mark(name);
    errno = kind == INTERRUPTED ? EINTR : EIO;
    return 1;
}

#define REAL(type, name)                                                                                               \
    static type *real;                                                                                                 \
    if (!real)                                                                                                         \
    real = (type *)dlsym(RTLD_NEXT, name)

int open(const char *path, int flags, ...)
{
    typedef int fn(const char *, int, ...);
    REAL(fn, "open");
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    return is_hit("open", EINTR_TOO) ? -1 : real(path, flags, mode);
}

/* Bytes that a call is given, or 0: it fails. */
static size_t cut(const char *name, size_t size)
{
    if (size == 0 || (kind == PARTIAL && size == 1) || !is_hit(name, EINTR_TOO | SHORT_TOO))
        return size;
    if (kind == PARTIAL)
        return every ? (size + 1) / 2 : 1;
    return 0;
}

ssize_t read(int fd, void *bytes, size_t size)
{
    typedef ssize_t fn(int, void *, size_t);
    REAL(fn, "read");
    size_t given = cut("read", size);
    return given == 0 && size > 0 ? -1 : real(fd, bytes, given);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    typedef ssize_t fn(int, const void *, size_t);
    REAL(fn, "write");
    size_t given = cut(fd == STDERR_FILENO ? "write to stderr" : "write", size);
    return given == 0 && size > 0 ? -1 : real(fd, bytes, given);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t to)
{
    typedef ssize_t fn(int, const void *, size_t, off_t);
    REAL(fn, "pwrite");
    size_t given = cut("pwrite", size);
    return given == 0 && size > 0 ? -1 : real(fd, bytes, given, to);
}

/* The descriptor is closed all the same, as Linux does. */
int close(int fd)
{
    typedef int fn(int);
    REAL(fn, "close");
    int hit = is_hit("close", EINTR_TOO), saved = errno, result = real(fd);
    errno = hit ? saved : errno;
    return hit ? -1 : result;
}

#define CALL(can, type, name, failed, given, ...)                                                                      \
    type name given                                                                                                    \
    {                                                                                                                  \
        typedef type fn given;                                                                                         \
        REAL(fn, #name);                                                                                               \
        if (is_hit(#name, can))                                                                                        \
            return failed;                                                                                             \
        return real(__VA_ARGS__);                                                                                      \
    }

CALL(EINTR_TOO, int, fsync, -1, (int fd), fd)
CALL(0, int, stat, -1, (const char *restrict path, struct stat *restrict info), path, info)
CALL(0, int, lstat, -1, (const char *restrict path, struct stat *restrict info), path, info)
CALL(0, int, fstat, -1, (int fd, struct stat *info), fd, info)
CALL(0, int, access, -1, (const char *path, int mode), path, mode)
CALL(0, int, rename, -1, (const char *from, const char *to), from, to)
CALL(0, char *, realpath, NULL, (const char *restrict path, char *restrict to), path, to)
CALL(0, ssize_t, readlink, -1, (const char *restrict path, char *restrict to, size_t size), path, to, size)
CALL(0, DIR *, opendir, NULL, (const char *path), path)
CALL(0, struct dirent *, readdir, NULL, (DIR * directory), directory)

void *mmap(void *to, size_t size, int access, int flags, int fd, off_t from)
{
    typedef void *fn(void *, size_t, int, int, int, off_t);
    REAL(fn, "mmap");
    return fd >= 0 && is_hit("mmap", 0) ? MAP_FAILED : real(to, size, access, flags, fd, from);
}

#if __has_include(<liburing.h>)
#include <liburing.h>

static void *in_liburing(const char *name)
{
    static void *library;
    if (!library)
        library = dlopen("liburing.so.2", RTLD_NOW);
    return library ? dlsym(library, name) : NULL;
}

#define REAL_URING(type, name)                                                                                         \
    static type *real;                                                                                                 \
    if (!real)                                                                                                         \
    real = (type *)in_liburing(name)

int io_uring_queue_init(unsigned entries, struct io_uring *ring, unsigned flags)
{
    typedef int fn(unsigned, struct io_uring *, unsigned);
    REAL_URING(fn, "io_uring_queue_init");
    return is_hit("io_uring_queue_init", 0) ? -EIO : real(entries, ring, flags);
}

void io_uring_queue_exit(struct io_uring *ring)
{
    typedef void fn(struct io_uring *);
    REAL_URING(fn, "io_uring_queue_exit");
    real(ring);
}

/* What a read that has ended gets instead of its result. */
static int result_of(int result)
{
    size_t given = result > 0 ? cut("a read of io_uring", (size_t)result) : 1;
    if (result <= 0)
        return result;
    return given == 0 ? -errno : (int)given;
}

int io_uring_submit_and_wait(struct io_uring *ring, unsigned wait_for)
{
    typedef int fn(struct io_uring *, unsigned);
    REAL_URING(fn, "io_uring_submit_and_wait");
    struct io_uring_cqe *ended;
    unsigned place;
    if (!every && is_hit("io_uring_submit_and_wait", EINTR_TOO)) /* every second call would be every read */
        return -errno;
    int result = real(ring, wait_for);
    io_uring_for_each_cqe(ring, place, ended) ended->res = result_of(ended->res);
    return result;
}
#endif
