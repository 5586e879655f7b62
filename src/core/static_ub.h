/* core: static memory: the bytes of UB under tiles that the compiler placed, counted once where such tiles overlap. */
#ifndef PTOG_CORE_STATIC_UB_H
#define PTOG_CORE_STATIC_UB_H

#include <stdbool.h>

#include <ptog/tile.h>

/* Of one core: a bit per 32-byte block, made when the first such tile is used. All zero: none was. */
struct ptog_static_ub {
    uint64_t *blocks;
    uint64_t bytes;
};

/* Counts a tile; what lies past the buffer is no memory. False when out of memory. */
bool ptog_static_ub_add(struct ptog_static_ub *s, const struct ptog_tile *tile, uint64_t ub_bytes);
void ptog_static_ub_close(struct ptog_static_ub *s);

#endif
