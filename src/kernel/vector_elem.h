/* kernel: elements for vector instruction sets. Indices are looked at in blocks, before anything is read through them;
 * what follows needs no branch per lane. */
#ifndef PTOG_KERNEL_VECTOR_ELEM_H
#define PTOG_KERNEL_VECTOR_ELEM_H

#include "kernel/blocks.h"
#include "kernel/scalar.h"

/* Index k of those at idx. Eight bytes are loaded for several of them: loads are what a gather is short of. */
PTOG_INLINE uint64_t ptog_index_in_word(const unsigned char *idx, int k, int index_size)
{
    int in_word = 8 / index_size;
    uint64_t word = ptog_load_index(idx + k / in_word * 8, 8) >> k % in_word * 8 * index_size;
    if (index_size == 2)
        return (uint16_t)word;
    return index_size == 4 ? (uint32_t)word : word;
}

/* dst[k] = src[idx[k]]: loads into the lanes of two vectors in turns, and one store for many of them. `half` lanes go
 * into each, all of it or half (1- and 2-byte elements), and both become one. With `keep`, the indices before
 * a policy changed them, as wide as the elements, lanes whose index was changed are zero. */
#define PTOG_GATHER_BLOCK(size, type, half, LANES)                                                                     \
    typedef type ptog_at_##size __attribute__((may_alias, aligned(1)));                                                \
    PTOG_INLINE void ptog_gather_block_##size(unsigned char *dst, const unsigned char *src, const unsigned char *idx,  \
                                              int64_t n, int index_size, const unsigned char *keep)                    \
    {                                                                                                                  \
        typedef type vector __attribute__((vector_size(16)));                                                          \
        typedef type whole __attribute__((vector_size(2 * half * size)));                                              \
        typedef type anywhere __attribute__((vector_size(2 * half * size), aligned(1), may_alias));                    \
        typedef uint64_t words __attribute__((vector_size(16)));                                                       \
        int64_t k = 0;                                                                                                 \
        for (; k + 2 * half <= n; k += 2 * half) {                                                                     \
            const unsigned char *here = idx + k * index_size;                                                          \
            vector low = {PTOG_AT(size, 0)}, high = {PTOG_AT(size, half)};                                             \
            LANES(size, half)                                                                                          \
            whole both = (whole)PTOG_JOIN_##size((words)low, (words)high);                                             \
            if (keep)                                                                                                  \
                both &= (whole)((whole) * (const anywhere *)(keep + k * size) == (whole) * (const anywhere *)here);    \
            memcpy(dst + k * size, &both, sizeof both);                                                                \
        }                                                                                                              \
        for (; k < n; k++) {                                                                                           \
            type value = *(const ptog_at_##size *)(src + ptog_load_index(idx + k * index_size, index_size) * size);    \
            if (keep && memcmp(keep + k * size, idx + k * size, size) != 0)                                            \
                value = 0;                                                                                             \
            memcpy(dst + k * size, &value, size);                                                                      \
        }                                                                                                              \
    }
#define PTOG_JOIN_1(low, high) __builtin_shufflevector(low, high, 0, 2)
#define PTOG_JOIN_2(low, high) __builtin_shufflevector(low, high, 0, 2)
#define PTOG_JOIN_4(low, high) __builtin_shufflevector(low, high, 0, 1, 2, 3)
#define PTOG_JOIN_8(low, high) __builtin_shufflevector(low, high, 0, 1, 2, 3)
#define PTOG_AT(size, k) (*(const ptog_at_##size *)(src + ptog_index_in_word(here, k, index_size) * size))
#define PTOG_BOTH(size, half, k) low[k] = PTOG_AT(size, k), high[k] = PTOG_AT(size, half + k);
#define PTOG_LANES_2(size, half) PTOG_BOTH(size, half, 1)
#define PTOG_LANES_4(size, half) PTOG_LANES_2(size, half) PTOG_BOTH(size, half, 2) PTOG_BOTH(size, half, 3)
#define PTOG_LANES_8(size, half)                                                                                       \
    PTOG_LANES_4(size, half)                                                                                           \
    PTOG_BOTH(size, half, 4)                                                                                           \
    PTOG_BOTH(size, half, 5) PTOG_BOTH(size, half, 6) PTOG_BOTH(size, half, 7)
PTOG_GATHER_BLOCK(1, uint8_t, 8, PTOG_LANES_8)
PTOG_GATHER_BLOCK(2, uint16_t, 4, PTOG_LANES_4)
PTOG_GATHER_BLOCK(4, uint32_t, 4, PTOG_LANES_4)
PTOG_GATHER_BLOCK(8, uint64_t, 2, PTOG_LANES_2)
#undef PTOG_GATHER_BLOCK

#define PTOG_FAR 16 /* lanes that are fetched at a time, and gathered at a time */

/* Both ways to gather a block, for one element size and one index size.
 * near: from a table that is near the core.
 * far: from one that is not. `known` indices may be looked at, from here on: what they need is fetched before their
 * turn. */
#define PTOG_GATHER_WAYS(size, index_size)                                                                             \
    PTOG_SHARED void ptog_near_##size##_##index_size(unsigned char *dst, const unsigned char *src,                     \
                                                     const unsigned char *idx, int64_t n)                              \
    {                                                                                                                  \
        ptog_gather_block_##size(dst, src, idx, n, index_size, NULL);                                                  \
    }                                                                                                                  \
    PTOG_SHARED void ptog_far_##size##_##index_size(const struct ptog_job *job, unsigned char *dst,                    \
                                                    const unsigned char *src, const unsigned char *idx, int64_t n,     \
                                                    int64_t known)                                                     \
    {                                                                                                                  \
        const int64_t ahead = job->ahead, fetched = known - ahead < n ? known - ahead : n;                             \
        const int hint = job->hint;                                                                                    \
        int64_t k = 0;                                                                                                 \
        for (; k + PTOG_FAR <= fetched; k += PTOG_FAR) {                                                               \
            for (int64_t next = k + ahead; next < k + ahead + PTOG_FAR; next++)                                        \
                ptog_fetch((uintptr_t)src + ptog_load_index(idx + next * index_size, index_size) * size, hint);        \
            ptog_gather_block_##size(dst + k * size, src, idx + k * index_size, PTOG_FAR, index_size, NULL);           \
        }                                                                                                              \
        if (k < n)                                                                                                     \
            ptog_near_##size##_##index_size(dst + k * size, src, idx + k * index_size, n - k);                         \
    }
#define PTOG_GATHER_SIZES(ROW)                                                                                         \
    ROW(1, 2)                                                                                                          \
    ROW(2, 2) ROW(4, 2) ROW(8, 2) ROW(1, 4) ROW(2, 4) ROW(4, 4) ROW(8, 4) ROW(1, 8) ROW(2, 8) ROW(4, 8) ROW(8, 8)
PTOG_GATHER_SIZES(PTOG_GATHER_WAYS)
#undef PTOG_GATHER_WAYS

/* The `known` of ptog_far_*; 0: the table is near. */
PTOG_INLINE void ptog_gather_lanes(const struct ptog_job *job, struct ptog_lanes at, int64_t known, int size,
                                   int index_size)
{
#define PTOG_PICK(size_, index_size_)                                                                                  \
    if (size == size_ && index_size == index_size_) {                                                                  \
        if (known)                                                                                                     \
            ptog_far_##size_##_##index_size_(job, at.dst, at.src, at.idx, at.count, known);                            \
        else                                                                                                           \
            ptog_near_##size_##_##index_size_(at.dst, at.src, at.idx, at.count);                                       \
    }
    PTOG_GATHER_SIZES(PTOG_PICK)
#undef PTOG_PICK
#undef PTOG_GATHER_SIZES
}

/* Zero, where indices are as wide as elements: `keep` has the indices before they were brought into range. */
PTOG_SHARED void ptog_keep_2(unsigned char *dst, const unsigned char *src, const unsigned char *idx, int64_t n,
                             const unsigned char *keep)
{
    ptog_gather_block_2(dst, src, idx, n, 2, keep);
}

PTOG_SHARED void ptog_keep_4(unsigned char *dst, const unsigned char *src, const unsigned char *idx, int64_t n,
                             const unsigned char *keep)
{
    ptog_gather_block_4(dst, src, idx, n, 4, keep);
}

/* A block of 16- or 32-bit indices, the largest of which is `worst`. `far`: how many are known; 0: src is near. */
PTOG_INLINE void ptog_elem_block(const struct ptog_job *job, struct ptog_lanes at, int64_t far, uint64_t worst,
                                 struct ptog_bounds bounds, int size, int index_size, enum ptog_oob oob)
{
    uint32_t mapped[PTOG_BLOCK];
    const unsigned char *const given = at.idx;
    bool maps = oob != PTOG_OOB_UNDEFINED && worst > bounds.last;
    if (maps && index_size == 2)
        ptog_map_block_2(given, at.count, oob, bounds, (uint16_t *)mapped);
    else if (maps)
        ptog_map_block_4(given, at.count, oob, bounds, mapped);
    if (maps)
        at.idx = (const unsigned char *)mapped;
    bool zero_at_once = maps && !far && oob == PTOG_OOB_ZERO && size == index_size;
    if (zero_at_once && size == 2)
        ptog_keep_2(at.dst, at.src, at.idx, at.count, given);
    else if (zero_at_once)
        ptog_keep_4(at.dst, at.src, at.idx, at.count, given);
    else
        ptog_gather_lanes(job, at, far && maps ? at.count : far, size, index_size);
    if (maps && oob == PTOG_OOB_ZERO && !zero_at_once)
        ptog_zero_block(at.dst, given, at.count, size, index_size, bounds.last);
}

/* A block of 64-bit indices, some of which have more than 32 bits: as it is when all are in range, otherwise as 32-bit
 * ones if that makes no difference. */
PTOG_INLINE bool ptog_elem_block_wide(const struct ptog_job *job, struct ptog_lanes at, int64_t far, int size,
                                      enum ptog_oob oob, uint64_t bits)
{
    uint32_t narrow[PTOG_BLOCK];
    uint64_t most = oob != PTOG_OOB_UNDEFINED && job->wide.last < job->most ? job->wide.last : job->most;
    if (ptog_within_8(at.idx, at.count, most)) {
        ptog_gather_lanes(job, at, far, size, 8);
        return true;
    }
    bool saturates = oob == PTOG_OOB_CLAMP || oob == PTOG_OOB_ZERO;
    if (!saturates || bits > job->most || job->wide.last >= UINT32_MAX)
        return ptog_elem_body(job, at, size, 8, oob, false);
    ptog_saturate(at.idx, at.count, narrow);
    at.idx = (const unsigned char *)narrow;
    ptog_elem_block(job, at, far ? at.count : 0, UINT32_MAX, job->narrow, size, 4, oob);
    return true;
}

/* A block of 64-bit indices: as 32-bit ones, when they have no more bits than that. */
PTOG_INLINE bool ptog_elem_block_8(const struct ptog_job *job, struct ptog_lanes at, int64_t far, int size,
                                   enum ptog_oob oob)
{
    uint32_t narrow[PTOG_BLOCK], worst;
    uint64_t bits = ptog_narrow(at.idx, at.count, narrow, &worst);
    if (bits >> 32)
        return ptog_elem_block_wide(job, at, far, size, oob, bits);
    if (worst > job->most)
        return false;
    bool maps = oob != PTOG_OOB_UNDEFINED && worst > job->narrow.last;
    if (far && !maps) { /* through the indices as they are, which lead into the next block */
        ptog_gather_lanes(job, at, far, size, 8);
        return true;
    }
    at.idx = (const unsigned char *)narrow;
    ptog_elem_block(job, at, far ? at.count : 0, worst, job->narrow, size, 4, oob);
    return true;
}

/* dst[n] = flat(table)[map(idx[n])], no gaps in either */
PTOG_INLINE bool ptog_elem_blocks(const struct ptog_job *job, struct ptog_lanes at, int size, int index_size,
                                  enum ptog_oob oob)
{
    struct ptog_lanes part = at;
    for (int64_t left = at.count; left > 0; left -= PTOG_BLOCK) {
        int64_t far = job->ahead ? left : 0;
        part.count = left < PTOG_BLOCK ? left : PTOG_BLOCK;
        if (index_size == 8) {
            if (!ptog_elem_block_8(job, part, far, size, oob))
                return false;
        } else {
            uint64_t worst = index_size == 2 ? ptog_worst_2(part.idx, part.count) : ptog_worst_4(part.idx, part.count);
            if (worst > job->most)
                return false;
            ptog_elem_block(job, part, far, worst, job->wide, size, index_size, oob);
        }
        part.dst += PTOG_BLOCK * size;
        part.idx += PTOG_BLOCK * index_size;
    }
    return true;
}

#endif
