/* interp: blocks whose cores run side by side. Each core is a stream: the values, the counter and the core of its own
 * run through the code of the function. A stream runs until it stands still or ends; then the next one does. */
#ifndef PTOG_INTERP_STREAMS_H
#define PTOG_INTERP_STREAMS_H

#include "lower/eval.h"

/* Runs every block. `keep`: what the last vector core leaves in UB will be asked for. */
void ptog_streams_run(struct ptog_eval *e, const struct ptog_function *function, bool keep);

#endif
