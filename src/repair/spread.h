/* repair: pairs taken apart: the set goes right after what it announces, so that other work of the pipe goes on before
 * the wait. */
#ifndef PTOG_REPAIR_SPREAD_H
#define PTOG_REPAIR_SPREAD_H

#include "repair/tries.h"

/* Does so with each pair that was put before an operation, where no fault comes of it. PTOG_OK or PTOG_NO_MEMORY. */
enum ptog_status ptog_spread(struct ptog_tries *tries);

#endif
