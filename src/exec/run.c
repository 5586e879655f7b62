/* exec: running a plan. The kernel does it when every lane is well; otherwise the careful way starts over, says why,
 * and does it with the reference loop. */
#include <string.h>

#include "base/diag.h"
#include "base/reserved.h"
#include "exec/candidates.h"
#include "exec/tune.h"
#include "model/buffers.h"
#include "model/overlap.h"
#include "verify/verify.h"

/* ---- the careful way */

/* Whether the form reads or writes an operand. */
static bool is_used(const struct ptog_exec *x, int position)
{
    const struct ptog_operand_row *row = &ptog_insn_row(x->known->insn.opcode)->of[position];
    return (row->used & PTOG_FORM_BIT(x->known->form)) && row->role != PTOG_ROLE_SCRATCH &&
           ptog_insn_has(&x->known->insn, x->known->form, position);
}

/* The bytes of an operand that a run may touch. */
static struct ptog_bytes span_of(const struct ptog_exec *x, const struct ptog_run *run, int position)
{
    struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(x->known->insn.opcode)->of[position]);
    uint64_t most = ptog_operand_span(&x->known->insn.of[position]);
    return (struct ptog_bytes){buffer.data, buffer.bytes < most ? buffer.bytes : most};
}

/* Whether all buffers that the form uses are there. */
static bool all_given(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_insn_row *row = ptog_insn_row(x->known->insn.opcode);
    for (int i = 0; i < row->count; i++) {
        struct ptog_buf buffer = ptog_run_buffer(run, &row->of[i]);
        if (is_used(x, i) && !buffer.data && buffer.bytes > 0)
            return false;
    }
    return true;
}

/* Whether a source may share bytes with a destination, by where their buffers lie: addresses of tiles mean nothing to
 * a plan. Two parts of one tile may lie in each other's gaps, and a tile in rows of another that the instruction leaves alone. */
static bool may_share(const struct ptog_exec *x, const struct ptog_run *run, int out, int in)
{
    struct ptog_insn moved;
    ptog_insn_copy(&moved, &x->known->insn);
    moved.of[out].tile.addr = (uint64_t)(uintptr_t)span_of(x, run, out).data;
    moved.of[in].tile.addr = (uint64_t)(uintptr_t)span_of(x, run, in).data;
    bool tiles = moved.of[out].kind == PTOG_IS_TILE && moved.of[in].kind == PTOG_IS_TILE;
    return (tiles && !ptog_insn_tiles_overlap(&moved, &moved.of[out].tile, &moved.of[in].tile)) ||
           ptog_insn_is_in_place(x->known->target, &moved, out, in);
}

/* Whether a destination shares bytes with another operand that it must be apart from. */
static bool any_overlap(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_insn_row *row = ptog_insn_row(x->known->insn.opcode);
    for (int out = 0; out < row->count; out++)
        for (int i = 0; i < row->count && row->of[out].role == PTOG_ROLE_OUT; i++)
            if (i != out && is_used(x, out) && is_used(x, i) &&
                ptog_bytes_overlap(span_of(x, run, out), span_of(x, run, i)) && !may_share(x, run, out, i))
                return true;
    return false;
}

/* Runs the reference loop with all checks, and fills *fault, unless it is NULL. PTOG_BAD_ARGUMENT for a missing buffer,
 * PTOG_OVERLAP where buffers meet. */
static enum ptog_status run_checked(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    struct ptog_fault own;
    if (!fault)
        memset(fault = &own, 0, sizeof own);
    if (!all_given(x, run))
        return PTOG_BAD_ARGUMENT;
    if (any_overlap(x, run))
        return PTOG_OVERLAP;
    return x->family->run_checked(x, run, fault);
}

/* ---- both */

/* Runs the fast path where there is one for these buffers, else the checked one, and fills *fault. */
static enum ptog_status run_exec(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    if (fault)
        memset(fault, 0, sizeof *fault);
    if (run->reference || !x->family->run_fast(x, run))
        return run_checked(x, run, fault);
    if (fault)
        fault->capacity = x->ready->capacity;
    return PTOG_OK;
}

#define ANY_OF_2(words) ((words)[0] | (words)[1])
#define ANY_OF_5(words) (ANY_OF_2(words) | (words)[2] | (words)[3] | (words)[4])

/* The run says nothing of its own about extents, nor anything else that is to be checked. Written out, because every
 * run asks: as loops it was a fifth of a run of eight elements. */
static bool as_planned(const struct ptog_run *run)
{
    int64_t valid = ANY_OF_2(run->dst_valid) | ANY_OF_2(run->src_valid) | ANY_OF_2(run->idx_valid) |
                    ANY_OF_2(run->k_valid) | ANY_OF_2(run->cdst_valid) | ANY_OF_2(run->src1_valid);
    return ((uint64_t)(valid | ANY_OF_5(run->shape) | ANY_OF_5(run->stride)) | ANY_OF_5(run->reserved)) == 0;
}

/* Runs a plan whose extents this run gives: what depends on them is prepared anew. */
static enum ptog_status run_dynamic(const ptog_plan *plan, const struct ptog_run *run, struct ptog_fault *fault)
{
    struct ptog_known_insn known;
    ptog_known_start(&known, plan->known.target, &plan->written, run);
    struct ptog_ready ready = plan->exec.family->ready(&known);
    ptog_ready_memory(&ready, plan->exec.kernel, &plan->tune);
    ptog_ready_candidates(&ready, plan->exec.kernel, &plan->tune, false);
    ptog_choice_hint hint = 0; /* the candidates are those of this run's extents */
    struct ptog_exec x = {plan->exec.family, &known, plan->exec.kernel, &ready, &hint, plan->exec.clock};
    return run_exec(&x, run, fault);
}

enum ptog_status ptog_plan_check(const ptog_plan *plan, const struct ptog_run *run, ptog_diags *diags)
{
    if (!plan || !run)
        return ptog_bad_argument(diags, "ptog_plan_check", plan ? "run" : "plan", "is NULL");
    return ptog_verify_run(plan->known.target, &plan->written, run, diags);
}

/* Verifies the extents of a run, then runs; *fault is empty when they are refused. */
static enum ptog_status check_and_run(const ptog_plan *plan, const struct ptog_run *run, struct ptog_fault *fault)
{
    enum ptog_status status = ptog_plan_check(plan, run, NULL);
    if (status == PTOG_OK)
        return run_dynamic(plan, run, fault);
    if (fault)
        memset(fault, 0, sizeof *fault);
    return status;
}

enum ptog_status ptog_plan_run(const ptog_plan *plan, const struct ptog_run *run, struct ptog_fault *fault)
{
    if (plan && run && !plan->dynamic && as_planned(run))
        return run_exec(&plan->exec, run, fault);
    return check_and_run(plan, run, fault);
}

enum ptog_status ptog_exec_once(const struct ptog_known_insn *known, const struct ptog_run *run,
                                struct ptog_fault *fault)
{
    const struct ptog_exec_family *family = ptog_exec_family_of(&known->insn);
    const struct ptog_kernel *kernel = family->choose(known);
    struct ptog_ready ready = family->ready(known);
    if (kernel) {
        struct ptog_tune tune = ptog_exec_tune(NULL);
        ptog_ready_memory(&ready, kernel, &tune);
        ptog_ready_candidates(&ready, kernel, &tune, false);
    }
    ptog_choice_hint hint = 0;
    struct ptog_exec x = {family, known, kernel, &ready, &hint, &ptog_system_stopwatch};
    return run_exec(&x, run, fault);
}
