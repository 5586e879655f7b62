/* auto: a pair of flags, or a barrier, as it is put before an instruction. */
#ifndef PTOG_AUTO_SYNC_H
#define PTOG_AUTO_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#define PTOG_AUTO_IDS 6    /* 6 and 7 belong to system software; 0, which instructions use themselves, is never taken */
#define PTOG_MOST_SYNCS 16 /* before one instruction */

enum ptog_sync_part { PTOG_SYNC_WHOLE = 0, PTOG_SYNC_SET, PTOG_SYNC_WAIT };

/* A pair (src, dst, id), or one of its halves, or a barrier on src, where dst is the same. */
struct ptog_sync {
    uint8_t src, dst, id;
    uint8_t part; /* enum ptog_sync_part; a chosen pair is whole */
};

static inline bool ptog_sync_is_barrier(const struct ptog_sync *sync)
{
    return sync->src == sync->dst;
}

#endif
