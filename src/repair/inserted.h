/* repair: what a repair would put into the text, taken apart: each pair of flags or barrier by itself, and the faults
 * of a report that it mends. A report advises these, so that all of its fixes can be followed at once, and
 * `--apply-fix` names the same flags. */
#ifndef PTOG_REPAIR_INSERTED_H
#define PTOG_REPAIR_INSERTED_H

#include "repair/tries.h"

#define PTOG_MOST_INSERTED 32          /* lines; a report with more has a fix for each fault */
#define PTOG_MOST_INSERTED_TOGETHER 4u /* lines of one pair, with its halves */

/* A line, and where it stands. */
struct ptog_inserted_line {
    const struct ptog_op *op;
    bool after; /* the operation; else before it */
    struct ptog_sync sync;
};

/* A pair of flags, the halves that complete one, or a barrier. */
struct ptog_insertion {
    struct ptog_inserted_line of[PTOG_MOST_INSERTED_TOGETHER];
    uint32_t count;
    bool *mends; /* by number of the report: with these lines alone, the fault is gone and no flag is wrong that was not
                  */
};

struct ptog_insertions {
    struct ptog_insertion *of;
    uint32_t count;
    const ptog_diags *report;
};

/* Repairs the program as far as that is quick, and tries what was put in; *tries has no lines of its own, and runs no
 * more than `most` operations in all. PTOG_OK, also when nothing was found; PTOG_NO_MEMORY. Close it in any case. */
enum ptog_status ptog_insertions_open(struct ptog_insertions *insertions, struct ptog_tries *tries,
                                      const ptog_diags *report, uint64_t most);
void ptog_insertions_close(struct ptog_insertions *insertions);

/* The one that mends a fault of the report; NULL: none does by itself. */
const struct ptog_insertion *ptog_insertion_for(const struct ptog_insertions *insertions, const struct ptog_diag *diag);

#endif
