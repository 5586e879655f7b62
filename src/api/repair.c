/* api: ptog_program_repair: writes a program with the flags, barriers and flushes of the data cache that it lacks. */
#include "repair/repair.h"

#include <stdio.h>

#include "asm/loc.h"
#include "base/diag.h"
#include "base/reserved.h"
#include "interp/run.h"
#include "repair/edits/flush.h"
#include "repair/write.h"

#define MAX_MESSAGE 256

/* One call of ptog_program_repair. */
struct repair_call {
    struct ptog_eval e;
    struct ptog_repair repair;
    struct ptog_diag_list diags;
    struct ptog_budget budget;
};

/* Reports that no repair was found, and why. */
static void say_not_repaired(struct repair_call *call)
{
    const struct ptog_repair *r = &call->repair;
    char message[MAX_MESSAGE];
    const char *why = "no flags or barriers were found that remove every race";
    if (r->reference.too_large)
        why = "its buffers are too large to compare the results of a repair";
    else if (ptog_tries_are_used_up(&r->tries))
        why = "no repair was found within the limit of operations and bytes that are tried";
    else if (!r->reference.runs)
        why = "it does not finish even when each operation completes before the next one starts";
    else if (r->stores)
        why = "with the flags and barriers that were found, it computes different results";
    snprintf(message, sizeof message, "not repaired: %s", why);
    ptog_run_say(&call->diags, "run-repair", message);
}

/* Searches a repair of a function for its execution, and confirms it. PTOG_ILLEGAL, with a report, where there is
 * none. */
static enum ptog_status repair_function(struct repair_call *call, const struct ptog_execution *execution,
                                        const struct ptog_function *function)
{
    enum ptog_status status = ptog_run_prepare(&call->e, execution, function);
    if (status == PTOG_OK && call->e.target->machine != PTOG_NO_MACHINE)
        status = ptog_repair_find(&call->repair, &call->e, execution, function, &call->budget);
    else if (status == PTOG_OK && !ptog_added_open(&call->repair.added, call->e.tree->op_count))
        status = PTOG_NO_MEMORY;
    if (status != PTOG_OK || call->e.target->machine == PTOG_NO_MACHINE)
        return status;
    if (!call->repair.clean) {
        say_not_repaired(call);
        return PTOG_ILLEGAL;
    }
    return ptog_add_flushes(&call->repair.tries);
}

enum ptog_status ptog_program_repair(const ptog_program *program, const struct ptog_execution *execution,
                                     const struct ptog_sink *sink, ptog_diags *diags)
{
    static const struct ptog_execution nothing;
    if (!execution)
        execution = &nothing;
    const char *problem = ptog_run_problem(execution);
    if (!program)
        return ptog_bad_argument(diags, "ptog_program_repair", "program", "is NULL");
    if (!ptog_sink_is_usable(sink))
        return ptog_bad_argument(diags, "ptog_program_repair", "sink", PTOG_NO_SINK);
    if (problem)
        return ptog_bad_argument(diags, "ptog_program_repair", "execution", problem);
    struct repair_call call = {.diags = {.source = &program->source}, .budget = {.most = PTOG_BUDGET}};
    enum ptog_status status = ptog_eval_open(&call.e, program, ptog_run_target(program, execution), &call.diags);
    const struct ptog_function *function = ptog_run_function(program, execution, &call.diags);
    if (status == PTOG_OK)
        status = function ? repair_function(&call, execution, function) : PTOG_ILLEGAL;
    if (status == PTOG_OK)
        ptog_write_program(program, &call.repair.added, sink);
    else if (!ptog_loc_give(&call.diags, &program->tree, diags))
        status = PTOG_NO_MEMORY;
    ptog_repair_close(&call.repair);
    ptog_diag_list_free(&call.diags);
    ptog_run_close(&call.e);
    return status;
}
