/* bench: the loops that people write themselves, compiled by gcc and by clang with -O3 -march=native into a library
 * each. Nothing is checked here: an index outside its table is undefined behaviour. */
#include "plain.h"

#include <string.h>

/* Rows, copied element by element: what compilers make of it is their affair. */
void plain_row(float *restrict dst, const float *restrict table, const int32_t *restrict idx, int64_t lanes,
               int64_t width)
{
    for (int64_t r = 0; r < lanes; r++)
        for (int64_t c = 0; c < width; c++)
            dst[r * width + c] = table[idx[r] * width + c];
}

/* Rows, a memcpy each. */
void plain_row_memcpy(float *restrict dst, const float *restrict table, const int32_t *restrict idx, int64_t lanes,
                      int64_t width)
{
    for (int64_t r = 0; r < lanes; r++)
        memcpy(dst + r * width, table + idx[r] * width, (size_t)width * sizeof *dst);
}

/* The same, of a width that is known. */
static void row_512(void *dst, const void *table, const int32_t *idx, int64_t lanes)
{
    for (int64_t r = 0; r < lanes; r++)
        memcpy((char *)dst + r * 512, (const char *)table + (int64_t)idx[r] * 512, 512);
}

/* Elements of 1, 2, 4 and 8 bytes. */
#define ELEM(size, type, index)                                                                                        \
    void plain_elem_##size##_##index(uint##size##_t *restrict dst, const uint##size##_t *restrict table,               \
                                     const type##index##_t *restrict idx, int64_t lanes)                               \
    {                                                                                                                  \
        for (int64_t i = 0; i < lanes; i++)                                                                            \
            dst[i] = table[idx[i]];                                                                                    \
    }
#define ELEMS(size) ELEM(size, uint, 16) ELEM(size, int, 32) ELEM(size, int, 64)
ELEMS(8)
ELEMS(16)
ELEMS(32)
ELEMS(64)

/* A mask pattern, tested per element. Bit i of `pattern` keeps positions i, i + 4, ... */
#define MASK(size)                                                                                                     \
    int64_t plain_mask_##size(uint##size##_t *restrict dst, const uint##size##_t *restrict src, int64_t count,         \
                              unsigned pattern)                                                                        \
    {                                                                                                                  \
        int64_t kept = 0;                                                                                              \
        for (int64_t i = 0; i < count; i++)                                                                            \
            if (pattern >> (i & 3) & 1)                                                                                \
                dst[kept++] = src[i];                                                                                  \
        return kept;                                                                                                   \
    }
MASK(8)
MASK(16)
MASK(32)

/* ---- by size, for bench/kernels.c */

#define PICK(bits, index)                                                                                              \
    if (size == (bits) / 8 && index_size == (index) / 8) {                                                             \
        plain_elem_##bits##_##index(dst, table, idx, lanes);                                                           \
        return;                                                                                                        \
    }
#define PICKS(bits) PICK(bits, 16) PICK(bits, 32) PICK(bits, 64)

static void elem(void *dst, const void *table, const void *idx, int64_t lanes, int size, int index_size)
{
    PICKS(8)
    PICKS(16)
    PICKS(32)
    PICKS(64)
}

static void mask(void *dst, const void *src, int64_t count, int size, unsigned pattern)
{
    switch (size) {
    case 1: plain_mask_8(dst, src, count, pattern); break;
    case 2: plain_mask_16(dst, src, count, pattern); break;
    default: plain_mask_32(dst, src, count, pattern); break;
    }
}

static void row(void *dst, const void *table, const int32_t *idx, int64_t lanes, int64_t bytes)
{
    if (bytes == 512)
        row_512(dst, table, idx, lanes);
    else
        plain_row_memcpy(dst, table, idx, lanes, bytes / (int64_t)sizeof(float));
}

const struct plain_loops plain_loops = {elem, row, mask};
