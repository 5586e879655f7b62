/* repair: fixing the faults of a report. */
#ifndef PTOG_REPAIR_FIX_FAULTS_H
#define PTOG_REPAIR_FIX_FAULTS_H

#include "repair/remedies.h"

/* Looks for a remedy of a fault in the report of a run, next to the lines that are there: in a run with it the fault is
 * gone, no flag is wrong that was not, and fewer than *faults of order are left, which then says how many; *left,
 * unless `left` is NULL, is the report of that run, and the caller's. `here` and `there` are the operations of the
 * fault and of the access before. PTOG_OK, PTOG_ILLEGAL (there is none, or the tries were used up before it was found),
 * PTOG_NO_MEMORY. */
enum ptog_status ptog_fix_fault(struct ptog_tries *tries, const ptog_diags *report, const struct ptog_diag *diag,
                                uint32_t here, uint32_t there, struct ptog_remedy *remedy, size_t *faults,
                                ptog_diags **left);

/* Whether a report has this fault, with the same place and the same other one; and a fault of flags that the report
 * before did not have: a deadlock, for one, ends many other faults. */
bool ptog_has_fault(const ptog_diags *diags, const struct ptog_diag *wanted);
bool ptog_has_new_flag_fault(const ptog_diags *left, const ptog_diags *report);

/* The operation that a report speaks of; NULL: none of the region. */
const struct ptog_op *ptog_op_at(const struct ptog_source *source, const struct ptog_region *region,
                                 const struct ptog_where *where);

/* Adds lines for the races that are left, as long as that leaves fewer. PTOG_OK, or PTOG_NO_MEMORY. */
enum ptog_status ptog_fix_faults(struct ptog_tries *tries);

#endif
