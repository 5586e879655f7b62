/* kernel: what vector instruction sets do with a block of indices before anything is read through them: find the
 * largest, bring 64 bits down to 32, apply a policy, and zero afterwards what a policy says is zero. */
#ifndef PTOG_KERNEL_BLOCKS_H
#define PTOG_KERNEL_BLOCKS_H

#include "kernel/lanes.h"

#define PTOG_BLOCK 256 /* indices; of 128, 256, 512 and 1024 the fastest: the next block overlaps with this one */

PTOG_SHARED uint64_t ptog_worst_2(const unsigned char *idx, int64_t n)
{
    uint16_t worst = 0, i;
    for (int64_t k = 0; k < n; k++) {
        memcpy(&i, idx + k * 2, 2);
        worst = i > worst ? i : worst;
    }
    return worst;
}

PTOG_INLINE uint32_t ptog_worst_lane(ptog_u32s a, ptog_u32s b)
{
    uint32_t worst = 0;
    a = PTOG_MAX_U32S(a, b);
    for (int k = 0; k < PTOG_U32S; k++)
        worst = a[k] > worst ? a[k] : worst;
    return worst;
}

PTOG_SHARED uint64_t ptog_worst_4(const unsigned char *idx, int64_t n)
{
    ptog_u32s a = {0}, b = {0};
    uint32_t worst, i;
    int64_t k = 0;
    for (; k + 2 * PTOG_U32S <= n; k += 2 * PTOG_U32S) {
        const ptog_u32s *here = (const ptog_u32s *)(idx + k * 4);
        a = PTOG_MAX_U32S(a, here[0]);
        b = PTOG_MAX_U32S(b, here[1]);
    }
    worst = ptog_worst_lane(a, b);
    for (; k < n; k++) {
        memcpy(&i, idx + k * 4, 4);
        worst = i > worst ? i : worst;
    }
    return worst;
}

/* No 64-bit index is above `most`: neither i nor most - i has a sign. */
PTOG_SHARED bool ptog_within_8(const unsigned char *idx, int64_t n, uint64_t most)
{
    ptog_u64s all = {0}, none = {0}, limit = none + most;
    uint64_t signs = most, i;
    int64_t k = 0;
    for (; k + PTOG_U32S <= n; k += PTOG_U32S) {
        const ptog_u64s *here = (const ptog_u64s *)(idx + k * 8);
        all |= (here[0] | (limit - here[0])) | (here[1] | (limit - here[1]));
    }
    for (int lane = 0; lane < PTOG_U32S / 2; lane++)
        signs |= all[lane];
    for (; k < n; k++) {
        memcpy(&i, idx + k * 8, 8);
        signs |= i | (most - i);
    }
    return signs >> 63 == 0;
}

/* The lower halves of 64-bit indices, and the largest of them. Returns all bits that any index has. */
PTOG_SHARED uint64_t ptog_narrow(const unsigned char *idx, int64_t n, uint32_t *to, uint32_t *worst)
{
    ptog_u64s all = {0};
    ptog_u32s largest = {0};
    uint64_t bits = 0, i;
    int64_t k = 0;
    for (; k + PTOG_U32S <= n; k += PTOG_U32S) {
        const ptog_u64s *here = (const ptog_u64s *)(idx + k * 8);
        all |= here[0] | here[1];
        ptog_u32s low = __builtin_shufflevector((ptog_u32s)here[0], (ptog_u32s)here[1], PTOG_EVEN_U32S);
        largest = PTOG_MAX_U32S(largest, low);
        *(ptog_u32s *)(to + k) = low;
    }
    *worst = ptog_worst_lane(largest, largest);
    for (int lane = 0; lane < PTOG_U32S / 2; lane++)
        bits |= all[lane];
    for (; k < n; k++) {
        memcpy(&i, idx + k * 8, 8);
        bits |= i;
        to[k] = (uint32_t)i;
        *worst = to[k] > *worst ? to[k] : *worst;
    }
    return bits;
}

/* The largest number for what does not fit: for Clamp and Zero as good as the index itself. */
PTOG_SHARED void ptog_saturate(const unsigned char *idx, int64_t n, uint32_t *to)
{
    for (int64_t k = 0; k < n; k++) {
        uint64_t i = ptog_load_index(idx + k * 8, 8);
        to[k] = i >> 32 ? UINT32_MAX : (uint32_t)i;
    }
}

PTOG_SHARED void ptog_map_block_2(const unsigned char *idx, int64_t n, enum ptog_oob oob, struct ptog_bounds bounds,
                                  uint16_t *to)
{
    for (int64_t k = 0; k < n; k++)
        to[k] = ptog_map_u16(oob, (uint16_t)ptog_load_index(idx + k * 2, 2), &bounds);
}

/* ptog_map_u32 of every lane */
PTOG_INLINE void ptog_map_lanes_4(const unsigned char *idx, int64_t n, enum ptog_oob oob, struct ptog_bounds bounds,
                                  uint32_t *to)
{
    const ptog_u32s none = {0}, last = none + (uint32_t)bounds.last, wrap = none + (uint32_t)bounds.wrap,
                    magic = none + (uint32_t)bounds.magic;
    int64_t k = 0;
    for (; k + PTOG_U32S <= n; k += PTOG_U32S) {
        ptog_u32s i = *(const ptog_u32s *)(idx + k * 4);
        if (oob == PTOG_OOB_WRAP) {
            ptog_u32s rest = i - PTOG_MULHI_U32S(i, magic) * wrap;
            i = PTOG_MIN_U32S(rest, rest - wrap);
        } else {
            i = PTOG_MIN_U32S(i, last);
        }
        *(ptog_u32s *)(to + k) = i;
    }
    for (; k < n; k++)
        to[k] = ptog_map_u32(oob, (uint32_t)ptog_load_index(idx + k * 4, 4), &bounds);
}

PTOG_SHARED void ptog_wrap_block_4(const unsigned char *idx, int64_t n, struct ptog_bounds bounds, uint32_t *to)
{
    ptog_map_lanes_4(idx, n, PTOG_OOB_WRAP, bounds, to);
}

/* Clamp, and Zero */
PTOG_SHARED void ptog_clamp_block_4(const unsigned char *idx, int64_t n, struct ptog_bounds bounds, uint32_t *to)
{
    ptog_map_lanes_4(idx, n, PTOG_OOB_CLAMP, bounds, to);
}

/* Maps `n` 4-byte indices by the policy into `to`. */
PTOG_INLINE void ptog_map_block_4(const unsigned char *idx, int64_t n, enum ptog_oob oob, struct ptog_bounds bounds,
                                  uint32_t *to)
{
    if (oob == PTOG_OOB_WRAP)
        ptog_wrap_block_4(idx, n, bounds, to);
    else
        ptog_clamp_block_4(idx, n, bounds, to);
}

/* Zero: forgets the lanes whose index is above `last`. */
#define PTOG_ZERO_BLOCK(size, type, index_size, index)                                                                 \
    PTOG_SHARED void ptog_zero_block_##size##_##index_size(unsigned char *dst, const unsigned char *idx, int64_t n,    \
                                                           index last)                                                 \
    {                                                                                                                  \
        for (int64_t k = 0; k < n; k++) {                                                                              \
            type value;                                                                                                \
            index i;                                                                                                   \
            memcpy(&value, dst + k * size, size);                                                                      \
            memcpy(&i, idx + k * index_size, index_size);                                                              \
            value = i <= last ? value : 0;                                                                             \
            memcpy(dst + k * size, &value, size);                                                                      \
        }                                                                                                              \
    }
#define PTOG_ZERO_SIZES(ROW)                                                                                           \
    ROW(1, uint8_t, 2, uint16_t)                                                                                       \
    ROW(2, uint16_t, 2, uint16_t)                                                                                      \
    ROW(4, uint32_t, 2, uint16_t)                                                                                      \
    ROW(8, uint64_t, 2, uint16_t)                                                                                      \
    ROW(1, uint8_t, 4, uint32_t)                                                                                       \
    ROW(2, uint16_t, 4, uint32_t)                                                                                      \
    ROW(4, uint32_t, 4, uint32_t)                                                                                      \
    ROW(8, uint64_t, 4, uint32_t)
PTOG_ZERO_SIZES(PTOG_ZERO_BLOCK)
#undef PTOG_ZERO_BLOCK

/* Writes zeros over the elements whose index lies past `last`. */
PTOG_INLINE void ptog_zero_block(unsigned char *dst, const unsigned char *idx, int64_t n, int size, int index_size,
                                 uint64_t last)
{
#define PTOG_PICK(size_, type, index_size_, index)                                                                     \
    if (size == size_ && index_size == index_size_)                                                                    \
        ptog_zero_block_##size_##_##index_size_(dst, idx, n, (index)last);
    PTOG_ZERO_SIZES(PTOG_PICK)
#undef PTOG_PICK
#undef PTOG_ZERO_SIZES
}

#endif
