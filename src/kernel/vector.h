/* kernel: the bodies for vector instruction sets, one per algorithm, in the compiler's vector types. An instruction set
 * is nothing but the flags its file is compiled with. Indices are looked at in blocks, before anything is read through
 * them; what follows needs no branch per lane. */
#ifndef PTOG_KERNEL_VECTOR_H
#define PTOG_KERNEL_VECTOR_H

#include "kernel/map.h"

#if defined(__AVX512F__)
#define PTOG_VECTOR 64 /* bytes */
#elif defined(__AVX2__)
#define PTOG_VECTOR 32
#else
#define PTOG_VECTOR 16
#endif

#define PTOG_BLOCK 512 /* indices: 2 or 4 KiB of L1 */

/* Reads n indices, `step` bytes apart, and stores what the policy makes of them. False when one is above `most`. */
#define PTOG_MAP_BLOCK(name, type, map)                                                                                \
    PTOG_INLINE bool name(const struct ptog_job *job, const unsigned char *idx, int64_t step, int64_t n,               \
                          enum ptog_oob oob, type *to)                                                                 \
    {                                                                                                                  \
        type worst = 0, last = (type)job->last, wrap = (type)job->wrap, magic = (type)job->magic;                      \
        for (int64_t k = 0; k < n; k++) {                                                                              \
            type i;                                                                                                    \
            memcpy(&i, idx + k * step, sizeof i);                                                                      \
            worst = i > worst ? i : worst;                                                                             \
            if (to)                                                                                                    \
                to[k] = map(oob, i, last, wrap, magic);                                                                \
        }                                                                                                              \
        return worst <= job->most;                                                                                     \
    }
PTOG_MAP_BLOCK(ptog_map_block_2, uint16_t, ptog_map_u16)
PTOG_MAP_BLOCK(ptog_map_block_4, uint32_t, ptog_map_u32)
PTOG_MAP_BLOCK(ptog_map_block_8, uint64_t, ptog_map_u64)
#undef PTOG_MAP_BLOCK

PTOG_INLINE bool ptog_map_block(const struct ptog_job *job, const unsigned char *idx, int64_t step, int64_t n,
                                int index_size, enum ptog_oob oob, uint64_t *to)
{
    if (index_size == 2)
        return ptog_map_block_2(job, idx, step, n, oob, (uint16_t *)to);
    if (index_size == 4)
        return ptog_map_block_4(job, idx, step, n, oob, (uint32_t *)to);
    return ptog_map_block_8(job, idx, step, n, oob, to);
}

/* ---- elements */

#define PTOG_LANES_2(X) X(0), X(1)
#define PTOG_LANES_4(X) PTOG_LANES_2(X), X(2), X(3)
#define PTOG_LANES_8(X) PTOG_LANES_4(X), X(4), X(5), X(6), X(7)
#define PTOG_LANES_16(X) PTOG_LANES_8(X), X(8), X(9), X(10), X(11), X(12), X(13), X(14), X(15)

/* dst[k] = src[idx[k]]: loads into the lanes of 16 bytes, one store for all of them. */
#define PTOG_GATHER_BLOCK(name, type, lanes)                                                                           \
    PTOG_INLINE type name##_load(const unsigned char *src, const unsigned char *idx, int64_t k, int index_size)        \
    {                                                                                                                  \
        type value;                                                                                                    \
        memcpy(&value, src + ptog_load_index(idx + k * index_size, index_size) * sizeof value, sizeof value);          \
        return value;                                                                                                  \
    }                                                                                                                  \
    PTOG_INLINE void name(unsigned char *dst, const unsigned char *src, const unsigned char *idx, int64_t n,           \
                          int index_size)                                                                              \
    {                                                                                                                  \
        typedef type vector __attribute__((vector_size(16)));                                                          \
        int64_t k = 0;                                                                                                 \
        for (; k + 2 * lanes <= n; k += 2 * lanes) {                                                                   \
            const unsigned char *here = idx + k * index_size;                                                          \
            vector low = {PTOG_LANES_##lanes(PTOG_LOW)}, high = {PTOG_LANES_##lanes(PTOG_HIGH)};                       \
            memcpy(dst + k * (int64_t)sizeof(type), &low, 16);                                                         \
            memcpy(dst + k * (int64_t)sizeof(type) + 16, &high, 16);                                                   \
        }                                                                                                              \
        for (; k < n; k++) {                                                                                           \
            type value = name##_load(src, idx, k, index_size);                                                         \
            memcpy(dst + k * (int64_t)sizeof(type), &value, sizeof value);                                             \
        }                                                                                                              \
    }
#define PTOG_LOW(k) ptog_gather_block_1_load(src, here, k, index_size)
#define PTOG_HIGH(k) ptog_gather_block_1_load(src, here, 16 + k, index_size)
PTOG_GATHER_BLOCK(ptog_gather_block_1, uint8_t, 16)
#undef PTOG_LOW
#undef PTOG_HIGH
#define PTOG_LOW(k) ptog_gather_block_2_load(src, here, k, index_size)
#define PTOG_HIGH(k) ptog_gather_block_2_load(src, here, 8 + k, index_size)
PTOG_GATHER_BLOCK(ptog_gather_block_2, uint16_t, 8)
#undef PTOG_LOW
#undef PTOG_HIGH
#define PTOG_LOW(k) ptog_gather_block_4_load(src, here, k, index_size)
#define PTOG_HIGH(k) ptog_gather_block_4_load(src, here, 4 + k, index_size)
PTOG_GATHER_BLOCK(ptog_gather_block_4, uint32_t, 4)
#undef PTOG_LOW
#undef PTOG_HIGH
#define PTOG_LOW(k) ptog_gather_block_8_load(src, here, k, index_size)
#define PTOG_HIGH(k) ptog_gather_block_8_load(src, here, 2 + k, index_size)
PTOG_GATHER_BLOCK(ptog_gather_block_8, uint64_t, 2)
#undef PTOG_LOW
#undef PTOG_HIGH
#undef PTOG_GATHER_BLOCK

PTOG_INLINE void ptog_gather_block(unsigned char *dst, const unsigned char *src, const unsigned char *idx, int64_t n,
                                   int size, int index_size)
{
    switch (size) {
    case 1: ptog_gather_block_1(dst, src, idx, n, index_size); break;
    case 2: ptog_gather_block_2(dst, src, idx, n, index_size); break;
    case 4: ptog_gather_block_4(dst, src, idx, n, index_size); break;
    default: ptog_gather_block_8(dst, src, idx, n, index_size); break;
    }
}

/* Zero: forgets the lanes whose index is above `last`. */
#define PTOG_ZERO_BLOCK(name, type)                                                                                    \
    PTOG_INLINE void name(unsigned char *dst, const unsigned char *idx, int64_t n, int index_size, uint64_t last)      \
    {                                                                                                                  \
        for (int64_t k = 0; k < n; k++) {                                                                              \
            type value;                                                                                                \
            memcpy(&value, dst + k * (int64_t)sizeof value, sizeof value);                                             \
            value = ptog_load_index(idx + k * index_size, index_size) <= last ? value : 0;                             \
            memcpy(dst + k * (int64_t)sizeof value, &value, sizeof value);                                             \
        }                                                                                                              \
    }
PTOG_ZERO_BLOCK(ptog_zero_block_1, uint8_t)
PTOG_ZERO_BLOCK(ptog_zero_block_2, uint16_t)
PTOG_ZERO_BLOCK(ptog_zero_block_4, uint32_t)
PTOG_ZERO_BLOCK(ptog_zero_block_8, uint64_t)
#undef PTOG_ZERO_BLOCK

PTOG_INLINE void ptog_zero_block(unsigned char *dst, const unsigned char *idx, int64_t n, int size, int index_size,
                                 uint64_t last)
{
    switch (size) {
    case 1: ptog_zero_block_1(dst, idx, n, index_size, last); break;
    case 2: ptog_zero_block_2(dst, idx, n, index_size, last); break;
    case 4: ptog_zero_block_4(dst, idx, n, index_size, last); break;
    default: ptog_zero_block_8(dst, idx, n, index_size, last); break;
    }
}

/* dst[n] = flat(table)[map(idx[n])], no gaps in either */
PTOG_INLINE bool ptog_elem_blocks(const struct ptog_job *job, struct ptog_lanes at, int size, int index_size,
                                  enum ptog_oob oob)
{
    uint64_t mapped[PTOG_BLOCK];
    for (int64_t done = 0; done < at.count; done += PTOG_BLOCK) {
        int64_t n = at.count - done < PTOG_BLOCK ? at.count - done : PTOG_BLOCK;
        const unsigned char *idx = at.idx + done * index_size;
        unsigned char *dst = at.dst + done * size;
        bool direct = oob == PTOG_OOB_UNDEFINED;
        if (!ptog_map_block(job, idx, index_size, n, index_size, oob, direct ? NULL : mapped))
            return false;
        ptog_gather_block(dst, at.src, direct ? idx : (const unsigned char *)mapped, n, size, index_size);
        if (oob == PTOG_OOB_ZERO)
            ptog_zero_block(dst, idx, n, size, index_size, job->last);
    }
    return true;
}

#endif
