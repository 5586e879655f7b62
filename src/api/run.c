/* api: ptog_program_run: checks the arguments of the call and runs one function of a program. */
#include "interp/run.h"
#include "base/diag.h"
#include "repair/run.h"

enum ptog_status ptog_program_run(const ptog_program *program, const struct ptog_execution *execution,
                                  ptog_diags *diags, ptog_result **result)
{
    static const struct ptog_execution nothing;
    struct ptog_budget budget = {.most = PTOG_BUDGET};
    if (!execution)
        execution = &nothing;
    if (result)
        *result = NULL;
    const char *problem = ptog_run_problem(execution);
    if (!program)
        return ptog_bad_argument(diags, "ptog_program_run", "program", "is NULL");
    if (problem)
        return ptog_bad_argument(diags, "ptog_program_run", "execution", problem);
    return ptog_run_within(&budget, program, execution, diags, result);
}
