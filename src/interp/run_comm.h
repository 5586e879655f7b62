/* interp: records of messages between devices. */
#ifndef PTOG_INTERP_RUN_COMM_H
#define PTOG_INTERP_RUN_COMM_H

#include "lower/eval.h"

/* run_signal.c: a signal is given, waited for or looked at. Where it is not there yet and other cores run, the core
 * stands still; where none is left to give it, that is reported. */
void ptog_run_signal(struct ptog_eval *e, const struct ptog_code *code);

/* The elements of a view go to another one through a tile, in pieces where the tile is smaller. */
void ptog_run_copy(struct ptog_eval *e, const struct ptog_code *code);

/* A view gets the sum, or the largest or smallest elements, of several. */
void ptog_run_sum(struct ptog_eval *e, const struct ptog_code *code);

#endif
