/* program: the machine underneath a run on a target with pipes. On the others there is no device, and nothing of this
 * is called but ptog_machine_open and ptog_machine_close. */
#ifndef PTOG_PROGRAM_MACHINE_H
#define PTOG_PROGRAM_MACHINE_H

#include <ptog/core.h>

#include "asm/tree.h"
#include "program/values.h"

struct ptog_eval;
struct ptog_execution;
struct ptog_trial;

/* Where an operation stands, made when it is first run. */
struct ptog_op_place {
    struct ptog_where where;
    struct ptog_span span, whole; /* of its name; of the operation */
    uint32_t op;                  /* its number */
};

struct ptog_machine {
    ptog_device *device;                       /* NULL: the plain core does the work */
    ptog_core *core;                           /* of the block that runs */
    struct ptog_op_place **places;             /* by operation */
    const struct ptog_op *at;                  /* the operation that the core knows to be at */
    unsigned char nothing;                     /* what a buffer without bytes points to */
    bool has_sync;                             /* the function has flags, barriers or events of its own */
    struct ptog_trial *trial;                  /* lines that are not in the text; NULL: none */
    uint8_t used_ids[PTOG_PIPES][PTOG_PIPES];  /* of its flags, as bits; computed ones as far as it has run */
    bool computes_ids[PTOG_PIPES][PTOG_PIPES]; /* between these pipes are flags whose ids are known to a run only */
};

/* A device with every buffer of the function, when the target has pipes. */
enum ptog_status ptog_machine_open(struct ptog_eval *e, const struct ptog_execution *execution);
void ptog_machine_close(struct ptog_eval *e);

/* One block. Ending it with `keep` leaves a copy of its UB in e->core. */
enum ptog_status ptog_machine_block(struct ptog_eval *e);
void ptog_machine_block_end(struct ptog_eval *e, bool keep);

/* What stands before and after an operation, but not in the text: program/added.h. There is a trial. */
enum ptog_status ptog_machine_before(struct ptog_eval *e, const struct ptog_op *op);
enum ptog_status ptog_machine_after(struct ptog_eval *e, const struct ptog_op *op);

/* One instruction each; the statuses are those of ptog/core.h. */
enum ptog_status ptog_machine_transfer(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_transfer *x,
                                       const struct ptog_base *base);
/* `open`: the valid extents of dst are known only to the run, which chooses another way for a single element. */
enum ptog_status ptog_machine_mgather(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_mgather *m,
                                      const struct ptog_base *base, bool open);
/* `k` is NULL unless one scalar is compared with. */
enum ptog_status ptog_machine_tgather(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_tgather *t,
                                      const void *k);
enum ptog_status ptog_machine_scalar(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_base *base,
                                     size_t bytes, void *value, bool store);
enum ptog_status ptog_machine_flag(struct ptog_eval *e, const struct ptog_op *op, enum ptog_pipe src,
                                   enum ptog_pipe dst, int id, bool wait);
enum ptog_status ptog_machine_barrier(struct ptog_eval *e, const struct ptog_op *op, enum ptog_pipe pipe);

#endif
