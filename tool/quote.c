/* tool: the lines of authors' own files that reports show. A program can name any file with loc(...), so what is opened
 * are regular files below the working directory alone: no absolute path to elsewhere, no "..", no symbolic link on the
 * way, no pipe and no device. */
#define _POSIX_C_SOURCE 200809L /* openat */
#include "tool.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/sys.h"

#define MAX_FILE ((size_t)16 << 20) /* bytes of a file that is quoted */

/* A path from the working directory on; NULL: an absolute path that does not start there. */
static const char *path_below(const char *path)
{
    char here[PATH_MAX];
    if (path[0] != '/')
        return path;
    if (!getcwd(here, sizeof here))
        return NULL;
    size_t length = strcmp(here, "/") == 0 ? 0 : strlen(here);
    return strncmp(path, here, length) == 0 && path[length] == '/' ? path + length : NULL;
}

/* Opens one step of a path, which is no link. */
static int open_step(int from, const char *step, size_t length, bool last)
{
    char name[NAME_MAX + 1];
    if (length > NAME_MAX || (length == 2 && memcmp(step, "..", 2) == 0))
        return -1;
    memcpy(name, step, length);
    name[length] = '\0';
    int kind = last ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY; /* a pipe without a writer is not waited for */
    return openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
}

/* Goes down step by step: between a look at the whole path and an open, a step could become a link. */
static int open_below(const char *path)
{
    int at = AT_FDCWD;
    while (path && *path) {
        size_t length = strcspn(path, "/");
        const char *next = path + length + strspn(path + length, "/");
        if (length > 0 && !(length == 1 && path[0] == '.')) {
            int step = open_step(at, path, length, *next == '\0');
            if (at != AT_FDCWD)
                close(at);
            if (step < 0)
                return -1;
            at = step;
        }
        path = next;
    }
    return at == AT_FDCWD ? -1 : at;
}

/* The bytes of a regular file, to be freed; NULL: it is none, it is too long, or it cannot be read. */
static char *read_regular(int fd, size_t *size)
{
    struct stat info;
    ssize_t got = 1;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 0 || (uintmax_t)info.st_size > MAX_FILE)
        return NULL;
    size_t room = (size_t)info.st_size;
    char *bytes = malloc(room + 1);
    for (*size = 0; bytes && *size < room && got > 0; *size += got > 0 ? (size_t)got : 0)
        got = tool_sys_read(fd, bytes + *size, room - *size);
    return bytes;
}

void tool_quote(ptog_diags *diags)
{
    const char *file;
    for (size_t i = 0; (file = ptog_diags_file_at(diags, i)) != NULL; i++) {
        size_t size = 0;
        int fd = open_below(path_below(file));
        char *bytes = fd >= 0 ? read_regular(fd, &size) : NULL;
        if (bytes)
            ptog_diags_quote(diags, file, bytes, size);
        free(bytes);
        if (fd >= 0)
            close(fd);
    }
}
