/* repair: what a program stores when it is executed in the order of its text, with its flags left out, on the caller's
 * data and on random data. A repair is accepted if it has no fault of order and stores the same. */
#ifndef PTOG_REPAIR_REFERENCE_H
#define PTOG_REPAIR_REFERENCE_H

#include "repair/tries.h"

#define PTOG_REFERENCES 4 /* the caller's data, and three random ones */

struct ptog_reference {
    struct ptog_tries *tries;
    struct ptog_execution execution; /* the caller's, with the bindings below */
    struct ptog_binding *bindings;
    size_t count;
    unsigned char **memory; /* that the bindings name; by binding, as those below */
    unsigned char **before[PTOG_REFERENCES],
        **after[PTOG_REFERENCES]; /* by binding; NULL: no memory, or bound before */
    struct ptog_sync *flags;      /* of the text, by operation: see struct ptog_trial */
    size_t errors;                /* that the caller's data has in the order of the text */
    bool runs;                    /* the program comes to its end in that order */
    bool too_large;               /* the data is, for copies of it */
};

/* Executes the program on all data. PTOG_OK, or PTOG_NO_MEMORY; close it in any case. */
enum ptog_status ptog_reference_open(struct ptog_reference *reference, struct ptog_tries *tries);
void ptog_reference_close(struct ptog_reference *reference);

/* Runs with the lines of reference->tries on the random data: *same, as below, but no lines are added. */
enum ptog_status ptog_reference_look(struct ptog_reference *reference, bool *same);

/* Runs with the lines of reference->tries on all data: *same, whether none has a fault of order, and all store what
 * they should. PTOG_OK, or PTOG_NO_MEMORY. */
enum ptog_status ptog_reference_compare(struct ptog_reference *reference, bool *same);

#endif
