/* kernel: from the list of types to functions that add rows of a bag, and their set, SET, for vectors of LANES doubles.
 * Columns are done WIDE vectors at a time, so that their sums stay in registers while all rows go by; then four, two
 * and one (the larger one of two by four and one: a build would take half a second longer); what is left after whole
 * vectors goes through a copy of it. Products are rounded before they are added: compiled with -ffp-contract=off, since
 * the result is defined so. */
#include <math.h>
#include <string.h>

#include "kernel/bag/bag.h"
#include "kernel/map.h"

typedef double ptog_bag_doubles __attribute__((vector_size(LANES * 8)));
typedef double ptog_bag_sums __attribute__((vector_size(LANES * 8), may_alias));
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

/* Byte `from` of a row. The sum is hidden: gcc keeps one for every vector of a block otherwise, and runs out of
 * registers. */
PTOG_INLINE const unsigned char *bag_row(const struct ptog_bag_rows *rows, int64_t r, size_t from)
{
    const unsigned char *row = rows->at[r] + from;
    __asm__("" : "+r"(row));
    return row;
}

/* The lines of `bytes` bytes of a row that comes later; they may start and end inside of one. */
PTOG_INLINE void bag_fetch(const unsigned char *row, size_t bytes, int hint)
{
    for (size_t k = 0; k < bytes; k += PTOG_LINE)
        ptog_fetch((uintptr_t)row + k, hint);
    if ((uintptr_t)row % PTOG_LINE != 0)
        ptog_fetch((uintptr_t)row + bytes - 1, hint);
}

PTOG_INLINE void bag_fetch_later(const struct ptog_bag_rows *rows, int64_t r, size_t from, size_t bytes)
{
    if (rows->ahead == 0)
        return;
    if (rows->hint == PTOG_HINT_NEAREST)
        bag_fetch(bag_row(rows, r + rows->ahead, from), bytes, PTOG_HINT_NEAREST);
    else
        bag_fetch(bag_row(rows, r + rows->ahead, from), bytes, PTOG_HINT_NEXT);
}

#include "kernel/bag/bag_single.h"

/* `vectors` of columns, from byte `from` of each row on. */
#define BAG_BLOCK(TYPE, size)                                                                                          \
    PTOG_INLINE void bag_block_##TYPE(ptog_bag_sums *sums, const struct ptog_bag_rows *given, size_t from,             \
                                      int vectors, enum ptog_bag_step step)                                            \
    {                                                                                                                  \
        const struct ptog_bag_rows rows = *given;                                                                      \
        ptog_bag_doubles sum[WIDE];                                                                                    \
        _Pragma("GCC unroll 16") for (int v = 0; v < vectors; v++) sum[v] = sums[v];                                   \
        for (int64_t r = 0; r < rows.count; r++) {                                                                     \
            const unsigned char *row = bag_row(&rows, r, from);                                                        \
            const double factor = step == PTOG_BAG_ADD ? 1 : rows.factors[r];                                          \
            bag_fetch_later(&rows, r, from, (size_t)vectors *LANES *(size));                                           \
            _Pragma("GCC unroll 16") for (int v = 0; v < vectors; v++) sum[v] =                                        \
                bag_step(sum[v], bag_load_##TYPE(row + v * LANES * (size)), factor, step);                             \
        }                                                                                                              \
        _Pragma("GCC unroll 16") for (int v = 0; v < vectors; v++) sums[v] = sum[v];                                   \
    }                                                                                                                  \
    PTOG_INLINE void bag_rest_##TYPE(ptog_bag_sums *sums, const struct ptog_bag_rows *rows, size_t from, int left,     \
                                     enum ptog_bag_step step)                                                          \
    {                                                                                                                  \
        ptog_bag_doubles sum = *sums;                                                                                  \
        unsigned char last[LANES * (size)] = {0};                                                                      \
        for (int64_t r = 0; r < rows->count; r++) {                                                                    \
            bag_fetch_later(rows, r, from, (size_t)left *(size));                                                      \
            memcpy(last, bag_row(rows, r, from), (size_t)left *(size));                                                \
            sum = bag_step(sum, bag_load_##TYPE(last), step == PTOG_BAG_ADD ? 1 : rows->factors[r], step);             \
        }                                                                                                              \
        *sums = sum;                                                                                                   \
    }
#define BAG_STEP(TYPE, size, STEP)                                                                                     \
    static void bag_##STEP##_##TYPE(double sums[PTOG_BAG_COLS], const struct ptog_bag_rows *rows, size_t from,         \
                                    int cols)                                                                          \
    {                                                                                                                  \
        ptog_bag_sums *const sum = (ptog_bag_sums *)sums;                                                              \
        const bool is_long = PTOG_BAG_##STEP != PTOG_BAG_LARGER;                                                       \
        int col = 0;                                                                                                   \
        for (; is_long && col + WIDE * LANES <= cols; col += WIDE * LANES)                                             \
            bag_block_##TYPE(sum + col / LANES, rows, from + (size_t)col * (size), WIDE, PTOG_BAG_##STEP);             \
        for (; col + 4 * LANES <= cols; col += 4 * LANES)                                                              \
            bag_block_##TYPE(sum + col / LANES, rows, from + (size_t)col * (size), 4, PTOG_BAG_##STEP);                \
        for (; is_long && col + 2 * LANES <= cols; col += 2 * LANES)                                                   \
            bag_block_##TYPE(sum + col / LANES, rows, from + (size_t)col * (size), 2, PTOG_BAG_##STEP);                \
        for (; col + LANES <= cols; col += LANES)                                                                      \
            bag_block_##TYPE(sum + col / LANES, rows, from + (size_t)col * (size), 1, PTOG_BAG_##STEP);                \
        if (col < cols)                                                                                                \
            bag_rest_##TYPE(sum + col / LANES, rows, from + (size_t)col * (size), cols - col, PTOG_BAG_##STEP);        \
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

PTOG_INLINE void bag_store_floats(unsigned char *dst, ptog_bag_doubles sum, size_t bytes)
{
    const ptog_bag_mask is_nan = sum != sum;
    const ptog_bag_doubles nan = (ptog_bag_doubles){0} + (double)NAN;
    sum = (ptog_bag_doubles)(((ptog_bag_mask)sum & ~is_nan) | ((ptog_bag_mask)nan & is_nan));
    float values[LANES];
    for (int i = 0; i < LANES; i++)
        values[i] = (float)sum[i];
    memcpy(dst, values, bytes);
}

static void bag_store_f32(unsigned char *dst, const double sums[PTOG_BAG_COLS], int cols)
{
    const ptog_bag_sums *const sum = (const ptog_bag_sums *)sums;
    int col = 0;
    for (; col + LANES <= cols; col += LANES)
        bag_store_floats(dst + (size_t)col * sizeof(float), sum[col / LANES], LANES * sizeof(float));
    if (col < cols)
        bag_store_floats(dst + (size_t)col * sizeof(float), sum[col / LANES], (size_t)(cols - col) * sizeof(float));
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

/* An index is outside where it or what is missing to the last row has a sign. */
static bool bag_has_outside(const unsigned char *idx, size_t index_size, int64_t count, uint64_t rows)
{
    uint64_t signs = 0;
    uint32_t signs4 = 0, last4 = rows > INT32_MAX ? INT32_MAX : (uint32_t)rows - 1;
    for (int64_t i = 0; index_size == 8 && i < count; i++) {
        uint64_t index;
        memcpy(&index, idx + i * 8, sizeof index);
        signs |= index | (rows - 1 - index);
    }
    for (int64_t i = 0; index_size == 4 && i < count; i++) {
        uint32_t index;
        memcpy(&index, idx + i * 4, sizeof index);
        signs4 |= index | (last4 - index);
    }
    return signs >> 63 || signs4 >> 31;
}

const struct ptog_bag_set SET = {bag_kernels,   {single_ADD, single_SCALED}, bag_store_f32, bag_store_f16,
                                 bag_store_bf16, single_store,                bag_has_outside};
