/* bench: the loops one writes by hand, no index checked. */
#include "plain_loops.h"

#include <string.h>

#define ELEM(type, index)                                                                                              \
    static void elem_##type##_##index(type *restrict dst, const type *restrict src, const index *restrict idx,         \
                                      int64_t n)                                                                       \
    {                                                                                                                  \
        for (int64_t i = 0; i < n; i++)                                                                                \
            dst[i] = src[idx[i]];                                                                                      \
    }
#define ELEMS(type) ELEM(type, uint16_t) ELEM(type, int32_t) ELEM(type, int64_t)
ELEMS(uint8_t)
ELEMS(uint16_t)
ELEMS(uint32_t)
ELEMS(uint64_t)

#define PICK(type, index)                                                                                              \
    if (size == sizeof(type) && index_size == sizeof(index)) {                                                         \
        elem_##type##_##index(dst, src, idx, n);                                                                       \
        return;                                                                                                        \
    }
#define PICKS(type) PICK(type, uint16_t) PICK(type, int32_t) PICK(type, int64_t)

static void elem(void *dst, const void *src, const void *idx, int64_t n, int size, int index_size)
{
    PICKS(uint8_t)
    PICKS(uint16_t)
    PICKS(uint32_t)
    PICKS(uint64_t)
}

static void rows(void *dst, const void *src, const int32_t *idx, int64_t n, int64_t bytes)
{
    for (int64_t r = 0; r < n; r++)
        memcpy((char *)dst + r * bytes, (const char *)src + idx[r] * bytes, (size_t)bytes);
}

static void rows_512(void *dst, const void *src, const int32_t *idx, int64_t n)
{
    for (int64_t r = 0; r < n; r++)
        memcpy((char *)dst + r * 512, (const char *)src + (int64_t)idx[r] * 512, 512);
}

#define MASK(type)                                                                                                     \
    static void mask_##type(type *restrict dst, const type *restrict src, int64_t n, unsigned pattern)                 \
    {                                                                                                                  \
        int64_t kept = 0;                                                                                              \
        for (int64_t c = 0; c < n; c++)                                                                                \
            if (pattern >> c % 4 & 1)                                                                                  \
                dst[kept++] = src[c];                                                                                  \
    }
MASK(uint8_t)
MASK(uint16_t)
MASK(uint32_t)

static void mask(void *dst, const void *src, int64_t n, int size, unsigned pattern)
{
    switch (size) {
    case 1: mask_uint8_t(dst, src, n, pattern); break;
    case 2: mask_uint16_t(dst, src, n, pattern); break;
    default: mask_uint32_t(dst, src, n, pattern); break;
    }
}

const struct plain_loops LOOPS = {COMPILER, elem, rows, rows_512, mask};
