/* model: reductions whose result is a position: the first of the largest or smallest elements. */
#include <math.h>

#include "model/dtype.h"
#include "model/reduce.h"

/* `a` is larger, or smaller, than `b`. A NaN is beyond all numbers, but on a target that only compares it is beyond
 * none. */
static bool is_beyond(const struct ptog_reduce *r, enum ptog_dtype dtype, uint64_t a, uint64_t b)
{
    if (ptog_dtype_is_float(dtype)) {
        float x = ptog_dtype_to_float(dtype, a), y = ptog_dtype_to_float(dtype, b);
        if (!r->target->max_compares && (isnan(x) || isnan(y)))
            return isnan(x) && !isnan(y);
        if (r->lane == PTOG_LANE_max)
            return x > y;
        return x < y;
    }
    return a != b && ptog_lane_compute(r->target, r->lane, dtype, a, b, 0) == a;
}

int64_t ptog_reduce_find(const struct ptog_reduce *r, const struct ptog_line *line)
{
    enum ptog_dtype dtype = r->dtype;
    int64_t found = 0;
    if (r->as_float && dtype == PTOG_U16)
        dtype = PTOG_F16;
    if (r->as_float && dtype == PTOG_U32)
        dtype = PTOG_F32;
    uint64_t best = line->at(line->where, 0);
    for (int64_t k = 1; k < r->count; k++) {
        uint64_t next = line->at(line->where, k);
        if (!is_beyond(r, dtype, next, best))
            continue;
        found = k;
        best = next;
    }
    return found;
}

/* f16 has 11 bits. */
int64_t ptog_reduce_written(const struct ptog_reduce *r, int64_t position)
{
    int64_t step = 1;
    while (r->rounded && position / step >= 2048)
        step *= 2;
    return (position + step / 2) / step * step;
}

int64_t ptog_reduce_nan(const struct ptog_reduce *r, const struct ptog_line *line)
{
    bool orders = r->lane == PTOG_LANE_max || r->lane == PTOG_LANE_min;
    if (!orders || !ptog_dtype_is_float(r->dtype) || r->target->machine == PTOG_NO_MACHINE)
        return -1;
    for (int64_t k = 0; k < r->count; k++)
        if (isnan(ptog_dtype_to_float(r->dtype, line->at(line->where, k))))
            return k;
    return -1;
}
