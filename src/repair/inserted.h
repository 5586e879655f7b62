/* repair: the changes of a repair, taken apart: each pair of flags or barrier by itself, and the faults of a report
 * that it fixes. A report advises these, so that all of its fixes can be followed at once, and `--apply-fix` does the
 * same.
 */
#ifndef PTOG_REPAIR_INSERTED_H
#define PTOG_REPAIR_INSERTED_H

#include "repair/repair.h"

#define PTOG_MAX_INSERTED 32          /* that are tried one by one; more are tried together */
#define PTOG_MAX_INSERTED_TOGETHER 8u /* lines of one pair, with its halves */

/* A line, and where it stands. */
struct ptog_inserted_line {
    const struct ptog_op *op; /* of an edit that moves nothing, the statement itself */
    bool after;               /* the operation; else before it */
    struct ptog_sync sync;
    enum ptog_edit_kind edit;
    const struct ptog_op *from; /* of an edit: the statement; NULL: the line is new */
};

/* A pair of flags, halves of one, or a barrier: lines that are put in or changed together. */
struct ptog_insertion {
    struct ptog_inserted_line of[PTOG_MAX_INSERTED_TOGETHER];
    uint32_t count;
    bool *fixes; /* by number of the report: with these lines alone, the fault is gone and no flag is wrong that was not
                  */
    bool spare;  /* no fault of the report has it as its fix: it is part of the fix of the first one */
};

struct ptog_insertions {
    struct ptog_insertion *of;
    uint32_t count;
    size_t room;
    const ptog_diags *report;
    bool together;                 /* there are many: what each fixes by itself was not tried */
    const struct ptog_diag *first; /* fault of the report that has a fix */
};

/* A fault that a change of flags or barriers fixes: a race, or a flag that is not used as it should be. */
bool ptog_is_of_flags(const struct ptog_diag *diag);

/* Takes the changes of a repair apart, and tries each; *tries has no lines of its own. PTOG_OK, also when there are
 * none; PTOG_NO_MEMORY. Close it in any case. */
enum ptog_status ptog_insertions_open(struct ptog_insertions *insertions, const struct ptog_repair *repair,
                                      struct ptog_tries *tries, const ptog_diags *report);
void ptog_insertions_close(struct ptog_insertions *insertions);

/* The one that fixes a fault of the report at operation `here`; NULL: none does by itself. */
const struct ptog_insertion *ptog_insertion_for(const struct ptog_insertions *insertions, const struct ptog_diag *diag,
                                                uint32_t here);

#endif
