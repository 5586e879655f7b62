/* sim: moves by time; those of one time in the order in which they were added. */
#ifndef PTOG_SIM_HEAP_H
#define PTOG_SIM_HEAP_H

#include "sim/schedule.h"

/* False when out of memory. */
bool ptog_heap_push(struct ptog_timeline *t, const struct ptog_move *move);
struct ptog_move ptog_heap_pop(struct ptog_timeline *t);

#endif
