/* program: the device underneath a run, on every target. Where the target has pipes it is judged for all timings. */
#ifndef PTOG_PROGRAM_MACHINE_H
#define PTOG_PROGRAM_MACHINE_H

#include <ptog/core.h>

#include "asm/tree.h"
#include "core/inside.h"
#include "program/values.h"

struct ptog_eval;
struct ptog_execution;
struct ptog_insn_size;
struct ptog_trial;

/* Where an operation stands, made when it is first run. */
struct ptog_op_place {
    struct ptog_kept_where kept;
    struct ptog_span span, whole; /* of its name; of the operation */
    uint32_t op;                  /* its number */
};

struct ptog_machine {
    ptog_device *device;
    bool pipes;                    /* the device simulates a machine; else instructions do what they mean, at once */
    ptog_core *core;               /* of the block that runs */
    struct ptog_op_place **places; /* by operation */
    const struct ptog_op *at;      /* the operation that the core knows to be at */
    unsigned char nothing;         /* what a buffer without bytes points to */
    bool has_sync;                 /* the function has flags, barriers or events of its own */
    struct ptog_trial *trial;      /* lines that are not in the text; NULL: none */
    uint8_t used_ids[PTOG_PIPES][PTOG_PIPES];  /* of its flags, as bits; computed ones as far as it has run */
    bool computes_ids[PTOG_PIPES][PTOG_PIPES]; /* between these pipes are flags whose ids are known to a run only */
    struct ptog_watch watch;                   /* of plain devices, for whoever watches gathers */
    const struct ptog_op *running;             /* the instruction that is being done */
    unsigned char *ub;                         /* what the last block left in UB; NULL: it is not wanted */
    uint64_t ub_bytes;
};

/* A device with every buffer of the function. */
enum ptog_status ptog_machine_open(struct ptog_eval *e, const struct ptog_execution *execution);
void ptog_machine_close(struct ptog_eval *e);

/* One block. Ending it with `keep` leaves a copy of its UB. */
enum ptog_status ptog_machine_block(struct ptog_eval *e);
void ptog_machine_block_end(struct ptog_eval *e, bool keep);

/* What stands before and after an operation, but not in the text: program/added.h. There is a trial. */
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

#endif
