/* inputs: what the choice of scalar arguments and that of data share: how good a set of values is. */
#ifndef PTOG_INPUTS_CHOOSE_H
#define PTOG_INPUTS_CHOOSE_H

#include "inputs/inputs.h"

#define MAX_WORK (UINT64_C(1) << 28) /* bytes; after so many no further values are tried */

/* How a trial ended. */
struct ptog_trial_score {
    bool idle;       /* no instruction ran */
    bool stopped;    /* on the way, so that errors behind it did not show */
    size_t errors;   /* that depend on the values */
    uint64_t faults; /* of a run on the machine, where one was made: ptog_trial_check */
    uint64_t instructions;
    uint64_t accesses; /* instructions, and scalars that were read or written */
    bool large;        /* the arguments need much memory */
};

bool ptog_score_is_better(struct ptog_trial_score a, struct ptog_trial_score b);
bool ptog_score_is_perfect(struct ptog_trial_score score);

/* Executes the program, and again while what it reaches was not filled. False when out of memory. */
bool ptog_try_values(struct ptog_trial_run *trial, uint64_t max_steps, struct ptog_trial_score *score);

/* scalars.c: chooses the scalar arguments, while all memory is zero. False when out of memory. */
bool ptog_choose_scalars(struct ptog_trial_run *trial, struct ptog_trial_score *best);

#endif
