/* program: the evaluator. One walk serves checking and running, so that a program has one meaning. While checking,
 * numbers may be unknown, loops are walked once and both branches of a condition are; while running, all is known. */
#ifndef PTOG_PROGRAM_EVAL_H
#define PTOG_PROGRAM_EVAL_H

#include "auto/room.h"
#include "base/stack.h"
#include "core/verdicts.h"
#include "program/found.h"
#include "program/machine.h"
#include "program/program.h"
#include "program/values.h"

/* A buffer of global memory. */
struct ptog_bound_memory {
    unsigned char *data;
    uint64_t bytes;
    uint32_t slot;
    int handle; /* of the machine */
};

/* What a function takes from outside: an argument, or a free operand of a snippet. */
struct ptog_slot_state {
    ptog_symbol name;
    enum ptog_slot_kind kind;
    struct ptog_value value; /* as it is when the function starts */
    const struct ptog_binding *binding;
    struct ptog_span span;
    bool written, read; /* a tile that is written before it is read needs no binding */
};

/* A tile without an address of its own. */
struct ptog_tile_place {
    uint32_t op;   /* the operation that makes the tile */
    uint8_t which; /* of its results, from 1 */
    bool needed;   /* something reads or writes it */
    uint64_t bytes, addr;
    ptog_symbol name;
    struct ptog_span span;
};

/* What happened to the lanes of one operation, over all iterations and blocks. */
struct ptog_op_faults {
    const struct ptog_op *op;
    struct ptog_fault fault;
};

#define PTOG_CHUNK 64u /* values are allocated in chunks and do not move */

struct ptog_eval {
    const struct ptog_program *program;
    const struct ptog_tree *tree;
    const struct ptog_target *target;
    struct ptog_finds *finds;
    const struct ptog_op *function; /* NULL for bare statements */
    bool running;                   /* else checking */
    bool bound;   /* checking before a run: elided types come from the bindings, and must be complete */
    bool bare;    /* statements without a function: undefined names are slots */
    bool stopped; /* by an error at run time */
    bool hung;    /* the core of this block came to an end of its own: a deadlock */
    bool returned;
    bool no_memory;

    uint32_t *value_of; /* by symbol: the value's number, from 1; 0: not defined */
    struct ptog_value **chunks;
    uint32_t chunk_count, value_count;
    size_t chunk_room;
    uint32_t frame;               /* the values from there on, exclusive, are the function's own */
    uint32_t calls;               /* around */
    uint32_t scope;               /* of the function: what it can call */
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
    uint32_t *place_of;       /* by operation, from 1: the place of its first tile */
    struct ptog_stack ranges; /* struct ptog_range: tiles with an address */
    uint64_t ub_need;         /* bytes of UB the function uses */
    bool addr_unknown;

    struct ptog_verdicts verdicts; /* shared with the device */
    bool *said; /* by operation: the verifier had something to say, and need not say it again in every iteration */

    struct ptog_machine machine;
    const struct ptog_gather_watch *watch; /* NULL: nobody watches */
    int64_t block, blocks;
    uint64_t steps, max_steps;
    const struct ptog_progress *progress; /* NULL: nobody wants to know */
    uint64_t told_at;                     /* the number of steps at which it wants to be told */
    uint32_t *faults_of;                  /* by operation: from 1 */
    struct ptog_op_faults *faults;
    uint32_t fault_count;
    size_t fault_room;
    struct ptog_tile *last_tiles; /* by symbol, when the value went out of scope; dtype NONE: none */
};

/* ---- eval.c: the walk */

enum ptog_status ptog_eval_open(struct ptog_eval *e, const struct ptog_program *program,
                                const struct ptog_target *target, struct ptog_finds *finds);
void ptog_eval_close(struct ptog_eval *e);

/* Forgets everything about the last function and its memory; slots and places too. */
void ptog_eval_clear(struct ptog_eval *e);

/* Walks a function from its first operation on. */
void ptog_eval_function(struct ptog_eval *e, const struct ptog_function *function);

/* Says that the run has used up its steps, and ends it. The finding is NULL when it was not kept. */
struct ptog_found *ptog_eval_exhausted(struct ptog_eval *e, struct ptog_span span);

/* Walks the operations of a function's region; its names are left to the caller. */
void ptog_eval_body(struct ptog_eval *e, const struct ptog_region *region);

/* Walks the operations of a region in a scope of their own. */
void ptog_eval_region(struct ptog_eval *e, const struct ptog_region *region);

/* Nothing more is to be walked. */
static inline bool ptog_eval_over(const struct ptog_eval *e)
{
    return e->stopped || e->returned || e->no_memory || e->hung;
}

/* ---- scope.c: names */

struct ptog_value *ptog_value_at(const struct ptog_eval *e, uint32_t number);

/* A new value under a name; an error when the name is taken. NULL when out of memory. `name` may be 0. */
struct ptog_value *ptog_define(struct ptog_eval *e, ptog_symbol name, struct ptog_span span);

/* Defines result i of an operation, a copy of `value`. */
void ptog_define_result(struct ptog_eval *e, const struct ptog_op *op, uint32_t i, const struct ptog_value *value);

/* All results of an operation as values that fit everywhere, as far as their types do not say more. */
void ptog_define_any(struct ptog_eval *e, const struct ptog_op *op);

/* Forgets the values from number `from` (exclusive) on. */
void ptog_scope_leave(struct ptog_eval *e, uint32_t from);

/* The value of an operand; NULL after an error. `use` is its type where it is used, and may be NULL; it is compared
 * with the definition's. A free name of bare statements becomes a slot of the kind wanted. */
struct ptog_value *ptog_use(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                            enum ptog_value_kind want);

/* The same with an error unless it is of that kind; NULL also when nothing can be said about it (PTOG_VALUE_ANY). */
struct ptog_value *ptog_use_as(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                               enum ptog_value_kind want);

/* A number, from a value or a literal. False after an error, or when nothing is known about it. */
bool ptog_use_number(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use,
                     struct ptog_number *number);

/* ---- types.c: types of the text as types of the model */

struct ptog_scalar {
    uint8_t width; /* 0: not an integer */
    bool real;
    enum ptog_dtype dtype; /* NONE for index, i1, f64, ... */
};
struct ptog_scalar ptog_scalar_of(const struct ptog_tree *tree, const struct ptog_type *type);

/* Two spellings of one type; what is elided fits everything. */
bool ptog_types_agree(const struct ptog_type *a, const struct ptog_type *b);

/* Fill `value` as its type says; false after an error. Placeholders stay open. */
bool ptog_tile_from_type(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_value *value);
bool ptog_view_from_type(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_value *value);
bool ptog_memref_layout(struct ptog_eval *e, const struct ptog_type_use *use,
                        struct ptog_view_value *view); /* memref.c */

/* Any type; PTOG_VALUE_ANY when it is unknown. False after an error. */
bool ptog_value_from_type(struct ptog_eval *e, const struct ptog_type_use *use, struct ptog_value *value);

bool ptog_type_is_view(const struct ptog_type *type);
bool ptog_type_is_tile(const struct ptog_type *type);

const char *ptog_value_kind_name(enum ptog_value_kind kind);

/* ---- bind.c: slots */

/* The slot of a free name or an argument, made when it is new; NULL after an error. */
struct ptog_slot_state *ptog_slot_of(struct ptog_eval *e, ptog_symbol name, struct ptog_span span,
                                     const struct ptog_type_use *use, enum ptog_value_kind want);

/* What is bound, before a walk that makes slots. False when out of memory. */
bool ptog_bind_names(struct ptog_eval *e, const struct ptog_binding *bindings, size_t count);

/* Reports the slots that have no binding, and bindings that have no slot. */
void ptog_bind_check(struct ptog_eval *e);

/* From now on numbers are known. */
void ptog_bind_numbers(struct ptog_eval *e);

/* What inference found out about a slot's type holds from the start. */
void ptog_slot_settle(struct ptog_eval *e, const struct ptog_value *value);

/* bind_shape.c: dtype and extents of a binding as those of the value; false after an error. */
bool ptog_bind_view(struct ptog_eval *e, const struct ptog_slot_state *slot, struct ptog_value *value);
bool ptog_bind_tile(struct ptog_eval *e, const struct ptog_slot_state *slot, struct ptog_value *value);
bool ptog_bind_dtype(struct ptog_eval *e, const struct ptog_slot_state *slot, enum ptog_dtype *dtype);

/* Writes the bound tiles into UB. */
void ptog_bind_tiles(struct ptog_eval *e);

void ptog_mark_read(struct ptog_eval *e, const struct ptog_value *value);
void ptog_mark_written(struct ptog_eval *e, const struct ptog_value *value);

/* ---- place.c: tiles in UB */

/* Gives a tile that an operation makes its place. */
void ptog_place_new(struct ptog_eval *e, const struct ptog_op *op, uint8_t which, struct ptog_value *value);

/* The tile will be read or written: it needs its place. */
void ptog_place_use(struct ptog_eval *e, struct ptog_value *value);

/* Gives a tile an address of the text. False after an error. */
bool ptog_place_at(struct ptog_eval *e, struct ptog_value *value, struct ptog_number addr, struct ptog_span span);

/* Checks an address that is known: alignment and capacity. */
bool ptog_place_check(struct ptog_eval *e, const struct ptog_value *value, struct ptog_span span);

/* ub-misaligned-tile, once per place. It does not refuse: the machine shows what becomes of such a tile. */
void ptog_say_misaligned(struct ptog_eval *e, struct ptog_span span, const char *message);

/* Puts places in the order of the text. Values that know their place by its number no longer find it. */
void ptog_places_sort(struct ptog_tile_place *places, uint32_t count);

/* The place of tile `which`, from 1, of an operation; NULL when there is none. Sorted places are found by halving. */
struct ptog_tile_place *ptog_place_find(struct ptog_tile_place *places, uint32_t count, uint32_t op, unsigned which);

/* Places what needs a place; after the function was walked. */
void ptog_place_all(struct ptog_eval *e);

uint64_t ptog_ub_limit(const struct ptog_target *target);

/* ---- the operations: each checks, or runs, one */

void ptog_eval_unknown(struct ptog_eval *e, const struct ptog_op *op); /* eval_unknown.c: what is not modelled */
void ptog_eval_cube(struct ptog_eval *e, const struct ptog_op *op);    /* eval_cube.c: transfers of the cube core */
void ptog_eval_cube_section(struct ptog_eval *e, const struct ptog_op *op); /* eval_cube.c */
void ptog_eval_scalar(struct ptog_eval *e, const struct ptog_op *op);       /* eval_scalar.c: arith.* */
void ptog_eval_arith(struct ptog_eval *e, const struct ptog_op *op);        /* eval_arith.c: more of arith.* */
void ptog_eval_block(struct ptog_eval *e, const struct ptog_op *op);        /* eval_scalar.c: get_block_idx, ... */
void ptog_eval_memory(struct ptog_eval *e, const struct ptog_op *op);     /* eval_memory.c: addptr, load_scalar, ... */
void ptog_eval_partition(struct ptog_eval *e, const struct ptog_op *op);  /* eval_partition.c */
void ptog_eval_subview(struct ptog_eval *e, const struct ptog_op *op);    /* eval_subview.c */
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

/* Checks a region that may be executed or not. */
void ptog_check_body(struct ptog_eval *e, const struct ptog_region *region);

/* eval_flow.c: what the last region handed out: how many values, which, whether they are so many; and an argument of a
 * region, with the value it has there. */
uint32_t ptog_yield_count(const struct ptog_eval *e);
const struct ptog_value *ptog_yielded(const struct ptog_eval *e, uint32_t i);
bool ptog_check_yields(struct ptog_eval *e, const struct ptog_op *op, uint32_t count);
void ptog_define_yields(struct ptog_eval *e, const struct ptog_op *op, bool known); /* as the results of an operation */
void ptog_define_arg(struct ptog_eval *e, const struct ptog_arg *arg, const struct ptog_value *from);

/* What may differ from one way through the program to another is not known. */
void ptog_forget_numbers(struct ptog_value *value);

/* One more turn of a loop; false when a run has had too many. */
bool ptog_count_iteration(struct ptog_eval *e, const struct ptog_op *op);

/* Errors unless it is an i1. */
void ptog_check_condition(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item);

/* Says what is wrong; a run stops there. False. */
bool ptog_refuse(struct ptog_eval *e, const char *id, struct ptog_span span, const char *message);

/* eval_view.c: the numbers of `word = [...]`, PTOG_DYN where they are not known; `least` is the smallest that makes
 * sense. False after an error with the given id. */
#define PTOG_MOST_DIMS 5u
bool ptog_view_numbers(struct ptog_eval *e, const struct ptog_op *op, ptog_symbol word, const char *id, int64_t least,
                       int64_t *numbers, uint32_t *count);

/* eval_tile.c: a valid extent of a tile that has `most`; PTOG_DYN when it is not known. False after an error. */
bool ptog_set_valid(struct ptog_eval *e, struct ptog_span span, struct ptog_number number, int64_t most, int64_t *to);

/* ---- parts.c: what operations are made of */

struct ptog_operands {
    const struct ptog_item *items;
    uint32_t count;
    const struct ptog_type_use *types; /* strings excluded */
    uint32_t type_count;
    const struct ptog_type_use *results;
    uint32_t result_count;
};

/* Of a PLAIN operation: its first items, the types after ':', the types after '->' or 'to'. */
struct ptog_operands ptog_operands_of(const struct ptog_op *op);

/* The type of operand i; NULL when it has none. */
const struct ptog_type_use *ptog_operand_type(const struct ptog_operands *operands, uint32_t i);
const struct ptog_type_use *ptog_part_type(const struct ptog_part *part, uint32_t i);

/* Errors unless the operation has so many operands, or results. */
bool ptog_want_operands(struct ptog_eval *e, const struct ptog_op *op, uint32_t count, uint32_t least, uint32_t most);
bool ptog_want_results(struct ptog_eval *e, const struct ptog_op *op, uint32_t count);

/* takes.c: says what stands in a modelled operation that it does not take, and that would be passed over. False when
 * there is an error. */
bool ptog_check_takes(struct ptog_eval *e, const struct ptog_op *op);

/* takes.c: the same of the types of a TILE or STORE operation, whose operands have been counted. */
bool ptog_check_types(struct ptog_eval *e, const struct ptog_op *op);

/* The items of `key = [...]` or `word [...]`; NULL when there is none. */
const struct ptog_item *ptog_list_of(const struct ptog_op *op, ptog_symbol word, uint32_t *count);

/* An attribute of any operation, by key; NULL when there is none. */
const struct ptog_item *ptog_attr_of(const struct ptog_eval *e, const struct ptog_op *op, const char *key);

/* The number of an attribute's value in an enum, by name or number: -1 after an error. */
int ptog_attr_enum(struct ptog_eval *e, const struct ptog_item *item, const char *(*name)(int), int from, int to);

/* ---- operands.c: the tiles and tables of an instruction */

struct ptog_text_operand {
    const char *role; /* as verify names it: "dst" */
    int position;     /* in struct ptog_insn.of */
    const struct ptog_item *item;
    const struct ptog_type_use *type;
    struct ptog_value *value;
    bool is_out;
    bool fresh; /* a result: `value` is made here and defined when the instruction is done */
};

struct ptog_text_insn {
    const struct ptog_op *op;
    struct ptog_text_operand of[PTOG_MOST_OPERANDS];
    int count;
    bool skip; /* something is wrong or unknown: not to be verified or run */
    struct ptog_value results[2];
    int result_count;
    enum ptog_form form;   /* as far as the text alone decides it */
    bool mode_open;        /* of mgather: the text gives no mode */
    struct ptog_insn insn; /* its attributes first, then its operands */
};

/* What the text forms need to know of a family beyond its row; one file of this room each. */
struct ptog_text_family {
    /* Reads the attributes and decides the form; false after an error. */
    bool (*attrs)(struct ptog_eval *e, struct ptog_text_insn *insn);
    /* Types that are left out, from what the operands say of each other. */
    void (*infer)(struct ptog_eval *e, struct ptog_text_insn *insn);
    /* Once the operands are described: what their shapes decide. NULL: nothing. */
    void (*settle)(struct ptog_eval *e, struct ptog_text_insn *insn);
};
#define FAMILY(NAME, name) extern const struct ptog_text_family ptog_text_##name;
#include <ptog/spec/insns.def>

/* Reads sources and destinations as the row of the instruction says; what is missing or wrong sets `skip`. False when
 * they are too few or too many. */
bool ptog_insn_operands(struct ptog_eval *e, struct ptog_text_insn *insn);
struct ptog_value *ptog_insn_value(const struct ptog_text_insn *insn, const char *role);

/* Marks places as used, checks what the model cannot say, and defines results. True: verify, then run. */
bool ptog_insn_ready(struct ptog_eval *e, struct ptog_text_insn *insn);
void ptog_insn_finish(struct ptog_eval *e, struct ptog_text_insn *insn);

/* Where a verifier's diagnostic belongs. */
struct ptog_span ptog_insn_span(const struct ptog_text_insn *insn, const char *role);

/* ---- infer.c: placeholders */

/* What the operands tell each other by the names in their types. Call before and after the instruction's own rules. */
void ptog_infer_names(struct ptog_eval *e, struct ptog_text_insn *insn);

/* One extent or element type known from another operand: fills `to` when it is open. */
void ptog_infer_extent(int64_t *to, int64_t from);
void ptog_infer_dtype(struct ptog_value *to, enum ptog_dtype from);

/* Whether all is known; else reports what is not. */
bool ptog_infer_done(struct ptog_eval *e, struct ptog_text_insn *insn);

enum ptog_dtype ptog_value_dtype(const struct ptog_value *value);

/* ---- judge.c: verify, with what it says lifted to the text; run, with faults collected */

void ptog_judge_insn(struct ptog_eval *e, const struct ptog_text_insn *insn);

/* After an instruction was run. */
void ptog_judge_run(struct ptog_eval *e, const struct ptog_text_insn *insn, enum ptog_status status);
void ptog_judge_fault(struct ptog_eval *e, const struct ptog_op *op, enum ptog_fault_kind kind, int64_t row,
                      uint64_t index, uint64_t capacity);
void ptog_judge_report(struct ptog_eval *e);

/* After a step of the machine: whether the walk goes on. */
bool ptog_judge_step(struct ptog_eval *e, const struct ptog_op *op, enum ptog_status status);

/* ---- real.c */

/* The number that the bits are; false for a type whose values are not modelled. */
bool ptog_real_value(enum ptog_dtype dtype, uint64_t bits, double *value);

/* A decimal number as the text forms write it, whatever the locale of the process is. */
double ptog_real_read(const char *digits);

#endif
