/* tool/io: files mapped into memory. */
#define _DEFAULT_SOURCE /* madvise */
#include "map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "sys.h"

/* Maps an open file, which may be empty; false, with *why, when that fails. */
static bool map_open_file(struct tool_map *map, int fd, const struct stat *info, struct tool_why *why)
{
    size_t size = (size_t)info->st_size;
    map->device = (uint64_t)info->st_dev;
    map->inode = (uint64_t)info->st_ino;
    if (size == 0)
        return true;
    void *at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED)
        return tool_why(why, "cannot be mapped into memory: %s", strerror(errno));
    map->bytes = map->mapped = at;
    map->size = size;
    return true;
}

/* Maps a file into memory, or reads it if it is a pipe; false, with *why, when that fails. Close it with
 * tool_map_close. */
bool tool_map_open(struct tool_map *map, const char *path, struct tool_why *why)
{
    struct stat info;
    *map = (struct tool_map){0};
    if (strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode))) {
        bool done = tool_file_read(path, UINT64_MAX, &map->read, &map->size, why);
        map->bytes = map->read;
        return done;
    }
    int fd = tool_sys_open(path, O_RDONLY, 0);
    if (fd < 0)
        return tool_why(why, "cannot be read: %s", strerror(errno));
    bool done = fstat(fd, &info) == 0 ? map_open_file(map, fd, &info, why)
                                      : tool_why(why, "cannot be read: %s", strerror(errno));
    tool_sys_close(fd);
    return done;
}

void tool_map_close(struct tool_map *map)
{
    if (map->mapped)
        munmap(map->mapped, map->size);
    free(map->read);
    *map = (struct tool_map){0};
}

int tool_map_reopen(const struct tool_map *map, const char *path, struct tool_why *why)
{
    struct stat info;
    int fd = tool_sys_open(path, O_RDONLY, 0);
    if (fd < 0 || fstat(fd, &info) != 0)
        tool_why_set(why, "cannot be read: %s", strerror(errno));
    else if ((uint64_t)info.st_dev != map->device || (uint64_t)info.st_ino != map->inode)
        tool_why_set(why, "was replaced while it was read");
    else {
#ifdef POSIX_FADV_RANDOM
        posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
#endif
        return fd;
    }
    if (fd >= 0)
        tool_sys_close(fd);
    return -1;
}

/* Advice may be ignored: nothing depends on it. */
static void advise(const struct tool_map *map, const unsigned char *at, size_t bytes, int advice)
{
    if (!map->mapped || bytes == 0)
        return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)at & ~(page - 1);
    madvise((void *)from, (uintptr_t)at + bytes - from, advice);
}

void tool_map_at_random(struct tool_map *map)
{
    advise(map, map->bytes, map->size, MADV_RANDOM);
}

void tool_map_fetch(const struct tool_map *map, const unsigned char *at, size_t bytes)
{
    advise(map, at, bytes, MADV_WILLNEED);
}

void tool_map_release(struct tool_map *map)
{
    advise(map, map->bytes, map->size, MADV_DONTNEED);
}
