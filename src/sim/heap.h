/* sim: moves by time; those of one time in the order in which they were added. */
#ifndef PTOG_SIM_HEAP_H
#define PTOG_SIM_HEAP_H

#include "sim/schedule.h"

/* One more, due at a time, to be filled in before the next call; NULL when out of memory. */
struct ptog_move *ptog_heap_push(struct ptog_timeline *t, double time);

/* When the next one is due, and the next one itself: there is one. */
double ptog_heap_time(const struct ptog_timeline *t);
struct ptog_move ptog_heap_pop(struct ptog_timeline *t);

/* Forgets those that are left. */
void ptog_heap_free(struct ptog_timeline *t);

#endif
