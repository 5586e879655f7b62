/* Embedding bags: from each bag of row numbers, the sum, the mean or the maximum of these rows of a table. Rows may be
 * stored in one or two bytes an element, with a scale for each row; they are widened while they are added.
 *
 *     idx      3 1 | 4 | 1 5 9        indices of all bags, one after the other
 *     offsets  0     2   3            where each bag starts
 *     dst      row 3 + row 1,  row 4,  row 1 + row 5 + row 9
 *
 *     struct ptog_bag bag = {.table = PTOG_F32, .idx = PTOG_I64, .mode = PTOG_BAG_SUM, .rows = rows, .cols = cols};
 *     ptog_bag_plan *plan = NULL;
 *     if (ptog_plan_bag(&plan, &bag, diags) != PTOG_OK)
 *         ...                                                      // diags say why
 *     struct ptog_bag_run run = {.dst = {dst, dst_bytes}, .table = {table, table_bytes},
 *                                .idx = {idx, idx_bytes}, .offsets = {offsets, offsets_bytes}};
 *     enum ptog_status status = ptog_bag_run(plan, &run, NULL);    // as often as wanted
 *     ptog_bag_plan_free(plan);
 *
 * Rows are added one after the other, in the order of the indices: element * (scale * weight) is rounded and added to
 * the sum, which a mean divides by the number of rows. Rows of f32 are added in f32, as torch and numpy do: the factor,
 * the product, each sum and the mean are rounded to f32. All others, and with `precise` those of f32, too, are added in
 * double, and the result is rounded once. A NaN is stored without a sign. So the bytes do not depend on processor,
 * kernel or threads. */
#ifndef PTOG_BAG_H
#define PTOG_BAG_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/diag.h>
#include <ptog/dtype.h>
#include <ptog/plan.h>
#include <ptog/pool.h>
#include <ptog/status.h>

/* The numbers are part of the ABI. A maximum with a NaN is NaN. A bag without rows gives zeros. */
enum ptog_bag_mode { PTOG_BAG_SUM = 0, PTOG_BAG_MEAN = 1, PTOG_BAG_MAX = 2 };

/* What all runs have in common. Zero is the default of what has one. */
struct ptog_bag {
    enum ptog_dtype table; /* of the rows: f32, f16, bf16, i8, f8e4m3 or f8e5m2 */
    enum ptog_dtype dst;   /* f32, f16 or bf16; PTOG_DTYPE_NONE: that of the table, and f32 when it has 1 byte */
    enum ptog_dtype idx;   /* of indices and offsets: i32 or i64 */
    enum ptog_bag_mode mode;
    int64_t rows, cols; /* of the table */
    int64_t pitch;      /* elements from one row to the next; 0: cols */
    bool has_end;       /* offsets have one more element: where the last bag ends */
    bool has_padding;   /* indices equal to `padding` stand for no row: they are not counted in a mean either */
    bool precise;       /* sums and means of f32 rows are computed in double, which takes 1.2 to 1.7 times the time */
    int64_t padding;
    uint64_t reserved[6];
};

typedef struct ptog_bag_plan ptog_bag_plan;

/* On PTOG_OK *plan is the caller's, to be freed with ptog_bag_plan_free; otherwise *plan is NULL. `bag` is copied.
 * PTOG_BAD_ARGUMENT, with an entry in `diags`, which may be NULL; or PTOG_NO_MEMORY. */
PTOG_API enum ptog_status ptog_plan_bag(ptog_bag_plan **plan, const struct ptog_bag *bag, ptog_diags *diags);

/* NULL is fine. No run may use the plan any more. */
PTOG_API void ptog_bag_plan_free(ptog_bag_plan *plan);

/* The buffers of one run. Their sizes say how many indices and bags there are: whole elements, all of them used. */
struct ptog_bag_run {
    struct ptog_buf dst;      /* bags x cols, without gaps; apart from the others */
    struct ptog_cbuf table;   /* rows x pitch; the last row may end with its columns */
    struct ptog_cbuf idx;     /* every one below the rows of the table, or padding */
    struct ptog_cbuf offsets; /* from 0 on, none below the one before, none above the number of indices */
    struct ptog_cbuf weights; /* f32, one for every index; without data: none. For sums */
    struct ptog_cbuf scales;  /* f32, one for every row of the table, or one for all; without data: none */
    int threads;              /* at most; 1: the calling one. 0: all of the pool, or 1 when there is none */
    bool reference;           /* run the obvious loop instead of the kernels: same bytes, slower */
    ptog_pool *pool;          /* where the threads come from; NULL: they are started, and end before the call returns */
    uint64_t reserved[6];
};

/* The first index, or offset, that cannot be used. */
struct ptog_bag_fault {
    bool is_offset;
    int64_t at;    /* its number */
    int64_t value; /* as a signed number */
    uint64_t reserved[2];
};

/* Runs the plan; any number of threads may do so at once. PTOG_OK; PTOG_FAULT: an index or an offset is out of range,
 * and `fault`, which may be NULL, says which; PTOG_NO_ROOM: dst is too small; PTOG_OVERLAP; PTOG_BAD_ARGUMENT: another
 * buffer is missing, too small or not made of whole elements, or there are weights that the mode does not have. Unless
 * it is PTOG_OK, nothing was written. Allocates nothing. */
PTOG_API enum ptog_status ptog_bag_run(const ptog_bag_plan *plan, const struct ptog_bag_run *run,
                                       struct ptog_bag_fault *fault);

#endif
