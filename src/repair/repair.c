/* repair: ptog_program_repair: the text of a program with the lines it lacks. */
#include <ptog/report.h>

#include "base/diag.h"
#include "base/reserved.h"
#include "program/run.h"
#include "repair/complete.h"
#include "repair/write.h"

#define MOST_REPAIRS 3 /* of one program, each in the text of the one before */

/* *again: lines were added, and faults of order are left. */
static enum ptog_status repair_once(const ptog_program *program, const struct ptog_execution *execution,
                                    struct ptog_output *draft, ptog_diags *diags, bool *again)
{
    const struct ptog_sink sink = ptog_output_sink(draft);
    struct ptog_completion completion = {0};
    struct ptog_eval e;
    struct ptog_finds finds = {.source = &program->source};
    enum ptog_status status = ptog_eval_open(&e, program, ptog_run_target(program, execution), &finds);
    const struct ptog_function *function = ptog_run_function(program, execution, &finds);
    if (status == PTOG_OK)
        status = function ? ptog_run_prepare(&e, execution, function) : PTOG_ILLEGAL;
    if (status == PTOG_OK)
        status = ptog_added_open(&completion.added, program->tree.op_count) ? PTOG_OK : PTOG_NO_MEMORY;
    if (status == PTOG_OK && e.target->machine != PTOG_NO_MACHINE)
        status = ptog_complete(&completion, &e, execution, function, true);
    if (status == PTOG_OK)
        ptog_write_program(program, &completion.added, &sink);
    else if (!ptog_finds_give(&finds, diags))
        status = PTOG_NO_MEMORY;
    *again = completion.left > 0 && completion.pairs + completion.barriers > 0;
    ptog_added_close(&completion.added);
    ptog_finds_free(&finds);
    ptog_eval_close(&e);
    if (draft->no_memory)
        return PTOG_NO_MEMORY;
    return status;
}

/* The lines that were added are the author's in the next text, and what they leave open is looked for anew. */
static void repair_again(const struct ptog_execution *execution, struct ptog_output *draft)
{
    bool again = true;
    for (int round = 1; round < MOST_REPAIRS && again; round++) {
        struct ptog_output next = {0};
        ptog_program *program = NULL;
        enum ptog_status status = ptog_program_parse(&program, "repaired", draft->bytes, draft->used, NULL);
        if (status == PTOG_OK)
            status = repair_once(program, execution, &next, NULL, &again);
        ptog_program_free(program);
        if (status != PTOG_OK) { /* what is there is better than before */
            ptog_output_free(&next);
            return;
        }
        ptog_output_free(draft);
        *draft = next;
    }
}

enum ptog_status ptog_program_repair(const ptog_program *program, const struct ptog_execution *execution,
                                     const struct ptog_sink *sink, ptog_diags *diags)
{
    static const struct ptog_execution nothing;
    struct ptog_output draft = {0};
    bool again = false;
    if (!execution)
        execution = &nothing;
    const char *problem = ptog_run_problem(execution);
    if (!program)
        return ptog_bad_argument(diags, "ptog_program_repair", "program", "is NULL");
    if (!ptog_sink_is_usable(sink))
        return ptog_bad_argument(diags, "ptog_program_repair", "sink", PTOG_NO_SINK);
    if (problem)
        return ptog_bad_argument(diags, "ptog_program_repair", "execution", problem);
    enum ptog_status status = repair_once(program, execution, &draft, diags, &again);
    if (status == PTOG_OK && again)
        repair_again(execution, &draft);
    if (status == PTOG_OK && draft.used > 0)
        sink->write(sink->user, draft.bytes, draft.used);
    ptog_output_free(&draft);
    return status;
}
