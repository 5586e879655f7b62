/* model: the lanes of model/lanes.def, for integers with and without a sign and for floating point. */
#include "model/lane.h"

#include <math.h>

#include "model/dtype.h"

/* ---- what rows of the table call */

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

static double ptog_rounded(enum ptog_dtype dtype, double value)
{
    return ptog_dtype_to_float(dtype, ptog_dtype_from_real(dtype, value));
}

/* a - trunc(a / b) * b, each step rounded to f32. */
static double ptog_fmod_in_steps(double a, double b)
{
    float quotient = (float)a / (float)b;
    float product = truncf(quotient) * (float)b; /* a statement of its own, so that it is not fused with the next */
    return (float)a - product;
}

/* The nearest f16 that is not larger in magnitude: one below the nearest of all, where that is larger. */
static double ptog_half_towards_zero(double value)
{
    uint64_t bits = ptog_dtype_from_real(PTOG_F16, value);
    if (!isinf(value) && fabs(ptog_dtype_to_float(PTOG_F16, bits)) > fabs(value))
        bits--;
    return ptog_dtype_to_float(PTOG_F16, bits);
}

#define NO_LANE 0
#define WRAP(a, op, b) (T)((uint64_t)(a)op(uint64_t)(b))

/* Truncated; MIN / -1 is MIN, and there is no quotient for 0. */
#define QUOTIENT(a, b) ((b) == 0 ? 0 : (b) == (T)-1 && (T)-1 < 0 ? WRAP(0, -, a) : (T)(a) / (b))

/* Counts of shifts: what is too large shifts everything out, but for targets that take it modulo 64. */
#define IN_WIDTH(b) ((b >= 0 && b < (T)width) || (target->shifts_64_modulo && width == 64))
#define COUNT(b) ((uint64_t)(b)&63)

/* ---- the functions of a row */

#define INTEGERS(name, T_, suffix, whole)                                                                              \
    static uint64_t name##suffix(const struct ptog_target *target, enum ptog_dtype dtype, T_ a, T_ b)                  \
    {                                                                                                                  \
        typedef T_ T;                                                                                                  \
        const unsigned width = 8 * (unsigned)ptog_dtype_size(dtype);                                                   \
        (void)target, (void)width, (void)a, (void)b;                                                                   \
        T result = whole;                                                                                              \
        return (uint64_t)result;                                                                                       \
    }
#define LANE(name, whole, real)                                                                                        \
    INTEGERS(name, int64_t, _signed, whole)                                                                            \
    INTEGERS(name, uint64_t, _unsigned, whole)                                                                         \
    static double name##_real(const struct ptog_target *target, enum ptog_dtype dtype, double a, double b)             \
    {                                                                                                                  \
        (void)target, (void)dtype, (void)a, (void)b;                                                                   \
        return real;                                                                                                   \
    }
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits" /* a < 0 of an unsigned number is what the row says */
#endif
#include "model/lanes.def"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

static const struct {
    uint64_t (*of_signed)(const struct ptog_target *, enum ptog_dtype, int64_t, int64_t);
    uint64_t (*of_unsigned)(const struct ptog_target *, enum ptog_dtype, uint64_t, uint64_t);
    double (*of_real)(const struct ptog_target *, enum ptog_dtype, double, double);
} lanes[PTOG_LANES] = {
#define LANE(name, ...) [PTOG_LANE_##name] = {name##_signed, name##_unsigned, name##_real},
#include "model/lanes.def"
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
        return ptog_dtype_from_real(dtype, lanes[lane].of_real(target, dtype, x, y));
    }
    if (ptog_dtype_is_signed(dtype))
        return cut(lanes[lane].of_signed(target, dtype, extended(a, size), extended(b, size)), size);
    return cut(lanes[lane].of_unsigned(target, dtype, cut(a, size), cut(b, size)), size);
}

/* ---- what has no result */

/* Numbers without a sign that do not fit in int64_t are beyond every limit, as the largest one is. */
static int64_t number_of(enum ptog_dtype dtype, uint64_t bits)
{
    size_t size = ptog_dtype_size(dtype);
    if (ptog_dtype_is_signed(dtype))
        return extended(bits, size);
    bits = cut(bits, size);
    return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
}

bool ptog_lane_faults(enum ptog_lane_id lane, enum ptog_dtype dtype, uint64_t a_bits, uint64_t b_bits,
                      enum ptog_fault_kind *kind, uint64_t *number)
{
    if (ptog_dtype_is_float(dtype))
        return false;
    const int64_t a = number_of(dtype, a_bits), b = number_of(dtype, b_bits);
    const int64_t width = 8 * (int64_t)ptog_dtype_size(dtype);
    switch (lane) {
#define LANE_FAULT(name, KIND, condition)                                                                              \
    case PTOG_LANE_##name:                                                                                             \
        *kind = PTOG_FAULT_##KIND;                                                                                     \
        *number = (uint64_t)b;                                                                                         \
        return condition;
#include "model/lanes.def"
    default: return false;
    }
}
