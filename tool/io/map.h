/* tool/io: files mapped into memory, to be read: larger ones than memory too. What cannot be mapped (a pipe, stdin) is
 * read whole. */
#ifndef TOOL_IO_MAP_H
#define TOOL_IO_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "why.h"

struct tool_map {
    const unsigned char *bytes;
    size_t size;
    void *mapped, *read;    /* which of the two it is; both NULL when empty */
    uint64_t device, inode; /* which file was mapped */
};

bool tool_map_open(struct tool_map *map, const char *path, struct tool_why *why);
void tool_map_close(struct tool_map *map);

/* A descriptor to read the file that was mapped, at random places; -1, with a reason, when `path` is another file now.
 */
int tool_map_reopen(const struct tool_map *map, const char *path, struct tool_why *why);

/* Pages are read one by one, wherever they are needed, instead of many around each. */
void tool_map_at_random(struct tool_map *map);

/* The bytes will be needed soon: the system may start to fetch them. */
void tool_map_fetch(const struct tool_map *map, const unsigned char *at, size_t bytes);

/* The pages leave this process; the system may keep them. */
void tool_map_release(struct tool_map *map);

#endif
