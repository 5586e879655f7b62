/* auto: places in UB for tiles that are not all alive at once: those that never are together may have the same bytes.
 */
#ifndef PTOG_AUTO_SHARE_H
#define PTOG_AUTO_SHARE_H

#include "auto/room.h"

#include <ptog/status.h>

/* A tile: how large it is, and when it is alive, from `first` to `last`, both of them included. */
struct ptog_live_range {
    uint64_t bytes, addr;
    uint32_t first, last;
};

/* Whether two ranges are alive at the same time. */
static inline bool ptog_live_ranges_meet(const struct ptog_live_range *a, const struct ptog_live_range *b)
{
    return a->first <= b->last && b->first <= a->last;
}

/* Gives every range an address below `limit`, a multiple of 32, outside of `taken`, and apart from those that are
 * alive with it. Two orders are tried, the largest first and the earliest first, each at the lowest address that is
 * free. PTOG_NO_ROOM: neither fits. PTOG_NO_MEMORY. */
enum ptog_status ptog_share(struct ptog_live_range *of, size_t count, const struct ptog_range *taken,
                            size_t taken_count, uint64_t limit);

/* The moment at which the most bytes are needed, as the range that comes to life then, and how many they are. */
size_t ptog_share_worst(const struct ptog_live_range *of, size_t count, uint64_t *bytes);

#endif
