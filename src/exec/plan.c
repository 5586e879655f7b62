/* exec: planning. Verify once, choose the kernel once. */
#include "exec/plan.h"

#include <stdlib.h>

#include "model/extents.h"
#include "model/mgather.h"
#include "model/tgather.h"
#include "verify/verify.h"

static bool any_dynamic(struct ptog_extents extents)
{
    for (int i = 0; i < extents.count; i++)
        if (*extents.of[i].planned == PTOG_DYN)
            return true;
    return false;
}

static enum ptog_status make(ptog_plan **plan, const ptog_plan *from)
{
    ptog_plan *made = malloc(sizeof *made);
    if (!made)
        return PTOG_NO_MEMORY;
    *made = *from;
    *plan = made;
    return PTOG_OK;
}

enum ptog_status ptog_plan_mgather(ptog_plan **plan, const struct ptog_target *target, const struct ptog_mgather *op,
                                   ptog_diags *diags)
{
    static const struct ptog_run nothing;
    ptog_plan made = {.target = target, .is_mgather = true};
    if (plan)
        *plan = NULL;
    if (!plan || !target || !op)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_verify_mgather(target, op, diags);
    if (status != PTOG_OK)
        return status;
    made.m = *op;
    made.known_m = ptog_mgather_filled(op);
    made.dynamic = any_dynamic(ptog_mgather_extents(&made.m, &nothing));
    made.kernel = ptog_choose_mgather(target, &made.known_m);
    if (!made.dynamic)
        made.ready = ptog_ready_mgather(target, &made.known_m);
    return make(plan, &made);
}

enum ptog_status ptog_plan_tgather(ptog_plan **plan, const struct ptog_target *target, const struct ptog_tgather *op,
                                   ptog_diags *diags)
{
    static const struct ptog_run nothing;
    ptog_plan made = {.target = target};
    if (plan)
        *plan = NULL;
    if (!plan || !target || !op)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_verify_tgather(target, op, diags);
    if (status != PTOG_OK)
        return status;
    made.t = *op;
    made.known_t = ptog_tgather_filled(op);
    made.dynamic = any_dynamic(ptog_tgather_extents(&made.t, &nothing));
    made.kernel = ptog_choose_tgather(target, &made.known_t);
    if (!made.dynamic)
        made.ready = ptog_ready_tgather(target, &made.known_t);
    return make(plan, &made);
}

void ptog_plan_free(ptog_plan *plan)
{
    free(plan);
}

const char *ptog_plan_kernel(const ptog_plan *plan)
{
    return plan && plan->kernel ? plan->kernel->name : "reference";
}

size_t ptog_plan_scratch_bytes(const ptog_plan *plan)
{
    (void)plan; /* no kernel uses scratch yet */
    return 0;
}
