/* repair: what all runs that look for fixes, flags and witnesses may cost together in one call of the library. It is
 * counted, never timed, so that the same program gets the same advice everywhere. */
#ifndef PTOG_REPAIR_BUDGET_H
#define PTOG_REPAIR_BUDGET_H

#include "lower/eval.h"

/* Operations: about two seconds. What is not found within them is not found. */
#define PTOG_BUDGET UINT64_C(1000000)

struct ptog_budget {
    uint64_t used, most;
};

/* What a run cost, in operations: those of the text, which are checked, those that were executed, and the elements that
 * its instructions computed. */
static inline uint64_t ptog_cost_of_run(const struct ptog_eval *e)
{
    return e->tree->op_count + e->steps + e->effort;
}

/* What copying so many bytes costs: a processor copies 16 KiB in about the time of an operation. */
static inline uint64_t ptog_cost_of_copy(uint64_t bytes)
{
    return bytes >> 14;
}

#endif
