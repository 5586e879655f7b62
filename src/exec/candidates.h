/* exec: what a gather may be done by, from candidates.def, and measuring it before the first run. */
#ifndef PTOG_EXEC_CANDIDATES_H
#define PTOG_EXEC_CANDIDATES_H

#include "exec/plan.h"

#define PTOG_LONG_RUN ((uint64_t)2 << 20) /* bytes touched from which on a run is long enough to choose */

/* Fills `candidates` of what is ready, whose memory tune.def has been asked about: that first, and more where a run is
 * long enough to choose among them, or `measured`. A set that PTOG_ISA forces is the only one, and
 * so is what a file of PTOG_TUNE says with `choose = 0`. */
void ptog_ready_candidates(struct ptog_ready *ready, const struct ptog_kernel *kernel, const struct ptog_tune *tune,
                           bool measured);

/* The job for one of them. */
struct ptog_job ptog_candidate_job(const struct ptog_ready *ready, int candidate);

/* Measures the candidates of a plan whose extents are all known on memory of its own, and puts the fastest first.
 * Without that memory the first stays the first. */
void ptog_plan_measure(ptog_plan *plan, const struct ptog_stopwatch *clock);

#endif
