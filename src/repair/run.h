/* repair: a whole run, with what is learnt from more of them. */
#ifndef PTOG_REPAIR_RUN_H
#define PTOG_REPAIR_RUN_H

#include <ptog/program.h>

#include "repair/budget.h"

/* What ptog_program_run does, with arguments that were found to be valid; what is tried besides the run itself counts
 * for `budget`. */
enum ptog_status ptog_run_within(struct ptog_budget *budget, const ptog_program *program,
                                 const struct ptog_execution *execution, ptog_diags *diags, ptog_result **result);

#endif
