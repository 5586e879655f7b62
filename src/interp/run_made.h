/* interp: records that make or change views, pointers, tiles and arrays. */
#ifndef PTOG_INTERP_RUN_MADE_H
#define PTOG_INTERP_RUN_MADE_H

#include "lower/eval.h"

/* Executes a record from PTOG_CODE_AFFINE to PTOG_CODE_PRINT: reads its arguments from their slots, and defines its
 * result or changes its operand. */
void ptog_run_made(struct ptog_eval *e, const struct ptog_code *code);

#endif
