/* kernel: adding rows of embedding bags, one table of functions per instruction set, all stamped from bag_stamp.h. A
 * function trusts its arguments: rows lie inside the table, and no byte outside of `cols` elements is touched. */
#ifndef PTOG_KERNEL_BAG_H
#define PTOG_KERNEL_BAG_H

#include "kernel/kernel.h"

/* Columns that are added at a time: their sums lie on the stack. */
#define PTOG_BAG_COLS 512

/* What is done with each row, element by element. */
enum ptog_bag_step {
    PTOG_BAG_ADD,    /* sum += element */
    PTOG_BAG_SCALED, /* sum += element * factor */
    PTOG_BAG_LARGER, /* sum = the larger one of it and element * factor, or NaN */
};
#define PTOG_BAG_STEPS 3

/* Rows that are added, by where they begin. */
struct ptog_bag_rows {
    const unsigned char *const *at; /* `ahead` more than are added: the last ones may be any rows */
    int64_t count;
    const double *factors; /* one for each; PTOG_BAG_ADD does not read them */
    int64_t ahead;         /* while row r is added, row r + ahead is fetched; 0: none is */
    int hint;              /* enum ptog_hint */
};

/* `cols` elements, at most PTOG_BAG_COLS, of each row, from byte `from` on. Sums up to the next multiple of
 * PTOG_BAG_LANES may change. */
#define PTOG_BAG_LANES 8
typedef void ptog_bag_fn(double sums[PTOG_BAG_COLS], const struct ptog_bag_rows *rows, size_t from, int cols);

/* The same for rows of f32 that are added in f32; a factor is rounded to f32 first. Sums up to the next multiple of
 * PTOG_BAG_SINGLES may change. */
#define PTOG_BAG_SINGLES 16
typedef void ptog_bag_single_fn(float sums[PTOG_BAG_COLS], const struct ptog_bag_rows *rows, size_t from, int cols);

/* The sums of `cols` columns, rounded once. A NaN loses its sign and its payload. */
typedef void ptog_bag_store_fn(unsigned char *dst, const double sums[PTOG_BAG_COLS], int cols);
typedef void ptog_bag_store_single_fn(unsigned char *dst, const float sums[PTOG_BAG_COLS], int cols);

struct ptog_bag_kernel {
    enum ptog_dtype dtype; /* of the rows; PTOG_DTYPE_NONE ends a table */
    ptog_bag_fn *add[PTOG_BAG_STEPS];
};
/* Whether one of `count` indices of 4 or 8 bytes is negative, or `rows` or more. */
typedef bool ptog_bag_outside_fn(const unsigned char *idx, size_t index_size, int64_t count, uint64_t rows);

struct ptog_bag_set {
    const struct ptog_bag_kernel *kernels; /* NULL: the compiler cannot make them */
    ptog_bag_single_fn *add_single[PTOG_BAG_SCALED + 1]; /* by enum ptog_bag_step */
    ptog_bag_store_fn *store_f32, *store_f16, *store_bf16;
    ptog_bag_store_single_fn *store_single;
    ptog_bag_outside_fn *has_outside;
};
extern const struct ptog_bag_set ptog_bags_plain, ptog_bags_avx2, ptog_bags_avx512;

/* The best set of an instruction set, and its functions for a type of rows; NULL when no rows may have it. */
const struct ptog_bag_set *ptog_bag_set_find(enum ptog_isa isa);
const struct ptog_bag_kernel *ptog_bag_kernel_find(const struct ptog_bag_set *set, enum ptog_dtype dtype);

#endif
