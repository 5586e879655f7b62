/* model: collecting what a run has to report about single lanes. */
#ifndef PTOG_MODEL_FAULT_H
#define PTOG_MODEL_FAULT_H

#include <ptog/plan.h>

/* Adds `count` lanes of a kind, the first of them at (r, c). */
void ptog_fault_note(struct ptog_fault *fault, enum ptog_fault_kind kind, uint64_t count, int64_t r, int64_t c,
                     uint64_t index);

/* Sums up the errors: PTOG_FAULT when there is one, PTOG_OK otherwise. */
enum ptog_status ptog_fault_sum(struct ptog_fault *fault);

#endif
