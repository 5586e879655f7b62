/* exec: TGATHER by index, by mask and by comparison: which kernel fits, and the steps that it takes. */
#include "model/tgather.h"

#include <string.h>

#include "base/arith.h"
#include "exec/indexed.h"
#include "model/dtype.h"
#include "model/tile.h"
#include "ref/ref.h"

/* The kernel for a tgather, by what it goes by, sizes and the processor; NULL: none. */
static const struct ptog_kernel *choose_kernel(const struct ptog_known_insn *known)
{
    const struct ptog_target *target = known->target;
    const struct ptog_insn *op = &known->insn;
    struct ptog_tune tune = ptog_exec_tune(NULL);
    struct ptog_kept kept = {0, 1};
    int size = (int)ptog_dtype_size(ptog_tgather_src(op)->dtype);
    switch (ptog_tgather_by(op)) {
    case PTOG_BY_INDEX: {
        int oob = target->tile_oob == PTOG_TILE_OOB_ZERO ? PTOG_OOB_ZERO : PTOG_OOB_UNDEFINED;
        int index_size = (int)ptog_dtype_size(ptog_tgather_idx(op)->dtype);
        return ptog_tuned_elem(
            &tune,
            ptog_is_without_gaps(ptog_tgather_dst(op), ptog_tgather_idx(op)) ? PTOG_KERNEL_ELEM : PTOG_KERNEL_ELEM_STEP,
            (struct ptog_elem_use){size, index_size, oob, (uint64_t)ptog_tile_bytes(ptog_tgather_src(op))});
    }
    case PTOG_BY_MASK:
        ptog_pattern_kept(ptog_tgather_pattern(op), &kept);
        return ptog_tuned_kernel(&tune, PTOG_KERNEL_COMPACT, size,
                                 ptog_tgather_axis(op) == PTOG_AXIS_COL ? 1 : (int)kept.step, 0);
    case PTOG_BY_COMPARE: {
        bool a5 = target->compare_a5 && ptog_tgather_src(op)->dtype == PTOG_F32;
        return ptog_tuned_kernel(&tune, PTOG_KERNEL_COMPARE,
                                 a5 ? PTOG_COMPARE_A5_F32 : (int)ptog_tgather_src(op)->dtype, 0,
                                 ptog_compares_equal(target, op) ? PTOG_CMP_EQ : PTOG_CMP_GT);
    }
    }
    return NULL;
}

/* What runs of a gather by index need that the instruction decides. */
static struct ptog_ready ready_by_index(const struct ptog_target *target, const struct ptog_insn *op)
{
    const struct ptog_tile *dst = ptog_tgather_dst(op);
    const struct ptog_tile *src = ptog_tgather_src(op);
    const struct ptog_tile *idx = ptog_tgather_idx(op);
    struct ptog_ready ready = {.fast = true,
                               .dst_bytes = (uint64_t)ptog_tile_bytes(dst),
                               .src_bytes = (uint64_t)ptog_tile_bytes(src),
                               .idx_bytes = (uint64_t)ptog_tile_bytes(idx),
                               .src_span = (uint64_t)ptog_tile_bytes(src),
                               .capacity = (uint64_t)(src->rows * src->cols)};
    bool zero = target->tile_oob == PTOG_TILE_OOB_ZERO, huge = ready.capacity > ptog_dtype_sign_bit(idx->dtype);
    ready.job.most = ptog_most_index(idx->dtype, zero && huge, !zero, ready.capacity);
    ptog_job_set_capacity(&ready.job, ready.capacity, (int)ptog_dtype_size(idx->dtype));
    ptog_ready_elem(dst, idx, dst->valid_row, dst->valid_col, &ready);
    return ready;
}

/* What runs of a gather by mask need that the instruction decides. */
static struct ptog_ready ready_by_mask(const struct ptog_target *target, const struct ptog_insn *op)
{
    const struct ptog_tile *dst = ptog_tgather_dst(op);
    const struct ptog_tile *src = ptog_tgather_src(op);
    struct ptog_ready ready = {.fast = true,
                               .dst_bytes = (uint64_t)ptog_tile_bytes(dst),
                               .src_bytes = (uint64_t)ptog_tile_bytes(src),
                               .src_span = (uint64_t)ptog_tile_bytes(src)};
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tgather_pattern(op), &kept);
    int64_t size = (int64_t)ptog_dtype_size(src->dtype), pitch = src->cols * size, step = kept.step, apart;
    if (ptog_tgather_axis(op) == PTOG_AXIS_COL) {
        ready.mask_rows = ptog_kept_count(kept, src->valid_row);
        ready.kept = src->valid_col;
        if (ready.mask_rows > 0) /* a row that is not there may have no place in 63 bits */
            ready.first = kept.first * pitch;
        if (ready.mask_rows > 1)
            ready.src_row = kept.step * pitch;
        ready.dst_row = dst->cols * size;
        step = 1;
    } else {
        ready.mask_rows = src->valid_row;
        ready.kept = ptog_kept_count(kept, src->valid_col);
        ready.first = kept.first * size;
        ready.src_row = pitch;
        ready.dst_row = ptog_mask_row_start(target, op, 1) * size;
        struct ptog_mask_rows rows = ptog_mask_rows_of(target, op);
        ready.fast = ptog_mask_row_fits(&rows, src->valid_row - 1) == ready.kept;
    }
    if (ptog_mul_i64(ready.kept, step * size, &apart) && ready.src_row == apart && ready.dst_row == ready.kept * size) {
        ready.kept *= ready.mask_rows; /* the rows follow each other without a gap */
        ready.mask_rows = 1;
    }
    return ready;
}

/* What runs of a tgather need that the instruction decides. */
static struct ptog_ready get_ready(const struct ptog_known_insn *known)
{
    if (known->form == PTOG_FORM_INDEX)
        return ready_by_index(known->target, &known->insn);
    if (known->form == PTOG_FORM_MASK)
        return ready_by_mask(known->target, &known->insn);
    return (struct ptog_ready){.fast = false}; /* by comparison there is no job of this kind */
}

/* ---- the quick way */

/* Copies the elements that a mask keeps to the front of each row of dst. */
static bool compact_rows(const struct ptog_kernel *kernel, const struct ptog_ready *ready, const struct ptog_run *run)
{
    unsigned char *dst = run->dst.data;
    const unsigned char *src = (const unsigned char *)run->src.data + ready->first;
    for (int64_t r = 0; r < ready->mask_rows; r++)
        kernel->compact(dst + r * ready->dst_row, src + r * ready->src_row, ready->kept);
    return true;
}

/* Gathers by the kernel; false where a lane may be at fault or buffers do not fit. */
static bool tgather_fast(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_insn *op = &x->known->insn;
    if (!x->kernel || !ptog_exec_covers(x->ready, run))
        return false;
    if (x->known->form == PTOG_FORM_MASK)
        return compact_rows(x->kernel, x->ready, run);
    return ptog_gather_indexed(x, ptog_tgather_dst(op), ptog_tgather_idx(op), run);
}

/* ---- by comparison, row by row on its kernel */

/* What the rows of one comparison share. */
struct compared_rows {
    const struct ptog_exec *x;
    const struct ptog_tile *src, *k;
    size_t k_size;
    int64_t src_row, dst_row; /* bytes from one row to the next */
    bool one_k;               /* for all rows */
};

/* How many elements of row r match; with `store`, their positions are written to that row of dst. */
static int64_t compare_row(const struct compared_rows *c, const struct ptog_run *run, int64_t r, bool store)
{
    const struct ptog_insn *op = &c->x->known->insn;
    int64_t i = c->one_k ? 0 : r;
    uint64_t k = 0;
    memcpy(&k, (const unsigned char *)run->k.data + (size_t)ptog_tile_list_offset(c->k, i) * c->k_size, c->k_size);
    k = ptog_compare_k(op, k);
    return c->x->kernel->compare((const unsigned char *)run->src.data + r * c->src_row, c->src->valid_col,
                                 (const unsigned char *)&k, ptog_compare_position(c->x->known->target, op, r, 0),
                                 store ? (unsigned char *)run->dst.data + r * c->dst_row : NULL);
}

/* Writes for each row the positions of the elements that compare true, and their count. Fills *fault where they do not
 * fit. */
static enum ptog_status by_compare(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    const struct ptog_insn *op = &x->known->insn;
    const struct ptog_tile *src = ptog_tgather_src(op), *k = ptog_tgather_k(op);
    int64_t rows = src->valid_row, room = ptog_tgather_dst(op)->cols;
    struct compared_rows c = {.x = x,
                              .src = src,
                              .k = k,
                              .k_size = ptog_dtype_size(k->dtype),
                              .src_row = src->cols * (int64_t)ptog_dtype_size(src->dtype),
                              .dst_row = room * 4,
                              .one_k = ptog_tile_is_list(k, 1)};
    for (int64_t r = 0; r < rows && src->valid_col > room; r++) /* nothing is stored when a row has too many matches */
        if (compare_row(&c, run, r, false) > room) {
            fault->row = r;
            return PTOG_NO_ROOM;
        }
    for (int64_t r = 0; r < rows; r++) {
        uint32_t count = (uint32_t)compare_row(&c, run, r, true);
        memcpy((unsigned char *)run->cdst.data + ptog_tile_list_offset(ptog_tgather_cdst(op), r) * 4, &count, 4);
    }
    return PTOG_OK;
}

/* Every buffer holds its tile. */
static bool holds_tiles(const struct ptog_insn *op, const struct ptog_run *run)
{
    return run->dst.bytes >= (uint64_t)ptog_tile_bytes(ptog_tgather_dst(op)) &&
           run->src.bytes >= (uint64_t)ptog_tile_bytes(ptog_tgather_src(op)) &&
           run->k.bytes >= (uint64_t)ptog_tile_bytes(ptog_tgather_k(op)) &&
           run->cdst.bytes >= (uint64_t)ptog_tile_bytes(ptog_tgather_cdst(op));
}

/* Runs the fast loop of comparisons, or the reference loop. */
static enum ptog_status tgather_checked(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    if (x->known->form == PTOG_FORM_COMPARE && !run->reference && x->kernel && holds_tiles(&x->known->insn, run))
        return by_compare(x, run, fault);
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_tgather = {choose_kernel, get_ready, tgather_fast, tgather_checked};
