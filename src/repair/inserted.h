/* repair: what a repair would put into the text, taken apart: each pair of flags or barrier by itself, and the faults
 * of a report that it mends. A report advises these, so that all of its fixes can be followed at once, and
 * `--apply-fix` names the same flags. */
#ifndef PTOG_REPAIR_INSERTED_H
#define PTOG_REPAIR_INSERTED_H

#include "repair/tries.h"

#define PTOG_MOST_INSERTED 32          /* that are tried one by one; more are tried together */
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
    size_t room;
    const ptog_diags *report;
    bool together; /* with all of them no fault of order is left; what each mends by itself was not tried */
};

/* Repairs the program as far as that is quick, and tries what was put in; *tries has no lines of its own. PTOG_OK, also
 * when nothing was found; PTOG_NO_MEMORY. Close it in any case. */
enum ptog_status ptog_insertions_open(struct ptog_insertions *insertions, struct ptog_tries *tries,
                                      const ptog_diags *report);
void ptog_insertions_close(struct ptog_insertions *insertions);

/* The one that mends a fault of the report at operation `here`; NULL: none does by itself. */
const struct ptog_insertion *ptog_insertion_for(const struct ptog_insertions *insertions, const struct ptog_diag *diag,
                                                uint32_t here);

#endif
