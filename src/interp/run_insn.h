/* interp: runs a tile instruction from its record: the values of its slots become its operands. */
#ifndef PTOG_INTERP_RUN_INSN_H
#define PTOG_INTERP_RUN_INSN_H

#include "lower/insn/text_insn.h"

/* Does the instruction of a record (PTOG_CODE_INSN). Reads the values of its slots, and issues it to the core; says
 * what the core, or the verifier, has against it, and defines its results. */
void ptog_run_insn(struct ptog_eval *e, const struct ptog_text_insn *lowered);

/* Finds the buffers of an instruction that was described, issues it once, and says what went wrong. False: the run, or
 * this core, is over. */
bool ptog_run_issue(struct ptog_eval *e, struct ptog_text_insn *insn);

#endif
