/* kernel: as bag_loads.h, by AVX-512's own conversions: eight doubles from eight elements. */
#ifndef PTOG_KERNEL_BAG_LOADS_AVX512_H
#define PTOG_KERNEL_BAG_LOADS_AVX512_H

#include <immintrin.h>

static inline __m128i bag_sixteen_bytes(const unsigned char *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

static inline __m128i bag_eight_bytes(const unsigned char *from)
{
    return _mm_loadl_epi64((const __m128i *)from);
}

static inline ptog_bag_doubles bag_from_halves(__m128i halves, float factor)
{
    __m256 floats = _mm256_maskz_cvtph_ps(0xff, halves);
    return (ptog_bag_doubles)_mm512_cvtps_pd(factor == 1 ? floats : _mm256_mul_ps(floats, _mm256_set1_ps(factor)));
}

static inline ptog_bag_doubles bag_load_F32(const unsigned char *from)
{
    return (ptog_bag_doubles)_mm512_cvtps_pd(_mm256_loadu_ps((const float *)(const void *)from));
}

static inline ptog_bag_doubles bag_load_F16(const unsigned char *from)
{
    return bag_from_halves(bag_sixteen_bytes(from), 1);
}

static inline ptog_bag_doubles bag_load_BF16(const unsigned char *from)
{
    __m256i words = _mm256_slli_epi32(_mm256_cvtepu16_epi32(bag_sixteen_bytes(from)), 16);
    return (ptog_bag_doubles)_mm512_cvtps_pd(_mm256_castsi256_ps(words));
}

static inline ptog_bag_doubles bag_load_I8(const unsigned char *from)
{
    return (ptog_bag_doubles)_mm512_cvtepi32_pd(_mm256_cvtepi8_epi32(bag_eight_bytes(from)));
}

/* As an f16 whose exponent is too small by 8; its one NaN as a NaN of f16. */
static inline ptog_bag_doubles bag_load_F8E4M3(const unsigned char *from)
{
    __m128i bits = _mm_cvtepi8_epi16(bag_eight_bytes(from)); /* the sign is in all upper bits */
    __m128i magnitude = _mm_and_si128(bits, _mm_set1_epi16(0x7f));
    __m128i halves = _mm_or_si128(_mm_slli_epi16(magnitude, 7), _mm_and_si128(bits, _mm_set1_epi16((short)0x8000)));
    __mmask8 is_nan = _mm_cmpeq_epi16_mask(magnitude, _mm_set1_epi16(0x7f));
    return bag_from_halves(_mm_mask_blend_epi16(is_nan, halves, _mm_set1_epi16(0x7e00)), 256);
}

static inline ptog_bag_doubles bag_load_F8E5M2(const unsigned char *from)
{
    return bag_from_halves(_mm_slli_epi16(_mm_cvtepu8_epi16(bag_eight_bytes(from)), 8), 1);
}

#endif
