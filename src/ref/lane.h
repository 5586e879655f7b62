/* ref: one lane, that is one element, read and written with bounds. Positions are in elements. */
#ifndef PTOG_REF_LANE_H
#define PTOG_REF_LANE_H

#include <string.h>

#include <ptog/plan.h>

#include "base/arith.h"
#include "model/dtype.h"

#define PTOG_NO_DATA 0xAA /* what an element becomes that cannot be read */

static inline bool ptog_lane_fits(size_t bytes, uint64_t at, size_t size)
{
    uint64_t start;
    return ptog_mul_u64(at, size, &start) && start <= bytes && bytes - start >= size;
}

static inline bool ptog_lane_read(struct ptog_cbuf buf, uint64_t at, size_t size, void *bits)
{
    if (!ptog_lane_fits(buf.bytes, at, size))
        return false;
    memcpy(bits, (const char *)buf.data + at * size, size);
    return true;
}

static inline bool ptog_lane_write(struct ptog_buf buf, uint64_t at, size_t size, const void *bits)
{
    if (!ptog_lane_fits(buf.bytes, at, size))
        return false;
    memcpy((char *)buf.data + at * size, bits, size);
    return true;
}

/* An index as a number; `extend` keeps the sign of a signed type. */
static inline bool ptog_lane_index(struct ptog_cbuf buf, uint64_t at, enum ptog_dtype dtype, bool extend,
                                   uint64_t *index)
{
    size_t size = ptog_dtype_size(dtype);
    *index = 0;
    if (!ptog_lane_read(buf, at, size, index))
        return false;
    unsigned unused = 64 - 8 * (unsigned)size;
    if (extend && ptog_dtype_is_signed(dtype))
        *index = (uint64_t)((int64_t)(*index << unused) >> unused);
    return true;
}

#endif
