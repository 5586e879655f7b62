/* exec: running a plan. The kernel does it when every lane is well; otherwise the careful way starts over, says why,
 * and gathers with the reference loop. */
#include <string.h>

#include "exec/once.h"
#include "exec/plan.h"
#include "exec/threads.h"
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

/* ---- the quick way: a few comparisons with what planning found out, and the kernel */

static bool covers(const struct ptog_ready *ready, const struct ptog_run *run)
{
    return ready->fast && run->dst.bytes >= ready->dst_bytes && run->src.bytes >= ready->src_bytes &&
           run->idx.bytes >= ready->idx_bytes;
}

/* The buffers cover their operands: these are the bytes they occupy. */
static bool apart(const struct ptog_ready *ready, const struct ptog_run *run)
{
    struct span dst = {run->dst.data, ready->dst_bytes}, idx = {run->idx.data, ready->idx_bytes};
    struct span src = {run->src.data, run->src.bytes < ready->src_span ? run->src.bytes : ready->src_span};
    return !overlap(dst, idx) && !overlap(dst, src);
}

static int64_t place(const struct ptog_tile *tile, int64_t r, int64_t c)
{
    return ptog_tile_offset(tile, r, c) * (int64_t)ptog_dtype_size(tile->dtype);
}

struct gather {
    const struct ptog_kernel *kernel;
    const struct ptog_ready *ready;
    const struct ptog_tile *dst, *idx;
    const struct ptog_run *run;
};

/* Lanes first..last-1 in one call. */
static bool gather_lanes(const void *work, int64_t first, int64_t last)
{
    const struct gather *g = work;
    const struct ptog_job *job = &g->ready->job;
    struct ptog_lanes at = {(unsigned char *)g->run->dst.data + first * job->dst_step, g->run->src.data,
                            (const unsigned char *)g->run->idx.data + first * job->idx_step, last - first};
    return g->kernel->gather(job, at);
}

/* Rows first..last-1, piece by piece. */
static bool gather_rows(const void *work, int64_t first, int64_t last)
{
    const struct gather *g = work;
    const struct ptog_ready *ready = g->ready;
    struct ptog_lanes at = {.src = g->run->src.data};
    for (int64_t r = first; r < last; r++)
        for (int64_t c = 0; c < ready->cols; c += ready->piece) {
            at.count = ready->cols - c < ready->piece ? ready->cols - c : ready->piece;
            at.dst = (unsigned char *)g->run->dst.data + place(g->dst, r, c);
            at.idx = (const unsigned char *)g->run->idx.data + place(g->idx, r, c);
            if (!g->kernel->gather(&ready->job, at))
                return false;
        }
    return true;
}

/* Bytes of memory that a gather touches: a lane from a table that does not stay near the core brings a line of it. */
static uint64_t touched(const struct ptog_ready *ready, int64_t lanes)
{
    uint64_t lines = (uint64_t)lanes * 64;
    return ready->src_bytes > PTOG_NEAR_CACHE && lines > ready->dst_bytes ? lines : ready->dst_bytes;
}

/* True when every lane was gathered. */
static bool gather(const struct ptog_kernel *kernel, const struct ptog_ready *ready, const struct ptog_tile *dst,
                   const struct ptog_tile *idx, const struct ptog_run *run)
{
    struct gather g = {kernel, ready, dst, idx, run};
    struct ptog_items items = {gather_lanes, &g, ready->lanes, touched(ready, ready->lanes)};
    if (ready->rows > 0)
        items = (struct ptog_items){gather_rows, &g, ready->rows, touched(ready, ready->rows * ready->cols)};
    return ptog_in_parts(&items, run->threads, run->pool);
}

static bool compact(const struct ptog_kernel *kernel, const struct ptog_ready *ready, const struct ptog_run *run)
{
    unsigned char *dst = run->dst.data;
    const unsigned char *src = (const unsigned char *)run->src.data + ready->first;
    for (int64_t r = 0; r < ready->mask_rows; r++)
        kernel->compact(dst + r * ready->dst_row, src + r * ready->src_row, ready->kept);
    return true;
}

/* True when it is done. Whatever stands in the way is for the careful way to name. */
static bool quick_mgather(const ptog_plan *plan, const struct ptog_mgather *op, const struct ptog_ready *ready,
                          const struct ptog_run *run)
{
    return plan->kernel && !run->reference && covers(ready, run) && run->dst.data && run->src.data && run->idx.data &&
           apart(ready, run) && gather(plan->kernel, ready, &op->dst, &op->idx, run);
}

static bool quick_tgather(const ptog_plan *plan, const struct ptog_tgather *op, const struct ptog_ready *ready,
                          const struct ptog_run *run)
{
    if (!plan->kernel || run->reference || !covers(ready, run) || !run->dst.data || !run->src.data)
        return false;
    if (op->form == PTOG_BY_MASK)
        return apart(ready, run) && compact(plan->kernel, ready, run);
    return run->idx.data && apart(ready, run) && gather(plan->kernel, ready, &op->dst, &op->idx, run);
}

/* ---- the careful way */

static enum ptog_status careful_mgather(const ptog_plan *plan, const struct ptog_mgather *op,
                                        const struct ptog_ready *ready, const struct ptog_run *run,
                                        struct ptog_fault *fault)
{
    struct span dst = span_of(run->dst.data, run->dst.bytes, ptog_tile_bytes(&op->dst));
    if (!given(run->dst.data, run->dst.bytes) || !given(run->src.data, run->src.bytes) ||
        !given(run->idx.data, run->idx.bytes))
        return PTOG_BAD_ARGUMENT;
    if (overlap(dst, span_of(run->idx.data, run->idx.bytes, ptog_tile_bytes(&op->idx))) ||
        overlap(dst, span_of(run->src.data, run->src.bytes, (int64_t)ready->src_span)))
        return PTOG_OVERLAP;
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

static bool holds_compare(const struct ptog_tgather *op, const struct ptog_run *run)
{
    return holds_tile(run->dst.bytes, &op->dst) && holds_tile(run->src.bytes, &op->src) &&
           holds_tile(run->k.bytes, &op->k) && holds_tile(run->cdst.bytes, &op->cdst);
}

static enum ptog_status careful_tgather(const ptog_plan *plan, const struct ptog_tgather *op,
                                        const struct ptog_run *run, struct ptog_fault *fault)
{
    if (!tgather_given(op, run))
        return PTOG_BAD_ARGUMENT;
    if (tgather_overlaps(op, run))
        return PTOG_OVERLAP;
    if (op->form == PTOG_BY_COMPARE && !run->reference && plan->kernel && holds_compare(op, run))
        return ptog_exec_by_compare(plan, op, run, fault);
    return ptog_ref_tgather(plan->target, op, run, fault);
}

/* ---- both */

static enum ptog_status run_mgather(const ptog_plan *plan, const struct ptog_mgather *op,
                                    const struct ptog_ready *ready, const struct ptog_run *run,
                                    struct ptog_fault *fault)
{
    struct ptog_fault own;
    if (fault)
        memset(fault, 0, sizeof *fault);
    if (!quick_mgather(plan, op, ready, run)) {
        if (!fault)
            memset(fault = &own, 0, sizeof own);
        return careful_mgather(plan, op, ready, run, fault);
    }
    if (fault)
        fault->capacity = ready->capacity;
    return PTOG_OK;
}

static enum ptog_status run_tgather(const ptog_plan *plan, const struct ptog_tgather *op,
                                    const struct ptog_ready *ready, const struct ptog_run *run,
                                    struct ptog_fault *fault)
{
    struct ptog_fault own;
    if (fault)
        memset(fault, 0, sizeof *fault);
    if (!quick_tgather(plan, op, ready, run)) {
        if (!fault)
            memset(fault = &own, 0, sizeof own);
        return careful_tgather(plan, op, run, fault);
    }
    if (fault)
        fault->capacity = ready->capacity;
    return PTOG_OK;
}

/* The run says nothing of its own about extents. */
static bool as_planned(const struct ptog_run *run)
{
    int64_t any = 0;
    for (int i = 0; i < 2; i++)
        any |= run->dst_valid[i] | run->src_valid[i] | run->idx_valid[i] | run->k_valid[i] | run->cdst_valid[i];
    for (int i = 0; i < 5; i++)
        any |= run->shape[i] | run->stride[i];
    return any == 0;
}

static enum ptog_status run_dynamic(const ptog_plan *plan, const struct ptog_run *run, struct ptog_fault *fault)
{
    struct ptog_extents extents;
    struct ptog_ready ready;
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
    ready = ptog_ready_tgather(plan->target, &op);
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
    if (plan && run && !plan->dynamic && as_planned(run))
        return plan->is_mgather ? run_mgather(plan, &plan->known_m, &plan->ready, run, fault)
                                : run_tgather(plan, &plan->known_t, &plan->ready, run, fault);
    enum ptog_status status = ptog_plan_check(plan, run, NULL);
    if (status == PTOG_OK)
        return run_dynamic(plan, run, fault);
    if (fault)
        memset(fault, 0, sizeof *fault);
    return status;
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
    struct ptog_ready ready = ptog_ready_tgather(target, op);
    return run_tgather(&plan, op, &ready, run, fault);
}
