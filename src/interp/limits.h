/* interp: what a run may use: operations, bytes touched, memory. The limits are counts, never time, so a program meets
 * them in the same place on every machine. What a run did not come to is not judged. */
#ifndef PTOG_INTERP_LIMITS_H
#define PTOG_INTERP_LIMITS_H

#include "lower/eval.h"

/* Takes the limits from an execution; 0 stands for the defaults. */
void ptog_limits_set(struct ptog_eval *e, const struct ptog_execution *execution);

/* Each of these ends the run with a finding at `span`, or nowhere when that is empty, and returns false, when there is
 * no more to use. */
bool ptog_limit_steps(struct ptog_eval *e, struct ptog_span span);
bool ptog_limit_work(struct ptog_eval *e, struct ptog_span span, uint64_t bytes); /* counts them, too */
bool ptog_limit_memory(struct ptog_eval *e, struct ptog_span span, uint64_t bytes);

/* Whether a run that only tries something has cost more than it may: it is ended without a word. */
bool ptog_limit_cost(struct ptog_eval *e);

/* How large an instruction is. */
struct ptog_insn_size {
    uint64_t effort; /* operations without elements that take about as long to simulate */
    uint64_t bytes;  /* that it touches: its tiles and, where it reaches global memory, as much again as its largest */
};
struct ptog_insn_size ptog_insn_size_of(const struct ptog_insn *insn);

#endif
