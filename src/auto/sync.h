/* auto: a pair of flags, or a barrier, as it is put before an instruction. */
#ifndef PTOG_AUTO_SYNC_H
#define PTOG_AUTO_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#define PTOG_AUTO_IDS 6   /* 6 and 7 belong to system software; 0, which instructions use themselves, is never taken */
#define PTOG_MAX_SYNCS 16 /* before one instruction */

enum ptog_sync_part { PTOG_SYNC_WHOLE = 0, PTOG_SYNC_SET, PTOG_SYNC_WAIT, PTOG_SYNC_FLUSH, PTOG_SYNC_FENCE };

/* A pair (src, dst, id), or one of its halves, or a barrier on src, where dst is the same; or a statement for the data
 * cache of S, with both pipes PTOG_ALL. */
struct ptog_sync {
    uint8_t src, dst, id;
    uint8_t part; /* enum ptog_sync_part; a chosen pair, and a barrier, is whole */
};

/* A single statement: a barrier, or one for the data cache. */
static inline bool ptog_sync_is_barrier(const struct ptog_sync *sync)
{
    return sync->src == sync->dst;
}

#endif
