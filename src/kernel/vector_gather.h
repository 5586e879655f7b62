/* kernel: elements by AVX-512's gather instruction. A policy is applied to sixteen indices in a register, and the lanes
 * that must not be read are left out of the mask, so that no index has to be looked at twice:
 *
 *   indices ---> beyond `most`? lanes are not read, the block is given up
 *           ---> Clamp, Wrap: brought into range        Zero: lanes beyond the last are not read, and stay zero
 *           ---> gather, store
 *
 * The instruction takes 32-bit indices with a sign, and elements of four and eight bytes. Everything else, and tables
 * that are fetched ahead, is done as without it. */
#ifndef PTOG_KERNEL_VECTOR_GATHER_H
#define PTOG_KERNEL_VECTOR_GATHER_H

#include "base/pick.h"
#include "kernel/vector_elem.h"

/* Sixteen indices under a policy, and the lanes among `lanes` that may be read through them. */
PTOG_INLINE __m512i ptog_map_sixteen(const struct ptog_job *job, __m512i i, enum ptog_oob oob, __mmask16 *lanes)
{
    const __m512i last = _mm512_set1_epi32((int)(uint32_t)job->wide.last);
    if (oob == PTOG_OOB_CLAMP)
        return _mm512_min_epu32(i, last);
    if (oob == PTOG_OOB_ZERO) {
        *lanes = _mm512_mask_cmple_epu32_mask(*lanes, i, last);
        return i;
    }
    if (oob == PTOG_OOB_WRAP) {
        const __m512i wrap = _mm512_set1_epi32((int)(uint32_t)job->wide.wrap);
        const __m512i magic = _mm512_set1_epi32((int)(uint32_t)job->wide.magic);
        __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(i, magic), 32);
        __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(i, 32), magic);
        __m512i quotient = _mm512_mask_blend_epi32(0xaaaa, even, odd);
        __m512i rest = _mm512_sub_epi32(i, _mm512_mullo_epi32(quotient, wrap));
        return _mm512_min_epu32(rest, _mm512_sub_epi32(rest, wrap));
    }
    return i;
}

/* Gathers and stores the lanes of a mask; lanes that may not be read are stored as zero. */
PTOG_INLINE void ptog_gather_sixteen(unsigned char *dst, const unsigned char *src, __m512i i, int size,
                                     __mmask16 stored, __mmask16 read)
{
    const __m512i none = _mm512_setzero_si512();
    if (size == 4) {
        _mm512_mask_storeu_epi32(dst, stored, _mm512_mask_i32gather_epi32(none, read, i, src, 4));
        return;
    }
    __m256i low = _mm512_castsi512_si256(i), high = _mm512_extracti64x4_epi64(i, 1);
    _mm512_mask_storeu_epi64(dst, (__mmask8)stored, _mm512_mask_i32gather_epi64(none, (__mmask8)read, low, src, 8));
    _mm512_mask_storeu_epi64(dst + 64, (__mmask8)(stored >> 8),
                             _mm512_mask_i32gather_epi64(none, (__mmask8)(read >> 8), high, src, 8));
}

PTOG_INLINE bool ptog_elem_gathers(const struct ptog_job *job, struct ptog_lanes at, int size, int index_size,
                                   enum ptog_oob oob)
{
    uint64_t reach = ptog_min_u64(job->wide.last, job->most);
    if (size < 4 || index_size != 4 || job->ahead || reach > INT32_MAX)
        return ptog_elem_blocks(job, at, size, index_size, oob);
    const __m512i most = _mm512_set1_epi32((int)(uint32_t)ptog_min_u64(job->most, UINT32_MAX));
    for (int64_t n = 0; n < at.count; n += 16) {
        __mmask16 stored = at.count - n < 16 ? (__mmask16)((1u << (at.count - n)) - 1) : (__mmask16)0xffff;
        __m512i i = _mm512_maskz_loadu_epi32(stored, at.idx + n * 4);
        __mmask16 read = _mm512_mask_cmple_epu32_mask(stored, i, most);
        if (read != stored)
            return false;
        i = ptog_map_sixteen(job, i, oob, &read);
        ptog_gather_sixteen(at.dst + n * size, at.src, i, size, stored, read);
    }
    return true;
}

#endif
