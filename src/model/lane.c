/* model: the lanes of model/lanes.def, for integers with and without a sign and for floating point. */
#include "model/lane.h"

#include <math.h>

#include "model/dtype.h"

/* NaN if either is; +0 is larger than -0. The CPU simulator compares, and so takes a NaN in `a` for the larger and
 * loses one in `b`. */
static double ptog_larger(const struct ptog_target *target, double a, double b)
{
    if (target->max_compares)
        return a < b ? b : a;
    if (isnan(a) || isnan(b))
        return NAN;
    if (a == b)
        return signbit(a) ? b : a;
    return a > b ? a : b;
}

#define WRAP(a, op, b) (T)((uint64_t)(a)op(uint64_t)(b))

#define LANE(name, whole, real)                                                                                        \
    static uint64_t name##_signed(const struct ptog_target *target, int64_t a, int64_t b)                              \
    {                                                                                                                  \
        typedef int64_t T;                                                                                             \
        (void)target;                                                                                                  \
        T result = whole;                                                                                              \
        return (uint64_t)result;                                                                                       \
    }                                                                                                                  \
    static uint64_t name##_unsigned(const struct ptog_target *target, uint64_t a, uint64_t b)                          \
    {                                                                                                                  \
        typedef uint64_t T;                                                                                            \
        (void)target;                                                                                                  \
        T result = whole;                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    static double name##_real(const struct ptog_target *target, double a, double b)                                    \
    {                                                                                                                  \
        (void)target;                                                                                                  \
        return real;                                                                                                   \
    }
#include "model/lanes.def"
#undef LANE

static const struct {
    uint64_t (*of_signed)(const struct ptog_target *, int64_t, int64_t);
    uint64_t (*of_unsigned)(const struct ptog_target *, uint64_t, uint64_t);
    double (*of_real)(const struct ptog_target *, double, double);
} lanes[PTOG_LANES] = {
#define LANE(name, ...) [PTOG_LANE_##name] = {name##_signed, name##_unsigned, name##_real},
#include "model/lanes.def"
#undef LANE
};

static int64_t extended(uint64_t bits, size_t size)
{
    unsigned drop = 64u - 8u * (unsigned)size;
    return (int64_t)(bits << drop) >> drop;
}

static uint64_t cut(uint64_t bits, size_t size)
{
    return size == 8 ? bits : bits & ((UINT64_C(1) << (8 * size)) - 1);
}

uint64_t ptog_lane_compute(const struct ptog_target *target, enum ptog_lane_id lane, enum ptog_dtype dtype, uint64_t a,
                           uint64_t b)
{
    size_t size = ptog_dtype_size(dtype);
    if (ptog_dtype_is_float(dtype)) {
        double x = ptog_dtype_to_float(dtype, a), y = ptog_dtype_to_float(dtype, b);
        return ptog_dtype_from_real(dtype, lanes[lane].of_real(target, x, y));
    }
    if (ptog_dtype_is_signed(dtype))
        return cut(lanes[lane].of_signed(target, extended(a, size), extended(b, size)), size);
    return cut(lanes[lane].of_unsigned(target, cut(a, size), cut(b, size)), size);
}
