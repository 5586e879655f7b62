/* repair: what would make a program right: found once, for the report, which advises it, and for --apply-fix, which
 * writes it into the text. */
#ifndef PTOG_REPAIR_REPAIR_H
#define PTOG_REPAIR_REPAIR_H

#include "repair/reference.h"

struct ptog_repair {
    struct ptog_added added; /* the changes */
    struct ptog_tries tries; /* with them */
    uint64_t most;           /* of the budget, how much may be used when they are found; 0: all */
    struct ptog_reference reference;
    bool clean;  /* the program was, or is with the changes */
    bool stores; /* changes were found that leave no fault of order, but what they store is something else */
};

/* Looks for changes in two ways, the lighter one first, and takes them only if the program is then free of faults of
 * order and stores what its text says. `e` is prepared for the execution and the function. PTOG_OK, also if nothing was
 * found, or PTOG_NO_MEMORY. Close it in any case. */
enum ptog_status ptog_repair_find(struct ptog_repair *repair, struct ptog_eval *e,
                                  const struct ptog_execution *execution, const struct ptog_function *function,
                                  struct ptog_budget *budget);
void ptog_repair_close(struct ptog_repair *repair);

#endif
