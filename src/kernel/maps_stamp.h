/* kernel: from the list of maps to functions and their table, TABLE, for one instruction set with vectors of VECTOR
 * bytes. The bodies are in the compiler's vector types; what is left after whole vectors goes through a vector of its
 * own. */
#include <math.h>
#include <string.h>

#include "kernel/maps.h"

typedef uint32_t ptog_words __attribute__((vector_size(VECTOR)));
typedef float ptog_floats __attribute__((vector_size(VECTOR)));
typedef uint16_t ptog_halves __attribute__((vector_size(VECTOR / 2)));

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

/* ---- 16-bit floats: to f32 and back, ties to even */

static inline ptog_floats floats_of_F16(ptog_halves halves)
{
    ptog_words h = __builtin_convertvector(halves, ptog_words), magnitude = h & 0x7fff;
    ptog_words special = (ptog_words)(magnitude >= 0x7c00) & 0x7f800000;
    ptog_words bits = (ptog_words)((ptog_floats)(magnitude << 13) * 0x1p112f); /* the bias of f16 for that of f32 */
    return (ptog_floats)(bits | special | (h & 0x8000) << 16);
}

static inline ptog_halves halves_F16(ptog_floats value)
{
    ptog_words f = (ptog_words)value, magnitude = f & 0x7fffffff;
    ptog_words normal = (magnitude + 0xc8000fffu + (magnitude >> 13 & 1)) >> 13;
    ptog_words small =
        (ptog_words)((ptog_floats)magnitude + 0.5f) - 0x3f000000u; /* the sum rounds to the unit of subnormals */
    ptog_words is_small = (ptog_words)(magnitude < 0x38800000u), is_large = (ptog_words)(magnitude >= 0x477ff000u);
    ptog_words is_nan = (ptog_words)(magnitude > 0x7f800000u);
    ptog_words h = (small & is_small) | (normal & ~is_small);
    h = (h & ~is_large) | (is_large & 0x7c00) | (is_nan & 0x7e00);
    return __builtin_convertvector(h | (f >> 16 & 0x8000), ptog_halves);
}

static inline ptog_floats floats_of_BF16(ptog_halves halves)
{
    return (ptog_floats)(__builtin_convertvector(halves, ptog_words) << 16);
}

static inline ptog_halves halves_BF16(ptog_floats value)
{
    ptog_words f = (ptog_words)value, is_nan = (ptog_words)((f & 0x7fffffff) > 0x7f800000u);
    ptog_words h = (f + 0x7fff + (f >> 16 & 1)) >> 16;
    return __builtin_convertvector((h & ~is_nan) | (is_nan & 0x7fc0), ptog_halves);
}

/* ---- in double, for f32: an error of some 1e-16 is seldom seen in a rounded result */

typedef double ptog_doubles __attribute__((vector_size(VECTOR)));
typedef uint64_t ptog_longs __attribute__((vector_size(VECTOR)));
typedef float ptog_few __attribute__((vector_size(VECTOR / 2)));

static inline ptog_doubles doubles_of(ptog_few value)
{
    return __builtin_convertvector(value, ptog_doubles);
}

static inline ptog_few few_of(ptog_doubles value)
{
    return __builtin_convertvector(value, ptog_few);
}

#define CHOOSE(condition, a, b)                                                                                        \
    (ptog_doubles)(((ptog_longs)(a) & (ptog_longs)(condition)) | ((ptog_longs)(b) & ~(ptog_longs)(condition)))
#define EVERYWHERE(number) ((ptog_doubles){0} + (number))

/* factors[0] + factors[1]*x + ... + factors[13]*x^13, in pairs, so that the steps do not wait for each other. */
static inline ptog_doubles series(const double factors[14], ptog_doubles x)
{
    ptog_doubles x2 = x * x, x4 = x2 * x2, x8 = x4 * x4, pairs[7];
    for (int i = 0; i < 7; i++)
        pairs[i] = factors[2 * i] + factors[2 * i + 1] * x;
    ptog_doubles low = (pairs[0] + pairs[1] * x2) + (pairs[2] + pairs[3] * x2) * x4;
    return low + ((pairs[4] + pairs[5] * x2) + pairs[6] * x4) * x8;
}

/* 2^n * e^r, with r at most half of ln 2 from 0, and e^r by its series. Beyond 200 f32 is 0 or infinite. */
static inline ptog_doubles EXPONENTIAL(ptog_doubles x)
{
    static const double factors[14] = {
        1.0,        1.0,         0.5,          1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,
        1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    const double shift = 0x1.8p52; /* added, it leaves a whole number in the low bits */
    ptog_doubles near = CHOOSE(x > 200, EVERYWHERE(200.0), CHOOSE(x < -200, EVERYWHERE(-200.0), x));
    ptog_doubles shifted = near * 0x1.71547652b82fep0 + shift, n = shifted - shift;
    ptog_doubles r = (near - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33;
    ptog_doubles result = (ptog_doubles)((ptog_longs)series(factors, r) + ((ptog_longs)shifted << 52));
    return CHOOSE(x != x, x, result);
}

/* e * ln 2 + ln m, with m within a factor of sqrt 2 from 1, and ln m = 2 artanh((m - 1) / (m + 1)) by its series. */
static inline ptog_doubles LOGARITHM(ptog_doubles x)
{
    static const double factors[14] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13,
                                       1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25, 1.0 / 27};
    ptog_longs bits = (ptog_longs)x - 0x3fe6a09e667f3bcd; /* so that the exponent turns over at sqrt 1/2 */
    ptog_longs exponent = bits >> 52;                     /* of 12 bits, with a sign */
    ptog_doubles m = (ptog_doubles)((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
    ptog_doubles e = (ptog_doubles)((exponent ^ 0x800) | 0x4330000000000000) - (0x1p52 + 0x800);
    ptog_doubles s = (m - 1) / (m + 1), sum = series(factors, s * s);
    ptog_doubles result = e * 0x1.a39ef35793c76p-33 + 2 * s * sum + e * 0x1.62e42fee00000p-1;
    result = CHOOSE(x == 0, EVERYWHERE(-INFINITY), CHOOSE(x < 0, EVERYWHERE(NAN), result));
    return CHOOSE((x != x) | (x == INFINITY), x, result);
}

/* ---- from a row to a function: the expression, and the loop around it */

static inline void load(void *vector, const unsigned char *from, size_t at, bool is_one, size_t bytes)
{
    memcpy(vector, is_one ? from : from + at, bytes);
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
            load(&a, job->a, at, job->a_is_one, step);                                                                 \
            load(&b, job->b, at, job->b_is_one, step);                                                                 \
            result = STORED(name##_of_##TYPE(VALUE(a), VALUE(b)));                                                     \
            memcpy(job->to + at, &result, step);                                                                       \
        }                                                                                                              \
        if (at == bytes)                                                                                               \
            return;                                                                                                    \
        load(&a, job->a, at, job->a_is_one, bytes - at);                                                               \
        load(&b, job->b, at, job->b_is_one, bytes - at);                                                               \
        result = STORED(name##_of_##TYPE(VALUE(a), VALUE(b)));                                                         \
        memcpy(job->to + at, &result, bytes - at);                                                                     \
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
#include "kernel/maps.def"
#undef MAP
#undef HALF
#undef WIDE

const struct ptog_map TABLE[] = {
#define MAP(name, TYPE, ...) {#name, PTOG_##TYPE, name##_##TYPE},
#define HALF(name, TYPE, ...) {#name, PTOG_##TYPE, name##_##TYPE},
#define WIDE(name, ...) {#name, PTOG_F32, name##_F32},
#include "kernel/maps.def"
    {NULL, PTOG_DTYPE_NONE, NULL},
};
