/* exec: MGATHER: which kernel fits its operands, and the steps that the kernel takes. Whatever does not fit the
 * kernel's simple walk is left to the reference loop. */
#include "model/mgather.h"

#include "base/arith.h"
#include "exec/indexed.h"
#include "model/buffers.h"
#include "model/dtype.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "ref/ref.h"

#define WIDEST 4096 /* columns; no kernel is made for wider rows than this */

/* Bytes of the pieces in which a row moves: 0, all at once; -1, no kernel walks this pair of layouts. */
static int row_part(const struct ptog_insn *op)
{
    const struct ptog_tile *dst = ptog_mgather_dst(op);
    const struct ptog_tensor *table = ptog_mgather_table(op);
    enum ptog_tile_order order = ptog_tile_order(dst);
    int size = (int)ptog_dtype_size(dst->dtype);
    switch (table->layout) {
    case PTOG_ND:
        if (order == PTOG_ORDER_ROW)
            return 0;
        if (order == PTOG_ORDER_NZ)
            return 32;
        return size;
    case PTOG_DN: return order == PTOG_ORDER_NZ ? -1 : size;
    case PTOG_NZ: return order == PTOG_ORDER_COL || table->stride[4] != 1 ? -1 : 32;
    }
    return -1;
}

/* One for rows of just this width, if there is one; 0 stands for any width. */
static const struct ptog_kernel *whole_row(const struct ptog_tune *tune, int64_t cols, int size, int index_size,
                                           int oob)
{
    int width = cols > 0 && cols <= WIDEST ? (int)cols * size : 0;
    return ptog_tuned_kernel(tune, PTOG_KERNEL_WHOLE_ROW, width, index_size, oob);
}

/* The kernel for an mgather, by its form, sizes, policy and the processor; NULL: none, the reference loop runs. */
static const struct ptog_kernel *choose_kernel(const struct ptog_known_insn *known)
{
    const struct ptog_target *target = known->target;
    const struct ptog_insn *op = &known->insn;
    struct ptog_tune tune = ptog_exec_tune(NULL);
    int size = (int)ptog_dtype_size(ptog_mgather_dst(op)->dtype),
        index_size = (int)ptog_dtype_size(ptog_mgather_idx(op)->dtype);
    int oob = (int)ptog_mgather_policy(target, op), part;
    if (known->form == PTOG_FORM_GATHER_L1)
        return NULL;
    if (known->form == PTOG_FORM_ROW) {
        part = row_part(op);
        if (part == 0)
            return whole_row(&tune, ptog_mgather_cols(target, op), size, index_size, oob);
        return ptog_tuned_kernel(&tune, PTOG_KERNEL_ROW, part, index_size, oob);
    }
    if (ptog_mgather_table(op)->layout == PTOG_NZ)
        return ptog_mgather_table(op)->stride[4] == 1
                   ? ptog_tuned_kernel(&tune, PTOG_KERNEL_ELEM_NZ, size, index_size, oob)
                   : NULL;
    bool is_dense = ptog_is_without_gaps(ptog_mgather_dst(op), ptog_mgather_idx(op));
    uint64_t table_bytes = ptog_mgather_capacity(target, op) * (uint64_t)size; /* too small where it wraps */
    return ptog_tuned_elem(&tune, is_dense ? PTOG_KERNEL_ELEM : PTOG_KERNEL_ELEM_STEP,
                           (struct ptog_elem_use){size, index_size, oob, table_bytes});
}

/* Sets *bytes to the last byte that any index below capacity can reach, plus one; false when there is no such number.
 */
static bool reach(const struct ptog_target *target, const struct ptog_insn *op, uint64_t *bytes)
{
    const struct ptog_tensor *t = ptog_mgather_table(op);
    uint64_t capacity = ptog_mgather_capacity(target, op), place;
    bool row = ptog_mgather_is_row(target, op);
    if (t->layout == PTOG_NZ) {
        place = 1;
        for (int d = 0; d < 5; d++)
            if (!ptog_mul_add_u64((uint64_t)(t->shape[d] - 1), (uint64_t)t->stride[d], &place))
                return false;
        place--;
    } else if (row) {
        if (ptog_mgather_product_wraps(target, op, capacity - 1) ||
            !ptog_mgather_row_place(target, op, capacity - 1, ptog_mgather_cols(target, op) - 1, &place))
            return false;
    } else {
        place = capacity - 1;
    }
    return ptog_add_u64(place, 1, &place) && ptog_mul_u64(place, ptog_dtype_size(ptog_mgather_dst(op)->dtype), bytes) &&
           *bytes <= INT64_MAX;
}

/* Fills in how far rows of the table are apart, for its layout. */
static void fill_row_source(const struct ptog_target *target, const struct ptog_insn *op, struct ptog_job *job)
{
    const struct ptog_tensor *t = ptog_mgather_table(op);
    int64_t size = (int64_t)ptog_dtype_size(t->dtype), pitch = ptog_mgather_pitch(target, op) * size;
    if (t->layout == PTOG_NZ) {
        job->src_step = t->stride[3] * size;
        job->block_rows = PTOG_NZ_ROWS;
        job->block_step = t->stride[2] * size;
        job->src_run_step = t->stride[1] * size;
        job->batch_runs = t->shape[1];
        job->src_batch_step = t->stride[0] * size;
        job->nz_cols = (uint64_t)ptog_tensor_nz_cols(t);
        job->nz_c0 = (uint64_t)t->shape[4];
        return;
    }
    job->src_step = pitch;
    job->block_rows = INT64_MAX; /* one block: i / block_rows is 0 */
    job->src_run_step = t->layout == PTOG_DN ? t->stride[4] * size : size;
}

/* How the columns of a row fall into runs: see struct ptog_job. */
static void fill_row_runs(const struct ptog_insn *op, int64_t cols, struct ptog_job *job)
{
    const struct ptog_tile *dst = ptog_mgather_dst(op);
    const struct ptog_tensor *table = ptog_mgather_table(op);
    enum ptog_tile_order order = ptog_tile_order(dst);
    int64_t size = (int64_t)ptog_dtype_size(dst->dtype), c0 = ptog_c0(dst->dtype);
    if (table->layout == PTOG_NZ || order == PTOG_ORDER_NZ) {
        job->runs = cols / c0;
        job->tail = cols % c0 * size;
        job->dst_run_step = order == PTOG_ORDER_NZ ? dst->rows * 32 : 32;
        if (table->layout != PTOG_NZ)
            job->src_run_step = 32;
    } else if (order == PTOG_ORDER_ROW && table->layout == PTOG_ND) {
        job->tail = cols * size;
    } else {
        job->runs = cols;
        job->dst_run_step = order == PTOG_ORDER_COL ? dst->rows * size : size;
    }
}

/* Fills in the job of a row gather, as far as the instruction decides it; false where no kernel can do it. */
static bool ready_row(const struct ptog_target *target, const struct ptog_insn *op, struct ptog_ready *ready)
{
    const struct ptog_tile *idx = ptog_mgather_idx(op);
    struct ptog_job *job = &ready->job;
    int64_t piece = idx->valid_col;
    bool down = target->writes_padded || idx->valid_row != 1; /* the list runs down a column */
    ready->lanes = ptog_mgather_rows(target, op);
    job->idx_step = down ? ptog_row_step(idx) : ptog_col_step(idx, &piece);
    job->dst_step = ptog_row_step(ptog_mgather_dst(op));
    fill_row_source(target, op, job);
    fill_row_runs(op, ptog_mgather_cols(target, op), job);
    return down || piece == idx->valid_col;
}

/* What runs of an mgather need that the instruction decides: bytes, and the job of its kernel. */
static struct ptog_ready get_ready(const struct ptog_known_insn *known)
{
    const struct ptog_target *target = known->target;
    const struct ptog_insn *op = &known->insn;
    if (known->form == PTOG_FORM_GATHER_L1) /* by the reference loop */
        return (struct ptog_ready){0};
    struct ptog_ready ready = {.dst_bytes = (uint64_t)ptog_tile_bytes(ptog_mgather_dst(op)),
                               .idx_bytes = (uint64_t)ptog_tile_bytes(ptog_mgather_idx(op)),
                               .src_span = ptog_operand_span(&op->of[PTOG_MGATHER_TABLE]),
                               .capacity = ptog_mgather_capacity(target, op)};
    enum ptog_oob oob = ptog_mgather_policy(target, op);
    bool row = ptog_mgather_is_row(target, op);
    bool walks_index = target->policies || ptog_mgather_idx(op)->cols ==
                                               ptog_mgather_dst(op)->cols; /* the CPU's odd walk of a narrow index */
    bool sign_matters = target->signed_index || oob == PTOG_OOB_CLAMP || oob == PTOG_OOB_WRAP;
    bool whole = ptog_mgather_row_width(target, op) == ptog_mgather_cols(target, op);
    ready.fast = walks_index && whole && ptog_mgather_pitch_fits(target, op) && reach(target, op, &ready.src_bytes);
    if (!ready.fast)
        return ready;
    ready.job.most =
        ptog_most_index(ptog_mgather_idx(op)->dtype, sign_matters, oob == PTOG_OOB_UNDEFINED, ready.capacity);
    ptog_job_set_capacity(&ready.job, ready.capacity, (int)ptog_dtype_size(ptog_mgather_idx(op)->dtype));
    if (row) {
        ready.fast = ready_row(target, op, &ready);
        return ready;
    }
    fill_row_source(target, op, &ready.job);
    ptog_ready_elem(ptog_mgather_dst(op), ptog_mgather_idx(op), ptog_mgather_rows(target, op),
                    ptog_mgather_cols(target, op), &ready);
    return ready;
}

/* Gathers by the kernel; false where a lane may be at fault or buffers do not fit. */
static bool mgather_fast(const struct ptog_exec *x, const struct ptog_run *run)
{
    return x->kernel && ptog_exec_covers(x->ready, run) &&
           ptog_gather_indexed(x, ptog_mgather_dst(&x->known->insn), ptog_mgather_idx(&x->known->insn), run);
}

/* Runs the reference loop. */
static enum ptog_status mgather_checked(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_mgather = {choose_kernel, get_ready, mgather_fast, mgather_checked};
