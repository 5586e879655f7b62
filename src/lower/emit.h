/* lower: the code that the check walk writes as it goes: lower/code.h. */
#ifndef PTOG_LOWER_EMIT_H
#define PTOG_LOWER_EMIT_H

#include "lower/code.h"
#include "lower/eval.h"

/* Appends a record to the function that is walked. Never NULL: out of memory, it is one that nobody reads, and
 * `no_memory` is set. The operation has a record of its own then, and needs no PTOG_CODE_OP. */
struct ptog_code *ptog_emit(struct ptog_eval *e, enum ptog_code_kind kind, const struct ptog_op *op);

/* The number that the next record will have. */
uint32_t ptog_emit_next(const struct ptog_eval *e);

/* A record that was appended before. */
struct ptog_code *ptog_emitted(struct ptog_eval *e, uint32_t number);

/* What a record reads for an item that the walk has used: its slot, or its number. */
struct ptog_code_arg ptog_code_arg_of(const struct ptog_eval *e, const struct ptog_item *item);

/* Sets the arguments of a record from items. */
void ptog_emit_args(struct ptog_eval *e, struct ptog_code *code, const struct ptog_item *items, uint32_t count);

/* Gives a record its arguments: `first`, then the others. */
void ptog_emit_args_after(struct ptog_eval *e, struct ptog_code *code, const struct ptog_item *first,
                          const struct ptog_item *items, uint32_t count);

/* Gives a record arguments that are made already. */
void ptog_emit_given_args(struct ptog_eval *e, struct ptog_code *code, const struct ptog_code_arg *args,
                          uint32_t count);

/* Appends a record of an operation that makes or changes a value, with a copy of what the text fixes and these
 * arguments. */
void ptog_emit_made(struct ptog_eval *e, enum ptog_code_kind kind, const struct ptog_op *op,
                    const struct ptog_made_code *made, const struct ptog_code_arg *args, uint32_t count);

/* The slots of the frame that are taken now. */
static inline uint32_t ptog_frame_used(const struct ptog_eval *e)
{
    return e->value_count - e->frame;
}

#endif
