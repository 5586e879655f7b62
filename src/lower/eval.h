/* lower: the evaluator, its state and its walk. One walk serves checking and running, so that a program has one
 * meaning. While checking, numbers may be unknown, loops are walked once and both branches of a condition are; while
 * running, all is known. What the walk meets is in other headers: operations (ops.h, flow.h), their parts (parts.h,
 * text_insn.h), names (scope.h), types (types.h), arguments (bind.h), tiles in UB (place.h), verdicts (judge.h). */
#ifndef PTOG_LOWER_EVAL_H
#define PTOG_LOWER_EVAL_H

#include "auto/room.h"
#include "base/stack.h"
#include "core/legality_cache.h"
#include "diag/list.h"
#include "lower/code.h"
#include "lower/program.h"
#include "lower/run_state.h"
#include "lower/values.h"

struct ptog_bound_memory; /* bind.h */
struct ptog_slot_state;   /* bind.h */
struct ptog_tile_place;   /* place.h */
struct ptog_lowered;      /* lowered.h */
struct ptog_op_faults;    /* judge.h */
struct ptog_fifo;         /* fifo.h */
struct ptog_insn_code;    /* text_insn.h */

#define PTOG_CHUNK 64u /* values are allocated in chunks and do not move */

struct ptog_eval {
    const struct ptog_program *program;
    const struct ptog_tree *tree;
    const struct ptog_target *target;
    struct ptog_diag_list *diags;
    const struct ptog_fifo *fifo;   /* what a check knows of it; NULL: nothing */
    const struct ptog_op *function; /* NULL for bare statements */
    bool running;                   /* else checking */
    bool bound;   /* checking before a run: elided types come from the bindings, and must be complete */
    bool bare;    /* statements without a function: undefined names are slots */
    bool stopped; /* by an error at run time */
    bool hung;    /* the core of this block came to an end of its own: a deadlock */
    bool returned;
    bool no_memory;

    struct ptog_arena names; /* of values, as they are written: "%idx" */
    const char **name_of;    /* by symbol: such a name; NULL: not made yet */
    uint32_t *value_of;      /* by symbol: the value's number, from 1; 0: not defined */
    struct ptog_value **chunks;
    uint32_t chunk_count, value_count;
    size_t chunk_room;
    uint64_t versions;            /* that values have had */
    uint32_t frame;               /* the values from there on, exclusive, are the function's own */
    uint32_t calls;               /* around */
    uint32_t scope;               /* of the function: what it can call */
    uint8_t section, kind;        /* enum ptog_side: of the section around; of the function, where its kind says it */
    const struct ptog_op *ffts_said; /* the function that was last said to set no FFTS address */
    uint8_t on;                   /* of a run: the core that is running, where cores run side by side; else 0 */
    struct ptog_stack activations; /* of a run: the functions that it is in: interp/interp.c */
    bool nobody_moves;            /* all cores that run stand still: none will give a signal any more */
    bool blocked;                 /* it stands still at its last record, and waits for another core */
    bool *called;                 /* by function: it was walked for its places */
    uint32_t depth;               /* conditional regions around */
    struct ptog_stack dirty;      /* uint32_t: values from outside that a conditional region changed */
    struct ptog_stack yields;     /* struct ptog_value */
    struct ptog_number condition; /* what scf.condition said last */

    struct ptog_bound_memory *memories;
    uint32_t memory_count;
    size_t memory_room;
    struct ptog_slot_state *slots;
    uint32_t slot_count;
    size_t slot_room;
    uint32_t *slot_of; /* by symbol: the slot's number, from 1 */
    const struct ptog_binding *bindings;
    size_t binding_count;
    const struct ptog_binding **binding_of; /* by symbol; NULL: nothing is bound */

    struct ptog_tile_place *places;
    uint32_t place_count;
    size_t place_room;
    uint32_t *place_of;           /* by operation, from 1: the place of its first tile */
    struct ptog_stack ranges[PTOG_LOCS]; /* struct ptog_range, by memory: tiles with an address */
    struct ptog_stack misaligned; /* struct ptog_misaligned */
    bool shared;                  /* places that are never alive together have the same bytes */
    uint64_t ub_need;             /* bytes of UB the function uses */
    bool addr_unknown;

    uint32_t now;             /* operations that a check has walked, from 1: the time of alive.h */
    const struct ptog_op *at; /* the one that it is at */
    uint32_t loop_from;       /* when the innermost loop around began; 0: there is none */
    uint32_t again;           /* when a function was last called that had been walked before */
    struct ptog_stack looped; /* uint32_t: places that loops around use, and that were there before */

    struct ptog_code_list *code_of; /* by function: what the check has written, and the run reads */
    struct ptog_code_list *emits;   /* of the function that is walked */
    struct ptog_code lost_code;     /* where a record goes when there is no memory for it */
    bool emitted;                   /* the operation has a record */
    struct ptog_lowered *lowered;   /* of a run: what its code and slots are from; lowered.h */
    struct ptog_lowered *offered;   /* of a trial: that of the run that it is for, which it takes if it serves */
    bool bound_counts;              /* the walk would have gone another way, or said something else, without `bound` */

    struct ptog_legality_cache legality; /* shared with the device */
    struct ptog_insn_code **code; /* of a run, by operation: the instruction as it was last executed; see text_insn.h */
    struct ptog_arena code_memory;
    uint8_t *modes; /* by operation: the mode that mgather has where the text names none, from 1; NULL: all have one */
    bool *said;     /* by operation: the verifier had something to say, and need not say it again in every iteration */

    struct ptog_machine machine;
    const struct ptog_gather_watch *watch; /* NULL: nobody watches */
    int64_t block, blocks;
    uint32_t subblock, subblocks, wanted_subblocks; /* the last: as the execution says, 0 where it does not */
    uint64_t steps, max_steps; /* limits.h */
    uint64_t work, max_work, max_memory;
    uint64_t effort;                      /* of the instructions, in operations: see ptog_insn_effort */
    uint64_t max_cost;                    /* steps and effort of a run that only tries something; 0: any */
    uint64_t copied;                      /* bytes of buffers that are stored to, on a target with pipes */
    uint64_t issued;                      /* instructions of all blocks, flags and barriers too */
    const struct ptog_progress *progress; /* NULL: the caller asked for no reports */
    uint64_t progress_at;                 /* the number of steps at which the caller wants the next report */
    uint32_t *faults_of;                  /* by operation: from 1 */
    struct ptog_op_faults *faults;
    uint32_t fault_count;
    size_t fault_room;
    struct ptog_local_array *arrays;    /* that a run has declared: ops/local_array.c */
    struct ptog_tile_value *last_tiles; /* by symbol, when the value went out of scope; dtype NONE: none. NULL: no tile did */
};

/* ---- eval.c: the walk */

enum ptog_status ptog_eval_open(struct ptog_eval *e, const struct ptog_program *program,
                                const struct ptog_target *target, struct ptog_diag_list *diags);
void ptog_eval_close(struct ptog_eval *e); /* of a run: ptog_run_close */

/* Frees what only the walk needs: values and names. What the code needs stays. */
void ptog_eval_drop_scratch(struct ptog_eval *e);

/* Whether a check comes before a run. What it asks for is noted: another lowering, without a run, would be different.
 */
static inline bool ptog_is_bound(struct ptog_eval *e)
{
    e->bound_counts = true;
    return e->bound;
}

/* Forgets everything about the last function and its memory; slots and places too. */
void ptog_eval_clear(struct ptog_eval *e);

/* Walks a function from its first operation on. */
void ptog_eval_function(struct ptog_eval *e, const struct ptog_function *function);

/* Walks the operations of a function that is called; its names are left to the caller. */
void ptog_eval_body(struct ptog_eval *e, const struct ptog_function *function);

/* Defines the arguments of a function that is not called by another: what comes from outside. */
void ptog_define_outside(struct ptog_eval *e, const struct ptog_region *region);

/* Walks the operations of a region in a scope of their own. */
void ptog_eval_region(struct ptog_eval *e, const struct ptog_region *region);

/* Nothing more is to be walked. */
static inline bool ptog_eval_over(const struct ptog_eval *e)
{
    return e->stopped || e->returned || e->no_memory || e->hung;
}

/* Says what is wrong; a run stops there. False. */
bool ptog_refuse(struct ptog_eval *e, const char *id, struct ptog_span span, const char *message);

#endif
