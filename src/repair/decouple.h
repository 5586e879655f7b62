/* repair: flags of the text made harmless, where no single line completes them: each set gets a wait of its own right
 * after it, and each wait a set right before it. Nothing is held back then, and nothing is left over. */
#ifndef PTOG_REPAIR_DECOUPLE_H
#define PTOG_REPAIR_DECOUPLE_H

#include "repair/tries.h"

/* Adds the halves for all flags of the text (`flags`, by operation: see struct ptog_trial). False when out of memory.
 */
bool ptog_decouple(struct ptog_added *added, const struct ptog_sync *flags);

/* Takes the halves of a flag out again where the run has no fault of order without them. PTOG_OK, or PTOG_NO_MEMORY. */
enum ptog_status ptog_recouple(struct ptog_tries *tries, const struct ptog_sync *flags);

#endif
