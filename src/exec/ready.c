/* exec: from operands to the steps a kernel takes. Whatever does not fit its simple walk is left to the reference loop.
 */
#include "base/arith.h"
#include "exec/plan.h"
#include "model/dtype.h"
#include "model/mgather.h"
#include "model/tensor.h"
#include "model/tgather.h"
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

/* The bytes of the table that its view spans. */
static uint64_t table_span(const struct ptog_tensor *table)
{
    int64_t last = 1;
    for (int d = 0; d < 5; d++)
        last += (table->shape[d] - 1) * table->stride[d];
    return (uint64_t)(last * (int64_t)ptog_dtype_size(table->dtype));
}

/* The largest index that the kernel may pass over: below the capacity without a policy, and not negative where a sign
 * matters. */
static uint64_t most_of(enum ptog_dtype index, bool sign_matters, bool checked, uint64_t capacity)
{
    uint64_t sign = ptog_dtype_sign_bit(index), most = checked ? capacity - 1 : UINT64_MAX;
    return sign_matters && ptog_dtype_is_signed(index) && most >= sign ? sign - 1 : most;
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

#define CACHE ((uint64_t)32 << 20) /* bytes: what is larger does not stay in the last-level cache */

/* Rows that come from memory are fetched 4 KiB ahead, 4 to 16 rows; short rows that come from the last-level cache are
 * faster without. A dst that does not stay in the cache anyway is written past it. Measured: docs/performance.md. */
static void fill_row_memory(struct ptog_ready *ready)
{
    struct ptog_job *job = &ready->job;
    int64_t ahead = job->tail > 0 ? 4096 / job->tail : 0;
    if (ready->src_bytes > (job->tail < 256 ? CACHE : PTOG_NEAR_CACHE))
        job->ahead = ahead < 4 ? 4 : ahead > 16 ? 16 : ahead;
    job->stream = ready->dst_bytes > CACHE;
}

static bool ready_row(const struct ptog_target *target, const struct ptog_mgather *op, struct ptog_ready *ready)
{
    const struct ptog_tile *idx = &op->idx;
    struct ptog_job *job = &ready->job;
    int64_t piece = idx->valid_col;
    bool down = target->writes_padded || idx->valid_row != 1; /* the list runs down a column */
    ready->lanes = ptog_mgather_rows(target, op);
    job->idx_step = down ? row_step(idx) : col_step(idx, &piece);
    job->dst_step = row_step(&op->dst);
    fill_row_source(target, op, job);
    fill_row_runs(op, ptog_mgather_cols(target, op), job);
    fill_row_memory(ready);
    return down || piece == idx->valid_col;
}

/* One call for each row, or for each piece of it within which both tiles have a constant step; one for all if they can.
 */
static void ready_elem(const struct ptog_tile *dst, const struct ptog_tile *idx, int64_t rows, int64_t cols,
                       struct ptog_ready *ready)
{
    struct ptog_job *job = &ready->job;
    bool plain = ptog_tile_order(dst) == PTOG_ORDER_ROW && ptog_tile_order(idx) == PTOG_ORDER_ROW;
    job->ahead = ready->src_bytes > CACHE / 4; /* what is smaller is faster without: docs/performance.md */
    ready->piece = cols;
    job->dst_step = col_step(dst, &ready->piece);
    job->idx_step = col_step(idx, &ready->piece);
    if (rows == 1 && ready->piece == cols) {
        ready->lanes = cols;
    } else if (plain && cols == dst->cols && cols == idx->cols) {
        ready->lanes = rows * cols;
    } else {
        ready->rows = rows;
        ready->cols = cols;
    }
}

struct ptog_ready ptog_ready_mgather(const struct ptog_target *target, const struct ptog_mgather *op)
{
    struct ptog_ready ready = {.dst_bytes = (uint64_t)ptog_tile_bytes(&op->dst),
                               .idx_bytes = (uint64_t)ptog_tile_bytes(&op->idx),
                               .src_span = table_span(&op->table),
                               .capacity = ptog_mgather_capacity(target, op)};
    enum ptog_oob oob = target->policies ? op->oob : PTOG_OOB_UNDEFINED;
    bool row = ptog_mgather_mode(target, op) == PTOG_ROW;
    bool walks_index = target->policies || op->idx.cols == op->dst.cols; /* the CPU's odd walk of a narrow index */
    bool sign_matters = !target->policies || oob == PTOG_OOB_CLAMP || oob == PTOG_OOB_WRAP;
    ready.fast = walks_index && ptog_mgather_pitch_fits(target, op) && reach(target, op, &ready.src_bytes);
    if (!ready.fast)
        return ready;
    ready.job.most = most_of(op->idx.dtype, sign_matters, oob == PTOG_OOB_UNDEFINED, ready.capacity);
    ptog_job_set_capacity(&ready.job, ready.capacity, (int)ptog_dtype_size(op->idx.dtype));
    if (row) {
        ready.fast = ready_row(target, op, &ready);
        return ready;
    }
    fill_row_source(target, op, &ready.job);
    ready_elem(&op->dst, &op->idx, ptog_mgather_rows(target, op), ptog_mgather_cols(target, op), &ready);
    return ready;
}

static struct ptog_ready ready_by_index(const struct ptog_target *target, const struct ptog_tgather *op)
{
    struct ptog_ready ready = {.fast = true,
                               .dst_bytes = (uint64_t)ptog_tile_bytes(&op->dst),
                               .src_bytes = (uint64_t)ptog_tile_bytes(&op->src),
                               .idx_bytes = (uint64_t)ptog_tile_bytes(&op->idx),
                               .src_span = (uint64_t)ptog_tile_bytes(&op->src),
                               .capacity = (uint64_t)(op->src.rows * op->src.cols)};
    bool zero = target->tile_oob == PTOG_TILE_OOB_ZERO, huge = ready.capacity > ptog_dtype_sign_bit(op->idx.dtype);
    ready.job.most = most_of(op->idx.dtype, zero && huge, !zero, ready.capacity);
    ptog_job_set_capacity(&ready.job, ready.capacity, (int)ptog_dtype_size(op->idx.dtype));
    ready_elem(&op->dst, &op->idx, op->dst.valid_row, op->dst.valid_col, &ready);
    return ready;
}

static struct ptog_ready ready_by_mask(const struct ptog_target *target, const struct ptog_tgather *op)
{
    struct ptog_ready ready = {.fast = true,
                               .dst_bytes = (uint64_t)ptog_tile_bytes(&op->dst),
                               .src_bytes = (uint64_t)ptog_tile_bytes(&op->src),
                               .src_span = (uint64_t)ptog_tile_bytes(&op->src)};
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(op->pattern, &kept);
    int64_t size = (int64_t)ptog_dtype_size(op->src.dtype), pitch = op->src.cols * size, step = kept.step, apart;
    if (op->axis == PTOG_AXIS_COL) {
        ready.mask_rows = ptog_kept_count(kept, op->src.valid_row);
        ready.kept = op->src.valid_col;
        if (ready.mask_rows > 0) /* a row that is not there may have no place in 63 bits */
            ready.first = kept.first * pitch;
        if (ready.mask_rows > 1)
            ready.src_row = kept.step * pitch;
        ready.dst_row = op->dst.cols * size;
        step = 1;
    } else {
        ready.mask_rows = op->src.valid_row;
        ready.kept = ptog_kept_count(kept, op->src.valid_col);
        ready.first = kept.first * size;
        ready.src_row = pitch;
        ready.dst_row = ptog_mask_row_start(target, op, 1) * size;
    }
    if (ptog_mul_i64(ready.kept, step * size, &apart) && ready.src_row == apart &&
        ready.dst_row == ready.kept * size) {
        ready.kept *= ready.mask_rows; /* the rows follow each other without a gap */
        ready.mask_rows = 1;
    }
    return ready;
}

struct ptog_ready ptog_ready_tgather(const struct ptog_target *target, const struct ptog_tgather *op)
{
    switch (op->form) {
    case PTOG_BY_INDEX: return ready_by_index(target, op);
    case PTOG_BY_MASK: return ready_by_mask(target, op);
    default: return (struct ptog_ready){.fast = false}; /* PTOG_BY_COMPARE has no job of this kind */
    }
}
