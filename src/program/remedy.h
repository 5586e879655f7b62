/* program: what mends a race or a flag that is set twice: lines before the fault, tried in a run. */
#ifndef PTOG_PROGRAM_REMEDY_H
#define PTOG_PROGRAM_REMEDY_H

#include "program/complete.h"

struct ptog_remedy {
    struct ptog_sync before[2];
    uint32_t count;
    struct ptog_sync after; /* a set, or a pair, after the access before, when `spread` */
    bool spread;
};

bool ptog_is_race(const struct ptog_diag *diag);

/* Looks for a remedy of a fault in the report of a run, next to the lines that are there: in a run with it the fault is
 * gone, no flag is wrong that was not, and fewer than *faults of order are left, which then says how many. `here` and
 * `there` are the operations of the fault and of the access before. PTOG_OK, PTOG_ILLEGAL (there is none, or more than
 * `most` operations were run before it was found), PTOG_NO_MEMORY. */
enum ptog_status ptog_remedy_find(struct ptog_search *search, const ptog_diags *report, const struct ptog_diag *diag,
                                  uint32_t here, uint32_t there, uint64_t most, struct ptog_remedy *remedy,
                                  size_t *faults);

/* Adds its lines to those that are there. False when out of memory. */
bool ptog_remedy_add(struct ptog_completion *completion, const struct ptog_remedy *remedy, uint32_t here,
                     uint32_t there);

#endif
