/* tool/io: whole files, written under another name and renamed when complete. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "draft.h"
#include "pick.h"
#include "sys.h"

#define MAX_TRIES 100 /* names for a draft that may be taken by others */
#define MAX_BASE 220  /* bytes of a file's name, of 255, to which a draft adds a number or two */
#define MAX_LINKS 40  /* links that are followed to a file that is not there yet, as many as Linux follows */

/* Writes the error of the last system call into *why; always false. */
static bool say_errno(struct tool_why *why)
{
    return tool_why(why, "cannot be written: %s", strerror(errno));
}

/* Frees the names of a file that is written. */
static void free_paths(struct tool_file *file)
{
    free(file->path);
    free(file->draft);
    *file = (struct tool_file){.fd = -1};
}

/* The draft, gone one way or the other: under its own name, or deleted. */
static bool end_draft(struct tool_file *file, bool keep)
{
    tool_draft_hold();
    bool kept = keep && rename(file->draft, file->path) == 0;
    int saved = errno;
    if (!kept)
        unlink(file->draft);
    tool_draft_remove(file);
    tool_draft_release();
    errno = saved;
    return kept;
}

/* Bytes of the path that a draft's name begins with: all, unless the last part would become longer than names are. */
static int kept_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t length = strlen(base);
    return (int)((size_t)(base - path) + (tool_min(length, MAX_BASE)));
}

/* Opens PATH.PID.N~, which did not exist. */
static bool open_draft(struct tool_file *file, mode_t mode)
{
    size_t room = strlen(file->path) + 48;
    int kept = kept_of(file->path);
    file->draft = malloc(room);
    if (!file->draft)
        return false;
    tool_draft_hold();
    for (int i = 0; i < MAX_TRIES; i++) {
        snprintf(file->draft, room, "%.*s.%ld.%d~", kept, file->path, (long)getpid(), i);
        file->fd = tool_sys_open(file->draft, O_WRONLY | O_CREAT | O_EXCL, mode);
        if (file->fd >= 0 || errno != EEXIST)
            break;
    }
    int saved = errno;
    if (file->fd >= 0) {
        tool_draft_add(file);
    } else {
        free(file->draft);
        file->draft = NULL;
    }
    tool_draft_release();
    errno = saved;
    return file->fd >= 0;
}

/* A file that exists keeps its mode, and must be one that may be written. */
static bool open_over(struct tool_file *file, const struct stat *info)
{
    if (access(file->path, W_OK) != 0 || !open_draft(file, info->st_mode & 0777))
        return false;
    fchmod(file->fd, info->st_mode & 07777);
    return true;
}

/* What the link called `path` leads to, which is relative to where the link is; NULL when it cannot be read. */
static char *follow(const char *path, size_t length)
{
    const char *slash = strrchr(path, '/');
    size_t dir = slash ? (size_t)(slash + 1 - path) : 0;
    char *to = malloc(dir + length + 1);
    ssize_t got = to ? readlink(path, to + dir, length) : -1;
    if (got < 0 || (size_t)got > length)
        return free(to), NULL;
    to[dir + (size_t)got] = '\0';
    if (to[dir] == '/')
        memmove(to, to + dir, (size_t)got + 1);
    else
        memcpy(to, path, dir);
    return to;
}

/* Where a file goes: links are followed, also to one that is not there yet. NULL after setting errno. */
static char *resolve(const char *path)
{
    struct stat info;
    char *real = realpath(path, NULL);
    if (real)
        return real;
    char *at = strdup(path);
    for (int i = 0; at; i++) {
        bool is_there = lstat(at, &info) == 0;
        if ((is_there && !S_ISLNK(info.st_mode)) || (!is_there && errno == ENOENT))
            return at;
        char *next = is_there && i < MAX_LINKS ? follow(at, (size_t)info.st_size) : NULL;
        int saved = i == MAX_LINKS ? ELOOP : errno;
        free(at);
        at = next;
        errno = saved;
    }
    return NULL;
}

bool tool_file_start(struct tool_file *file, const char *path, struct tool_why *why)
{
    struct stat info;
    *file = (struct tool_file){.fd = -1};
    if (strcmp(path, "-") == 0) {
        file->fd = dup(STDOUT_FILENO);
        return file->fd >= 0 || say_errno(why);
    }
    file->path = resolve(path);
    bool is_there = file->path && stat(file->path, &info) == 0;
    if (is_there && S_ISREG(info.st_mode))
        open_over(file, &info);
    else if (is_there)
        file->fd = tool_sys_open(file->path, O_WRONLY, 0);
    else if (file->path && errno == ENOENT)
        open_draft(file, 0666);
    if (file->fd >= 0)
        return true;
    say_errno(why);
    free_paths(file);
    return false;
}

bool tool_file_write(struct tool_file *file, const void *bytes, size_t size, struct tool_why *why)
{
    return tool_sys_write(file->fd, bytes, size) || say_errno(why);
}

bool tool_file_keep(struct tool_file *file, struct tool_why *why)
{
    bool done = !file->draft || tool_sys_fsync(file->fd);
    int saved = errno;
    if (!tool_sys_close(file->fd) && done) {
        done = false;
        saved = errno;
    }
    errno = saved;
    if (file->draft)
        done = end_draft(file, done);
    if (!done)
        say_errno(why);
    free_paths(file);
    return done;
}

void tool_file_drop(struct tool_file *file)
{
    if (file->fd >= 0)
        tool_sys_close(file->fd);
    if (file->draft)
        end_draft(file, false);
    free_paths(file);
}
