/* kernel: every second or fourth element of one and two bytes, by AVX-512's permutations of bytes and of words. Element
 * k of the result is element k*step of `step` vectors, so one vector of numbers k*step serves all of them: each fills
 * its part of the result.
 *
 *   step 4    | first vector | second | third | fourth |    of the source, 64 bytes each
 *                     v          v        v        v
 *             |  quarter 0   |   1    |   2   |   3    |    of 64 bytes of the result */
#ifndef PTOG_KERNEL_VECTOR_BYTES_H
#define PTOG_KERNEL_VECTOR_BYTES_H

#include "kernel/vector_compact.h"

#include <immintrin.h>

/* How many elements of the result come first so that after them a line of the source begins within `step` elements, and
 * loads need not be from two lines each. Where the source begins so itself it is a vector, which keeps dst aligned. */
PTOG_INLINE int64_t ptog_before_line(const unsigned char *src, int size, int step)
{
    int64_t within = (int64_t)((uintptr_t)src % PTOG_LINE), stride = step * size;
    if (within % size != 0 || within == 0)
        return 0; /* lines do not begin with an element, or the first one does */
    if (within < stride)
        return PTOG_LINE / size;
    return (PTOG_LINE - within + stride - 1) / stride;
}

/* The first n of `lanes` bits. */
PTOG_INLINE uint64_t ptog_first_bits(int64_t n, int lanes)
{
    if (n <= 0)
        return 0;
    return n >= lanes ? UINT64_MAX >> (64 - lanes) : ((uint64_t)1 << n) - 1;
}

#define PTOG_COMPACT_WIDE(bits, lanes)                                                                                 \
    PTOG_INLINE __m512i ptog_every_##bits(int step, int first)                                                         \
    {                                                                                                                  \
        uint##bits##_t at[lanes];                                                                                      \
        for (int k = 0; k < (lanes); k++)                                                                              \
            at[k] = (uint##bits##_t)(k * step % (lanes));                                                              \
        return _mm512_add_epi##bits(_mm512_loadu_si512(at), _mm512_set1_epi##bits((int##bits##_t)first));              \
    }                                                                                                                  \
    /* One vector of the result, of which n lanes are wanted, from what is read for just these. */                     \
    PTOG_INLINE __m512i ptog_compact_some_##bits(const unsigned char *src, int64_t n, int step, __m512i every)         \
    {                                                                                                                  \
        const int part = (lanes) / step;                                                                               \
        const int64_t needed = (n - 1) * step + 1;                                                                     \
        __m512i out = _mm512_setzero_si512();                                                                          \
        for (int p = 0; p < step; p++) {                                                                               \
            uint64_t inside = ptog_first_bits(needed - p * (lanes), lanes);                                            \
            __m512i from = _mm512_maskz_loadu_epi##bits((__mmask##lanes)inside, src + p * 64);                         \
            uint64_t place = ptog_first_bits(part, lanes) << p * part;                                                 \
            out = _mm512_mask_permutexvar_epi##bits(out, (__mmask##lanes)place, every, from);                          \
        }                                                                                                              \
        return out;                                                                                                    \
    }                                                                                                                  \
    PTOG_INLINE void ptog_compact_wide_##bits(unsigned char *dst, const unsigned char *src, int64_t kept, int step)    \
    {                                                                                                                  \
        const int size = (bits) / 8;                                                                                   \
        const __m512i every = ptog_every_##bits(step, 0);                                                              \
        int64_t n = kept > 3 * (lanes) ? ptog_before_line(src, size, step) : 0;                                        \
        if (n > 0)                                                                                                     \
            _mm512_mask_storeu_epi##bits(dst, (__mmask##lanes)ptog_first_bits(n, lanes),                               \
                                         ptog_compact_some_##bits(src, n, step, every));                               \
        const unsigned char *line = src + n * step * size;                                                             \
        const int first = n > 0 ? (int)((uintptr_t)line % PTOG_LINE) / size : 0;                                       \
        const __m512i from_first = ptog_every_##bits(step, first);                                                     \
        for (line -= first * size; n + (lanes) < kept; n += (lanes), line += 64 * step)                                \
            _mm512_storeu_si512(dst + n * size, ptog_compact_some_##bits(line, (lanes) + 1, step, from_first));        \
        if (n < kept) {                                                                                                \
            __m512i last = ptog_compact_some_##bits(src + n * step * size, kept - n, step, every);                     \
            _mm512_mask_storeu_epi##bits(dst + n * size, (__mmask##lanes)ptog_first_bits(kept - n, lanes), last);      \
        }                                                                                                              \
    }
PTOG_COMPACT_WIDE(8, 64)
PTOG_COMPACT_WIDE(16, 32)
#undef PTOG_COMPACT_WIDE

/* dst[n] = src[n*step] */
PTOG_INLINE void ptog_compact_bytes(unsigned char *dst, const unsigned char *src, int64_t kept, int size, int step)
{
    if (step == 1 || size > 2)
        ptog_compact_vectors(dst, src, kept, size, step);
    else if (size == 1)
        ptog_compact_wide_8(dst, src, kept, step);
    else
        ptog_compact_wide_16(dst, src, kept, step);
}

#endif
