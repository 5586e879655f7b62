/* lower: the operations of the text. Each function checks one operation, or runs it: ptog_eval.running says which. */
#ifndef PTOG_LOWER_OPS_H
#define PTOG_LOWER_OPS_H

#include "lower/eval.h"

void ptog_eval_unknown(struct ptog_eval *e, const struct ptog_op *op);        /* unknown.c: what is not modelled */
void ptog_eval_cube(struct ptog_eval *e, const struct ptog_op *op);           /* cube.c: transfers of the cube core */
void ptog_eval_section(struct ptog_eval *e, const struct ptog_op *op);        /* sides.c: sections */
void ptog_eval_cross(struct ptog_eval *e, const struct ptog_op *op);          /* cross.c: counters between cores */
void ptog_eval_fifo(struct ptog_eval *e, const struct ptog_op *op);           /* fifo.c: the FIFO between the cores */
void ptog_eval_scalar(struct ptog_eval *e, const struct ptog_op *op);         /* scalar.c: arith.* */
void ptog_eval_arith(struct ptog_eval *e, const struct ptog_op *op);          /* arith.c: more of arith.* */
void ptog_eval_conversion(struct ptog_eval *e, const struct ptog_op *op);     /* cast.c: between types of the compiler */
void ptog_eval_block(struct ptog_eval *e, const struct ptog_op *op);          /* scalar.c: get_block_idx, ... */
void ptog_eval_address(struct ptog_eval *e, const struct ptog_op *op);        /* address.c: ptrtoint, inttoptr */
void ptog_eval_memory(struct ptog_eval *e, const struct ptog_op *op);         /* memory.c: addptr, load_scalar, ... */
void ptog_eval_partition(struct ptog_eval *e, const struct ptog_op *op);      /* partition.c */
void ptog_eval_subview(struct ptog_eval *e, const struct ptog_op *op);        /* subview.c */
void ptog_eval_reshape(struct ptog_eval *e, const struct ptog_op *op);        /* reshape.c: treshape, bitcast */
void ptog_eval_get_value(struct ptog_eval *e, const struct ptog_op *op);      /* singles.c: tgetval */
void ptog_eval_print(struct ptog_eval *e, const struct ptog_op *op);          /* print.c: tprint */
void ptog_eval_view(struct ptog_eval *e, const struct ptog_op *op);           /* view.c */
void ptog_eval_tile(struct ptog_eval *e, const struct ptog_op *op);           /* tile.c: alloc_tile, subview, ... */
void ptog_eval_insn(struct ptog_eval *e, const struct ptog_op *op);           /* insn.c: the tile instructions */
void ptog_eval_multi_tile(struct ptog_eval *e, const struct ptog_op *op);     /* multi_tile.c */
void ptog_eval_get_validshape(struct ptog_eval *e, const struct ptog_op *op); /* shapes.c */
void ptog_eval_view_extent(struct ptog_eval *e, const struct ptog_op *op);    /* shapes.c: get_tensor_view_dim, ... */
void ptog_eval_local_array(struct ptog_eval *e, const struct ptog_op *op);    /* local_array.c */
void ptog_eval_comm(struct ptog_eval *e, const struct ptog_op *op);           /* comm.c: messages between devices */
void ptog_eval_cache(struct ptog_eval *e, const struct ptog_op *op);          /* sync.c: cmo.cacheinvalid */
void ptog_eval_sync(struct ptog_eval *e, const struct ptog_op *op);           /* sync.c */
void ptog_eval_for(struct ptog_eval *e, const struct ptog_op *op);            /* flow.c */
void ptog_eval_if(struct ptog_eval *e, const struct ptog_op *op);             /* flow.c */
void ptog_eval_while(struct ptog_eval *e, const struct ptog_op *op);          /* while.c */
void ptog_eval_condition(struct ptog_eval *e, const struct ptog_op *op);      /* while.c: scf.condition */
void ptog_eval_call(struct ptog_eval *e, const struct ptog_op *op);           /* call.c */
void ptog_eval_affine(struct ptog_eval *e, const struct ptog_op *op);         /* affine.c: affine.apply */
void ptog_eval_terminator(struct ptog_eval *e, const struct ptog_op *op);     /* flow.c */

/* sync.c: the ids of flags that the text, or a run, is known to use: a repair takes others. */
#define PTOG_EVENT_NUMBER "an event number from 0 to 7"
void ptog_note_event_id(struct ptog_eval *e, const struct ptog_sync_code *code, int id);

/* unknown.c: a note while checking, and what ends a run. `format` has one %s, for the name. */
__attribute__((format(printf, 3, 0))) void ptog_say_not_modelled(struct ptog_eval *e, struct ptog_span span,
                                                                 const char *format, const char *name);

/* cube.c: whether a transfer or gather is one of the cube core. */
bool ptog_op_is_cube(const struct ptog_eval *e, const struct ptog_op *op);

/* cube.c: whether such an operation is simulated: its tiles are in memories that it connects, and nothing about it is
 * special. */
int ptog_operand_loc(const struct ptog_eval *e, const struct ptog_part *part, uint32_t i); /* enum ptog_loc, or -1 */
bool ptog_cube_is_modelled(const struct ptog_eval *e, const struct ptog_op *op);

/* A copy of a tile of a vector core to L1, which that core executes. */
bool ptog_op_sends_to_l1(const struct ptog_eval *e, const struct ptog_op *op);

/* sides.c: an instruction of either core was checked; the records of an operation, from `first` on, were written, and
 * get the core that carries them out; a function is called, and says which core it is for. */
void ptog_note_core(struct ptog_eval *e, const struct ptog_insn *insn);
void ptog_note_cores(struct ptog_eval *e, const struct ptog_op *op, uint32_t first);
void ptog_note_call(struct ptog_eval *e, const struct ptog_function *callee, struct ptog_code *code);

/* sides.c: the core that a function is for, by its kind: enum ptog_side. */
uint8_t ptog_side_of_function(const struct ptog_function *function);

/* sides.c: after a function for one core, walks the one that the other core of its kernel runs, if there is one: the other
 * end of its FIFOs, or, where it waits for that core, the only function of the file for it. */
void ptog_eval_partner(struct ptog_eval *e, const struct ptog_function *function);

/* sides.c: after a function: what waits for the other core is refused where that has nothing to do. */
void ptog_check_sides(struct ptog_eval *e);

/* sync.c: the pipe that an item names; above PTOG_ALL after an error. */
int ptog_pipe_of_item(struct ptog_eval *e, const struct ptog_item *item);

/* view.c: the numbers of `word = [...]`, at most PTOG_MAX_DIMS. False after an error with the given id. */
bool ptog_read_list(struct ptog_eval *e, const struct ptog_op *op, ptog_symbol word, const char *id,
                    struct ptog_number *numbers, const struct ptog_item **items, uint32_t *count);

/* view.c: these numbers as extents, PTOG_DYN where they are not known; `least` is the smallest that makes sense. False
 * after an error with the given id. */
bool ptog_list_extents(struct ptog_eval *e, const struct ptog_op *op, ptog_symbol word, const char *id, int64_t least,
                       const struct ptog_number *numbers, uint32_t count, int64_t *extents);

/* view.c: the layout of global memory that an attribute names; -1 after an error. */
int ptog_attr_layout(struct ptog_eval *e, const struct ptog_item *item);

/* local_array.c: frees the arrays of a run. */
void ptog_local_arrays_free(struct ptog_eval *e);

/* tile.c: the type as the template of the tile, and the numbers of valid_row and valid_col, which are given exactly
 * where the type has '?'. False after an error. */
bool ptog_read_tile(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type_use *use,
                    struct ptog_made_code *made, struct ptog_number n[PTOG_TILE_CLAUSES]);

/* tile.c: reads the address, if the text has one, and writes the record. False after an error. */
bool ptog_emit_tile(struct ptog_eval *e, const struct ptog_op *op, enum ptog_code_kind kind,
                    struct ptog_made_code *made, struct ptog_number n[PTOG_TILE_CLAUSES]);

/* tile.c: the valid extents that clauses give a tile; where it lies. False after an error. */
bool ptog_set_valid_clauses(struct ptog_eval *e, const struct ptog_made_code *made, int64_t rows, int64_t cols,
                            const struct ptog_number n[PTOG_TILE_CLAUSES], struct ptog_tile *tile);
bool ptog_place_made(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_made_code *made,
                     const struct ptog_number n[PTOG_TILE_CLAUSES], struct ptog_value *value);

/* tile.c: a valid extent of a tile that has `most`; PTOG_DYN when it is not known. False after an error. */
bool ptog_set_valid(struct ptog_eval *e, struct ptog_span span, struct ptog_number number, int64_t most, int64_t *to);

/* memory.c: base + elements * size, in bytes. False after an error, or in a run when it is not known. */
bool ptog_advance_base(struct ptog_eval *e, const struct ptog_op *op, struct ptog_base *base, enum ptog_dtype dtype,
                       struct ptog_number elements);

/* singles.c: describes a tgetval of an element, as a number of type `dtype`. */
struct ptog_text_insn;
void ptog_describe_single(struct ptog_eval *e, const struct ptog_op *op, struct ptog_value *tile,
                          struct ptog_number element, enum ptog_dtype dtype, struct ptog_text_insn *insn);

#endif
