/* exec: gathering through a list of indices, which MGATHER and TGATHER by index share. */
#ifndef PTOG_EXEC_INDEXED_H
#define PTOG_EXEC_INDEXED_H

#include "exec/candidates.h"
#include "exec/tune.h"

/* Bytes from one column to the next, within a piece of `piece` columns; and from one row to the next. */
int64_t ptog_col_step(const struct ptog_tile *tile, int64_t *piece);
int64_t ptog_row_step(const struct ptog_tile *tile);

/* The largest index that the kernel may pass over: below the capacity without a policy, and not negative where a sign
 * matters. */
uint64_t ptog_most_index(enum ptog_dtype index, bool sign_matters, bool checked, uint64_t capacity);

/* Lanes lie one after another, row by row or block by block. */
bool ptog_is_without_gaps(const struct ptog_tile *dst, const struct ptog_tile *idx);

/* One call for each row, or for each piece of it within which both tiles have a constant step; one for all if they can.
 */
void ptog_ready_elem(const struct ptog_tile *dst, const struct ptog_tile *idx, int64_t rows, int64_t cols,
                     struct ptog_ready *ready);

/* In several calls of one kernel or of several, or on several threads; true when every lane was gathered. */
bool ptog_gather_in_parts(const struct ptog_exec *x, const struct ptog_tile *dst, const struct ptog_tile *idx,
                          const struct ptog_run *run);

/* Gathers in one call of the kernel where that will do, as it does for most runs: a small one costs ten nanoseconds in
 * all. Else in parts. True when every lane was gathered. */
static inline bool ptog_gather_indexed(const struct ptog_exec *x, const struct ptog_tile *dst,
                                       const struct ptog_tile *idx, const struct ptog_run *run)
{
    const struct ptog_ready *ready = x->ready;
    bool alone = run->threads == 1 || (run->threads <= 0 && !run->pool);
    if (alone && ready->rows == 0 && ready->touched < PTOG_LONG_RUN)
        return x->kernel->gather(&ready->job, run->dst.data, run->src.data, run->idx.data, ready->lanes);
    return ptog_gather_in_parts(x, dst, idx, run);
}

#endif
