/* auto: places in UB for tiles without an address: one after another, on 32-byte blocks, around what has one. */
#ifndef PTOG_AUTO_ROOM_H
#define PTOG_AUTO_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTOG_UB_BLOCK 32u /* bytes: the unit in which the vector core moves tiles */

/* Bytes from `from` up to `to`, which is not one of them. */
struct ptog_range {
    uint64_t from, to;
};

struct ptog_room {
    const struct ptog_range *taken; /* by `from` */
    size_t count, next;
    uint64_t at, limit;
};

/* Sorts `taken`, which must live as long as the room. */
void ptog_room_open(struct ptog_room *room, struct ptog_range *taken, size_t count, uint64_t limit);

/* The next place of so many bytes; false when there is none, and `room->at` says where the room ended. */
bool ptog_room_take(struct ptog_room *room, uint64_t bytes, uint64_t *addr);

#endif
