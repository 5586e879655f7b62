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

#define MOST_TRIES 100 /* names for a draft that may be taken by others */

static bool fails(struct tool_why *why)
{
    return tool_why(why, "cannot be written: %s", strerror(errno));
}

static void forget(struct tool_file *file)
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

/* Opens PATH.PID.N~, which did not exist. */
static bool open_draft(struct tool_file *file, mode_t mode)
{
    size_t room = strlen(file->path) + 48;
    file->draft = malloc(room);
    if (!file->draft)
        return false;
    tool_draft_hold();
    for (int i = 0; i < MOST_TRIES; i++) {
        snprintf(file->draft, room, "%s.%ld.%d~", file->path, (long)getpid(), i);
        file->fd = open(file->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
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

bool tool_file_start(struct tool_file *file, const char *path, struct tool_why *why)
{
    struct stat info;
    *file = (struct tool_file){.fd = -1};
    if (strcmp(path, "-") == 0) {
        file->fd = dup(STDOUT_FILENO);
        return file->fd >= 0 || fails(why);
    }
    file->path = realpath(path, NULL);
    if (!file->path)
        file->path = strdup(path);
    errno = file->path ? 0 : ENOMEM;
    if (file->path && stat(file->path, &info) != 0) {
        open_draft(file, 0666);
    } else if (file->path && S_ISREG(info.st_mode)) {
        open_over(file, &info);
    } else if (file->path) {
        file->fd = open(file->path, O_WRONLY | O_CLOEXEC);
    }
    if (file->fd >= 0)
        return true;
    fails(why);
    forget(file);
    return false;
}

bool tool_file_write(struct tool_file *file, const void *bytes, size_t size, struct tool_why *why)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = write(file->fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fails(why);
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool tool_file_keep(struct tool_file *file, struct tool_why *why)
{
    bool done = !file->draft || fsync(file->fd) == 0 || errno == EINVAL;
    done = close(file->fd) == 0 && done;
    if (file->draft)
        done = end_draft(file, done);
    if (!done)
        fails(why);
    forget(file);
    return done;
}

void tool_file_drop(struct tool_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    if (file->draft)
        end_draft(file, false);
    forget(file);
}
