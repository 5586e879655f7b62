/* auto: finds an address in UB for a tile that its author gave none. */
#include "auto/room.h"

#include <stdlib.h>

#include "base/pick.h"

/* For qsort: ranges by their first byte. */
static int by_start(const void *a, const void *b)
{
    const struct ptog_range *x = a, *y = b;
    return ptog_order(x->from, y->from);
}

/* The next address at the start of a 32-byte block. */
static uint64_t block_up(uint64_t at)
{
    return (at + PTOG_UB_BLOCK - 1) / PTOG_UB_BLOCK * PTOG_UB_BLOCK;
}

void ptog_room_open(struct ptog_room *room, struct ptog_range *taken, size_t count, uint64_t limit)
{
    if (count > 1)
        qsort(taken, count, sizeof *taken, by_start);
    *room = (struct ptog_room){.taken = taken, .count = count, .limit = limit};
}

bool ptog_room_take(struct ptog_room *room, uint64_t bytes, uint64_t *addr)
{
    const struct ptog_range *taken = room->taken;
    if (bytes > room->limit)
        return false;
    for (; room->next < room->count && (taken[room->next].to <= room->at || taken[room->next].from < room->at + bytes);
         room->next++)
        if (taken[room->next].to > room->at)
            room->at = block_up(taken[room->next].to);
    if (room->at > room->limit || bytes > room->limit - room->at)
        return false;
    *addr = room->at;
    room->at = block_up(room->at + bytes);
    return true;
}
