/* program: fixes that were tried. The machine proposes a flag after the first access and a wait before the second; in
 * loops and conditions that may not be whole, so the lines that are proposed in a text are run first. */
#ifndef PTOG_PROGRAM_PROPOSE_H
#define PTOG_PROGRAM_PROPOSE_H

#include "program/complete.h"

#define PTOG_LONGEST_FIX 512

struct ptog_proposer {
    struct ptog_eval *e; /* after its run; its report is in e->machine.diags */
    const struct ptog_execution *execution;
    const struct ptog_function *function;
    struct ptog_completion completion;
    struct ptog_search search;
    bool opened, failed;
};

/* Writes lines that mend a race or a flag set twice, each as "before line 14  pto.barrier <PIPE_V>"; false: none were
 * found, or that takes too long. `here` and `there` are the operations of the fault and of the access before. */
bool ptog_propose(struct ptog_proposer *proposer, const struct ptog_diag *diag, uint32_t here, uint32_t there,
                  char fix[PTOG_LONGEST_FIX]);
void ptog_proposer_close(struct ptog_proposer *proposer);

/* completed.c: one half of a pair, or a barrier, as a line of a text. */
#define PTOG_LONGEST_LINE 96
void ptog_sync_line(char line[PTOG_LONGEST_LINE], const struct ptog_sync *sync, enum ptog_sync_part part);

#endif
