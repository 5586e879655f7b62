/* repair: pairs of flags of which one half is missing: a set that nobody waits for, a wait for what nobody sets. One
 * line completes such a pair; which place is right is found by trying. */
#ifndef PTOG_REPAIR_HALVES_H
#define PTOG_REPAIR_HALVES_H

#include "repair/tries.h"

/* A line that completes a pair. */
struct ptog_half {
    const struct ptog_op *op;
    bool after; /* the operation; else before it */
    struct ptog_sync sync;
    bool everywhere; /* random data and the other machine are clean with it, too */
};

/* Does a report name a flag of which one half is missing? */
bool ptog_halves_are_missing(const ptog_diags *report);

/* Looks for the one line after which no fault of order is left, of all the flags that the report names. A set goes as
 * early as it may, a wait as late; a line with which random data (tries->reference), and then the other machine are
 * clean, too, is preferred. PTOG_OK;
 * PTOG_ILLEGAL: there is none, or the tries were used up before it was found; PTOG_NO_MEMORY. */
enum ptog_status ptog_half_find(struct ptog_tries *tries, const ptog_diags *report, struct ptog_half *half);

/* Adds such lines as long as pairs have one half only: the line that leaves nothing, or else the one that leaves the
 * fewest faults. PTOG_OK or PTOG_NO_MEMORY. */
enum ptog_status ptog_halves_add(struct ptog_tries *tries);

#endif
