/* kernel: vectors of 32-bit numbers, and the three operations on them that C has no operator for. */
#ifndef PTOG_KERNEL_LANES_H
#define PTOG_KERNEL_LANES_H

#include "kernel/map.h"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__AVX2__)
#define PTOG_U32S 8 /* lanes of ptog_u32s */
#define PTOG_EVEN_U32S 0, 2, 4, 6, 8, 10, 12, 14
#else
#define PTOG_U32S 4
#define PTOG_EVEN_U32S 0, 2, 4, 6
#endif

/* Anywhere in memory. */
typedef uint32_t ptog_u32s __attribute__((vector_size(4 * PTOG_U32S), aligned(1), may_alias));
typedef uint64_t ptog_u64s __attribute__((vector_size(4 * PTOG_U32S), aligned(1), may_alias));

#if defined(__AVX2__)
#define PTOG_MAX_U32S(a, b) ((ptog_u32s)_mm256_max_epu32((__m256i)(a), (__m256i)(b)))
#define PTOG_MIN_U32S(a, b) ((ptog_u32s)_mm256_min_epu32((__m256i)(a), (__m256i)(b)))
/* the upper halves of the products */
#define PTOG_MULHI_U32S(a, b)                                                                                          \
    ((ptog_u32s)_mm256_blend_epi32(                                                                                    \
        _mm256_srli_epi64(_mm256_mul_epu32((__m256i)(a), (__m256i)(b)), 32),                                           \
        _mm256_mul_epu32(_mm256_srli_epi64((__m256i)(a), 32), _mm256_srli_epi64((__m256i)(b), 32)), 0xaa))
#elif defined(__aarch64__)
#define PTOG_MAX_U32S(a, b) ((ptog_u32s)vmaxq_u32((uint32x4_t)(a), (uint32x4_t)(b)))
#define PTOG_MIN_U32S(a, b) ((ptog_u32s)vminq_u32((uint32x4_t)(a), (uint32x4_t)(b)))
#define PTOG_MULHI_U32S(a, b)                                                                                          \
    ((ptog_u32s)vuzp2q_u32(                                                                                            \
        vreinterpretq_u32_u64(vmull_u32(vget_low_u32((uint32x4_t)(a)), vget_low_u32((uint32x4_t)(b)))),                \
        vreinterpretq_u32_u64(vmull_high_u32((uint32x4_t)(a), (uint32x4_t)(b)))))
#endif

#endif
