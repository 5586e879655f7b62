/* inputs: what an execution of the program shows about its arguments. */
#ifndef PTOG_INPUTS_OBSERVE_H
#define PTOG_INPUTS_OBSERVE_H

#include "inputs/inputs.h"

/* Notes reach, types and scalar reads in the arguments, work and instructions in the trial and, when it is marked, what
 * the numbers of an argument index. */
struct ptog_gather_watch ptog_inputs_watch(struct ptog_trial_run *trial);

/* Fills every integer argument with a number of its own. */
void ptog_inputs_mark(struct ptog_inputs *inputs);

/* How many rows or elements the indices of a gather choose from. */
uint64_t ptog_gather_capacity(const struct ptog_gather_seen *seen);

#endif
