/* kernel: every second or fourth element, by shuffles. */
#ifndef PTOG_KERNEL_VECTOR_COMPACT_H
#define PTOG_KERNEL_VECTOR_COMPACT_H

#include "kernel/map.h"

#if defined(__AVX2__)
#define PTOG_SHUFFLE 32 /* bytes */
#define PTOG_EVEN_OF_1 PTOG_EVENS_32
#define PTOG_EVEN_OF_2 PTOG_EVENS_16
#define PTOG_EVEN_OF_4 PTOG_EVENS_8
#define PTOG_EVEN_OF_8 PTOG_EVENS_4
#else
#define PTOG_SHUFFLE 16
#define PTOG_EVEN_OF_1 PTOG_EVENS_16
#define PTOG_EVEN_OF_2 PTOG_EVENS_8
#define PTOG_EVEN_OF_4 PTOG_EVENS_4
#define PTOG_EVEN_OF_8 PTOG_EVENS_2
#endif
#define PTOG_EVENS_2 0, 2
#define PTOG_EVENS_4 PTOG_EVENS_2, 4, 6
#define PTOG_EVENS_8 PTOG_EVENS_4, 8, 10, 12, 14
#define PTOG_EVENS_16 PTOG_EVENS_8, 16, 18, 20, 22, 24, 26, 28, 30
#define PTOG_EVENS_32 PTOG_EVENS_16, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62

/* The last vector is left to the plain loop: behind the last kept element there may be no byte to read. */
#define PTOG_COMPACT(size, type, ...)                                                                                  \
    typedef type ptog_compact_##size __attribute__((vector_size(PTOG_SHUFFLE), aligned(1), may_alias));                \
    PTOG_INLINE void ptog_compact_size_##size(unsigned char *dst, const unsigned char *src, int64_t kept, int step)    \
    {                                                                                                                  \
        const int64_t lanes = PTOG_SHUFFLE / size;                                                                     \
        int64_t n = 0;                                                                                                 \
        for (; step > 1 && n + lanes < kept; n += lanes) {                                                             \
            const ptog_compact_##size *from = (const ptog_compact_##size *)(src + n * step * size);                    \
            ptog_compact_##size low = __builtin_shufflevector(from[0], from[1], __VA_ARGS__);                          \
            if (step == 4) {                                                                                           \
                ptog_compact_##size high = __builtin_shufflevector(from[2], from[3], __VA_ARGS__);                     \
                low = __builtin_shufflevector(low, high, __VA_ARGS__);                                                 \
            }                                                                                                          \
            *(ptog_compact_##size *)(dst + n * size) = low;                                                            \
        }                                                                                                              \
        for (; n < kept; n++)                                                                                          \
            memcpy(dst + n * size, src + n * step * size, size);                                                       \
    }
PTOG_COMPACT(1, uint8_t, PTOG_EVEN_OF_1)
PTOG_COMPACT(2, uint16_t, PTOG_EVEN_OF_2)
PTOG_COMPACT(4, uint32_t, PTOG_EVEN_OF_4)
PTOG_COMPACT(8, uint64_t, PTOG_EVEN_OF_8)
#undef PTOG_COMPACT

/* dst[n] = src[n*step] */
PTOG_INLINE void ptog_compact_vectors(unsigned char *dst, const unsigned char *src, int64_t kept, int size, int step)
{
    if (step == 1) {
        memcpy(dst, src, (size_t)(kept * size));
        return;
    }
    switch (size) {
    case 1: ptog_compact_size_1(dst, src, kept, step); break;
    case 2: ptog_compact_size_2(dst, src, kept, step); break;
    case 4: ptog_compact_size_4(dst, src, kept, step); break;
    default: ptog_compact_size_8(dst, src, kept, step); break;
    }
}

#endif
