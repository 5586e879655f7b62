/* model: lanes, the arithmetic of one element: rows of model/lanes.def. The loops around them are in ref, exec and sim.
 */
#ifndef PTOG_MODEL_LANE_H
#define PTOG_MODEL_LANE_H

#include <stdint.h>

#include <ptog/plan.h>

enum ptog_lane_id {
    PTOG_LANE_none,
#define LANE(name, ...) PTOG_LANE_##name,
#include "model/lanes.def"
    PTOG_LANES
};

/* The bits of the result for the bits of elements of one type; `c` is what the destination held before. */
uint64_t ptog_lane_compute(const struct ptog_target *target, enum ptog_lane_id lane, enum ptog_dtype dtype, uint64_t a,
                           uint64_t b, uint64_t c);

/* The same for `count` elements one after the other, at most PTOG_LANE_ROW; `to` may be one of the sources. */
#define PTOG_LANE_ROW 256
#define PTOG_LANE_INPUTS 3
struct ptog_lane_row {
    const struct ptog_target *target;
    enum ptog_lane_id lane;
    enum ptog_dtype dtype;                    /* of the result */
    int inputs;                               /* a, b, c, as many as there are */
    enum ptog_dtype dtypes[PTOG_LANE_INPUTS]; /* of floating-point sources; integers are of the result's type */
    const void *in[PTOG_LANE_INPUTS];
};
void ptog_lane_compute_row(const struct ptog_lane_row *row, void *to, int count);

/* "add", as the table names it. */
const char *ptog_lane_name(enum ptog_lane_id lane);

/* Some elements of this type have no result. */
bool ptog_lane_may_fault(enum ptog_lane_id lane, enum ptog_dtype dtype);

/* There is no result for these elements, and *kind says why; what ptog_lane_compute gives is a choice. *number is the
 * element that is to blame. */
bool ptog_lane_faults(enum ptog_lane_id lane, enum ptog_dtype dtype, uint64_t a, uint64_t b, enum ptog_fault_kind *kind,
                      uint64_t *number);

#endif
