/* interp: runs the code of a function (lower/code.h) on the core of a block. */
#ifndef PTOG_INTERP_INTERP_H
#define PTOG_INTERP_INTERP_H

#include "lower/eval.h"

/* Runs a function from its first record on, with what is bound as its arguments. Reads the code that the check has
 * written; changes values, memory and the core, and says what goes wrong in `diags`. */
bool ptog_interp_start(struct ptog_eval *e, const struct ptog_function *function);

/* Goes on where it stood still. Both return whether the function is over; false: the core waits for another core. */
bool ptog_interp_resume(struct ptog_eval *e);

/* Forgets the functions that it stands still in. */
void ptog_interp_drop(struct ptog_eval *e);

#endif
