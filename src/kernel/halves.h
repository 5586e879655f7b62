/* kernel: vectors of VECTOR bytes, and 16-bit floats in them: to f32 and back, ties to even. For the files that stamp
 * maps.def and casts.def. */
#ifndef PTOG_KERNEL_HALVES_H
#define PTOG_KERNEL_HALVES_H

#include <stdint.h>

typedef uint32_t ptog_words __attribute__((vector_size(VECTOR)));
typedef float ptog_floats __attribute__((vector_size(VECTOR)));
typedef uint16_t ptog_halves __attribute__((vector_size(VECTOR / 2)));

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

#endif
