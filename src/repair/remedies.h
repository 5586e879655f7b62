/* repair: remedies: what could fix a race or a flag that is set twice. */
#ifndef PTOG_REPAIR_REMEDIES_H
#define PTOG_REPAIR_REMEDIES_H

#include "repair/tries.h"

/* The lightest first. */
enum ptog_remedy_kind {
    PTOG_REMEDY_BARRIER, /* on the pipe of both */
    PTOG_REMEDY_SPREAD,  /* a set after the access before, a wait before the fault */
    PTOG_REMEDY_PAIR,    /* both before the fault */
    PTOG_REMEDY_PAIR_AND_BACK,
    PTOG_REMEDY_PAIR_THERE, /* both after the access before: the wait that holds it back comes again before the fault */
    PTOG_REMEDY_BARRIER_ALL,
    PTOG_REMEDIES
};

struct ptog_remedy {
    struct ptog_sync before[2];
    uint32_t count;
    struct ptog_sync after; /* a set, or a pair, after the access before, when `spread` */
    bool spread;
};

bool ptog_is_race(const struct ptog_diag *diag);

/* A race, or a flag set twice, that some flag or barrier would fix: the machine proposes one. */
bool ptog_is_of_order(const struct ptog_diag *diag);

/* An id that neither the program nor a line that was added uses between these pipes, and no advice that was given, as
 * long as those leave one; 0: there is none. */
uint8_t ptog_free_id(const struct ptog_tries *tries, uint8_t src, uint8_t dst);

/* The remedy of a kind for a fault of a report, `here` and `there` being the operations of the fault and of the access
 * before; false: there is none. */
bool ptog_remedy_of(const struct ptog_tries *tries, enum ptog_remedy_kind kind, const struct ptog_diag *diag,
                    uint32_t here, uint32_t there, struct ptog_remedy *remedy);

/* Both operations stand in one region, the second after the first: as often, and in turn. */
bool ptog_op_follows(const struct ptog_region *region, uint32_t first, uint32_t second);

/* Adds its lines to those that are there. False when out of memory. */
bool ptog_remedy_add(struct ptog_added *added, const struct ptog_remedy *remedy, uint32_t here, uint32_t there);

#endif
