/* kernel: indices. How they are read, and how a policy brings them into range without a branch or a division. */
#ifndef PTOG_KERNEL_MAP_H
#define PTOG_KERNEL_MAP_H

#include <string.h>

#include "kernel/kernel.h"

/* Bodies are written once and stamped for every row of the list: their parameters are constants there. A sanitizer
 * makes so much of each stamp that it is given one copy of every body instead. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PTOG_INLINE static __attribute__((unused, noinline))
#endif
#endif
#if !defined(PTOG_INLINE)
#define PTOG_INLINE static inline __attribute__((always_inline))
#endif

/* A step for a whole block of lanes or rows, where a call costs nothing: one copy of it serves all rows of the list
 * that need it. With a copy in each of them, these files took half of the time that compiling this project took. */
#define PTOG_SHARED static __attribute__((unused, noinline))

__extension__ typedef unsigned __int128 ptog_u128;

/* Where the lines go that are fetched before they are needed: see tune.def. */
enum ptog_hint {
    PTOG_HINT_NEAREST, /* the nearest cache */
    PTOG_HINT_NEXT,    /* the one behind it */
    PTOG_HINT_PAST,    /* the nearest, and no other */
};

/* Fetches the line at an address, which need not be one of the table's. */
PTOG_INLINE void ptog_fetch(uintptr_t at, int hint)
{
    if (hint == PTOG_HINT_NEAREST)
        __builtin_prefetch((const void *)at, 0, 3);
    else if (hint == PTOG_HINT_NEXT)
        __builtin_prefetch((const void *)at, 0, 2);
    else
        __builtin_prefetch((const void *)at, 0, 0);
}

#define PTOG_LINE 64        /* bytes of a cache line */
#define PTOG_FETCH_LINES 16 /* of a row; the hardware sees the rest coming */

PTOG_INLINE void ptog_fetch_row(uintptr_t row, size_t bytes, int hint)
{
    for (size_t k = 0; k < bytes && k < PTOG_FETCH_LINES * PTOG_LINE; k += PTOG_LINE)
        ptog_fetch(row + k, hint);
}

/* Indices are read unaligned and zero-extended. */
PTOG_INLINE uint64_t ptog_load_index(const unsigned char *at, int index_size)
{
    uint16_t i2;
    uint32_t i4;
    uint64_t i8;
    switch (index_size) {
    case 2: return memcpy(&i2, at, 2), i2;
    case 4: return memcpy(&i4, at, 4), i4;
    default: return memcpy(&i8, at, 8), i8;
    }
}

/* The index that is read under a policy. With magic = (2^bits - 1) / wrap, (i*magic) >> bits is i / wrap or one less:
 * the remainder is below 2*wrap, and one conditional subtraction, a minimum of unsigned numbers, ends it. Zero reads
 * the last element and forgets it. */
#define PTOG_MAP_INDEX(name, type, wide)                                                                               \
    PTOG_INLINE type name(enum ptog_oob oob, type i, const struct ptog_bounds *to)                                     \
    {                                                                                                                  \
        type last = (type)to->last, wrap = (type)to->wrap, magic = (type)to->magic;                                    \
        if (oob == PTOG_OOB_CLAMP || oob == PTOG_OOB_ZERO)                                                             \
            return i < last ? i : last;                                                                                \
        if (oob != PTOG_OOB_WRAP)                                                                                      \
            return i;                                                                                                  \
        type rest = (type)(i - (type)((type)(((wide)i * magic) >> 8 * sizeof(type)) * wrap));                          \
        type less = (type)(rest - wrap);                                                                               \
        return less < rest ? less : rest;                                                                              \
    }
PTOG_MAP_INDEX(ptog_map_u16, uint16_t, uint32_t)
PTOG_MAP_INDEX(ptog_map_u32, uint32_t, uint64_t)
PTOG_MAP_INDEX(ptog_map_u64, uint64_t, ptog_u128)
#undef PTOG_MAP_INDEX

/* The index that a lane reads; false when it is above `most`. *zero: the lane is zero. */
PTOG_INLINE bool ptog_map_lane(const struct ptog_job *job, const unsigned char *at, int index_size, enum ptog_oob oob,
                               uint64_t *i, bool *zero)
{
    uint64_t raw = ptog_load_index(at, index_size);
    *zero = oob == PTOG_OOB_ZERO && raw > job->wide.last;
    *i = index_size == 8 ? ptog_map_u64(oob, raw, &job->wide) : ptog_map_u32(oob, (uint32_t)raw, &job->wide);
    return raw <= job->most;
}

#endif
