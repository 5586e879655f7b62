/* lower: what a run keeps of the device underneath it, in the struct that the walk and the run share. The walk sets
 * what it knows of flags; the rest is set by interp/machine.c. */
#ifndef PTOG_LOWER_RUN_STATE_H
#define PTOG_LOWER_RUN_STATE_H

#include <ptog/fifo.h>

#include "asm/tree.h"
#include "core/inside.h"

struct ptog_trial; /* interp/added.h */

/* Where an operation stands, made when it is first run. */
struct ptog_op_place {
    struct ptog_kept_where kept;
    struct ptog_span span, whole; /* of its name; of the operation */
    uint32_t op;                  /* its number */
};

/* The ring of a FIFO between cores that has no global memory. */
struct ptog_fifo_ring {
    void *data; /* NULL: there is none */
    int handle;
};

struct ptog_machine {
    ptog_device *device;
    bool pipes;                    /* the device simulates a machine; else instructions do what they mean, at once */
    ptog_core *core;               /* of the block that runs */
    struct ptog_op_place **places; /* by operation */
    const struct ptog_op *at;      /* the operation that the core knows to be at */
    unsigned char nothing;         /* what a buffer without bytes points to */
    bool uses_cube, uses_vector;   /* the function has instructions of the cube core; of the vector core */
    uint8_t sides;                 /* of enum ptog_side: its sections, and the cores of functions that it calls */
    bool crosses;                  /* it has counters between cores, or waits for all of them */
    bool has_barriers;             /* the function has barriers */
    bool has_messages;             /* it sends or receives some: copies between devices, or signals */
    bool has_signals;              /* it gives signals, or waits for some */
    const struct ptog_function *partner; /* what the other core runs, where a kernel is two functions; NULL: it is one */
    bool whole_tiles, split_tiles; /* FIFOs between the cores that split no tile; that do */
    bool gm_rings;                 /* FIFOs with their ring in global memory */
    struct ptog_span meets;        /* the first operation that one core alone would wait in forever; empty: none */
    bool cube_cores, vector_cores; /* of a linked run: the cores that a block has */
    uint32_t intra_ids;            /* counters that are flags between two cores, as bits; 0: not looked up yet */
    bool linked;                   /* the cores of a block run side by side: interp/streams.h */
    struct ptog_fifo_views *views; /* of FIFOs with entries in global memory; NULL: there are none. lower/ops/fifo.h */
    struct ptog_fifo_ring rings[PTOG_FIFOS]; /* of a run */
    bool has_sync;                 /* the function has flags, barriers or events of its own */
    struct ptog_trial *trial;      /* lines that are not in the text; NULL: none */
    uint8_t used_ids[PTOG_PIPES][PTOG_PIPES];  /* of its flags, as bits; computed ones as far as it has run */
    bool computes_ids[PTOG_PIPES][PTOG_PIPES]; /* between these pipes are flags whose ids are known to a run only */
    struct ptog_watch watch;                   /* of plain devices, for whoever watches gathers */
    const struct ptog_op *running;             /* the instruction that is being done */
    unsigned char *ub;                         /* what the last block left in UB; NULL: it is not wanted */
    uint64_t ub_bytes;
};

#endif
