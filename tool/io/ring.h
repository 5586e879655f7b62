/* tool/io: many reads of files at random places, of which a queue of the system (io_uring, through liburing) has many
 * under way at once. There may be none: liburing was not there when this was built, or is not there now, or the system
 * does not allow it, as in many containers. Files are then read as they are mapped. */
#ifndef TOOL_IO_RING_H
#define TOOL_IO_RING_H

#include <stddef.h>
#include <stdint.h>

#include "why.h"

struct tool_ring;

/* NULL, and why, where there is none. A ring is used by one thread at a time. */
struct tool_ring *tool_ring_open(struct tool_why *why);
void tool_ring_close(struct tool_ring *ring);

struct tool_ring_read {
    int fd;
    uint64_t from; /* a byte of the file */
    unsigned char *to;
    uint64_t size;
};

/* All reads, in any order; the list is overwritten. False: errno is what was wrong with one of them, 0 that its file
 * has ended. */
bool tool_ring_read(struct tool_ring *ring, struct tool_ring_read *reads, size_t count);

#endif
