/* kernel: adding rows of f32 in f32, for bag_stamp.h: sixteen columns of AVX-512 are one vector, and nothing is
 * converted. */
#ifndef PTOG_KERNEL_BAG_SINGLE_H
#define PTOG_KERNEL_BAG_SINGLE_H

#define SINGLE (2 * LANES) /* columns of a vector */
#define MOST_SINGLES 8     /* vectors whose sums stay in registers while all rows go by */
typedef float ptog_bag_singles __attribute__((vector_size(SINGLE * 4)));
typedef int32_t ptog_bag_single_mask __attribute__((vector_size(SINGLE * 4)));

PTOG_INLINE ptog_bag_singles single_load(const void *from)
{
    ptog_bag_singles value;
    memcpy(&value, from, sizeof value);
    return value;
}

PTOG_INLINE ptog_bag_singles single_step(ptog_bag_singles sum, ptog_bag_singles element, float factor, bool is_scaled)
{
    if (is_scaled)
        element = element * factor;
    return sum + element;
}

/* `vectors` of columns, from byte `from` of each row on. */
PTOG_INLINE void single_block(float *sums, const struct ptog_bag_rows *given, size_t from, int vectors, bool is_scaled)
{
    const struct ptog_bag_rows rows = *given;
    ptog_bag_singles sum[MOST_SINGLES];
    _Pragma("GCC unroll 16") for (int v = 0; v < vectors; v++) sum[v] = single_load(sums + v * SINGLE);
    for (int64_t r = 0; r < rows.count; r++) {
        const unsigned char *row = bag_row(&rows, r, from);
        const float factor = is_scaled ? (float)rows.factors[r] : 1;
        bag_fetch_later(&rows, r, from, (size_t)vectors * sizeof sum[0]);
        _Pragma("GCC unroll 16") for (int v = 0; v < vectors; v++) sum[v] =
            single_step(sum[v], single_load(row + (size_t)v * sizeof sum[0]), factor, is_scaled);
    }
    memcpy(sums, sum, (size_t)vectors * sizeof sum[0]);
}

/* The columns behind the last whole vector: `left` of them. */
PTOG_INLINE void single_rest(float *sums, const struct ptog_bag_rows *rows, size_t from, int left, bool is_scaled)
{
    ptog_bag_singles sum = single_load(sums), last = {0};
    for (int64_t r = 0; r < rows->count; r++) {
        bag_fetch_later(rows, r, from, (size_t)left * sizeof(float));
        memcpy(&last, bag_row(rows, r, from), (size_t)left * sizeof(float));
        sum = single_step(sum, last, is_scaled ? (float)rows->factors[r] : 1, is_scaled);
    }
    memcpy(sums, &sum, sizeof sum);
}

PTOG_INLINE void single_rows(float *sums, const struct ptog_bag_rows *rows, size_t from, int cols, bool is_scaled)
{
    int col = 0;
#define SINGLE_BLOCKS(vectors)                                                                                         \
    for (; col + (vectors) * SINGLE <= cols; col += (vectors) * SINGLE)                                                \
        single_block(sums + col, rows, from + (size_t)col * sizeof(float), vectors, is_scaled);
    SINGLE_BLOCKS(MOST_SINGLES)
    SINGLE_BLOCKS(4)
    SINGLE_BLOCKS(2)
    SINGLE_BLOCKS(1)
#undef SINGLE_BLOCKS
    if (col < cols)
        single_rest(sums + col, rows, from + (size_t)col * sizeof(float), cols - col, is_scaled);
}

static void single_ADD(float sums[PTOG_BAG_COLS], const struct ptog_bag_rows *rows, size_t from, int cols)
{
    single_rows(sums, rows, from, cols, false);
}

static void single_SCALED(float sums[PTOG_BAG_COLS], const struct ptog_bag_rows *rows, size_t from, int cols)
{
    single_rows(sums, rows, from, cols, true);
}

/* The sums, where a NaN has neither sign nor payload. */
static void single_store(unsigned char *dst, const float sums[PTOG_BAG_COLS], int cols)
{
    for (int col = 0; col < cols; col += SINGLE) {
        ptog_bag_singles sum = single_load(sums + col), nan = (ptog_bag_singles){0} + (float)NAN;
        const ptog_bag_single_mask is_nan = sum != sum;
        sum = (ptog_bag_singles)(((ptog_bag_single_mask)sum & ~is_nan) | ((ptog_bag_single_mask)nan & is_nan));
        size_t left = (size_t)(cols - col) * sizeof(float);
        if (left >= sizeof sum)
            memcpy(dst + (size_t)col * sizeof(float), &sum, sizeof sum);
        else
            memcpy(dst + (size_t)col * sizeof(float), &sum, left);
    }
}

#endif
