/* auto: the flags and barriers that an author left out. Given what is complete for whom, and what an instruction must
 * find complete, the fewest pairs right before it that order it. A pair is a set and its wait, one after the other, so
 * that it is whole in every iteration of a loop and every branch of a condition. */
#ifndef PTOG_AUTO_ORDER_H
#define PTOG_AUTO_ORDER_H

#include "auto/sync.h"
#include "model/effects.h"
#include "model/order.h"

/* The flags of a core: of each, the last wait's number in dst's queue; 0: never set, PTOG_IS_SET: set and not waited
 * for. */
#define PTOG_IS_SET UINT32_MAX
struct ptog_waits {
    uint32_t of[PTOG_PIPES][PTOG_PIPES][PTOG_AUTO_IDS];
    uint8_t avoid[PTOG_PIPES][PTOG_PIPES]; /* ids that the program uses itself, as bits: never taken */
};

/* What an instruction must find complete when its phases start. */
struct ptog_demand {
    const struct ptog_effects *effects; /* phases, and its own flags before them */
    struct ptog_clock need[2];          /* by phase; of its own pipe: what needs a barrier */
};

/* Whether it finds that without any sync. */
bool ptog_auto_is_met(const struct ptog_clocks *clocks, const struct ptog_demand *demand);

/* The syncs that make an instruction find what it demands: the fewest, up to three; more are one for each pipe that is
 * waited for. None of them can be left out. Returns how many. */
int ptog_auto_choose(const struct ptog_clocks *clocks, const struct ptog_waits *waits, const struct ptog_demand *demand,
                     struct ptog_sync syncs[PTOG_MAX_SYNCS]);

/* What must stand before a set of (src, dst, id) so that it comes after the wait for the set before: a flag back, or
 * nothing. */
int ptog_auto_before_set(const struct ptog_clocks *clocks, const struct ptog_waits *waits, const struct ptog_sync *set,
                         struct ptog_sync syncs[PTOG_MAX_SYNCS]);

#endif
