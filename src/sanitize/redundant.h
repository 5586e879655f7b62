/* sanitize: pairs of flags that change nothing. A pair is the statements that set a flag and those that wait for it, as
 * they met in the run; in a loop all their turns together. It is redundant when the run without it has every access
 * ordered and every flag waited for in time. An instruction's own flags never are. */
#ifndef PTOG_SANITIZE_REDUNDANT_H
#define PTOG_SANITIZE_REDUNDANT_H

#include "sanitize/order_log.h"

struct ptog_redundant {
    uint32_t first; /* the end that sets first */
    uint64_t insn;
    uint64_t pairs;
    bool already; /* the waiting pipe has waited for all of it before, each time */
};

struct ptog_redundants {
    struct ptog_redundant *of;
    size_t count;
    uint32_t *pair_of; /* by number of the end */
    bool cut;          /* the run is too long to say */
    bool failed;       /* out of memory */
};

/* Judges the order logs of a device. In a run with a race or a wrong flag there is nothing redundant. */
void ptog_redundants_find(struct ptog_redundants *found, const struct ptog_order_logs *order_logs);
void ptog_redundants_free(struct ptog_redundants *found);

#endif
