/* exec: from operands to the steps a kernel takes. Whatever does not fit its simple walk is left to the reference loop.
 */
#include "base/arith.h"
#include "exec/plan.h"
#include "model/dtype.h"
#include "model/mgather.h"
#include "model/tensor.h"
#include "model/tile.h"

/* Bytes from one column to the next, within a piece of `piece` columns. */
static int64_t col_step(const struct ptog_tile *tile, int64_t *piece)
{
    int64_t size = (int64_t)ptog_dtype_size(tile->dtype);
    enum ptog_tile_order order = ptog_tile_order(tile);
    if (order == PTOG_ORDER_NZ && *piece > ptog_c0(tile->dtype))
        *piece = ptog_c0(tile->dtype);
    return order == PTOG_ORDER_COL ? tile->rows * size : size;
}

static int64_t row_step(const struct ptog_tile *tile)
{
    int64_t size = (int64_t)ptog_dtype_size(tile->dtype);
    return tile->rows > 1 ? ptog_tile_offset(tile, 1, 0) * size : 0;
}

/* The last byte that any index below capacity can reach, plus one; false when there is no such number. */
static bool reach(const struct ptog_target *target, const struct ptog_mgather *op, uint64_t *bytes)
{
    const struct ptog_tensor *t = &op->table;
    uint64_t capacity = ptog_mgather_capacity(target, op), place;
    bool row = ptog_mgather_mode(target, op) == PTOG_ROW;
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
    return ptog_add_u64(place, 1, &place) && ptog_mul_u64(place, ptog_dtype_size(op->dst.dtype), bytes) &&
           *bytes <= INT64_MAX;
}

/* Index bits that the kernel must not pass over: a sign where it matters. */
static uint64_t alarm_of(const struct ptog_target *target, const struct ptog_mgather *op)
{
    bool matters = !target->policies || op->oob == PTOG_OOB_CLAMP || op->oob == PTOG_OOB_WRAP;
    return matters && ptog_dtype_is_signed(op->idx.dtype) ? ptog_dtype_sign_bit(op->idx.dtype) : 0;
}

static void fill_row_source(const struct ptog_target *target, const struct ptog_mgather *op, struct ptog_job *job)
{
    const struct ptog_tensor *t = &op->table;
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
static void fill_row_runs(const struct ptog_mgather *op, int64_t cols, struct ptog_job *job)
{
    enum ptog_tile_order order = ptog_tile_order(&op->dst);
    int64_t size = (int64_t)ptog_dtype_size(op->dst.dtype), c0 = ptog_c0(op->dst.dtype);
    if (op->table.layout == PTOG_NZ || order == PTOG_ORDER_NZ) {
        job->runs = cols / c0;
        job->tail = cols % c0 * size;
        job->dst_run_step = order == PTOG_ORDER_NZ ? op->dst.rows * 32 : 32;
        if (op->table.layout != PTOG_NZ)
            job->src_run_step = 32;
    } else if (order == PTOG_ORDER_ROW && op->table.layout == PTOG_ND) {
        job->tail = cols * size;
    } else {
        job->runs = cols;
        job->dst_run_step = order == PTOG_ORDER_COL ? op->dst.rows * size : size;
    }
}

static bool ready_row(const struct ptog_target *target, const struct ptog_mgather *op, struct ptog_ready *ready)
{
    const struct ptog_tile *idx = &op->idx;
    struct ptog_job *job = &ready->job;
    int64_t piece = idx->valid_col;
    bool down = target->writes_padded || idx->valid_row != 1; /* the list runs down a column */
    job->lanes = ptog_mgather_rows(target, op);
    job->idx_step = down ? row_step(idx) : col_step(idx, &piece);
    job->dst_step = row_step(&op->dst);
    fill_row_source(target, op, job);
    fill_row_runs(op, ptog_mgather_cols(target, op), job);
    return down || piece == idx->valid_col;
}

/* One call for each row, or for each piece of it within which both tiles have a constant step; one for all if they can.
 */
static void ready_elem(const struct ptog_tile *dst, const struct ptog_tile *idx, int64_t rows, int64_t cols,
                       struct ptog_ready *ready)
{
    struct ptog_job *job = &ready->job;
    bool plain = ptog_tile_order(dst) == PTOG_ORDER_ROW && ptog_tile_order(idx) == PTOG_ORDER_ROW;
    ready->piece = cols;
    job->dst_step = col_step(dst, &ready->piece);
    job->idx_step = col_step(idx, &ready->piece);
    if (rows == 1 && ready->piece == cols) {
        job->lanes = cols;
    } else if (plain && cols == dst->cols && cols == idx->cols) {
        job->lanes = rows * cols;
    } else {
        ready->rows = rows;
        ready->cols = cols;
    }
}

struct ptog_ready ptog_ready_mgather(const struct ptog_target *target, const struct ptog_mgather *op)
{
    struct ptog_ready ready = {.dst_bytes = (uint64_t)ptog_tile_bytes(&op->dst),
                               .idx_bytes = (uint64_t)ptog_tile_bytes(&op->idx)};
    struct ptog_job *job = &ready.job;
    bool row = ptog_mgather_mode(target, op) == PTOG_ROW;
    bool walks_index = target->policies || op->idx.cols == op->dst.cols; /* the CPU's odd walk of a narrow index */
    job->capacity = job->limit = ptog_mgather_capacity(target, op);
    job->alarm = alarm_of(target, op);
    ready.fast = walks_index && ptog_mgather_pitch_fits(target, op) && reach(target, op, &ready.src_bytes);
    if (!ready.fast)
        return ready;
    if (row) {
        ready.fast = ready_row(target, op, &ready);
        return ready;
    }
    fill_row_source(target, op, job);
    ready_elem(&op->dst, &op->idx, ptog_mgather_rows(target, op), ptog_mgather_cols(target, op), &ready);
    return ready;
}

struct ptog_ready ptog_ready_by_index(const struct ptog_target *target, const struct ptog_tgather *op)
{
    struct ptog_ready ready = {.fast = true,
                               .dst_bytes = (uint64_t)ptog_tile_bytes(&op->dst),
                               .src_bytes = (uint64_t)ptog_tile_bytes(&op->src),
                               .idx_bytes = (uint64_t)ptog_tile_bytes(&op->idx)};
    ready.job.capacity = ready.job.limit = (uint64_t)(op->src.rows * op->src.cols);
    bool extends = target->tile_oob == PTOG_TILE_OOB_ZERO && ptog_dtype_is_signed(op->idx.dtype);
    ready.job.alarm = extends ? ptog_dtype_sign_bit(op->idx.dtype) : 0;
    ready_elem(&op->dst, &op->idx, op->dst.valid_row, op->dst.valid_col, &ready);
    return ready;
}
