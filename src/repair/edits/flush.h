/* repair: dcci and dsb that are missing, as lines of a program. */
#ifndef PTOG_REPAIR_EDITS_FLUSH_H
#define PTOG_REPAIR_EDITS_FLUSH_H

#include "repair/tries.h"

/* A fault of the data cache of S that statements before it fix. */
bool ptog_is_of_cache(const struct ptog_diag *diag);

/* The statement of a line that is no flag: a barrier, dcci or dsb. */
enum ptog_fix_kind ptog_single_fix(const struct ptog_sync *sync);

/* Adds the lines that a run of the program with its changes proposes, until it proposes no more. PTOG_OK, or
 * PTOG_NO_MEMORY. */
enum ptog_status ptog_add_flushes(struct ptog_tries *tries);

#endif
