/* repair: what the machine reports, as findings at the operations of the text, with fixes that were tried. */
#ifndef PTOG_REPAIR_REPORT_H
#define PTOG_REPAIR_REPORT_H

#include <ptog/program.h>

#include "repair/budget.h"

/* Adds the report of the device to the findings, with fixes as far as `budget` allows to try them. The findings point
 * into the list that is returned: it is to be freed after they were given out. NULL: there is no device, or no memory.
 */
ptog_diags *ptog_report_machine(struct ptog_eval *e, const struct ptog_execution *execution,
                                const struct ptog_function *function, struct ptog_budget *budget);

#endif
