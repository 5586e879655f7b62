/* interp: the device underneath a run, on every target. Where the target has pipes it is judged for all timings. */
#ifndef PTOG_INTERP_MACHINE_H
#define PTOG_INTERP_MACHINE_H

#include <ptog/core.h>

#include "lower/run_state.h"
#include "lower/values.h"

struct ptog_eval;
struct ptog_execution;
struct ptog_insn_size;
struct ptog_sync_code;
struct ptog_trial;

/* A device with every buffer of the function. */
enum ptog_status ptog_machine_open(struct ptog_eval *e, const struct ptog_execution *execution);
void ptog_machine_close(struct ptog_eval *e);

/* One core of a block. Ending it with `keep` leaves a copy of its UB. */
enum ptog_status ptog_machine_block(struct ptog_eval *e);
void ptog_machine_block_end(struct ptog_eval *e, bool keep);

/* The core's next calls come from an operation. PTOG_OK or PTOG_NO_MEMORY. */
enum ptog_status ptog_machine_stand_at(struct ptog_eval *e, const struct ptog_op *op);

/* What stands before and after an operation, but not in the text: interp/added.h. There is a trial. */
enum ptog_status ptog_machine_before(struct ptog_eval *e, const struct ptog_op *op);
enum ptog_status ptog_machine_after(struct ptog_eval *e, const struct ptog_op *op);

/* One instruction each; the statuses are those of ptog/core.h. */
enum ptog_status ptog_machine_insn(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_insn *insn,
                                   const struct ptog_run *extents, const struct ptog_insn_size *size,
                                   struct ptog_repeat *repeat);
enum ptog_status ptog_machine_scalar(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_base *base,
                                     size_t bytes, void *value, bool store);
enum ptog_status ptog_machine_flag(struct ptog_eval *e, const struct ptog_op *op, enum ptog_pipe src,
                                   enum ptog_pipe dst, int id, bool wait);
enum ptog_status ptog_machine_barrier(struct ptog_eval *e, const struct ptog_op *op, enum ptog_pipe pipe);
enum ptog_status ptog_machine_fence(struct ptog_eval *e, const struct ptog_op *op);

/* A counter between cores, or a wait for all of them. PTOG_BLOCKED: the core stands still. */
enum ptog_status ptog_machine_cross(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_sync_code *sync,
                                    int id);

/* A wait for a signal begins, or a look at one; the calls of core/signal.h come after it. */
enum ptog_status ptog_machine_look(struct ptog_eval *e, const struct ptog_op *op);
enum ptog_status ptog_machine_notify(struct ptog_eval *e, const struct ptog_op *op, int gm, uint64_t offset,
                                     int32_t value, bool adds);

/* A flag of an operation's own, which no repair changes. */
enum ptog_status ptog_machine_own_flag(struct ptog_eval *e, const struct ptog_op *op, enum ptog_pipe src,
                                       enum ptog_pipe dst, int id);

/* dcci of the line at `line`; NULL: of all lines. */
enum ptog_status ptog_machine_dcci(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_base *line);

#endif
