/* sim: many lanes in one loop, where no lane has a fault and nobody follows them one by one. They still go one after
 * the other, so that a destination may lie on its source. */
#ifndef PTOG_SIM_LANES_H
#define PTOG_SIM_LANES_H

#include <ptog/tile.h>

#include "sim/memory.h"

/* The tile has so many elements in so many rows, which lie one after the other, and all of its storage is in UB, ready
 * to be read and written. */
static inline bool ptog_ub_holds_rows(const struct ptog_memory *memory, const struct ptog_tile *tile, int64_t rows,
                                      int64_t cols)
{
    uint64_t bytes = (uint64_t)ptog_tile_bytes(tile);
    return ptog_tile_order(tile) == PTOG_ORDER_ROW && tile->rows >= rows && tile->cols >= cols &&
           ptog_ub_cut(memory, tile->addr, bytes) == bytes;
}

static inline bool ptog_tiles_are_apart(const struct ptog_tile *a, const struct ptog_tile *b)
{
    return a->addr + (uint64_t)ptog_tile_bytes(a) <= b->addr || b->addr + (uint64_t)ptog_tile_bytes(b) <= a->addr;
}

/* `count` lanes: their indices, numbers without a sign, where the elements come from and where they go. */
struct ptog_sim_lanes {
    const unsigned char *src, *idx;
    unsigned char *dst;
    uint64_t count;
};

/* The largest index; 0 when there is none. Indices have `wide` bytes, 2 or 4. */
uint64_t ptog_lanes_largest(const struct ptog_sim_lanes *lanes, size_t wide);

/* marks[idx[i]] = 1 */
void ptog_lanes_mark(const struct ptog_sim_lanes *lanes, size_t wide, unsigned char *marks);

/* dst[i] = src[idx[i]], or src[i * step]; elements have `size` bytes, 1, 2, 4 or 8. */
void ptog_lanes_gather(const struct ptog_sim_lanes *lanes, size_t wide, size_t size);
void ptog_lanes_move(const struct ptog_sim_lanes *lanes, uint64_t step, size_t size);

#endif
