/* kernel: from the list of casts to functions and their table, TABLE, for one instruction set with vectors of VECTOR
 * bytes. The bodies are in the compiler's vector types; what is left after whole vectors goes through a vector of its
 * own. */
#include <string.h>

#include "kernel/casts.h"
#include "kernel/halves.h"
#include "kernel/map.h"

#define LANES (VECTOR / 4)
typedef int32_t ptog_ints __attribute__((vector_size(VECTOR)));

/* ---- what rows of the list call. Comparisons of vectors are all ones or all zeros in each lane. */

#define INTS(x) __builtin_convertvector(x, ptog_ints)
#define SHORTS(x) __builtin_convertvector(x, ptog_shorts) /* compilers go from 8 bits to 32 in two steps best */
#define FLOATS(x) __builtin_convertvector(x, ptog_floats)
#define HALVES(x) __builtin_convertvector(x, ptog_halves)
#define BYTES(x) __builtin_convertvector(HALVES(x), ptog_bytes)
#define STOP(condition) (*stop |= (ptog_words)(condition))

/* LANES elements of other types than those of halves.h; of 64 bits, in two vectors. */
typedef int8_t ptog_chars __attribute__((vector_size(LANES)));
typedef uint8_t ptog_bytes __attribute__((vector_size(LANES)));
typedef int16_t ptog_shorts __attribute__((vector_size(2 * LANES)));
typedef struct {
    ptog_ints of[2];
} ptog_pair;

/* Whether a lane is set. */
static inline bool any(ptog_words stop)
{
#if defined(__AVX2__)
    typedef long long quads __attribute__((vector_size(32)));
    return !__builtin_ia32_ptestz256((quads)stop, (quads)stop);
#else
    uint32_t all = 0;
    for (int i = 0; i < LANES; i++)
        all |= stop[i];
    return all != 0;
#endif
}

/* The flag in all lanes. */
static inline ptog_ints every(bool flag)
{
    return (ptog_ints){0} - (int32_t)flag;
}

/* `a` in the lanes where the condition holds, else `b`. */
static inline ptog_words pick(ptog_ints condition, ptog_words a, ptog_words b)
{
    return (a & (ptog_words)condition) | (b & ~(ptog_words)condition);
}

static inline ptog_floats pick_floats(ptog_ints condition, ptog_floats a, ptog_floats b)
{
    return (ptog_floats)pick(condition, (ptog_words)a, (ptog_words)b);
}

/* f32 has 24 bits: larger integers are rounded by the CPU, to the nearest. */
static inline ptog_ints is_cut(ptog_ints x, const struct ptog_cast_job *job)
{
    return ((x > 1 << 24) | (x < -(1 << 24))) & every(job->round != PTOG_ROUND_RINT);
}

/* 64-bit elements: their low halves; whether there is more in one; and back. AVX2 shuffles inside halves of a vector,
 * and quarters among each other. */
#if VECTOR == 32
typedef int64_t ptog_quarters __attribute__((vector_size(VECTOR)));
#define SPREAD(x) (ptog_ints) __builtin_shufflevector((ptog_quarters)(x), (ptog_quarters)(x), 0, 2, 1, 3)
#define EVEN(a, b) SPREAD(__builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14))
#define ODD(a, b) SPREAD(__builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15))
#define FIRST(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define SECOND(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#else
#define SPREAD(x) (x)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define FIRST(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define SECOND(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#endif

static inline ptog_ints low_of(ptog_pair x)
{
    return EVEN(x.of[0], x.of[1]);
}

static inline ptog_ints is_long(ptog_pair x)
{
    return ODD(x.of[0], x.of[1]) != EVEN(x.of[0], x.of[1]) >> 31;
}

static inline ptog_pair wide_of(ptog_ints x)
{
    ptog_ints low = SPREAD(x), sign = low >> 31;
    return (ptog_pair){{FIRST(low, sign), SECOND(low, sign)}};
}

/* What int32 does not hold, and NaN. */
static inline ptog_ints is_beyond(ptog_floats x)
{
    return ~((x > -0x1p31f) & (x < 0x1p31f));
}

#if defined(__AVX2__)
#define LARGER(a, b) __builtin_ia32_maxps256(a, b)
#define SMALLER(a, b) __builtin_ia32_minps256(a, b)
#define NEAREST(x) __builtin_ia32_roundps256(x, 8)
#define CUT(x) __builtin_ia32_roundps256(x, 11)
#else
#define LARGER(a, b) pick_floats((a) > (b), a, b)
#define SMALLER(a, b) pick_floats((a) < (b), a, b)
#define NEAREST(x) nearest(x)
#define CUT(x) cut_fraction(x)

/* From 2^23 on a float is a whole number; below that, adding 2^23 and taking it away again rounds to the nearest one.
 */
static inline ptog_floats nearest(ptog_floats x)
{
    ptog_words sign = (ptog_words)x & 0x80000000u;
    ptog_floats shift = (ptog_floats)(sign | 0x4b000000u);
    ptog_ints is_whole = (ptog_ints)((ptog_words)x & 0x7fffffff) >= 0x4b000000;
    return (ptog_floats)(pick(is_whole, (ptog_words)x, (ptog_words)((x + shift) - shift)) | sign);
}

static inline ptog_floats cut_fraction(ptog_floats x)
{
    ptog_floats near = nearest(x), one = (ptog_floats)(((ptog_words)x & 0x80000000u) | 0x3f800000u);
    ptog_ints is_more = ((ptog_ints)near & 0x7fffffff) > ((ptog_ints)x & 0x7fffffff);
    return (ptog_floats)((ptog_words)pick_floats(is_more, near - one, near) | ((ptog_words)x & 0x80000000u));
}
#endif

/* A whole number, with the sign of x. */
PTOG_INLINE ptog_floats whole(ptog_floats x, enum ptog_round mode)
{
    ptog_words sign = (ptog_words)x & 0x80000000u;
    ptog_floats near = NEAREST(x), less = CUT(x), one = (ptog_floats)(sign | 0x3f800000u);
    ptog_floats rest = (ptog_floats)((ptog_words)(x - less) & 0x7fffffff);
    switch (mode) {
    case PTOG_ROUND_FLOOR: return (ptog_floats)((ptog_words)pick_floats(near > x, near - 1.0f, near) | sign);
    case PTOG_ROUND_CEIL: return (ptog_floats)((ptog_words)pick_floats(near < x, near + 1.0f, near) | sign);
    case PTOG_ROUND_TRUNC: return less;
    case PTOG_ROUND_AWAY: return pick_floats(rest >= 0.5f, less + one, less);
    default: return near;
    }
}

/* Saturating: between these two. `x` is not beyond int32. The conversion itself cuts. */
PTOG_INLINE ptog_ints int_of(ptog_floats x, enum ptog_round mode, const struct ptog_cast_job *job, float least,
                             float most)
{
    ptog_floats value = (ptog_floats)((ptog_words)x & ~(ptog_words)is_beyond(x));
    if (mode != PTOG_ROUND_TRUNC)
        value = whole(value, mode);
    if (job->saturates)
        value = SMALLER(LARGER(value, (ptog_floats){0} + least), (ptog_floats){0} + most);
    return INTS(value);
}

/* The integers, limited to `least` and `most` where the cast saturates. */
static inline ptog_ints between(ptog_ints x, const struct ptog_cast_job *job, int32_t least, int32_t most)
{
    const ptog_words low = (ptog_words){0} + (uint32_t)least, high = (ptog_words){0} + (uint32_t)most;
    if (!job->saturates)
        return x;
    x = (ptog_ints)pick((x < 0) & every(job->is_unsigned), high, (ptog_words)x);
    x = (ptog_ints)pick(x < (ptog_ints)low, low, (ptog_words)x);
    return (ptog_ints)pick(x > (ptog_ints)high, high, (ptog_words)x);
}

/* What is added to the bits of a magnitude before its lowest `bits` are dropped. */
PTOG_INLINE ptog_words rounding(ptog_words f, enum ptog_round mode, int bits)
{
    const uint32_t half = 1u << (bits - 1), rest = (1u << bits) - 1;
    const ptog_words negative = (ptog_words)((ptog_ints)f >> 31);
    switch (mode) {
    case PTOG_ROUND_FLOOR: return negative & rest;
    case PTOG_ROUND_CEIL: return ~negative & rest;
    case PTOG_ROUND_TRUNC:
    case PTOG_ROUND_ODD: return (ptog_words){0};
    case PTOG_ROUND_AWAY: return (ptog_words){0} + half;
    default: return (half - 1) + (f >> bits & 1);
    }
}

/* f16, by the bits of f32: another bias, and 13 bits less. Below its normal numbers it counts in units of 2^-24. What
 * is finite and too large is the largest number, or infinite. */
PTOG_INLINE ptog_words half_of(ptog_floats x, enum ptog_round mode, bool saturates)
{
    ptog_words f = (ptog_words)x, magnitude = f & 0x7fffffff;
    ptog_ints is_small = (ptog_ints)magnitude < 0x38800000, is_finite = (ptog_ints)magnitude < 0x7f800000;
    ptog_floats units = pick_floats(is_small, x, (ptog_floats){0}) * 0x1p24f;
    ptog_floats counted = whole(units, mode == PTOG_ROUND_ODD ? PTOG_ROUND_TRUNC : mode);
    ptog_words small = (ptog_words)INTS((ptog_floats)((ptog_words)counted & 0x7fffffff));
    ptog_words normal = (magnitude - 0x38000000u + rounding(f, mode, 13)) >> 13;
    if (mode == PTOG_ROUND_ODD) {
        small |= (ptog_words)(counted != units) & 1;
        normal |= (ptog_words)((ptog_ints)(magnitude & 0x1fff) != 0) & 1;
    }
    ptog_words h = pick(is_small, small, normal), top = (ptog_words){0} + (0x7c00u - saturates);
    h = pick(((ptog_ints)h >= 0x7c00) & is_finite, top, h);
    h = pick(is_finite, h, (ptog_words){0} + 0x7c00u);
    return h | (f >> 16 & 0x8000);
}

/* bf16: the upper half of f32. */
PTOG_INLINE ptog_words brain_of(ptog_floats x, enum ptog_round mode, bool saturates)
{
    ptog_words f = (ptog_words)x, magnitude = f & 0x7fffffff;
    ptog_ints is_finite = (ptog_ints)magnitude < 0x7f800000;
    ptog_words h = (magnitude + rounding(f, mode, 16)) >> 16, top = (ptog_words){0} + (0x7f80u - saturates);
    h = pick(((ptog_ints)h >= 0x7f80) & is_finite, top, h);
    h = pick(is_finite, h, (ptog_words){0} + 0x7f80u);
    return h | (f >> 16 & 0x8000);
}

/* ---- from a row to a function: the expression, and the loop around it */

typedef ptog_floats ptog_middle_F32;
typedef ptog_ints ptog_middle_I32;

/* Whole vectors are copied as such: compilers cut copies of structs into smaller pieces. */
typedef ptog_ints ptog_loose __attribute__((aligned(1), may_alias));

PTOG_INLINE void copy(void *to, const void *from, size_t bytes)
{
    if (bytes < VECTOR)
        memcpy(to, from, bytes);
    for (size_t i = 0; i < bytes / VECTOR; i++)
        ((ptog_loose *)to)[i] = ((const ptog_loose *)from)[i];
}

#define LOOP(name, S, R)                                                                                               \
    PTOG_INLINE size_t loop_##name(const struct ptog_cast_job *job, enum ptog_round mode)                              \
    {                                                                                                                  \
        const size_t from = sizeof(S) / LANES, to = sizeof(R) / LANES, count = job->count;                             \
        const unsigned char *in = job->from;                                                                           \
        unsigned char *out = job->to;                                                                                  \
        size_t at = 0;                                                                                                 \
        S x = {0};                                                                                                     \
        R result;                                                                                                      \
        ptog_words stop = {0};                                                                                         \
        for (; at + LANES <= count; at += LANES) {                                                                     \
            copy(&x, in + at * from, sizeof x);                                                                        \
            result = name(x, job, mode, &stop);                                                                        \
            if (any(stop))                                                                                             \
                return at;                                                                                             \
            copy(out + at * to, &result, sizeof result);                                                               \
        }                                                                                                              \
        if (at == count)                                                                                               \
            return at;                                                                                                 \
        memcpy(&x, in + at * from, (count - at) * from);                                                               \
        result = name(x, job, mode, &stop);                                                                            \
        if (any(stop))                                                                                                 \
            return at;                                                                                                 \
        memcpy(out + at * to, &result, (count - at) * to);                                                             \
        return count;                                                                                                  \
    }
#define EXPRESSION(name, S, R, expression)                                                                             \
    PTOG_INLINE R name(S x, const struct ptog_cast_job *job, enum ptog_round mode, ptog_words *stop)                   \
    {                                                                                                                  \
        (void)job, (void)mode, (void)stop;                                                                             \
        return expression;                                                                                             \
    }

#define IN(MIDDLE, TYPE, V, expression)                                                                                \
    EXPRESSION(MIDDLE##_in_##TYPE, V, ptog_middle_##MIDDLE, expression)                                                \
    LOOP(MIDDLE##_in_##TYPE, V, ptog_middle_##MIDDLE)                                                                  \
    static size_t run_##MIDDLE##_in_##TYPE(const struct ptog_cast_job *job)                                            \
    {                                                                                                                  \
        return loop_##MIDDLE##_in_##TYPE(job, PTOG_ROUND_RINT);                                                        \
    }
#define OUT(MIDDLE, TYPE, V, expression)                                                                               \
    EXPRESSION(MIDDLE##_out_##TYPE, ptog_middle_##MIDDLE, V, expression)                                               \
    LOOP(MIDDLE##_out_##TYPE, ptog_middle_##MIDDLE, V)                                                                 \
    static size_t run_##MIDDLE##_out_##TYPE(const struct ptog_cast_job *job)                                           \
    {                                                                                                                  \
        switch (job->round) {                                                                                          \
        case PTOG_ROUND_AWAY: return loop_##MIDDLE##_out_##TYPE(job, PTOG_ROUND_AWAY);                                 \
        case PTOG_ROUND_FLOOR: return loop_##MIDDLE##_out_##TYPE(job, PTOG_ROUND_FLOOR);                               \
        case PTOG_ROUND_CEIL: return loop_##MIDDLE##_out_##TYPE(job, PTOG_ROUND_CEIL);                                 \
        case PTOG_ROUND_TRUNC: return loop_##MIDDLE##_out_##TYPE(job, PTOG_ROUND_TRUNC);                               \
        case PTOG_ROUND_ODD: return loop_##MIDDLE##_out_##TYPE(job, PTOG_ROUND_ODD);                                   \
        default: return loop_##MIDDLE##_out_##TYPE(job, PTOG_ROUND_RINT);                                              \
        }                                                                                                              \
    }
#include "kernel/casts.def"

const struct ptog_cast_kernel TABLE[] = {
#define IN(MIDDLE, TYPE, V, ...) {PTOG_##MIDDLE, PTOG_##TYPE, sizeof(V) / LANES, run_##MIDDLE##_in_##TYPE, NULL},
#define OUT(MIDDLE, TYPE, V, ...) {PTOG_##MIDDLE, PTOG_##TYPE, sizeof(V) / LANES, NULL, run_##MIDDLE##_out_##TYPE},
#include "kernel/casts.def"
    {PTOG_DTYPE_NONE, PTOG_DTYPE_NONE, 0, NULL, NULL},
};
