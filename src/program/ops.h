/* program: the operations of the text. Each function checks one operation, or runs it: ptog_eval.running says which. */
#ifndef PTOG_PROGRAM_OPS_H
#define PTOG_PROGRAM_OPS_H

#include "program/eval.h"

/* A flag or a barrier, as the check has read it. */
struct ptog_sync_code {
    enum { PTOG_SYNC_CODE_NONE = 0, PTOG_SYNC_CODE_SET, PTOG_SYNC_CODE_WAIT, PTOG_SYNC_CODE_BARRIER } kind;
    uint8_t from, to; /* enum ptog_pipe; of a barrier `from` */
    int8_t id;
    const struct ptog_item *computed; /* the id, where the run alone knows it; NULL: `id` */
};

void ptog_eval_unknown(struct ptog_eval *e, const struct ptog_op *op); /* eval_unknown.c: what is not modelled */
void ptog_eval_cube(struct ptog_eval *e, const struct ptog_op *op);    /* eval_cube.c: transfers of the cube core */
void ptog_eval_cube_section(struct ptog_eval *e, const struct ptog_op *op); /* eval_cube.c */
void ptog_eval_scalar(struct ptog_eval *e, const struct ptog_op *op);       /* eval_scalar.c: arith.* */
void ptog_eval_arith(struct ptog_eval *e, const struct ptog_op *op);        /* eval_arith.c: more of arith.* */
void ptog_eval_block(struct ptog_eval *e, const struct ptog_op *op);        /* eval_scalar.c: get_block_idx, ... */
void ptog_eval_memory(struct ptog_eval *e, const struct ptog_op *op);     /* eval_memory.c: addptr, load_scalar, ... */
void ptog_eval_partition(struct ptog_eval *e, const struct ptog_op *op);  /* eval_partition.c */
void ptog_eval_subview(struct ptog_eval *e, const struct ptog_op *op);    /* eval_subview.c */
void ptog_eval_reshape(struct ptog_eval *e, const struct ptog_op *op);    /* eval_reshape.c: treshape, bitcast */
void ptog_eval_get_value(struct ptog_eval *e, const struct ptog_op *op);  /* eval_singles.c: tgetval */
void ptog_eval_print(struct ptog_eval *e, const struct ptog_op *op);      /* eval_print.c: tprint */
void ptog_eval_view(struct ptog_eval *e, const struct ptog_op *op);       /* eval_view.c */
void ptog_eval_tile(struct ptog_eval *e, const struct ptog_op *op);       /* eval_tile.c: alloc_tile, subview, ... */
void ptog_eval_insn(struct ptog_eval *e, const struct ptog_op *op);       /* eval_insn.c: the tile instructions */
void ptog_eval_sync(struct ptog_eval *e, const struct ptog_op *op);       /* eval_sync.c */
void ptog_eval_for(struct ptog_eval *e, const struct ptog_op *op);        /* eval_flow.c */
void ptog_eval_if(struct ptog_eval *e, const struct ptog_op *op);         /* eval_flow.c */
void ptog_eval_while(struct ptog_eval *e, const struct ptog_op *op);      /* eval_while.c */
void ptog_eval_condition(struct ptog_eval *e, const struct ptog_op *op);  /* eval_while.c: scf.condition */
void ptog_eval_call(struct ptog_eval *e, const struct ptog_op *op);       /* eval_call.c */
void ptog_eval_affine(struct ptog_eval *e, const struct ptog_op *op);     /* eval_affine.c: affine.apply */
void ptog_eval_terminator(struct ptog_eval *e, const struct ptog_op *op); /* eval_flow.c */

/* eval_unknown.c: a note while checking, and what ends a run. `format` has one %s, for the name. */
__attribute__((format(printf, 3, 0))) void ptog_say_not_modelled(struct ptog_eval *e, struct ptog_span span,
                                                                 const char *format, const char *name);

/* eval_cube.c: whether a transfer or gather is one of the cube core. */
bool ptog_op_is_cube(const struct ptog_eval *e, const struct ptog_op *op);

/* eval_view.c: the numbers of `word = [...]`, PTOG_DYN where they are not known; `least` is the smallest that makes
 * sense. False after an error with the given id. */
#define PTOG_MOST_DIMS 5u
bool ptog_view_numbers(struct ptog_eval *e, const struct ptog_op *op, ptog_symbol word, const char *id, int64_t least,
                       int64_t *numbers, uint32_t *count);

/* eval_view.c: the layout of global memory that an attribute names; -1 after an error. */
int ptog_attr_layout(struct ptog_eval *e, const struct ptog_item *item);

/* eval_tile.c: a valid extent of a tile that has `most`; PTOG_DYN when it is not known. False after an error. */
bool ptog_set_valid(struct ptog_eval *e, struct ptog_span span, struct ptog_number number, int64_t most, int64_t *to);

#endif
