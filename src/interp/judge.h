/* interp: verdicts on instructions, at their places in the text: what the verifier says before a run, and which lanes
 * did what no correct program does. */
#ifndef PTOG_INTERP_JUDGE_H
#define PTOG_INTERP_JUDGE_H

#include "lower/insn/text_insn.h"

/* What happened to the lanes of one operation, over all iterations and blocks. */
struct ptog_op_faults {
    const struct ptog_op *op;
    struct ptog_fault fault;
    struct ptog_insn insn; /* what was run when the first of them was found; PTOG_NO_INSN: a scalar access */
};

/* After an instruction was run. */
void ptog_judge_run(struct ptog_eval *e, const struct ptog_text_insn *insn, enum ptog_status status);
void ptog_judge_fault(struct ptog_eval *e, const struct ptog_op *op, enum ptog_fault_kind kind, int64_t row,
                      uint64_t index, uint64_t capacity);
void ptog_judge_report(struct ptog_eval *e);

/* After a step of the machine: whether the walk goes on. */
bool ptog_judge_step(struct ptog_eval *e, const struct ptog_op *op, enum ptog_status status);

#endif
