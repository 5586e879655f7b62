/* lower: how long tiles live. A check walks a function in the order in which it runs, loops once and both branches
 * one after the other, and counts its operations: that is the time here. A tile without an address lives from its first
 * to its last use, through any part of it:
 *
 *   %a = alloc_tile          born
 *   tload .. outs(%a)        first  |
 *   scf.for {                       | used in a loop, and born before it: alive as long as the loop runs, because the
 *     tadd ins(%a, ..)              | next turn may want what this one left
 *   }                        last   |
 *
 * A tile that is born in a loop is a new one in every turn, and one of a function that is called is new in every call.
 * What comes from outside, or goes on under another name (iter_args, yield, select, return), is always alive. */
#ifndef PTOG_LOWER_ALIVE_H
#define PTOG_LOWER_ALIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/tree.h"

struct ptog_eval;
struct ptog_value;

struct ptog_life {
    uint32_t born, first, last; /* last is 0 as long as nothing has used it */
    bool always;
    bool local;                  /* of a function that was called */
    const struct ptog_op *begin; /* the operation at `first` */
};

/* A place is made now; `always`: it is alive all the time. */
struct ptog_life ptog_life_begin(const struct ptog_eval *e, bool always);

/* The place, by its number from 1, is used now. */
void ptog_life_use(struct ptog_eval *e, uint32_t place);

/* The tile goes on under another name: its place is needed, and from now on always alive. */
void ptog_life_lend(struct ptog_eval *e, struct ptog_value *value);

/* An instruction is checked: a destination that is new may have the bytes of an input of which this is the last use,
 * where the instruction works in place. */
struct ptog_text_insn;
void ptog_life_inherit(struct ptog_eval *e, const struct ptog_text_insn *insn);

/* A loop that is checked: what stands before it, and what has to be said when it ends. */
struct ptog_loop_life {
    uint32_t from, around;
    size_t used;
    const struct ptog_op *op;
};
struct ptog_loop_life ptog_life_loop(struct ptog_eval *e, const struct ptog_op *op);
void ptog_life_loop_end(struct ptog_eval *e, const struct ptog_loop_life *loop);

/* A function is called that was walked before: its tiles are alive here, too. */
void ptog_life_again(struct ptog_eval *e);

/* When all of it is walked: [first, last] of a place that something uses. */
void ptog_life_span(const struct ptog_eval *e, const struct ptog_life *life, uint32_t *first, uint32_t *last);

#endif
