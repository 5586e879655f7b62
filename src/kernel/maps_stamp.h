/* kernel: from the list of maps to functions and their table, TABLE, for one instruction set with vectors of VECTOR
 * bytes. The bodies are in the compiler's vector types; what is left after whole vectors goes through a vector of its
 * own. */
#include <math.h>
#include <string.h>

#include "kernel/halves.h"
#include "kernel/maps.h"

/* ---- what expressions call */

/* `condition` is all ones or all zeros in each lane, as comparisons of vectors are. */
#define PICK(condition, a, b) (V)(((M)(a) & (M)(condition)) | ((M)(b) & ~(M)(condition)))

/* NaN if either is, and +0 above -0. Both orders of the operands give the same number, unless they are zeros, whose
 * signs are joined, or one is NaN. */
#define NAN_OF(a, b) (((M)(a != a) | (M)(b != b)) & 0x7fc00000u)
#define LARGER(a, b) (V)(((M)OR_SECOND_MAX(a, b) & (M)OR_SECOND_MAX(b, a)) | NAN_OF(a, b))
#define SMALLER(a, b) (V)((M)OR_SECOND_MIN(a, b) | (M)OR_SECOND_MIN(b, a) | NAN_OF(a, b))
#if defined(__AVX2__)
#define OR_SECOND_MAX(a, b) __builtin_ia32_maxps256(a, b)
#define OR_SECOND_MIN(a, b) __builtin_ia32_minps256(a, b)
#define ROOT(a) __builtin_ia32_sqrtps256(a)
#else
#define OR_SECOND_MAX(a, b) PICK(a > b, a, b)
#define OR_SECOND_MIN(a, b) PICK(a < b, a, b)
#define ROOT(a) roots(a)
static inline ptog_floats roots(ptog_floats a)
{
    for (size_t i = 0; i < VECTOR / sizeof a[0]; i++)
        a[i] = sqrtf(a[i]);
    return a;
}
#endif

/* ---- in double, for f32: an error of some 1e-16 is seldom seen in a rounded result */

typedef double ptog_doubles __attribute__((vector_size(VECTOR)));
typedef uint64_t ptog_longs __attribute__((vector_size(VECTOR)));
typedef int64_t ptog_wide_ints __attribute__((vector_size(VECTOR)));
typedef float ptog_few __attribute__((vector_size(VECTOR / 2)));
typedef int32_t ptog_few_ints __attribute__((vector_size(VECTOR / 2)));
#define FEW (VECTOR / sizeof(double))
#define CHUNK 32 /* vectors that go through a step at a time: they stay in the nearest cache */

static inline ptog_doubles doubles_of(ptog_few value)
{
#if defined(__AVX2__) && !defined(__clang__) /* gcc goes through memory otherwise */
    return __builtin_ia32_cvtps2pd256(value);
#else
    return __builtin_convertvector(value, ptog_doubles);
#endif
}

static inline ptog_few few_of(ptog_doubles value)
{
    return __builtin_convertvector(value, ptog_few);
}

/* CHOOSE: `condition` is all ones or all zeros in each lane. LIMITED: NaN stays. ANY: in one lane at least. */
#if defined(__AVX2__)
#define CHOOSE(condition, a, b)                                                                                        \
    __builtin_ia32_blendvpd256((ptog_doubles)(b), (ptog_doubles)(a), (ptog_doubles)(condition))
#define LIMITED(x, most) __builtin_ia32_maxpd256(EVERYWHERE(-(most)), __builtin_ia32_minpd256(EVERYWHERE(most), x))
#define ANY(condition) (__builtin_ia32_movmskpd256((ptog_doubles)(condition)) != 0)
#else
#define CHOOSE(condition, a, b)                                                                                        \
    (ptog_doubles)(((ptog_longs)(a) & (ptog_longs)(condition)) | ((ptog_longs)(b) & ~(ptog_longs)(condition)))
#define LIMITED(x, most) CHOOSE(x > (most), EVERYWHERE(most), CHOOSE(x < -(most), EVERYWHERE(-(most)), x))
#define ANY(condition) ((((ptog_longs)(condition))[0] | ((ptog_longs)(condition))[1]) != 0)
#endif
#define EVERYWHERE(number) ((ptog_doubles){0} + (number))

/* factors[0] + factors[1]*x + ... + factors[7]*x^7, in pairs, so that the steps do not wait for each other. */
static inline ptog_doubles series(const double factors[8], ptog_doubles x, ptog_doubles x2, ptog_doubles x4)
{
    return ((factors[0] + factors[1] * x) + (factors[2] + factors[3] * x) * x2) +
           ((factors[4] + factors[5] * x) + (factors[6] + factors[7] * x) * x2) * x4;
}

/* 2^n * e^r, with r at most half of ln 2 from 0, and e^r by its series. Beyond 200 f32 is 0 or infinite. For numbers.
 */
static inline ptog_doubles ordinary_exp(ptog_doubles x)
{
    static const double first[8] = {1.0, 1.0, 0.5, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040};
    const double shift = 0x1.8p52; /* added, it leaves a whole number in the low bits */
    ptog_doubles near = LIMITED(x, 200.0);
    ptog_doubles shifted = near * 0x1.71547652b82fep0 + shift, n = shifted - shift;
    ptog_doubles r = (near - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33, r2 = r * r, r4 = r2 * r2;
    ptog_doubles last = (1.0 / 40320 + 1.0 / 362880 * r) + (1.0 / 3628800 + 1.0 / 39916800 * r) * r2;
    return (ptog_doubles)((ptog_longs)(series(first, r, r2, r4) + last * (r4 * r4)) + ((ptog_longs)shifted << 52));
}

static inline ptog_doubles EXPONENTIAL(ptog_doubles x)
{
    return CHOOSE(x != x, x, ordinary_exp(x));
}

/* e * ln 2 + ln m, with m within a factor of sqrt 2 from 1, and ln m = 2 artanh s, s = (m - 1) / (m + 1), by its
 * series. For positive numbers that are finite. */
static inline ptog_doubles ordinary_log(ptog_doubles x)
{
    static const double first[8] = {2.0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15};
    ptog_longs bits = (ptog_longs)x - 0x3fe6a09e667f3bcd; /* so that the exponent turns over at sqrt 1/2 */
    ptog_longs exponent = bits >> 52;                     /* of 12 bits, with a sign */
    ptog_doubles m = (ptog_doubles)((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
    ptog_doubles e = (ptog_doubles)((exponent ^ 0x800) | 0x4330000000000000) - (0x1p52 + 0x800);
    ptog_doubles s = (m - 1) / (m + 1), s2 = s * s, s4 = s2 * s2, s8 = s4 * s4;
    ptog_doubles sum = series(first, s2, s4, s8) + (2.0 / 17 + 2.0 / 19 * s2) * (s8 * s8);
    return e * 0x1.a39ef35793c76p-33 + s * sum + e * 0x1.62e42fee00000p-1;
}

/* The natural logarithm, of zero and negative numbers and what is no number, too. */
static inline ptog_doubles LOGARITHM(ptog_doubles x)
{
    ptog_doubles result = ordinary_log(x);
    if (!ANY(~((ptog_longs)(x > 0) & (ptog_longs)(x < INFINITY))))
        return result;
    result = CHOOSE(x == 0, EVERYWHERE(-INFINITY), CHOOSE(x < 0, EVERYWHERE(NAN), result));
    return CHOOSE((x != x) | (x == INFINITY), x, result);
}

/* a^b = e^(b ln a), in two steps: what lies between is kept for many elements, since a CPU that is given both at once
 * waits for each. What is not a positive number to the power of a number is left to the second step. */
static inline ptog_doubles POWER_FIRST(ptog_doubles a, ptog_doubles b)
{
    return b * ordinary_log(a);
}

/* What C asks for otherwise: 1 to anything and anything to 0 are 1; a negative number has no power but a whole one, and
 * its odd ones are negative. A whole number is its own nearest one. */
static inline ptog_doubles special_power(ptog_doubles a, ptog_doubles b)
{
    const double shift = 0x1.8p52;
    const ptog_longs none = {0};
    ptog_doubles magnitude = (ptog_doubles)((ptog_longs)a & (none + INT64_MAX)), half = b * 0.5;
    ptog_longs is_large = (ptog_longs)((b > 0x1p52) | (b < -0x1p52)); /* and therefore whole and, from f32, even */
    ptog_longs is_whole = is_large | (ptog_longs)((b + shift) - shift == b);
    ptog_longs is_even = is_large | (ptog_longs)((half + shift) - shift == half);
    ptog_longs is_negative = (ptog_longs)((ptog_wide_ints)a < 0), is_finite = (ptog_longs)(magnitude < INFINITY);
    ptog_doubles result = EXPONENTIAL(b * LOGARITHM(magnitude));
    result = CHOOSE((magnitude == 1) & (b == b), EVERYWHERE(1.0), result);
    result = (ptog_doubles)((ptog_longs)result | (is_negative & is_whole & ~is_even & (none + (UINT64_C(1) << 63))));
    result = CHOOSE(is_negative & is_finite & ~is_whole & (ptog_longs)(a != 0), EVERYWHERE(NAN), result);
    return CHOOSE((a == 1) | (b == 0), EVERYWHERE(1.0), result);
}

static inline ptog_doubles POWER_SECOND(ptog_doubles a, ptog_doubles b, ptog_doubles logarithm)
{
    ptog_doubles size = (ptog_doubles)((ptog_longs)b & 0x7fffffffffffffff);
    if (ANY(~((ptog_longs)(a > 0) & (ptog_longs)(a < INFINITY) & (ptog_longs)(size < INFINITY))))
        return special_power(a, b);
    return ordinary_exp(logarithm);
}

#if defined(__AVX2__)
#define DOUBLE_ROOT(a) __builtin_ia32_sqrtpd256(a)
#else
#define DOUBLE_ROOT(a) double_roots(a)
static inline ptog_doubles double_roots(ptog_doubles a)
{
    for (size_t i = 0; i < VECTOR / sizeof a[0]; i++)
        a[i] = sqrt(a[i]);
    return a;
}
#endif

/* To f32 as a step to fewer bits still: what is not exact gets a last bit of 1, so that the next step sees on which
 * side of a half it lies. */
static inline ptog_few few_to_odd(ptog_doubles value)
{
    ptog_few near = few_of(value);
    ptog_doubles back = doubles_of(near);
    ptog_few_ints is_larger = __builtin_convertvector(
        (ptog_wide_ints)(CHOOSE(back < 0, -back, back) > CHOOSE(value < 0, -value, value)), ptog_few_ints);
    ptog_few_ints is_other = __builtin_convertvector((ptog_wide_ints)(back != value), ptog_few_ints);
    return (ptog_few)(((ptog_few_ints)near + is_larger) | (is_other & 1));
}

/* ---- from a row to a function: the expression, and the loop around it */

static inline void load_vector(void *vector, const unsigned char *from, size_t at, bool is_one, size_t bytes)
{
    memcpy(vector, is_one ? from : from + at, bytes);
}

/* The last elements, fewer than the `count` of a vector: `map` does a vector with them in it. */
static __attribute__((noinline)) void map_rest(const struct ptog_map_job *job, size_t at, size_t bytes, size_t count,
                                               ptog_map_fn *map)
{
    unsigned char a[PTOG_MAP_STEP] = {0}, b[PTOG_MAP_STEP] = {0}, to[PTOG_MAP_STEP];
    load_vector(a, job->a, at, job->a_is_one, bytes);
    load_vector(b, job->b, at, job->b_is_one, bytes);
    map(&(struct ptog_map_job){.a = a, .b = b, .to = to, .count = count});
    memcpy(job->to + at, to, bytes);
}

/* `S`: how elements are stored in a vector of `step` bytes; VALUE and STORED lead to the vectors of the expression and
 * back. */
#define LOOP(name, TYPE, S, step, VALUE, STORED)                                                                       \
    static void name##_##TYPE(const struct ptog_map_job *job)                                                          \
    {                                                                                                                  \
        const size_t bytes = job->count * sizeof((S){0}[0]);                                                           \
        S a = {0}, b = {0}, result;                                                                                    \
        size_t at = 0;                                                                                                 \
        for (; at + (step) <= bytes; at += (step)) {                                                                   \
            load_vector(&a, job->a, at, job->a_is_one, step);                                                          \
            load_vector(&b, job->b, at, job->b_is_one, step);                                                          \
            result = STORED(name##_of_##TYPE(VALUE(a), VALUE(b)));                                                     \
            memcpy(job->to + at, &result, step);                                                                       \
        }                                                                                                              \
        if (at < bytes)                                                                                                \
            map_rest(job, at, bytes - at, (step) / sizeof((S){0}[0]), name##_##TYPE);                                  \
    }
#define AS_IT_IS(vector) (vector)

#define EXPRESSION(name, TYPE, T, expression)                                                                          \
    typedef T vector_##name##_##TYPE __attribute__((vector_size(VECTOR)));                                             \
    static inline vector_##name##_##TYPE name##_of_##TYPE(vector_##name##_##TYPE a, vector_##name##_##TYPE b)          \
    {                                                                                                                  \
        typedef vector_##name##_##TYPE V;                                                                              \
        typedef ptog_words M;                                                                                          \
        (void)b, (void)sizeof(M);                                                                                      \
        return (V)(expression);                                                                                        \
    }
#define MAP(name, TYPE, T, expression)                                                                                 \
    EXPRESSION(name, TYPE, T, expression) LOOP(name, TYPE, vector_##name##_##TYPE, VECTOR, AS_IT_IS, AS_IT_IS)
#define HALF(name, TYPE, expression)                                                                                   \
    EXPRESSION(name, TYPE, float, expression) LOOP(name, TYPE, ptog_halves, VECTOR / 2, floats_of_##TYPE, halves_##TYPE)
#define WIDE(name, expression)                                                                                         \
    static inline ptog_doubles name##_of_F32(ptog_doubles a, ptog_doubles b)                                           \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        return (expression);                                                                                           \
    }                                                                                                                  \
    LOOP(name, F32, ptog_few, VECTOR / 2, doubles_of, few_of)
#define WIDE_IN_TWO(name, FIRST, SECOND)                                                                               \
    static inline ptog_doubles name##_of_F32(ptog_doubles a, ptog_doubles b)                                           \
    {                                                                                                                  \
        return SECOND(a, b, FIRST(a, b));                                                                              \
    }                                                                                                                  \
    static void name##_some(const struct ptog_map_job *job, size_t at, size_t count)                                   \
    {                                                                                                                  \
        ptog_doubles between[CHUNK];                                                                                   \
        ptog_few a, b, result;                                                                                         \
        for (size_t i = 0; i < count; i++) {                                                                           \
            load_vector(&a, job->a, at + i * sizeof a, job->a_is_one, sizeof a);                                       \
            load_vector(&b, job->b, at + i * sizeof a, job->b_is_one, sizeof b);                                       \
            between[i] = FIRST(doubles_of(a), doubles_of(b));                                                          \
        }                                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                                           \
            load_vector(&a, job->a, at + i * sizeof a, job->a_is_one, sizeof a);                                       \
            load_vector(&b, job->b, at + i * sizeof a, job->b_is_one, sizeof b);                                       \
            result = few_of(SECOND(doubles_of(a), doubles_of(b), between[i]));                                         \
            memcpy(job->to + at + i * sizeof a, &result, sizeof result);                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static inline ptog_doubles name##_each_of_F32(ptog_doubles a, ptog_doubles b)                                      \
    {                                                                                                                  \
        return name##_of_F32(a, b);                                                                                    \
    }                                                                                                                  \
    LOOP(name##_each, F32, ptog_few, VECTOR / 2, doubles_of, few_of)                                                   \
    static void name##_F32(const struct ptog_map_job *job)                                                             \
    {                                                                                                                  \
        const size_t vectors = job->count / FEW;                                                                       \
        struct ptog_map_job rest = *job;                                                                               \
        for (size_t i = 0; i < vectors; i += CHUNK)                                                                    \
            name##_some(job, i * sizeof(ptog_few), vectors - i < CHUNK ? vectors - i : CHUNK);                         \
        rest.count -= vectors * FEW;                                                                                   \
        rest.to += vectors * sizeof(ptog_few);                                                                         \
        rest.a += job->a_is_one ? 0 : vectors * sizeof(ptog_few);                                                      \
        rest.b += job->b_is_one ? 0 : vectors * sizeof(ptog_few);                                                      \
        name##_each_F32(&rest);                                                                                        \
    }
#define HALF_WIDE(name, TYPE)                                                                                          \
    static inline ptog_floats name##_of_##TYPE(ptog_floats a, ptog_floats b)                                           \
    {                                                                                                                  \
        ptog_few of[2][2], result[2];                                                                                  \
        memcpy(of[0], &a, sizeof a);                                                                                   \
        memcpy(of[1], &b, sizeof b);                                                                                   \
        for (int i = 0; i < 2; i++)                                                                                    \
            result[i] = few_to_odd(name##_of_F32(doubles_of(of[0][i]), doubles_of(of[1][i])));                         \
        memcpy(&a, result, sizeof a);                                                                                  \
        return a;                                                                                                      \
    }                                                                                                                  \
    LOOP(name, TYPE, ptog_halves, VECTOR / 2, floats_of_##TYPE, halves_##TYPE)
#include "kernel/maps.def"
#undef MAP
#undef HALF
#undef WIDE
#undef WIDE_IN_TWO
#undef HALF_WIDE

const struct ptog_map TABLE[] = {
#define MAP(name, TYPE, ...) {#name, PTOG_##TYPE, name##_##TYPE},
#define HALF(name, TYPE, ...) {#name, PTOG_##TYPE, name##_##TYPE},
#define WIDE(name, ...) {#name, PTOG_F32, name##_F32},
#define WIDE_IN_TWO(name, ...) {#name, PTOG_F32, name##_F32},
#define HALF_WIDE(name, TYPE) {#name, PTOG_##TYPE, name##_##TYPE},
#include "kernel/maps.def"
    {NULL, PTOG_DTYPE_NONE, NULL},
};
