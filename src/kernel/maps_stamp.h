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
#include "kernel/maps.def"
#undef MAP
#undef HALF

const struct ptog_map TABLE[] = {
#define MAP(name, TYPE, ...) {#name, PTOG_##TYPE, name##_##TYPE},
#define HALF(name, TYPE, ...) {#name, PTOG_##TYPE, name##_##TYPE},
#include "kernel/maps.def"
    {NULL, PTOG_DTYPE_NONE, NULL},
};
