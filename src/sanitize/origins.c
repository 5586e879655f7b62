/* sanitize: the origins of UB's bytes. */
#include "sanitize/origins.h"

#include <stdlib.h>
#include <string.h>

#include "base/pick.h"

#define BLOCK ((uint64_t)32)
#define DIFFER UINT32_MAX /* the bytes of a block have origins of their own */

bool ptog_origins_open(struct ptog_origins *origins, uint64_t bytes)
{
    *origins = (struct ptog_origins){.bytes = bytes};
    origins->block = calloc(bytes / BLOCK + 1, sizeof *origins->block);
    return origins->block != NULL;
}

void ptog_origins_close(struct ptog_origins *origins)
{
    free(origins->block);
    free(origins->byte);
    free(origins->carried);
    origins->block = origins->byte = NULL;
    origins->carried = NULL;
}

/* Sets the origin of some bytes of one block, which has one for each byte from then on. Sets `failed` when out of
 * memory. */
static void set_part(struct ptog_origins *origins, uint64_t at, uint64_t bytes, ptog_origin origin)
{
    ptog_origin *block = &origins->block[at / BLOCK];
    uint64_t start = at / BLOCK * BLOCK;
    if (*block == origin)
        return;
    if (!origins->byte && !(origins->byte = calloc(origins->bytes + BLOCK, sizeof *origins->byte))) {
        origins->failed = true;
        return;
    }
    for (uint64_t i = 0; *block != DIFFER && i < BLOCK; i++)
        origins->byte[start + i] = *block;
    *block = DIFFER;
    for (uint64_t i = 0; i < bytes; i++)
        origins->byte[at + i] = origin;
}

/* Sets where the bytes [at, at + bytes) of UB come from; whole blocks have one origin. */
void ptog_origins_set(struct ptog_origins *origins, uint64_t at, uint64_t bytes, ptog_origin origin)
{
    uint64_t end = at + bytes, to;
    for (; at < end; at = to) {
        to = ptog_min((at / BLOCK + 1) * BLOCK, end);
        if (to - at < BLOCK) {
            set_part(origins, at, to - at, origin);
            continue;
        }
        to = end / BLOCK * BLOCK;
        for (uint64_t block = at / BLOCK; block < to / BLOCK; block++)
            origins->block[block] = origin;
    }
}

uint64_t ptog_origins_run(const struct ptog_origins *origins, uint64_t at, uint64_t end, ptog_origin *origin)
{
    const ptog_origin *block = &origins->block[at / BLOCK];
    *origin = *block == DIFFER ? origins->byte[at] : *block;
    uint64_t whole = (end - at) / BLOCK;
    if (at % BLOCK == 0 && whole > 1 && *block == *origin &&
        memcmp(block, block + 1, (whole - 1) * sizeof *block) == 0) {
        at += whole * BLOCK; /* all of them are alike, as nearly always */
        block += whole;
    }
    for (uint64_t to; at < end; at = to, block++) {
        to = ptog_min((at / BLOCK + 1) * BLOCK, end);
        if (*block == *origin)
            continue;
        if (*block != DIFFER)
            return at;
        for (; at < to; at++)
            if (origins->byte[at] != *origin)
                return at;
    }
    return end;
}

uint64_t ptog_origins_undefined(const struct ptog_origins *origins, uint64_t at, uint64_t end)
{
    ptog_origin origin;
    while (at < end) {
        uint64_t to = ptog_origins_run(origins, at, end, &origin);
        if (ptog_origin_definition(origin) != PTOG_DEFINED)
            return at;
        at = to;
    }
    return end;
}

void ptog_origins_redefine(struct ptog_origins *origins, uint64_t at, uint64_t bytes, enum ptog_definition definition)
{
    ptog_origin origin;
    for (uint64_t end = at + bytes, to; at < end; at = to) {
        to = ptog_origins_run(origins, at, end, &origin);
        ptog_origins_set(origins, at, to - at, ptog_origin_of(ptog_origin_tile(origin), definition));
    }
}

void ptog_origins_retile(struct ptog_origins *origins, uint64_t at, uint64_t bytes, uint32_t tile)
{
    ptog_origin origin;
    for (uint64_t end = at + bytes, to; at < end; at = to) {
        to = ptog_origins_run(origins, at, end, &origin);
        ptog_origins_set(origins, at, to - at, ptog_origin_of(tile, ptog_origin_definition(origin)));
    }
}

void ptog_origins_propagate(struct ptog_origins *origins, uint64_t at, uint64_t bytes, struct ptog_carried carried)
{
    if (!origins->carried)
        origins->carried = calloc(origins->bytes, sizeof *origins->carried);
    if (!origins->carried) {
        origins->failed = true;
        return;
    }
    ptog_origins_redefine(origins, at, bytes, PTOG_CARRIED);
    for (uint64_t i = 0; i < bytes; i++)
        origins->carried[at + i] = carried;
}
