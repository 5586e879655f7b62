/* kernel: from the list of types to functions that add rows of a bag, and their set, SET, for vectors of LANES doubles.
 * Columns are done WIDE vectors at a time, so that their sums stay in registers while all rows go by; then four, two
 * and one; what is left after whole vectors goes through a copy of it. Products are rounded before they are added:
 * compiled with -ffp-contract=off, since the result is defined so. */
#include <math.h>
#include <string.h>

#include "kernel/bag/bag.h"
#include "kernel/map.h"

typedef double ptog_bag_doubles __attribute__((vector_size(LANES * 8)));
typedef int64_t ptog_bag_mask __attribute__((vector_size(LANES * 8)));
#if defined(__AVX512F__)
#include "kernel/bag/bag_loads_avx512.h"
#else
#include "kernel/bag/bag_loads.h"
#endif

PTOG_INLINE ptog_bag_doubles bag_step(ptog_bag_doubles sum, ptog_bag_doubles element, double factor,
                                      enum ptog_bag_step step)
{
    if (step == PTOG_BAG_ADD)
        return sum + element;
    element = element * factor;
    if (step == PTOG_BAG_SCALED)
        return sum + element;
    ptog_bag_mask larger = (element > sum) | (element != element);
    return (ptog_bag_doubles)(((ptog_bag_mask)element & larger) | ((ptog_bag_mask)sum & ~larger));
}

PTOG_INLINE const unsigned char *bag_row(const struct ptog_bag_rows *rows, int64_t r)
{
    return rows->table + (size_t)ptog_load_index(rows->idx + r * rows->index_size, rows->index_size) * rows->step;
}

/* The lines of a row that comes later; it may start and end inside of one. */
PTOG_INLINE void bag_fetch(const struct ptog_bag_rows *rows, int64_t r)
{
    if (r >= rows->fetched)
        return;
    uintptr_t row = (uintptr_t)bag_row(rows, r);
    ptog_fetch_row(row, rows->row_bytes, rows->hint);
    if (row % PTOG_LINE > (row + rows->row_bytes - 1) % PTOG_LINE) /* one line more than a row of its size has */
        ptog_fetch(row + rows->row_bytes - 1, rows->hint);
}

/* `vectors` of columns, from byte `from` of each row on. The first columns of a row fetch all of a later one. */
#define BAG_BLOCK(TYPE, size)                                                                                          \
    PTOG_INLINE void bag_block_##TYPE(double *sums, const struct ptog_bag_rows *rows, size_t from, int vectors,        \
                                      enum ptog_bag_step step)                                                         \
    {                                                                                                                  \
        const int64_t count = rows->count, ahead = from == 0 && rows->ahead ? rows->ahead : INT64_MAX / 2;             \
        ptog_bag_doubles sum[WIDE];                                                                                    \
        memcpy(sum, sums, (size_t)vectors * sizeof sum[0]);                                                            \
        for (int64_t r = 0; r < count; r++) {                                                                          \
            const unsigned char *row = bag_row(rows, r) + from;                                                        \
            const double factor = step == PTOG_BAG_ADD ? 1 : rows->factors[r];                                         \
            bag_fetch(rows, r + ahead);                                                                                \
            _Pragma("GCC unroll 16") for (int v = 0; v < vectors; v++) sum[v] =                                        \
                bag_step(sum[v], bag_load_##TYPE(row + v * LANES * (size)), factor, step);                             \
        }                                                                                                              \
        memcpy(sums, sum, (size_t)vectors * sizeof sum[0]);                                                            \
    }                                                                                                                  \
    PTOG_INLINE void bag_rest_##TYPE(double *sums, const struct ptog_bag_rows *rows, size_t from, int left,            \
                                     enum ptog_bag_step step)                                                          \
    {                                                                                                                  \
        ptog_bag_doubles sum;                                                                                          \
        unsigned char last[LANES * (size)] = {0};                                                                      \
        memcpy(&sum, sums, sizeof sum);                                                                                \
        for (int64_t r = 0; r < rows->count; r++) {                                                                    \
            memcpy(last, bag_row(rows, r) + from, (size_t)left * (size));                                              \
            sum = bag_step(sum, bag_load_##TYPE(last), step == PTOG_BAG_ADD ? 1 : rows->factors[r], step);             \
        }                                                                                                              \
        memcpy(sums, &sum, sizeof sum);                                                                                \
    }
#define BAG_STEP(TYPE, size, STEP)                                                                                     \
    static void bag_##STEP##_##TYPE(double sums[PTOG_BAG_COLS], const struct ptog_bag_rows *given, size_t from,        \
                                    int cols)                                                                          \
    {                                                                                                                  \
        const struct ptog_bag_rows rows = *given;                                                                      \
        int col = 0;                                                                                                   \
        for (; col + WIDE * LANES <= cols; col += WIDE * LANES)                                                        \
            bag_block_##TYPE(sums + col, &rows, from + (size_t)col * (size), WIDE, PTOG_BAG_##STEP);                   \
        for (; col + 4 * LANES <= cols; col += 4 * LANES)                                                              \
            bag_block_##TYPE(sums + col, &rows, from + (size_t)col * (size), 4, PTOG_BAG_##STEP);                      \
        for (; col + 2 * LANES <= cols; col += 2 * LANES)                                                              \
            bag_block_##TYPE(sums + col, &rows, from + (size_t)col * (size), 2, PTOG_BAG_##STEP);                      \
        for (; col + LANES <= cols; col += LANES)                                                                      \
            bag_block_##TYPE(sums + col, &rows, from + (size_t)col * (size), 1, PTOG_BAG_##STEP);                      \
        if (col < cols)                                                                                                \
            bag_rest_##TYPE(sums + col, &rows, from + (size_t)col * (size), cols - col, PTOG_BAG_##STEP);              \
    }
#define BAG_TYPE(TYPE, size)                                                                                           \
    BAG_BLOCK(TYPE, size)                                                                                              \
    BAG_STEP(TYPE, size, ADD) BAG_STEP(TYPE, size, SCALED) BAG_STEP(TYPE, size, LARGER)
#include "kernel/bag/bag_types.def"

static const struct ptog_bag_kernel bag_kernels[] = {
#define BAG_TYPE(TYPE, size) {PTOG_##TYPE, {bag_ADD_##TYPE, bag_SCALED_##TYPE, bag_LARGER_##TYPE}},
#include "kernel/bag/bag_types.def"
    {PTOG_DTYPE_NONE, {NULL, NULL, NULL}},
};

static void bag_store_f32(unsigned char *dst, const double sums[PTOG_BAG_COLS], int cols)
{
    float values[PTOG_BAG_COLS];
    for (int i = 0; i < cols; i++)
        values[i] = sums[i] == sums[i] ? (float)sums[i] : NAN;
    memcpy(dst, values, (size_t)cols * sizeof values[0]);
}

/* To f32 as a step to fewer bits still: what is not exact gets a last bit of 1, so that the next step sees on which
 * side of a half it lies. */
static inline uint32_t bag_round_to_odd(double value)
{
    float near = (float)value;
    double back = near;
    uint32_t bits;
    memcpy(&bits, &near, sizeof bits);
    uint32_t is_other = (uint32_t)(back < value || back > value);
    uint32_t is_larger = (uint32_t)((back > value && value > 0) || (back < value && value < 0));
    return (bits - is_larger) | is_other;
}

/* As halves_F16 and halves_BF16 of kernel/halves.h, for one number. */
static inline uint16_t bag_f16_of(uint32_t f)
{
    uint32_t magnitude = f & 0x7fffffff, normal = (magnitude + 0xc8000fffu + (magnitude >> 13 & 1)) >> 13, small;
    float number;
    memcpy(&number, &magnitude, sizeof number);
    number += 0.5f; /* the sum rounds to the unit of subnormals */
    memcpy(&small, &number, sizeof small);
    uint32_t h = magnitude < 0x38800000u ? small - 0x3f000000u : normal;
    h = magnitude >= 0x477ff000u ? 0x7c00 : h;
    h |= f >> 16 & 0x8000;
    return (uint16_t)(magnitude > 0x7f800000u ? 0x7e00 : h);
}

static inline uint16_t bag_bf16_of(uint32_t f)
{
    uint32_t h = (f + 0x7fff + (f >> 16 & 1)) >> 16;
    return (uint16_t)((f & 0x7fffffff) > 0x7f800000u ? 0x7fc0 : h);
}

#define BAG_STORE_HALVES(type)                                                                                         \
    static void bag_store_##type(unsigned char *dst, const double sums[PTOG_BAG_COLS], int cols)                       \
    {                                                                                                                  \
        uint16_t values[PTOG_BAG_COLS];                                                                                \
        for (int i = 0; i < cols; i++)                                                                                 \
            values[i] = bag_##type##_of(bag_round_to_odd(sums[i]));                                                    \
        memcpy(dst, values, (size_t)cols * sizeof values[0]);                                                          \
    }
BAG_STORE_HALVES(f16)
BAG_STORE_HALVES(bf16)

const struct ptog_bag_set SET = {bag_kernels, bag_store_f32, bag_store_f16, bag_store_bf16};
