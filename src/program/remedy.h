/* program: what mends a race or a flag that is set twice: lines before the fault, tried in a run. */
#ifndef PTOG_PROGRAM_REMEDY_H
#define PTOG_PROGRAM_REMEDY_H

#include "program/complete.h"

/* The lightest first. */
enum ptog_remedy_kind {
    PTOG_REMEDY_BARRIER, /* on the pipe of both */
    PTOG_REMEDY_SPREAD,  /* a set after the access before, a wait before the fault */
    PTOG_REMEDY_PAIR,    /* both before the fault */
    PTOG_REMEDY_PAIR_AND_BACK,
    PTOG_REMEDY_BARRIER_ALL,
    PTOG_REMEDIES
};

struct ptog_remedy {
    struct ptog_sync before[2];
    uint32_t count;
    struct ptog_sync after; /* a set after the access before, when `spread` */
    bool spread;
};

bool ptog_is_race(const struct ptog_diag *diag);

/* False: there is no such remedy for this fault. */
bool ptog_remedy_of(const struct ptog_eval *e, enum ptog_remedy_kind kind, const struct ptog_diag *diag,
                    struct ptog_remedy *remedy);

/* Tries it next to the lines that are there: they are the same afterwards. True: of the faults in `report`, `diag` is
 * gone, and no flag is wrong that was not. *faults: of order, that were left. `here` and `there` are the operations of
 * the fault and of the access before. */
bool ptog_remedy_mends(struct ptog_search *search, const ptog_diags *report, const struct ptog_diag *diag,
                       const struct ptog_remedy *remedy, uint32_t here, uint32_t there, size_t *faults);

#endif
