/* repair: a run that is part of another one's budget. */
#ifndef PTOG_REPAIR_RUN_H
#define PTOG_REPAIR_RUN_H

#include <ptog/program.h>

#include "repair/budget.h"

/* ptog_program_run, of which everything that is tried besides the run itself counts for `budget`. */
enum ptog_status ptog_run_within(struct ptog_budget *budget, const ptog_program *program,
                                 const struct ptog_execution *execution, ptog_diags *diags, ptog_result **result);

#endif
