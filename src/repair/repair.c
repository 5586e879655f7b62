/* repair: ptog_program_repair: the text of a program with the lines it lacks. Lines are looked for in two ways, the
 * lighter one first, and taken only if the program is then free of faults of order and stores what its text says. */
#include <inttypes.h>
#include <stdio.h>

#include <ptog/report.h>

#include "base/diag.h"
#include "base/pick.h"
#include "base/reserved.h"
#include "program/run.h"
#include "repair/complete.h"
#include "repair/decouple.h"
#include "repair/reference.h"
#include "repair/write.h"

#define LONGEST 256
#define KEPT_RUNS (PTOG_REFERENCES + 2)

struct repair {
    struct ptog_eval e;
    struct ptog_added added;
    struct ptog_tries tries;
    struct ptog_reference reference;
    struct ptog_finds finds;
    struct ptog_budget budget;
    bool clean;  /* the program was, or is with the lines in `added` */
    bool stores; /* lines were found that leave no fault of order, but what they store is something else */
};

/* ---- two ways */

/* Are these lines a repair? */
static enum ptog_status accept(struct repair *r)
{
    bool same = false;
    enum ptog_status status = PTOG_OK;
    if (r->tries.accepted == 0) {
        uint64_t most = r->tries.most;
        r->tries.most = r->budget.most;
        status = ptog_reference_compare(&r->reference, &same);
        r->tries.most = most;
    }
    r->clean = status == PTOG_OK && same;
    r->stores |= status == PTOG_OK && r->tries.accepted == 0 && !same;
    return status;
}

/* Lines next to the flags that are there. */
static enum ptog_status complete_flags(struct repair *r)
{
    uint32_t untried;
    enum ptog_status status = ptog_find_lines(&r->tries, true, &untried);
    if (status == PTOG_OK)
        status = accept(r);
    return status;
}

/* First the flags that are there are made harmless. */
static enum ptog_status replace_flags(struct repair *r)
{
    uint32_t untried;
    ptog_added_close(&r->added);
    bool good = ptog_added_open(&r->added, r->e.program->tree.op_count) && ptog_decouple(&r->added, r->reference.flags);
    enum ptog_status status = good ? PTOG_OK : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = ptog_find_lines(&r->tries, true, &untried);
    if (status == PTOG_OK && r->tries.accepted == 0)
        status = ptog_recouple(&r->tries, r->reference.flags);
    if (status == PTOG_OK && r->tries.accepted == 0)
        status = ptog_leave_out(&r->tries, &untried);
    if (status == PTOG_OK)
        status = accept(r);
    return status;
}

/* A run of the program itself, which may cost what it likes. Of the budget, enough is kept for comparing what a repair
 * stores. */
static enum ptog_status try_as_it_is(struct repair *r)
{
    struct ptog_trial trial = {0};
    uint64_t before = r->budget.used;
    r->tries.most = UINT64_MAX;
    enum ptog_status status = ptog_try(&r->tries, &trial, NULL, &r->tries.accepted);
    r->tries.most = ptog_left(r->budget.most, KEPT_RUNS * (r->budget.used - before));
    r->clean = status == PTOG_OK && r->tries.accepted == 0;
    return status;
}

static enum ptog_status repair(struct repair *r, const struct ptog_execution *execution,
                               const struct ptog_function *function)
{
    enum ptog_status status =
        ptog_tries_open(&r->tries, &r->added, &r->e, execution, function, &r->budget) ? PTOG_OK : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = try_as_it_is(r);
    if (status != PTOG_OK || r->clean)
        return status;
    status = ptog_reference_open(&r->reference, &r->tries);
    r->tries.reference = &r->reference;
    r->reference.runs = r->reference.runs && !ptog_tries_are_used_up(&r->tries);
    if (status == PTOG_OK && r->reference.runs)
        status = complete_flags(r);
    if (status == PTOG_OK && r->reference.runs && !r->clean && r->e.machine.has_sync)
        status = replace_flags(r);
    return status;
}

/* ---- what came of it */

static void say_not_repaired(struct repair *r)
{
    char message[LONGEST];
    const char *why = "no flags or barriers were found that remove every race";
    if (r->reference.too_large)
        why = "its buffers are too large to compare the results of a repair";
    else if (ptog_tries_are_used_up(&r->tries))
        why = "no repair was found within the limit of operations and bytes that are tried";
    else if (!r->reference.runs)
        why = "it does not finish even when each operation completes before the next one starts";
    else if (r->stores)
        why = "with the flags and barriers that were found it computes other results";
    snprintf(message, sizeof message, "not repaired: %s", why);
    ptog_run_say(&r->finds, "run-repair", message);
}

static enum ptog_status repair_function(struct repair *r, const struct ptog_execution *execution,
                                        const struct ptog_function *function)
{
    enum ptog_status status = ptog_run_prepare(&r->e, execution, function);
    if (status != PTOG_OK)
        return status;
    if (!ptog_added_open(&r->added, r->e.program->tree.op_count))
        return PTOG_NO_MEMORY;
    if (r->e.target->machine == PTOG_NO_MACHINE)
        return PTOG_OK;
    status = repair(r, execution, function);
    if (status == PTOG_OK && !r->clean) {
        say_not_repaired(r);
        status = PTOG_ILLEGAL;
    }
    ptog_reference_close(&r->reference);
    ptog_tries_close(&r->tries);
    return status;
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
    struct repair r = {.finds = {.source = &program->source, .tree = &program->tree},
                       .budget = {.most = PTOG_BUDGET}};
    enum ptog_status status = ptog_eval_open(&r.e, program, ptog_run_target(program, execution), &r.finds);
    const struct ptog_function *function = ptog_run_function(program, execution, &r.finds);
    if (status == PTOG_OK)
        status = function ? repair_function(&r, execution, function) : PTOG_ILLEGAL;
    if (status == PTOG_OK)
        ptog_write_program(program, &r.added, sink);
    else if (!ptog_finds_give(&r.finds, diags))
        status = PTOG_NO_MEMORY;
    ptog_added_close(&r.added);
    ptog_finds_free(&r.finds);
    ptog_eval_close(&r.e);
    return status;
}
