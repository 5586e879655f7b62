/* repair: ptog_program_repair: the text of a program with the lines it lacks. */
#include "base/diag.h"
#include "base/reserved.h"
#include "program/run.h"
#include "repair/complete.h"
#include "repair/write.h"

enum ptog_status ptog_program_repair(const ptog_program *program, const struct ptog_execution *execution,
                                     const struct ptog_sink *sink, ptog_diags *diags)
{
    static const struct ptog_execution nothing;
    struct ptog_completion completion = {0};
    struct ptog_eval e;
    if (!execution)
        execution = &nothing;
    const char *problem = ptog_run_problem(execution);
    if (!program)
        return ptog_bad_argument(diags, "ptog_program_repair", "program", "is NULL");
    if (!ptog_sink_is_usable(sink))
        return ptog_bad_argument(diags, "ptog_program_repair", "sink", PTOG_NO_SINK);
    if (problem)
        return ptog_bad_argument(diags, "ptog_program_repair", "execution", problem);
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
        ptog_write_program(program, &completion.added, sink);
    else if (!ptog_finds_give(&finds, diags))
        status = PTOG_NO_MEMORY;
    ptog_added_close(&completion.added);
    ptog_finds_free(&finds);
    ptog_eval_close(&e);
    return status;
}
