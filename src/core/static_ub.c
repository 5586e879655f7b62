/* core: static memory of a core. */
#include "core/static_ub.h"

#include <stdlib.h>

#define BLOCK 32u
#define WORD 64u

/* The bits of word `w` that blocks first..last, both included, have in it. */
static uint64_t mask_of(uint64_t w, uint64_t first, uint64_t last)
{
    uint64_t mask = UINT64_MAX;
    if (w == first / WORD)
        mask <<= first % WORD;
    if (w == last / WORD)
        mask &= UINT64_MAX >> (WORD - 1 - last % WORD);
    return mask;
}

bool ptog_static_ub_add(struct ptog_static_ub *s, const struct ptog_tile *tile, uint64_t ub_bytes)
{
    int64_t bytes = ptog_tile_bytes(tile);
    if (bytes <= 0 || tile->addr >= ub_bytes)
        return true;
    if (!s->blocks && !(s->blocks = calloc(ub_bytes / BLOCK / WORD + 1, sizeof *s->blocks)))
        return false;
    uint64_t room = ub_bytes - tile->addr, length = (uint64_t)bytes < room ? (uint64_t)bytes : room;
    uint64_t first = tile->addr / BLOCK, last = (tile->addr + length - 1) / BLOCK;
    for (uint64_t w = first / WORD; w <= last / WORD; w++) {
        uint64_t fresh = mask_of(w, first, last) & ~s->blocks[w];
        s->blocks[w] |= fresh;
        for (; fresh; fresh &= fresh - 1) /* a bit less in each turn */
            s->bytes += BLOCK;
    }
    return true;
}

void ptog_static_ub_close(struct ptog_static_ub *s)
{
    free(s->blocks);
    *s = (struct ptog_static_ub){0};
}
