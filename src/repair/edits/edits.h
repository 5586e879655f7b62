/* repair: mistakes in the flags that a text has: pipes that are swapped, a wrong event id, a wait that stands too late,
 * a set too early, a barrier on the wrong pipe, a statement too many. One of them is replaced, moved or removed, and a
 * run says whether that was it. */
#ifndef PTOG_REPAIR_EDITS_EDITS_H
#define PTOG_REPAIR_EDITS_EDITS_H

#include "repair/tries.h"

/* Changes statements of the text as long as that leaves fewer faults: tries->added has the edits. What is left then, if
 * anything, needs lines. There is a tries->reference. *count: how many changes were made; *done: they leave nothing.
 * PTOG_OK or PTOG_NO_MEMORY. */
enum ptog_status ptog_edit_flags(struct ptog_tries *tries, uint32_t *count, bool *done);

#endif
