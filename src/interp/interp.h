/* interp: runs the code of a function (lower/code.h) on the core of a block. */
#ifndef PTOG_INTERP_INTERP_H
#define PTOG_INTERP_INTERP_H

#include "lower/eval.h"

/* Runs a function from its first record on, with what is bound as its arguments. Reads the code that the check has
 * written; changes values, memory and the core, and says what goes wrong in `diags`. */
void ptog_interp_function(struct ptog_eval *e, const struct ptog_function *function);

#endif
