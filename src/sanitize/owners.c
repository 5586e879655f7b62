/* sanitize: the owners of UB's bytes. */
#include "sanitize/owners.h"

#include <stdlib.h>

#define BLOCK ((uint64_t)32)
#define DIFFER UINT32_MAX /* the bytes of a block have owners of their own */

bool ptog_owners_open(struct ptog_owners *owners, uint64_t bytes)
{
    *owners = (struct ptog_owners){.bytes = bytes};
    owners->block = calloc(bytes / BLOCK + 1, sizeof *owners->block);
    return owners->block != NULL;
}

void ptog_owners_close(struct ptog_owners *owners)
{
    free(owners->block);
    free(owners->byte);
    owners->block = owners->byte = NULL;
}

/* A part of one block. */
static void set_part(struct ptog_owners *owners, uint64_t at, uint64_t bytes, uint32_t tile)
{
    uint32_t *block = &owners->block[at / BLOCK];
    uint64_t start = at / BLOCK * BLOCK;
    if (*block == tile)
        return;
    if (!owners->byte && !(owners->byte = calloc(owners->bytes + BLOCK, sizeof *owners->byte))) {
        owners->failed = true;
        return;
    }
    for (uint64_t i = 0; *block != DIFFER && i < BLOCK; i++)
        owners->byte[start + i] = *block;
    *block = DIFFER;
    for (uint64_t i = 0; i < bytes; i++)
        owners->byte[at + i] = tile;
}

void ptog_owners_set(struct ptog_owners *owners, uint64_t at, uint64_t bytes, uint32_t tile)
{
    while (bytes > 0) {
        uint64_t left = BLOCK - at % BLOCK, here = left < bytes ? left : bytes;
        if (here == BLOCK)
            owners->block[at / BLOCK] = tile;
        else
            set_part(owners, at, here, tile);
        at += here;
        bytes -= here;
    }
}

uint32_t ptog_owner_at(const struct ptog_owners *owners, uint64_t at)
{
    uint32_t block = owners->block[at / BLOCK];
    return block == DIFFER ? owners->byte[at] : block;
}

bool ptog_owners_are(const struct ptog_owners *owners, uint64_t at, uint64_t bytes, uint32_t tile)
{
    for (uint64_t end = at + bytes; at < end;) {
        uint32_t block = owners->block[at / BLOCK];
        uint64_t next = (at / BLOCK + 1) * BLOCK, to = next < end ? next : end;
        if (block != tile && block != DIFFER)
            return false;
        for (; block == DIFFER && at < to; at++)
            if (owners->byte[at] != tile)
                return false;
        at = to;
    }
    return true;
}
