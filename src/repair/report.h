/* repair: what the machine reports, as findings at the operations of the text, with fixes that were tried. */
#ifndef PTOG_REPAIR_REPORT_H
#define PTOG_REPAIR_REPORT_H

#include <ptog/program.h>

struct ptog_eval;
struct ptog_function;

/* Adds the report of the device to the findings. The findings point into the list that is returned: it is to be freed
 * after they were given out. NULL: there is no device, or no memory. */
ptog_diags *ptog_report_machine(struct ptog_eval *e, const struct ptog_execution *execution,
                                const struct ptog_function *function);

#endif
