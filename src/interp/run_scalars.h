/* interp: records of scalar operations. */
#ifndef PTOG_INTERP_RUN_SCALARS_H
#define PTOG_INTERP_RUN_SCALARS_H

#include "lower/eval.h"

/* Computes the result of a record from PTOG_CODE_CONSTANT to PTOG_CODE_BITCAST, and defines it. What has no result,
 * such as a division by zero, stops the run with a diagnostic. */
void ptog_run_scalar(struct ptog_eval *e, const struct ptog_code *code);

#endif
