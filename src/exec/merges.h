/* exec: TMRGSORT of lists that are in order, two at a time. */
#ifndef PTOG_EXEC_MERGES_H
#define PTOG_EXEC_MERGES_H

#include "exec/plan.h"

/* With buffers that hold the operands, dst apart from the others. False where a list is not in order, or has a NaN: it
 * is for the reference loop to name, which then does all of it again. */
bool ptog_exec_merge(const struct ptog_exec *x, const struct ptog_run *run);

#endif
