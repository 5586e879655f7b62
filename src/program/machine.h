/* program: the device underneath a run, on every target. Where the target has pipes it is judged for all timings. */
#ifndef PTOG_PROGRAM_MACHINE_H
#define PTOG_PROGRAM_MACHINE_H

#include <ptog/core.h>

#include "asm/tree.h"
#include "core/inside.h"
#include "program/values.h"

struct ptog_eval;
struct ptog_execution;
struct ptog_function;
struct ptog_trial;

/* Where an operation stands, made when it is first run. */
struct ptog_op_place {
    struct ptog_where where;
    struct ptog_span span, whole; /* of its name; of the operation */
    uint32_t op;                  /* its number */
};

struct ptog_machine {
    ptog_device *device;
    bool pipes;                    /* the device simulates a machine; else instructions do what they mean, at once */
    ptog_core *core;               /* of the block that runs */
    struct ptog_op_place **places; /* by operation */
    const struct ptog_op *at;      /* the operation that the core knows to be at */
    ptog_diags *diags;             /* the device's report: findings point into it */
    unsigned char nothing;         /* what a buffer without bytes points to */
    unsigned char **before;        /* by memory: its bytes before the run, where the program stores to it; NULL: none */
    bool has_sync;                 /* the function has flags, barriers or events of its own */
    struct ptog_trial *trial;      /* what completes it; NULL: nothing does */
    uint8_t used_ids[PTOG_PIPES][PTOG_PIPES]; /* of its flags, as bits */
    struct ptog_watch watch;                  /* of plain devices, for whoever watches gathers */
    const struct ptog_op *running;            /* the instruction that is being done */
    unsigned char *ub;                        /* what the last block left in UB; NULL: it is not wanted */
    uint64_t ub_bytes;
};

/* A device with every buffer of the function. */
enum ptog_status ptog_machine_open(struct ptog_eval *e, const struct ptog_execution *execution);
void ptog_machine_close(struct ptog_eval *e);

/* One block. Ending it with `keep` leaves a copy of its UB. */
enum ptog_status ptog_machine_block(struct ptog_eval *e);
void ptog_machine_block_end(struct ptog_eval *e, bool keep);

/* What went wrong, as findings. */
void ptog_machine_report(struct ptog_eval *e, const struct ptog_execution *execution,
                         const struct ptog_function *function);

/* Before the run: keeps what a second one will need. After it: of each race, which bytes are different when one of the
 * two instructions is late. */
void ptog_witness_keep(struct ptog_eval *e);
void ptog_witness_show(struct ptog_eval *e, const struct ptog_execution *execution);

/* One instruction each; the statuses are those of ptog/core.h. */
enum ptog_status ptog_machine_insn(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_insn *insn,
                                   const struct ptog_run *extents);
enum ptog_status ptog_machine_scalar(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_base *base,
                                     size_t bytes, void *value, bool store);
enum ptog_status ptog_machine_flag(struct ptog_eval *e, const struct ptog_op *op, enum ptog_pipe src,
                                   enum ptog_pipe dst, int id, bool wait);
enum ptog_status ptog_machine_barrier(struct ptog_eval *e, const struct ptog_op *op, enum ptog_pipe pipe);

#endif
