/* model: reductions, which fold the elements of each row, or of each column, of src into one element of dst.
 *
 *   trowsum, trowprod, trowmax, trowmin   dst[i,0] = src[i,0] . src[i,1] . ...    over the valid region of src
 *   tcolsum, tcolprod, tcolmax, tcolmin   dst[0,j] = src[0,j] . src[1,j] . ...
 *
 *   trowargmax, trowargmin                dst[i,0] = the first j with the largest, or smallest, src[i,j]; val[i,0] = it
 *   tcolargmax, tcolargmin                dst[0,j] = the first i ...;                         val[0,j] = it
 *
 * `.` is the lane of the row in ptog/spec/insns.def. In which order a target folds is in spec/reductions.def; where the
 * elements lie is for ref, exec and sim. */
#ifndef PTOG_MODEL_REDUCE_H
#define PTOG_MODEL_REDUCE_H

#include "model/insn.h"
#include "model/lane.h"

enum { PTOG_REDUCE_DST = 0, PTOG_REDUCE_SRC = 1, PTOG_REDUCE_TMP = 2, PTOG_REDUCE_VAL = 3 };

enum ptog_fold_order {
    PTOG_FOLD_EXACT,
    PTOG_FOLD_IN_TURN,
    PTOG_FOLD_PAIRS,
    PTOG_FOLD_TWOS,
    PTOG_FOLD_SLOTS,
    PTOG_FOLD_BLOCKS,
    PTOG_FOLD_GROUPS,
    PTOG_FOLD_TREES,
    PTOG_FOLD_HALVES,
    PTOG_FOLD_FIRST, /* a position is the result */
};

/* One instruction, ready to be walked: `results` rows or columns of `count` elements each. */
struct ptog_reduce {
    const struct ptog_target *target;
    enum ptog_lane_id lane;
    enum ptog_dtype dtype;
    enum ptog_fold_order order;
    bool from_start, in_f32, lanes_in_f32, saturates, odd_first, as_float, rounded;
    bool by_row;
    int64_t results, count;
    int64_t repeat; /* elements of 256 bytes */
};

void ptog_reduce_start(struct ptog_reduce *r, const struct ptog_known_insn *known);

/* Where element `k` of result `n` is in src, and where the result goes in dst or val, in elements from the tile's
 * first. */
int64_t ptog_reduce_from(const struct ptog_reduce *r, const struct ptog_insn *insn, int64_t n, int64_t k);
int64_t ptog_reduce_to(const struct ptog_reduce *r, const struct ptog_tile *tile, int64_t n);

/* The elements of a row or column, as bits: element `k` is at(where, k). They may be asked for in any order. */
struct ptog_line {
    uint64_t (*at)(const void *where, int64_t k);
    const void *where;
};

/* The bits of all of them folded into one; of a position, as an element of dst. */
uint64_t ptog_reduce_fold(const struct ptog_reduce *r, const struct ptog_line *line);

/* The position that PTOG_FOLD_FIRST is about, and what a library that rounds it writes instead. */
int64_t ptog_reduce_find(const struct ptog_reduce *r, const struct ptog_line *line);
int64_t ptog_reduce_written(const struct ptog_reduce *r, int64_t position);

/* The first NaN among the elements whose largest or smallest a device looks for; -1: there is none. Where it puts NaN
 * no document says. */
int64_t ptog_reduce_nan(const struct ptog_reduce *r, const struct ptog_line *line);

/* The form folds rows, and not columns. */
static inline bool ptog_reduces_rows(enum ptog_form form)
{
    return form != PTOG_FORM_COL_REDUCE && form != PTOG_FORM_COL_ARG && form != PTOG_FORM_COL_ARG_VALUE;
}

/* The form gives elements beside their positions. */
static inline bool ptog_reduce_gives_value(enum ptog_form form)
{
    return form == PTOG_FORM_ROW_ARG_VALUE || form == PTOG_FORM_COL_ARG_VALUE;
}

enum ptog_form ptog_reduce_form(const struct ptog_target *target, const struct ptog_insn *insn);

#endif
