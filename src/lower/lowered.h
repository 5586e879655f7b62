/* lower: a function that was lowered: its code, what has to be bound, where its tiles lie, and what the walk said. It
 * never changes, so every run, trial and check of the function takes the same one; a run copies what it changes. */
#ifndef PTOG_LOWER_LOWERED_H
#define PTOG_LOWER_LOWERED_H

#include "lower/eval.h"

/* How many of a function are kept, and of how many functions at most. */
#define PTOG_MAX_LOWERED 8u
#define PTOG_MAX_LOWERED_FUNCTIONS 8u

/* What a binding had to say about the type of a slot. */
struct ptog_binding_type {
    bool is_bound, is_number;
    enum ptog_dtype dtype;
    int rank;
    int64_t shape[5];
    uint64_t bytes;
};

struct ptog_lowered {
    struct ptog_lowered *next; /* of the same program */
    const struct ptog_function *function;
    struct ptog_eval e;                /* after the walk */
    struct ptog_fifo *fifo;            /* of a text that has FIFOs between the cores */
    struct ptog_diag_list diags;       /* of the walk, then of the placement of tiles */
    uint32_t walk_count;               /* of those of the walk */
    size_t walk_errors, walk_refusals; /* among them */
    struct ptog_binding_type *types;   /* by slot: what it was lowered with */
    bool is_kept;                      /* the program has it; else whoever made it */
    uint32_t sharers;                  /* of one that is not kept: runs of the same call that use it, too */
};

/* The function as it is for that target and with what the execution binds, lowered now or before; `execution` is NULL
 * for a check. NULL when out of memory. The program keeps a few of them; ptog_lowered_release frees one that it does
 * not keep. If it is lowered now, `legality`, unless it is NULL, gets the instructions that were found legal. */
struct ptog_lowered *ptog_lowered_get(const struct ptog_program *program, const struct ptog_function *function,
                                      const struct ptog_target *target, const struct ptog_execution *execution,
                                      struct ptog_legality_cache *legality);
void ptog_lowered_release(struct ptog_lowered *lowered);

/* Lends a lowering to another run of the same call, if it serves that execution; else NULL. Each of them releases
 * it. */
struct ptog_lowered *ptog_lowered_share(struct ptog_lowered *lowered, const struct ptog_target *target,
                                        const struct ptog_execution *execution);

/* Frees all that a program keeps. */
void ptog_lowered_free_all(struct ptog_program *program);

/* Gives a run what was lowered: code and counts as they are, copies of slots, memories and places with what is bound in
 * `e`. False when out of memory. `e` has the bindings, and releases `lowered` when it is closed. */
bool ptog_lowered_take(struct ptog_eval *e, struct ptog_lowered *lowered);

/* Adds to `diags` what the walk, or after it the placement of tiles, had to say. */
void ptog_lowered_say_walk(const struct ptog_lowered *lowered, struct ptog_diag_list *diags);
void ptog_lowered_say_places(const struct ptog_lowered *lowered, struct ptog_diag_list *diags);

#endif
