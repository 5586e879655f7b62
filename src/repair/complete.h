/* repair: what completes a program that lacks flags: the pairs and barriers that go before its operations. They are
 * found by running it, and left out again where the run stays clean without. */
#ifndef PTOG_REPAIR_COMPLETE_H
#define PTOG_REPAIR_COMPLETE_H

#include "repair/tries.h"

struct ptog_completion {
    struct ptog_added added;
    uint32_t pairs, barriers;
    uint32_t untried; /* lines that nobody tried to leave out: that would have taken too long */
    bool cut;         /* only the beginning was looked at, for the same reason */
};

/* Finds the lines, and puts them into completion->added, which is open. `e` has been prepared for the same function and
 * execution: its memory is as before afterwards. The status is that of a run; PTOG_OK also when faults are left, those
 * that no flag orders among them. Unless the `whole` run is asked for, a long one is cut: then the run that follows
 * still has to look for lines. No more runs are made when `most` of the budget is used. */
enum ptog_status ptog_complete(struct ptog_completion *completion, struct ptog_eval *e,
                               const struct ptog_execution *execution, const struct ptog_function *function, bool whole,
                               struct ptog_budget *budget, uint64_t most);

/* Adds lines for faults of order that are left beside the lines that tries->added has, and leaves out what is not
 * needed. tries->accepted says how many faults are left; *untried, how many lines nobody tried to leave out. */
enum ptog_status ptog_find_lines(struct ptog_tries *tries, bool whole, uint32_t *untried);

/* Leaves out the pairs and barriers of tries->added without which the run has no more than tries->accepted faults. */
enum ptog_status ptog_leave_out(struct ptog_tries *tries, uint32_t *untried);

/* Counts the lines as they are now. */
void ptog_completion_count(struct ptog_completion *completion);

#endif
