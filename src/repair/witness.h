/* repair: witnesses of races: which bytes are different when one of the two instructions is late. */
#ifndef PTOG_REPAIR_WITNESS_H
#define PTOG_REPAIR_WITNESS_H

#include "repair/budget.h"

/* What the run that is looked into had before it began. */
struct ptog_witness {
    unsigned char **before; /* by memory: its bytes, where the program stores to it; NULL: nothing is kept */
    uint64_t bytes;         /* of all of them */
    bool lost;              /* there was no memory to keep it: the witnesses say so */
};

/* Before the run: keeps what a second one will need. */
void ptog_witness_keep(struct ptog_witness *witness, const struct ptog_eval *e);

/* After it: adds to the witness of each race the bytes that are different when the instruction is late, as far as the
 * budget allows to look for them. */
void ptog_witness_show(const struct ptog_witness *witness, struct ptog_eval *e, const struct ptog_execution *execution,
                       struct ptog_budget *budget);

void ptog_witness_close(struct ptog_witness *witness, const struct ptog_eval *e);

#endif
