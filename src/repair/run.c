/* repair: a whole run, as ptog_program_run makes it, and what is learnt from more of them: the flags of a program that
 * has none, fixes that were tried, witnesses of races. */
#include "interp/run.h"
#include "asm/loc.h"
#include "base/pick.h"
#include "base/text.h"
#include "interp/judge.h"
#include "interp/result.h"
#include "repair/complete.h"
#include "repair/report.h"
#include "repair/run.h"
#include "repair/witness.h"

/* One call of ptog_program_run. */
struct run_call {
    struct ptog_eval e;
    const struct ptog_execution *execution;
    const struct ptog_function *function;
    struct ptog_completion completion;
    struct ptog_trial trial;
    struct ptog_witness witness;
    struct ptog_budget *budget;
    ptog_diags *report; /* of the machine: findings point into it */
};

/* Notes how many flags and barriers were added to a program without any. */
static void say_completed(struct ptog_diag_list *list, const struct ptog_completion *completion)
{
    uint32_t pairs = completion->pairs, barriers = completion->barriers;
    char message[240];
    struct ptog_text text;
    if (pairs + barriers == 0)
        return;
    ptog_text_init(&text, message, sizeof message);
    ptog_text_add(&text, "the program has no flags: added ");
    if (pairs > 0)
        ptog_text_addf(&text, "%u flag pair%s", (unsigned)pairs, ptog_plural(pairs));
    ptog_text_add(&text, ptog_when(pairs > 0 && barriers > 0, " and "));
    if (barriers > 0)
        ptog_text_addf(&text, "%u barrier%s", (unsigned)barriers, ptog_plural(barriers));
    ptog_text_add(&text, "; --print-placement shows where");
    if (completion->untried > 0 || completion->cut)
        ptog_text_add(&text, "; the run is long: only its beginning was used to test whether each of them is needed");
    ptog_run_say(list, "run-auto", message);
}

/* Advice and flags leave a part of the budget for the witnesses. */
static uint64_t before_witnesses(const struct ptog_budget *budget)
{
    return budget->most - budget->most / 4;
}

/* Looks for the flags that a program without any needs; the run that follows has them. Does nothing for other
 * programs. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status complete(struct run_call *call)
{
    struct ptog_eval *e = &call->e;
    if (e->target->machine == PTOG_NO_MACHINE || e->machine.has_sync || call->execution->watch)
        return PTOG_OK;
    if (!ptog_added_open(&call->completion.added, e->tree->op_count))
        return PTOG_NO_MEMORY;
    enum ptog_status status = ptog_complete(&call->completion, e, call->execution, call->function, false, call->budget,
                                            before_witnesses(call->budget));
    call->trial = (struct ptog_trial){.added = &call->completion.added, .discovers = call->completion.cut};
    e->machine.trial = &call->trial;
    return status;
}

/* After the run: what is said about it. */
static void tell(struct run_call *call)
{
    struct ptog_eval *e = &call->e;
    ptog_judge_report(e);
    struct ptog_budget advice = {call->budget->used, before_witnesses(call->budget)};
    call->report = ptog_report_machine(e, call->execution, call->function, &advice);
    call->budget->used = advice.used;
    ptog_device_end_trace(e->machine.device);
    ptog_witness_show(&call->witness, e, call->execution, call->budget);
    if (call->completion.cut)
        ptog_completion_count(&call->completion);
    say_completed(e->diags, &call->completion);
}

/* Automatic flags come from the clocks of the sanitizer, so a program that is completed runs with the checks, however
 * long it is. */
static enum ptog_status start_run(struct run_call *call)
{
    struct ptog_execution execution = *call->execution;
    execution.no_sanitize = execution.no_sanitize && !call->e.machine.trial;
    return ptog_run_start(&call->e, &execution);
}

/* Checks, completes and runs the program, and reports its faults. *result, if it is wanted, is what the run left.
 * Returns the status of ptog_program_run. */
static enum ptog_status run_program(struct run_call *call, ptog_result **result)
{
    struct ptog_eval *e = &call->e;
    enum ptog_status status = ptog_run_prepare(e, call->execution, call->function);
    if (status == PTOG_OK && call->execution->started)
        *call->execution->started = true;
    if (status == PTOG_OK)
        status = complete(call);
    if (status == PTOG_OK)
        status = start_run(call);
    if (status != PTOG_OK)
        return status;
    if (e->machine.pipes && !call->execution->no_sanitize)
        ptog_witness_keep(&call->witness, e);
    ptog_run_blocks(e, call->function, result != NULL);
    if (!e->no_memory)
        tell(call);
    if (e->no_memory)
        return PTOG_NO_MEMORY;
    if (e->stopped)
        return PTOG_ILLEGAL;
    if (result && !(*result = ptog_result_new(e, &call->completion.added)))
        return PTOG_NO_MEMORY;
    if (e->diags->errors > 0)
        return PTOG_FAULT;
    return PTOG_OK;
}

/* Frees everything of a call. */
static void close_call(struct run_call *call)
{
    ptog_added_close(&call->completion.added);
    ptog_witness_close(&call->witness, &call->e);
    ptog_diags_free(call->report);
    ptog_run_close(&call->e);
}

enum ptog_status ptog_run_within(struct ptog_budget *budget, const ptog_program *program,
                                 const struct ptog_execution *execution, ptog_diags *diags, ptog_result **result)
{
    struct run_call call = {.execution = execution, .budget = budget};
    if (result)
        *result = NULL;
    struct ptog_diag_list list = {.source = &program->source};
    enum ptog_status status = ptog_eval_open(&call.e, program, ptog_run_target(program, execution), &list);
    call.function = ptog_run_function(program, execution, &list);
    if (status == PTOG_OK)
        status = call.function ? run_program(&call, result) : PTOG_ILLEGAL;
    if (!ptog_loc_give(&list, &program->tree, diags))
        status = PTOG_NO_MEMORY;
    if (status == PTOG_FAULT && list.errors == 0) /* the text allows all of them */
        status = PTOG_OK;
    if (status == PTOG_NO_MEMORY && result) {
        ptog_result_free(*result);
        *result = NULL;
    }
    ptog_diag_list_free(&list);
    close_call(&call);
    return status;
}
