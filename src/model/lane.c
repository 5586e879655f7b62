/* model: the lanes of model/lanes.def, for integers with and without a sign and for floating point. */
#include "model/lane.h"

#include <math.h>
#include <string.h>

#include "model/convert.h"
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

static double ptog_positive(double value)
{
    return value > 0 || isnan(value) ? value : 0;
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

/* a - floor(a / b) * b: what fmod leaves, moved by b where it has another sign than b. */
static double ptog_remainder(double a, double b)
{
    double rest = fmod(a, b);
    return rest != 0 && signbit(rest) != signbit(b) ? rest + b : rest;
}

/* a - floor(a / b) * b, each step rounded to f32. */
static double ptog_rem_in_steps(double a, double b)
{
    float quotient = (float)a / (float)b;
    float product = floorf(quotient) * (float)b; /* a statement of its own, so that it is not fused with the next */
    return (float)a - product;
}

/* A remainder whose sign rounding has turned gets the divisor added. */
static double ptog_rem_turned(enum ptog_dtype dtype, double rest, double b)
{
    return ptog_rounded(dtype, rest * b) < 0 ? ptog_rounded(dtype, rest + b) : rest;
}

/* A float as an int32_t, as the vector unit converts: what does not fit is clamped. */
static int32_t ptog_clamped_int(double value)
{
    if (value >= 2147483647.0)
        return INT32_MAX;
    return value <= -2147483648.0 ? INT32_MIN : (int32_t)value;
}

static int32_t ptog_through_float(int32_t value)
{
    return ptog_clamped_int((float)value);
}

/* The remainder of integers as A2/A3 computes it: the quotient and the sign of the rest through f32. `factor` is the
 * divisor that the quotient is multiplied with. */
static int32_t ptog_rem_through_float(int32_t a, int32_t b, int32_t factor)
{
    int32_t quotient = ptog_clamped_int(floorf((float)a / (float)b));
    uint32_t rest = (uint32_t)ptog_through_float(a) - (uint32_t)quotient * (uint32_t)factor;
    float sum = (float)(int32_t)rest, divisor = (float)factor;
    if (sum * divisor < 0)
        sum += divisor;
    return ptog_clamped_int(sum);
}

/* Wraps around, as products do. */
static uint64_t ptog_power(uint64_t a, uint64_t b)
{
    uint64_t result = 1;
    for (; b > 0; b >>= 1, a *= a)
        if (b & 1)
            result *= a;
    return result;
}

/* 1 / a^-b, truncated. */
static int64_t ptog_inverse_power(int64_t a, bool odd)
{
    if (a == -1)
        return odd ? -1 : 1;
    return a == 1;
}

/* A2/A3 computes powers of any integers as int, and those of zero without a look at signs and NaN. */
static int64_t ptog_power_of_int(int32_t a, int32_t b)
{
    return b < 0 ? ptog_inverse_power(a, b & 1) : (int64_t)ptog_power((uint64_t)(int64_t)a, (uint64_t)b);
}

static double ptog_power_a2a3(double a, double b)
{
    if (a == 0 && b != 0)
        return b > 0 ? 0 : INFINITY;
    return pow(a, b);
}

#define NO_LANE 0
#define WRAP(a, op, b) (T)((uint64_t)(a)op(uint64_t)(b))

/* Truncated; MIN / -1 is MIN, and there is no quotient for 0. */
#define DIVIDE(a, b) ((T)-1 < 0 && (b) == (T)-1 ? WRAP(0, -, a) : (T)(a) / (b))
#define QUOTIENT(a, b) ((b) == 0 ? 0 : DIVIDE(a, b))

/* Moved by b where its sign is not b's, so that it is that of the floored quotient. */
#define REMAINDER(a, b) ((b) == 0 ? 0 : FLOORED(WRAP(a, -, WRAP(QUOTIENT(a, b), *, b)), b))
#define FLOORED(rest, b) ((rest) != 0 && (((rest) < 0) != ((b) < 0)) ? WRAP(rest, +, b) : (rest))
#define POWER(a, b)                                                                                                    \
    (T)((b) < 0 ? (uint64_t)ptog_inverse_power((int64_t)(a), (b)&1) : ptog_power((uint64_t)(a), (uint64_t)(b)))

/* Counts of shifts: what is too large shifts everything out, but for targets that take it modulo 64. */
#define IN_WIDTH(b) ((b >= 0 && b < (T)width) || (target->shifts_64_modulo && width == 64))
#define COUNT(b) ((uint64_t)(b)&63)

/* ---- the functions of a row */

#define INTEGERS(name, T_, suffix, whole)                                                                              \
    static uint64_t name##suffix(const struct ptog_target *target, enum ptog_dtype dtype, T_ a, T_ b, T_ c)            \
    {                                                                                                                  \
        typedef T_ T;                                                                                                  \
        const unsigned width = 8 * (unsigned)ptog_dtype_size(dtype);                                                   \
        (void)target, (void)width, (void)a, (void)b, (void)c;                                                          \
        T result = whole;                                                                                              \
        return (uint64_t)result;                                                                                       \
    }
#define LANE(name, whole, real)                                                                                        \
    INTEGERS(name, int64_t, _signed, whole)                                                                            \
    INTEGERS(name, uint64_t, _unsigned, whole)                                                                         \
    static double name##_real(const struct ptog_target *target, enum ptog_dtype dtype, double a, double b, double c)   \
    {                                                                                                                  \
        (void)target, (void)dtype, (void)a, (void)b, (void)c;                                                          \
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
    uint64_t (*of_signed)(const struct ptog_target *, enum ptog_dtype, int64_t, int64_t, int64_t);
    uint64_t (*of_unsigned)(const struct ptog_target *, enum ptog_dtype, uint64_t, uint64_t, uint64_t);
    double (*of_real)(const struct ptog_target *, enum ptog_dtype, double, double, double);
} lanes[PTOG_LANES] = {
#define LANE(name, ...) [PTOG_LANE_##name] = {name##_signed, name##_unsigned, name##_real},
#include "model/lanes.def"
};

/* The signed integer of `size` bytes. */
static int64_t sign_extended(uint64_t bits, size_t size)
{
    unsigned drop = 64u - 8u * (unsigned)size;
    return (int64_t)(bits << drop) >> drop;
}

static uint64_t cut_bits(uint64_t bits, size_t size)
{
    return size == 8 ? bits : bits & ((UINT64_C(1) << (8 * size)) - 1);
}

/* Bits are bits: tand and tor of floating point are those of integers of the same size. */
static enum ptog_dtype computed_as(enum ptog_lane_id lane, enum ptog_dtype dtype)
{
    if (lane != PTOG_LANE_and && lane != PTOG_LANE_or)
        return dtype;
    switch (ptog_dtype_size(dtype)) {
    case 1: return PTOG_U8;
    case 2: return PTOG_U16;
    case 4: return PTOG_U32;
    default: return dtype;
    }
}

uint64_t ptog_lane_compute(const struct ptog_target *target, enum ptog_lane_id lane, enum ptog_dtype dtype, uint64_t a,
                           uint64_t b, uint64_t c)
{
    size_t size = ptog_dtype_size(dtype);
    dtype = computed_as(lane, dtype);
    if (ptog_dtype_is_float(dtype)) {
        double x = ptog_dtype_to_float(dtype, a), y = ptog_dtype_to_float(dtype, b), z = ptog_dtype_to_float(dtype, c);
        return ptog_dtype_from_real(dtype, lanes[lane].of_real(target, dtype, x, y, z));
    }
    if (ptog_dtype_is_signed(dtype))
        return cut_bits(lanes[lane].of_signed(target, dtype, sign_extended(a, size), sign_extended(b, size),
                                              sign_extended(c, size)),
                        size);
    return cut_bits(lanes[lane].of_unsigned(target, dtype, cut_bits(a, size), cut_bits(b, size), cut_bits(c, size)),
                    size);
}

/* ---- rows: the same functions in loops, which the compiler makes vectors of */

#define LANE(name, ...)                                                                                                \
    static void name##_signeds(const struct ptog_target *target, enum ptog_dtype dtype, const int64_t *a,              \
                               const int64_t *b, const int64_t *c, int64_t *to, int count)                             \
    {                                                                                                                  \
        for (int i = 0; i < count; i++)                                                                                \
            to[i] = (int64_t)name##_signed(target, dtype, a[i], b[i], c[i]);                                           \
    }                                                                                                                  \
    static void name##_unsigneds(const struct ptog_target *target, enum ptog_dtype dtype, const int64_t *a,            \
                                 const int64_t *b, const int64_t *c, int64_t *to, int count)                           \
    {                                                                                                                  \
        for (int i = 0; i < count; i++)                                                                                \
            to[i] = (int64_t)name##_unsigned(target, dtype, (uint64_t)a[i], (uint64_t)b[i], (uint64_t)c[i]);           \
    }                                                                                                                  \
    static void name##_reals(const struct ptog_target *target, enum ptog_dtype dtype, const double *a,                 \
                             const double *b, const double *c, double *to, int count)                                  \
    {                                                                                                                  \
        for (int i = 0; i < count; i++)                                                                                \
            to[i] = name##_real(target, dtype, a[i], b[i], c[i]);                                                      \
    }
#include "model/lanes.def"

static const struct {
    void (*of_signed)(const struct ptog_target *, enum ptog_dtype, const int64_t *, const int64_t *, const int64_t *,
                      int64_t *, int);
    void (*of_unsigned)(const struct ptog_target *, enum ptog_dtype, const int64_t *, const int64_t *, const int64_t *,
                        int64_t *, int);
    void (*of_real)(const struct ptog_target *, enum ptog_dtype, const double *, const double *, const double *,
                    double *, int);
} rows[PTOG_LANES] = {
#define LANE(name, ...) [PTOG_LANE_##name] = {name##_signeds, name##_unsigneds, name##_reals},
#include "model/lanes.def"
};

/* Reads `count` floating-point elements as doubles. */
static void read_reals(enum ptog_dtype dtype, const void *from, double *to, int count)
{
    size_t size = ptog_dtype_size(dtype);
    for (int i = 0; i < count && dtype == PTOG_F32; i++) {
        float value;
        memcpy(&value, (const char *)from + 4 * i, sizeof value);
        to[i] = value;
    }
    for (int i = 0; i < count && dtype != PTOG_F32; i++) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)from + size * (size_t)i, size);
        to[i] = ptog_dtype_to_float(dtype, bits);
    }
}

/* Writes doubles as `count` elements of a floating-point type. */
static void write_reals(enum ptog_dtype dtype, const double *from, void *to, int count)
{
    size_t size = ptog_dtype_size(dtype);
    for (int i = 0; i < count && dtype == PTOG_F32; i++) {
        uint32_t bits = ptog_f32_of_real(from[i]);
        memcpy((char *)to + 4 * i, &bits, sizeof bits);
    }
    for (int i = 0; i < count && dtype != PTOG_F32; i++) {
        uint64_t bits = ptog_dtype_from_real(dtype, from[i]);
        memcpy((char *)to + size * (size_t)i, &bits, size);
    }
}

/* Integers of one type in their storage, and as 64-bit numbers. */
#define STORED(T)                                                                                                      \
    static void read_##T(const void *from, int64_t *to, int count)                                                     \
    {                                                                                                                  \
        for (int i = 0; i < count; i++) {                                                                              \
            T value;                                                                                                   \
            memcpy(&value, (const char *)from + sizeof value * (size_t)i, sizeof value);                               \
            to[i] = (int64_t)value;                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    static void write_##T(const int64_t *from, void *to, int count)                                                    \
    {                                                                                                                  \
        for (int i = 0; i < count; i++) {                                                                              \
            T value = (T)from[i];                                                                                      \
            memcpy((char *)to + sizeof value * (size_t)i, &value, sizeof value);                                       \
        }                                                                                                              \
    }
STORED(int8_t)
STORED(uint8_t)
STORED(int16_t)
STORED(uint16_t)
STORED(int32_t)
STORED(uint32_t)
STORED(int64_t)
STORED(uint64_t)

static const struct {
    void (*read)(const void *, int64_t *, int);
    void (*write)(const int64_t *, void *, int);
} stored[] = {
    [PTOG_I8] = {read_int8_t, write_int8_t},    [PTOG_U8] = {read_uint8_t, write_uint8_t},
    [PTOG_I16] = {read_int16_t, write_int16_t}, [PTOG_U16] = {read_uint16_t, write_uint16_t},
    [PTOG_I32] = {read_int32_t, write_int32_t}, [PTOG_U32] = {read_uint32_t, write_uint32_t},
    [PTOG_I64] = {read_int64_t, write_int64_t}, [PTOG_U64] = {read_uint64_t, write_uint64_t},
};

/* Computes a row of a lane in floating point. */
static void compute_reals(const struct ptog_lane_row *row, void *to, int count)
{
    double in[PTOG_LANE_INPUTS][PTOG_LANE_ROW];
    for (int i = 0; i < row->inputs; i++)
        read_reals(row->dtypes[i], row->in[i], in[i], count);
    const double *b = in[row->inputs > 1 ? 1 : 0], *c = in[row->inputs > 2 ? 2 : 0];
    rows[row->lane].of_real(row->target, row->dtype, in[0], b, c, in[0], count);
    write_reals(row->dtype, in[0], to, count);
}

/* Computes a row of a lane in integers. */
static void compute_integers(const struct ptog_lane_row *row, void *to, int count)
{
    int64_t in[PTOG_LANE_INPUTS][PTOG_LANE_ROW];
    for (int i = 0; i < row->inputs; i++)
        stored[row->dtype].read(row->in[i], in[i], count);
    const int64_t *b = in[row->inputs > 1 ? 1 : 0], *c = in[row->inputs > 2 ? 2 : 0];
    if (ptog_dtype_is_signed(row->dtype))
        rows[row->lane].of_signed(row->target, row->dtype, in[0], b, c, in[0], count);
    else
        rows[row->lane].of_unsigned(row->target, row->dtype, in[0], b, c, in[0], count);
    stored[row->dtype].write(in[0], to, count);
}

/* Computes `count` elements of a lane, at most PTOG_LANE_ROW, and writes them to `to`. */
void ptog_lane_compute_row(const struct ptog_lane_row *row, void *to, int count)
{
    struct ptog_lane_row as = *row;
    as.dtype = computed_as(row->lane, row->dtype);
    if (ptog_dtype_is_float(as.dtype))
        compute_reals(&as, to, count);
    else
        compute_integers(&as, to, count);
}

/* ---- names */

const char *ptog_lane_name(enum ptog_lane_id lane)
{
    static const char *const names[PTOG_LANES] = {
        [PTOG_LANE_none] = "none",
#define LANE(name, ...) [PTOG_LANE_##name] = #name,
#include "model/lanes.def"
    };
    return names[lane];
}

/* ---- what has no result */

/* Numbers without a sign that do not fit in int64_t are beyond every limit, as the largest one is. */
static int64_t number_of(enum ptog_dtype dtype, uint64_t bits)
{
    size_t size = ptog_dtype_size(dtype);
    if (ptog_dtype_is_signed(dtype))
        return sign_extended(bits, size);
    bits = cut_bits(bits, size);
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

bool ptog_lane_may_fault(enum ptog_lane_id lane, enum ptog_dtype dtype)
{
    if (ptog_dtype_is_float(dtype))
        return false;
    switch (lane) {
#define LANE_FAULT(name, ...) case PTOG_LANE_##name:
#include "model/lanes.def"
        return true;
    default: return false;
    }
}
