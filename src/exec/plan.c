/* exec: planning. Verify once, choose the kernel once. */
#include "exec/plan.h"

#include <stdlib.h>

#include "base/diag.h"
#include "exec/candidates.h"
#include "exec/tune.h"
#include "verify/verify.h"

const struct ptog_exec_family *ptog_exec_family_of(const struct ptog_insn *insn)
{
    static const struct ptog_exec_family *const families[PTOG_FAMILIES] = {
#define FAMILY(NAME, name) [PTOG_FAMILY_##NAME] = &ptog_exec_##name,
#include <ptog/spec/forms.def>
    };
    return families[ptog_insn_family(insn)];
}

ptog_plan *ptog_plan_legal(const struct ptog_target *target, const struct ptog_insn *insn, uint64_t flags)
{
    ptog_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return NULL;
    const struct ptog_exec_family *family = ptog_exec_family_of(insn);
    ptog_insn_copy(&plan->written, insn);
    ptog_known_start(&plan->known, target, insn, NULL);
    plan->exec = (struct ptog_exec){.family = family,
                                    .known = &plan->known,
                                    .kernel = family->choose(&plan->known),
                                    .ready = &plan->ready,
                                    .hint = &plan->hint,
                                    .clock = &ptog_system_stopwatch};
    plan->dynamic = ptog_insn_is_open(insn);
    plan->tune = ptog_exec_tune(NULL);
    if (!plan->dynamic) {
        plan->ready = family->ready(&plan->known);
        ptog_ready_memory(&plan->ready, plan->exec.kernel, &plan->tune);
        ptog_ready_candidates(&plan->ready, plan->exec.kernel, &plan->tune, flags & PTOG_PLAN_MEASURE);
    }
    if (flags & PTOG_PLAN_MEASURE)
        ptog_plan_measure(plan, &ptog_system_stopwatch);
    return plan;
}

/* Verifies an instruction and makes its plan; PTOG_NO_MEMORY when there is no memory for one. */
static enum ptog_status make_plan(ptog_plan **plan, const struct ptog_target *target, const struct ptog_insn *insn,
                                  uint64_t flags, ptog_diags *diags)
{
    enum ptog_status status = ptog_verify(target, insn, diags);
    if (status != PTOG_OK)
        return status;
    *plan = ptog_plan_legal(target, insn, flags);
    return *plan ? PTOG_OK : PTOG_NO_MEMORY;
}

enum ptog_status ptog_plan_insn_with(ptog_plan **plan, const struct ptog_target *target, const struct ptog_insn *insn,
                                     uint64_t flags, ptog_diags *diags)
{
    if (!plan)
        return ptog_bad_argument(diags, "ptog_plan_insn_with", "plan", "is NULL");
    *plan = NULL;
    if (flags & ~(uint64_t)PTOG_PLAN_MEASURE)
        return ptog_bad_argument(diags, "ptog_plan_insn_with", "flags", "has a bit that means nothing");
    return make_plan(plan, target, insn, flags, diags);
}

enum ptog_status ptog_plan_insn(ptog_plan **plan, const struct ptog_target *target, const struct ptog_insn *insn,
                                ptog_diags *diags)
{
    if (!plan)
        return ptog_bad_argument(diags, "ptog_plan_insn", "plan", "is NULL");
    *plan = NULL;
    return make_plan(plan, target, insn, 0, diags);
}

enum ptog_status ptog_plan_mgather(ptog_plan **plan, const struct ptog_target *target, const struct ptog_mgather *op,
                                   ptog_diags *diags)
{
    struct ptog_insn insn;
    if (op)
        ptog_insn_mgather(&insn, op);
    return ptog_plan_insn(plan, target, op ? &insn : NULL, diags);
}

enum ptog_status ptog_plan_tgather(ptog_plan **plan, const struct ptog_target *target, const struct ptog_tgather *op,
                                   ptog_diags *diags)
{
    struct ptog_insn insn;
    if (op)
        ptog_insn_tgather(&insn, op);
    return ptog_plan_insn(plan, target, op ? &insn : NULL, diags);
}

void ptog_plan_free(ptog_plan *plan)
{
    free(plan);
}

const char *ptog_plan_kernel(const ptog_plan *plan)
{
    if (!plan || !plan->exec.kernel)
        return "reference";
    if (plan->ready.candidates.count < 2)
        return plan->exec.kernel->name;
    return plan->ready.candidates.of[ptog_choice_best(plan->exec.hint)].kernel->name;
}
