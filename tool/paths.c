/* tool: the files of a command line: names as they are, directories as the programs (.pto) below them, in order. */
#define _POSIX_C_SOURCE 200809L /* opendir, lstat, strdup */
#include "io/grow.h"
#include "io/pick.h"
#include "tool.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void fail_path(struct tool_paths *paths, const char *command, const char *path, const char *why)
{
    tool_fail(command, "%s: %s", path, why);
    paths->failed = true;
}

/* Takes over `path`, which may be NULL: out of memory. */
static void append(struct tool_paths *paths, const char *command, char *path)
{
    if (path && tool_reserve(&paths->list, paths->count + 1, &paths->room)) {
        paths->list[paths->count++] = path;
        return;
    }
    fail_path(paths, command, tool_or(path, "-"), "out of memory");
    free(path);
}

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

/* The path of a file in a directory, for the caller to free; NULL when out of memory. */
static char *join_path(const char *directory, const char *name)
{
    size_t length = strlen(directory);
    char *path = malloc(length + strlen(name) + 2);
    const char *slash = tool_when(!(length > 0 && directory[length - 1] == '/'), "/");
    if (path)
        sprintf(path, "%s%s%s", directory, slash, name);
    return path;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The paths of what is in a directory, sorted; those that begin with a dot are left out. */
static struct tool_paths entries_of(const char *command, const char *directory)
{
    struct tool_paths entries = {0};
    const struct dirent *entry;
    DIR *open = opendir(directory);
    if (!open) {
        fail_path(&entries, command, directory, strerror(errno));
        return entries;
    }
    while (errno = 0, (entry = readdir(open)) != NULL)
        if (entry->d_name[0] != '.')
            append(&entries, command, join_path(directory, entry->d_name));
    if (errno != 0)
        fail_path(&entries, command, directory, strerror(errno));
    closedir(open);
    if (entries.count > 1)
        qsort(entries.list, entries.count, sizeof *entries.list, by_path);
    return entries;
}

/* A pipe or a device that happens to be called so would never end. What cannot be looked at is kept: reading it says
 * why. */
static bool is_program(const char *path)
{
    struct stat info;
    return ends_in(path, ".pto") && (stat(path, &info) != 0 || S_ISREG(info.st_mode));
}

/* The directory is read and closed before those below it are: depth costs no open files. A link to a directory is not
 * followed, so a path gets longer with each step, and what the system takes as a path ends it. */
static void search(struct tool_paths *paths, const char *command, const char *directory)
{
    struct tool_paths entries = entries_of(command, directory);
    paths->failed = paths->failed || entries.failed;
    for (size_t i = 0; i < entries.count; i++) {
        struct stat info;
        bool is_there = lstat(entries.list[i], &info) == 0;
        if (!is_there && errno != ENOENT)
            fail_path(paths, command, entries.list[i], strerror(errno));
        if (is_there && S_ISDIR(info.st_mode)) {
            search(paths, command, entries.list[i]);
        } else if (is_program(entries.list[i])) {
            append(paths, command, entries.list[i]);
            entries.list[i] = NULL;
        }
    }
    tool_paths_free(&entries);
}

void tool_paths_add(struct tool_paths *paths, const char *command, const char *path)
{
    struct stat info;
    size_t before = paths->count;
    bool is_stdin = strcmp(path, "-") == 0, is_there = !is_stdin && stat(path, &info) == 0;
    if (!is_stdin && !is_there && errno != ENOENT) {
        fail_path(paths, command, path, strerror(errno));
        return;
    }
    if (!is_there || !S_ISDIR(info.st_mode)) {
        append(paths, command, strdup(path));
        return;
    }
    paths->searched = true;
    search(paths, command, path);
    if (paths->count == before && !paths->failed)
        fail_path(paths, command, path, "no .pto file in this directory");
}

void tool_paths_free(struct tool_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->list[i]);
    free(paths->list);
    *paths = (struct tool_paths){0};
}
