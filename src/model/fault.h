/* model: collecting what a run has to report about single lanes. */
#ifndef PTOG_MODEL_FAULT_H
#define PTOG_MODEL_FAULT_H

#include <ptog/plan.h>
#include <ptog/rule.h>

#include "base/pick.h"

/* Adds `count` lanes of a kind, the first of them at (r, c). */
void ptog_fault_note(struct ptog_fault *fault, enum ptog_fault_kind kind, uint64_t count, int64_t r, int64_t c,
                     uint64_t index);

/* What the number of its entries is: "index", ... */
static inline const char *ptog_fault_number(const struct ptog_fault_info *info)
{
    return ptog_or(info->number, "index");
}

/* Writes the index of an entry as the number that the target reads, which may be negative on cpu. */
#define PTOG_FAULT_INDEX_TEXT 24 /* enough of it */
void ptog_fault_index_text(const struct ptog_fault *fault, uint64_t index, char text[PTOG_FAULT_INDEX_TEXT]);

/* Sums up the errors: PTOG_FAULT when there is one, PTOG_OK otherwise. */
enum ptog_status ptog_fault_sum(struct ptog_fault *fault);

#endif
