/* kernel: elements by AVX-512's gather instruction. A block of indices is loaded into registers; what the largest of
 * them says decides what is done with all before anything is read through them:
 *
 *   above `most`            the kernel gives up
 *   below the capacity      nothing
 *   Clamp, Zero             a minimum; lanes that are not read, and stay zero
 *   Wrap, below 4 times it  two conditional subtractions
 *   Wrap                    the remainder
 *
 * The instruction takes 32-bit indices with a sign, and elements of four and eight bytes. Everything else, and tables
 * that are fetched ahead, is done as without it: the list has no other rows for it. */
#ifndef PTOG_KERNEL_VECTOR_GATHER_H
#define PTOG_KERNEL_VECTOR_GATHER_H

#include "base/pick.h"
#include "kernel/vector_elem.h"

#define PTOG_SIXTEENS 8 /* vectors of indices in a block */

enum ptog_mapping {
    PTOG_MAPPING_NONE,
    PTOG_MAPPING_CLAMP,
    PTOG_MAPPING_ZERO,
    PTOG_MAPPING_SUBTRACT, /* the capacity, up to three times */
    PTOG_MAPPING_REMAINDER,
};

/* The largest index of a block decides. */
PTOG_INLINE enum ptog_mapping ptog_mapping_for(enum ptog_oob oob, uint32_t worst, const struct ptog_bounds *bounds)
{
    if (oob == PTOG_OOB_UNDEFINED || worst <= bounds->last)
        return PTOG_MAPPING_NONE;
    if (oob == PTOG_OOB_CLAMP)
        return PTOG_MAPPING_CLAMP;
    if (oob == PTOG_OOB_ZERO)
        return PTOG_MAPPING_ZERO;
    return worst < 4 * bounds->wrap ? PTOG_MAPPING_SUBTRACT : PTOG_MAPPING_REMAINDER;
}

/* Sixteen indices as they are read: ptog_map_u32 of every lane. Shuffles move halves of products, because shifts would
 * need the multiplier's port. */
PTOG_INLINE __m512i ptog_map_sixteen(__m512i i, enum ptog_mapping mapping, const struct ptog_bounds *bounds)
{
    const __m512i last = _mm512_set1_epi32((int)(uint32_t)bounds->last);
    const __m512i wrap = _mm512_set1_epi32((int)(uint32_t)bounds->wrap);
    const __m512i magic = _mm512_set1_epi32((int)(uint32_t)bounds->magic);
    if (mapping == PTOG_MAPPING_CLAMP)
        return _mm512_min_epu32(i, last);
    if (mapping == PTOG_MAPPING_SUBTRACT) {
        i = _mm512_min_epu32(i, _mm512_sub_epi32(i, _mm512_add_epi32(wrap, wrap)));
        return _mm512_min_epu32(i, _mm512_sub_epi32(i, wrap));
    }
    if (mapping == PTOG_MAPPING_REMAINDER) {
        __m512i even = _mm512_mul_epu32(i, magic);
        __m512i odd = _mm512_mul_epu32(_mm512_shuffle_epi32(i, (_MM_PERM_ENUM)0xf5), magic);
        __m512i quotient = _mm512_mask_shuffle_epi32(odd, 0x5555, even, (_MM_PERM_ENUM)0xf5);
        __m512i rest = _mm512_sub_epi32(i, _mm512_mullo_epi32(quotient, wrap));
        return _mm512_min_epu32(rest, _mm512_sub_epi32(rest, wrap));
    }
    return i;
}

/* A mask that the compiler does not know. Where all lanes are read, gcc has one register for what several instructions
 * bring, without zeroing it in between, and each of them waits for the one before. */
PTOG_INLINE __mmask16 ptog_unknown_mask(__mmask16 mask)
{
    __asm__("" : "+Yk"(mask));
    return mask;
}

/* Sixteen indices, of which `stored` are stored: those beyond the last are stored as zero, and not read. */
PTOG_INLINE void ptog_gather_sixteen(unsigned char *dst, const unsigned char *src, __m512i i, int size,
                                     enum ptog_mapping mapping, const struct ptog_bounds *bounds, __mmask16 stored)
{
    const __m512i none = _mm512_setzero_si512(), last = _mm512_set1_epi32((int)(uint32_t)bounds->last);
    __mmask16 read = mapping == PTOG_MAPPING_ZERO ? _mm512_mask_cmple_epu32_mask(stored, i, last) : stored;
    read = ptog_unknown_mask(read);
    i = ptog_map_sixteen(i, mapping, bounds);
    if (size == 4) {
        _mm512_mask_storeu_epi32(dst, stored, _mm512_mask_i32gather_epi32(none, read, i, src, 4));
        return;
    }
    __m256i low = _mm512_castsi512_si256(i), high = _mm512_extracti64x4_epi64(i, 1);
    _mm512_mask_storeu_epi64(dst, (__mmask8)stored, _mm512_mask_i32gather_epi64(none, (__mmask8)read, low, src, 8));
    _mm512_mask_storeu_epi64(dst + 64, (__mmask8)(stored >> 8),
                             _mm512_mask_i32gather_epi64(none, (__mmask8)(read >> 8), high, src, 8));
}

/* A whole block. All of its indices are loaded before anything is stored: a load that follows a store to the same place
 * of another page waits for it. */
PTOG_INLINE bool ptog_gather_sixteens(const struct ptog_bounds *bounds, uint64_t most, struct ptog_lanes at, int size,
                                      enum ptog_oob oob)
{
    __m512i i[PTOG_SIXTEENS], worst = _mm512_setzero_si512();
    for (int v = 0; v < PTOG_SIXTEENS; v++)
        worst = _mm512_max_epu32(worst, i[v] = _mm512_loadu_si512(at.idx + v * 64));
    const uint32_t largest = _mm512_reduce_max_epu32(worst);
    const enum ptog_mapping mapping = ptog_mapping_for(oob, largest, bounds);
    if (largest > most)
        return false;
#define PTOG_CASE(MAPPING)                                                                                             \
    case PTOG_MAPPING_##MAPPING:                                                                                       \
        for (int v = 0; v < PTOG_SIXTEENS; v++)                                                                        \
            ptog_gather_sixteen(at.dst + v * 16 * size, at.src, i[v], size, PTOG_MAPPING_##MAPPING, bounds, 0xffff);   \
        break;
    switch (mapping) {
        PTOG_CASE(NONE)
        PTOG_CASE(CLAMP)
        PTOG_CASE(ZERO)
        PTOG_CASE(SUBTRACT)
        PTOG_CASE(REMAINDER)
    }
#undef PTOG_CASE
    return true;
}

/* Up to sixteen lanes, all that are left or all that are missing to a block. */
PTOG_INLINE bool ptog_gather_few(const struct ptog_bounds *bounds, uint64_t most, struct ptog_lanes at, int size,
                                 enum ptog_oob oob)
{
    const __mmask16 lanes = (__mmask16)(at.count < 16 ? (1u << at.count) - 1 : 0xffff);
    const __m512i i = _mm512_maskz_loadu_epi32(lanes, at.idx);
    const uint32_t largest = _mm512_reduce_max_epu32(i);
    if (largest > most)
        return false;
    enum ptog_mapping mapping = PTOG_MAPPING_NONE;
    if (oob != PTOG_OOB_UNDEFINED && largest > bounds->last)
        mapping = oob == PTOG_OOB_WRAP ? PTOG_MAPPING_REMAINDER : ptog_mapping_for(oob, largest, bounds);
    ptog_gather_sixteen(at.dst, at.src, i, size, mapping, bounds, lanes);
    return true;
}

PTOG_INLINE bool ptog_elem_gathers(const struct ptog_job *job, struct ptog_lanes at, int size, int index_size,
                                   enum ptog_oob oob)
{
    const struct ptog_bounds bounds = job->wide;
    const uint64_t most = job->most;
    if (job->ahead || ptog_min_u64(bounds.last, most) > INT32_MAX)
        return ptog_elem_blocks(job, at, size, index_size, oob);
    for (int64_t lanes = 16 * PTOG_SIXTEENS, step; at.count > 0; at.count -= step, at.dst += step * size) {
        step = at.count >= lanes ? lanes : 16;
        if (step == lanes ? !ptog_gather_sixteens(&bounds, most, at, size, oob)
                          : !ptog_gather_few(&bounds, most, at, size, oob))
            return false;
        at.idx += step * 4;
    }
    return true;
}

#endif
