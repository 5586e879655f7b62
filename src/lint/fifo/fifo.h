/* lint: the FIFO between the cube core and the vector core, as far as a text tells without a run. A pipe is set up
 * in two functions, one for each core: what one pushes the other pops, and the slots lie in a buffer that the one that
 * pops reserves and the other imports by name. So what is right in one line depends on lines elsewhere; they are all
 * read here, once per check, and the rows of spec/lint_fifo.def look it up. */
#ifndef PTOG_LINT_FIFO_FIFO_H
#define PTOG_LINT_FIFO_FIFO_H

#include "lint/fifo/quant.h"
#include "lint/lint.h"

#define PTOG_FIFO_NONE UINT32_MAX /* no pipe, no function */

/* An operation of the FIFO. */
struct ptog_fifo_use {
    const struct ptog_op *op;
    uint32_t function;        /* of the program */
    uint32_t order, last;     /* in the order of the text; the last one of the region that it stands in */
    uint32_t block;           /* the statements between two labels or braces have one number */
    uint32_t pipe;            /* that it sets up, or that its id or operand names; PTOG_FIFO_NONE */
    enum ptog_core_kind core; /* of the section or function around */
    bool helper;              /* in a function that may stand for either core */
    bool configured;          /* a push: a set_quant_... for its pipe stands before it in the same block */
    bool twice;               /* what names it is given a second time in its function */
    uint32_t peer;            /* an import: the one function that it can mean; PTOG_FIFO_NONE */
    bool peer_reserves;       /* it reserves a buffer of that name */
    /* where the operands come from that name a buffer or a pipe; NULL: not from an operation */
    const struct ptog_op *from[2];
};

/* A buffer of slots: who reserves it, and its name; the function is PTOG_FIFO_NONE when that cannot be told. */
struct ptog_fifo_end {
    uint32_t function;
    ptog_symbol name;
    bool imported;
};

/* How many of its pushes, pops, ... split a tile between the two vector cores. */
enum ptog_fifo_splits { PTOG_SPLITS_NOT = 1, PTOG_SPLITS = 2 };

struct ptog_fifo_pipe {
    uint32_t use;
    uint32_t function;
    bool by_id;                /* aic_initialize_pipe, aiv_initialize_pipe; else a value names it */
    bool clear;                /* its operands can be told apart */
    bool mixes;                /* the one before it in the function is set up for the other core */
    bool gm, tensor, c2v, v2c; /* what it has: a pointer or a view of global memory, buffers on the chip */
    int64_t id, direction, slot_size, slots, local_slots, flags; /* PTOG_DYN: not written */
    int nosplit;                                                 /* 0 or 1; -1: not written */
    struct ptog_fifo_end ends[2];                                /* of direction 1, cube to vector, and 2 */
    struct ptog_epilogue epilogue;
    uint32_t splits; /* of enum ptog_fifo_splits */
    uint32_t pop;    /* the first one of cube to vector; PTOG_FIFO_NONE */
    bool pops_differ;
    /* The pipes that name one buffer, or one id of global memory, are one pipe. Of the first of them: */
    uint32_t group;       /* its own number; of the others the number of the first */
    uint32_t group_count; /* how many there are, */
    uint32_t group_splits;
    bool judged; /* they are compared with each other: some compilers do not compare those of parts of programs */
    bool shapes_differ, nosplits_differ, flags_differ, flags_clash, flags_over;
    uint32_t peer; /* of each of two: the other one; PTOG_FIFO_NONE */
};

struct ptog_fifo {
    const struct ptog_program *program;
    struct ptog_fifo_use *uses;
    size_t use_count, use_room;
    uint32_t *use_of; /* by operation, from 1 */
    struct ptog_fifo_pipe *pipes;
    size_t pipe_count, pipe_room;
    bool *calls, *labels; /* by function of the program: it calls others, it jumps */
};

/* What is known of an operation; NULL: nothing, as it stands in no function. `fifo` may be NULL. */
const struct ptog_fifo_use *ptog_fifo_use_of(const struct ptog_fifo *fifo, const struct ptog_op *op);

/* The pipe of an operation; NULL: none is known. */
const struct ptog_fifo_pipe *ptog_fifo_pipe_of(const struct ptog_fifo *fifo, const struct ptog_op *op);

/* The number of an attribute; PTOG_DYN when it is not there or no number that is not negative. */
int64_t ptog_fifo_number(const struct ptog_tree *tree, const struct ptog_op *op, const char *key);

/* The number of the operand that `key =` stands before, or that is in that place; PTOG_FIFO_NONE: there is none. */
uint32_t ptog_fifo_operand(const struct ptog_tree *tree, const struct ptog_op *op, const char *key, uint32_t place);

/* ---- the steps of reading, in this order; false when out of memory */

bool ptog_fifo_read_uses(struct ptog_fifo *fifo);   /* fifo_uses.c */
bool ptog_fifo_read_pipes(struct ptog_fifo *fifo);  /* fifo_pipes.c: pipes, and which of them each use is for */
bool ptog_fifo_read_names(struct ptog_fifo *fifo);  /* fifo_names.c: functions and buffers that others name */
bool ptog_fifo_read_groups(struct ptog_fifo *fifo); /* fifo_groups.c: which pipes are two ends of one */

#endif
