/* exec: running a plan. The kernel does it when every lane is well; otherwise the reference loop starts over and says
 * why. */
#include <string.h>

#include "exec/once.h"
#include "exec/plan.h"
#include "model/dtype.h"
#include "model/extents.h"
#include "model/fault.h"
#include "model/mgather.h"
#include "model/tgather.h"
#include "ref/ref.h"
#include "verify/verify.h"

/* A buffer as bytes that an operand really occupies. */
struct span {
    const char *data;
    uint64_t bytes;
};

static struct span span_of(const void *data, size_t bytes, int64_t operand)
{
    uint64_t most = operand > 0 ? (uint64_t)operand : 0;
    return (struct span){data, bytes < most ? bytes : most};
}

static bool overlap(struct span a, struct span b)
{
    uintptr_t p = (uintptr_t)a.data, q = (uintptr_t)b.data;
    if (a.bytes == 0 || b.bytes == 0)
        return false;
    return p <= q ? q - p < a.bytes : p - q < b.bytes;
}

static bool given(const void *data, size_t bytes)
{
    return data != NULL || bytes == 0;
}

static bool covers(const struct ptog_ready *ready, const struct ptog_run *run)
{
    return ready->fast && run->dst.bytes >= ready->dst_bytes && run->src.bytes >= ready->src_bytes &&
           run->idx.bytes >= ready->idx_bytes;
}

static int64_t place(const struct ptog_tile *tile, int64_t r, int64_t c)
{
    return ptog_tile_offset(tile, r, c) * (int64_t)ptog_dtype_size(tile->dtype);
}

/* True when every lane was gathered. */
static bool gather(const struct ptog_kernel *kernel, const struct ptog_ready *ready, const struct ptog_tile *dst,
                   const struct ptog_tile *idx, const struct ptog_run *run)
{
    struct ptog_job job = ready->job;
    uint64_t counted = 0;
    job.dst = run->dst.data;
    job.src = run->src.data;
    job.idx = run->idx.data;
    if (ready->rows == 0)
        return kernel->gather(&job) == 0;
    for (int64_t r = 0; r < ready->rows; r++)
        for (int64_t c = 0; c < ready->cols; c += ready->piece) {
            job.lanes = ready->cols - c < ready->piece ? ready->cols - c : ready->piece;
            job.dst = (unsigned char *)run->dst.data + place(dst, r, c);
            job.idx = (const unsigned char *)run->idx.data + place(idx, r, c);
            counted += kernel->gather(&job);
        }
    return counted == 0;
}

/* The bytes of the table that its view spans. */
static int64_t table_bytes(const struct ptog_tensor *table)
{
    int64_t last = 1;
    for (int d = 0; d < 5; d++)
        last += (table->shape[d] - 1) * table->stride[d];
    return last * (int64_t)ptog_dtype_size(table->dtype);
}

static enum ptog_status run_mgather(const ptog_plan *plan, const struct ptog_mgather *op,
                                    const struct ptog_ready *ready, const struct ptog_run *run,
                                    struct ptog_fault *fault)
{
    struct span dst = span_of(run->dst.data, run->dst.bytes, ptog_tile_bytes(&op->dst));
    if (!given(run->dst.data, run->dst.bytes) || !given(run->src.data, run->src.bytes) ||
        !given(run->idx.data, run->idx.bytes))
        return PTOG_BAD_ARGUMENT;
    if (overlap(dst, span_of(run->idx.data, run->idx.bytes, ptog_tile_bytes(&op->idx))) ||
        overlap(dst, span_of(run->src.data, run->src.bytes, table_bytes(&op->table))))
        return PTOG_OVERLAP;
    if (!run->reference && plan->kernel && covers(ready, run) && gather(plan->kernel, ready, &op->dst, &op->idx, run)) {
        fault->capacity = ready->job.capacity;
        return PTOG_OK;
    }
    return ptog_ref_mgather(plan->target, op, run, fault);
}

static bool tgather_overlaps(const struct ptog_tgather *op, const struct ptog_run *run)
{
    bool compare = op->form == PTOG_BY_COMPARE;
    struct span dst = span_of(run->dst.data, run->dst.bytes, ptog_tile_bytes(&op->dst));
    struct span cdst = span_of(run->cdst.data, run->cdst.bytes, compare ? ptog_tile_bytes(&op->cdst) : 0);
    struct span inputs[] = {
        span_of(run->src.data, run->src.bytes, ptog_tile_bytes(&op->src)),
        span_of(run->idx.data, run->idx.bytes, op->form == PTOG_BY_INDEX ? ptog_tile_bytes(&op->idx) : 0),
        span_of(run->k.data, run->k.bytes, compare ? ptog_tile_bytes(&op->k) : 0),
    };
    for (unsigned i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
        if (overlap(dst, inputs[i]) || overlap(cdst, inputs[i]))
            return true;
    return overlap(dst, cdst);
}

static bool tgather_given(const struct ptog_tgather *op, const struct ptog_run *run)
{
    bool all = given(run->dst.data, run->dst.bytes) && given(run->src.data, run->src.bytes);
    if (op->form == PTOG_BY_INDEX)
        all = all && given(run->idx.data, run->idx.bytes);
    if (op->form == PTOG_BY_COMPARE)
        all = all && given(run->k.data, run->k.bytes) && given(run->cdst.data, run->cdst.bytes);
    return all;
}

static bool holds_tile(size_t bytes, const struct ptog_tile *tile)
{
    return bytes >= (uint64_t)ptog_tile_bytes(tile);
}

/* True when the kernel did it; *status is then its result. */
static bool run_kernel(const ptog_plan *plan, const struct ptog_tgather *op, const struct ptog_ready *ready,
                       const struct ptog_run *run, struct ptog_fault *fault, enum ptog_status *status)
{
    bool tiles = holds_tile(run->dst.bytes, &op->dst) && holds_tile(run->src.bytes, &op->src);
    *status = PTOG_OK;
    switch (op->form) {
    case PTOG_BY_INDEX:
        fault->capacity = ready->job.capacity;
        return covers(ready, run) && gather(plan->kernel, ready, &op->dst, &op->idx, run);
    case PTOG_BY_MASK:
        if (tiles)
            ptog_exec_by_mask(plan, op, run);
        return tiles;
    case PTOG_BY_COMPARE:
        if (!tiles || !holds_tile(run->k.bytes, &op->k) || !holds_tile(run->cdst.bytes, &op->cdst))
            return false;
        *status = ptog_exec_by_compare(plan, op, run, fault);
        return true;
    }
    return false;
}

static enum ptog_status run_tgather(const ptog_plan *plan, const struct ptog_tgather *op,
                                    const struct ptog_ready *ready, const struct ptog_run *run,
                                    struct ptog_fault *fault)
{
    enum ptog_status status;
    if (!tgather_given(op, run))
        return PTOG_BAD_ARGUMENT;
    if (tgather_overlaps(op, run))
        return PTOG_OVERLAP;
    if (!run->reference && plan->kernel && run_kernel(plan, op, ready, run, fault, &status))
        return status;
    return ptog_ref_tgather(plan->target, op, run, fault);
}

static bool is_zero(const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != 0)
            return false;
    return true;
}

/* The run says nothing of its own about extents. */
static bool as_planned(const struct ptog_run *run)
{
    return is_zero(run->dst_valid, 2) && is_zero(run->src_valid, 2) && is_zero(run->idx_valid, 2) &&
           is_zero(run->k_valid, 2) && is_zero(run->cdst_valid, 2) && is_zero(run->shape, 5) && is_zero(run->stride, 5);
}

static enum ptog_status run_dynamic(const ptog_plan *plan, const struct ptog_run *run, struct ptog_fault *fault)
{
    struct ptog_extents extents;
    struct ptog_ready ready = {0};
    if (plan->is_mgather) {
        struct ptog_mgather op = plan->m;
        extents = ptog_mgather_extents(&op, run);
        ptog_extents_apply(&extents);
        op = ptog_mgather_filled(&op);
        ready = ptog_ready_mgather(plan->target, &op);
        return run_mgather(plan, &op, &ready, run, fault);
    }
    struct ptog_tgather op = plan->t;
    extents = ptog_tgather_extents(&op, run);
    ptog_extents_apply(&extents);
    op = ptog_tgather_filled(&op);
    if (op.form == PTOG_BY_INDEX)
        ready = ptog_ready_by_index(plan->target, &op);
    return run_tgather(plan, &op, &ready, run, fault);
}

enum ptog_status ptog_plan_check(const ptog_plan *plan, const struct ptog_run *run, ptog_diags *diags)
{
    if (!plan || !run)
        return PTOG_BAD_ARGUMENT;
    if (plan->is_mgather)
        return ptog_verify_mgather_run(plan->target, &plan->m, run, diags);
    return ptog_verify_tgather_run(plan->target, &plan->t, run, diags);
}

enum ptog_status ptog_plan_run(const ptog_plan *plan, const struct ptog_run *run, struct ptog_fault *fault)
{
    struct ptog_fault own;
    if (!fault)
        fault = &own;
    memset(fault, 0, sizeof *fault);
    if (!plan || !run)
        return PTOG_BAD_ARGUMENT;
    if (plan->dynamic || !as_planned(run)) {
        enum ptog_status status = ptog_plan_check(plan, run, NULL);
        return status == PTOG_OK ? run_dynamic(plan, run, fault) : status;
    }
    if (plan->is_mgather)
        return run_mgather(plan, &plan->known_m, &plan->ready, run, fault);
    return run_tgather(plan, &plan->known_t, &plan->ready, run, fault);
}

enum ptog_status ptog_exec_mgather(const struct ptog_target *target, const struct ptog_mgather *op,
                                   const struct ptog_run *run, struct ptog_fault *fault)
{
    struct ptog_plan plan = {.target = target, .is_mgather = true, .kernel = ptog_choose_mgather(target, op)};
    struct ptog_ready ready = ptog_ready_mgather(target, op);
    return run_mgather(&plan, op, &ready, run, fault);
}

enum ptog_status ptog_exec_tgather(const struct ptog_target *target, const struct ptog_tgather *op,
                                   const struct ptog_run *run, struct ptog_fault *fault)
{
    struct ptog_plan plan = {.target = target, .kernel = ptog_choose_tgather(target, op)};
    struct ptog_ready ready = {0};
    if (op->form == PTOG_BY_INDEX)
        ready = ptog_ready_by_index(target, op);
    return run_tgather(&plan, op, &ready, run, fault);
}
