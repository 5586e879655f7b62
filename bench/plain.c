/* bench: the loops that people write themselves, compiled by gcc and by clang with -O3 -march=native into a library
 * each. Nothing is checked here: an index outside its table is undefined behaviour. */
#include <stdint.h>
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

/* Elements of 1, 2, 4 and 8 bytes. */
#define ELEM(size, index)                                                                                              \
    void plain_elem_##size##_##index(uint##size##_t *restrict dst, const uint##size##_t *restrict table,               \
                                     const int##index##_t *restrict idx, int64_t lanes)                                \
    {                                                                                                                  \
        for (int64_t i = 0; i < lanes; i++)                                                                            \
            dst[i] = table[idx[i]];                                                                                    \
    }
ELEM(8, 32)
ELEM(16, 32)
ELEM(32, 32)
ELEM(64, 32)

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
