/* lower: the walk over a function's operations. */
#include "asm/insn_words.h"
#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/lowered.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"

#include <stdlib.h>
#include <string.h>

/* Prepares *e for walking a function for one target; diagnostics go to `diags`. PTOG_NO_MEMORY: close it all the
 * same. */
enum ptog_status ptog_eval_open(struct ptog_eval *e, const struct ptog_program *program,
                                const struct ptog_target *target, struct ptog_diag_list *diags)
{
    *e = (struct ptog_eval){.program = program, .tree = &program->tree, .target = target, .diags = diags, .blocks = 1};
    diags->strict = program->strict;
    e->value_of = calloc((size_t)program->tree.symbols.count + 2, sizeof *e->value_of);
    e->slot_of = calloc((size_t)program->tree.symbols.count + 2, sizeof *e->slot_of);
    e->name_of = calloc((size_t)program->tree.symbols.count + 2, sizeof *e->name_of);
    e->said = calloc((size_t)e->tree->op_count + 1, sizeof *e->said);
    e->called = calloc(program->function_count + 1, sizeof *e->called);
    e->place_of = calloc((size_t)e->tree->op_count + 1, sizeof *e->place_of);
    e->code_of = calloc(program->function_count + 1, sizeof *e->code_of);
    bool good = e->code_of && e->value_of && e->slot_of && e->name_of && e->said && e->called && e->place_of;
    if (good)
        return PTOG_OK;
    return PTOG_NO_MEMORY;
}

void ptog_eval_drop_scratch(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->chunk_count; i++)
        free(e->chunks[i]);
    e->chunk_count = 0;
    free(e->chunks);
    free(e->value_of);
    free(e->slot_of);
    free(e->name_of);
    free(e->binding_of);
    free(e->called);
    e->chunks = NULL;
    e->value_of = e->slot_of = NULL;
    e->name_of = NULL;
    e->binding_of = NULL;
    e->called = NULL;
    ptog_stack_free(&e->dirty);
    ptog_stack_free(&e->yields);
    for (int i = 0; i < PTOG_LOCS; i++)
        ptog_stack_free(&e->ranges[i]);
    ptog_stack_free(&e->misaligned);
    ptog_stack_free(&e->looped);
}

/* Frees the code that this evaluator has lowered, not code that it was lent. */
static void free_code(struct ptog_eval *e)
{
    if (!e->lowered) {
        for (size_t i = 0; e->code_of && i < e->program->function_count; i++)
            ptog_code_free(&e->code_of[i]);
        free(e->code_of);
    }
    ptog_lowered_release(e->lowered);
}

/* Frees everything of the evaluator, and releases the lowering that it took. */
void ptog_eval_close(struct ptog_eval *e)
{
    ptog_eval_drop_scratch(e);
    free(e->machine.views);
    free(e->memories);
    free(e->slots);
    free(e->places);
    free(e->faults_of);
    free(e->said);
    free(e->modes);
    free(e->place_of);
    free(e->faults);
    free(e->last_tiles);
    ptog_stack_free(&e->activations);
    free(e->code);
    ptog_arena_free(&e->code_memory);
    ptog_local_arrays_free(e);
    ptog_legality_close(&e->legality);
    ptog_arena_free(&e->names);
    free_code(e);
}

void ptog_eval_clear(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->slot_count; i++)
        e->slot_of[e->slots[i].name] = 0;
    e->memory_count = e->slot_count = e->place_count = 0;
    for (int i = 0; i < PTOG_LOCS; i++)
        e->ranges[i].used = 0;
    e->misaligned.used = 0;
    e->ub_need = 0;
    e->addr_unknown = e->shared = false;
    e->now = e->loop_from = e->again = 0;
    e->looped.used = 0;
}

bool ptog_refuse(struct ptog_eval *e, const char *id, struct ptog_span span, const char *message)
{
    ptog_diag_emit(e->diags, id, span, "%s", message);
    e->stopped = e->running;
    return false;
}

/* Reports an operation that a function cannot have. */
static void eval_misplaced(struct ptog_eval *e, const struct ptog_op *op)
{
    ptog_diag_emit(e->diags, "text-place", op->name_span, "'%s' is not allowed inside a function",
                   ptog_op_info(op->name)->name);
}

/* ---- one operation */

/* Lowers an operation that has a function of its own: control flow, views, tiles, scalars and caches. */
static void eval_plain(struct ptog_eval *e, const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_RETURN:
    case PTOG_OP_NAME_FUNC_RETURN:
    case PTOG_OP_NAME_YIELD: ptog_eval_terminator(e, op); break;
    case PTOG_OP_NAME_SCF_CONDITION: ptog_eval_condition(e, op); break;
    case PTOG_OP_NAME_AFFINE_APPLY: ptog_eval_affine(e, op); break;
    case PTOG_OP_NAME_CALL:
    case PTOG_OP_NAME_SHORT_CALL: ptog_eval_call(e, op); break;
    case PTOG_OP_NAME_MAKE_TENSOR_VIEW: ptog_eval_view(e, op); break;
    case PTOG_OP_NAME_PARTITION_VIEW: ptog_eval_partition(e, op); break;
    case PTOG_OP_NAME_ALLOC_TILE:
    case PTOG_OP_NAME_DECLARE_TILE:
    case PTOG_OP_NAME_MEMREF_ALLOC:
    case PTOG_OP_NAME_SET_VALIDSHAPE:
    case PTOG_OP_NAME_TASSIGN: ptog_eval_tile(e, op); break;
    case PTOG_OP_NAME_SUBVIEW:
    case PTOG_OP_NAME_SUBSET: ptog_eval_subview(e, op); break;
    case PTOG_OP_NAME_ALLOC_MULTI_TILE:
    case PTOG_OP_NAME_MULTI_TILE_GET: ptog_eval_multi_tile(e, op); break;
    case PTOG_OP_NAME_GET_VALIDSHAPE: ptog_eval_get_validshape(e, op); break;
    case PTOG_OP_NAME_GET_TENSOR_VIEW_DIM:
    case PTOG_OP_NAME_GET_TENSOR_VIEW_STRIDE: ptog_eval_view_extent(e, op); break;
    case PTOG_OP_NAME_DECLARE_LOCAL_ARRAY:
    case PTOG_OP_NAME_DECLARE_EVENTID_ARRAY:
    case PTOG_OP_NAME_LOCAL_ARRAY_GET:
    case PTOG_OP_NAME_LOCAL_ARRAY_SET:
    case PTOG_OP_NAME_EVENTID_ARRAY_GET:
    case PTOG_OP_NAME_EVENTID_ARRAY_SET: ptog_eval_local_array(e, op); break;
    case PTOG_OP_NAME_TGETVAL: ptog_eval_get_value(e, op); break;
    case PTOG_OP_NAME_TPRINT: ptog_eval_print(e, op); break;
    case PTOG_OP_NAME_TRESHAPE:
    case PTOG_OP_NAME_BITCAST: ptog_eval_reshape(e, op); break;
    case PTOG_OP_NAME_PTRTOINT:
    case PTOG_OP_NAME_INTTOPTR: ptog_eval_address(e, op); break;
    case PTOG_OP_NAME_ADDPTR:
    case PTOG_OP_NAME_LOAD_SCALAR:
    case PTOG_OP_NAME_STORE_SCALAR: ptog_eval_memory(e, op); break;
    case PTOG_OP_NAME_GET_BLOCK_IDX:
    case PTOG_OP_NAME_GET_BLOCK_NUM:
    case PTOG_OP_NAME_GET_SUBBLOCK_IDX:
    case PTOG_OP_NAME_GET_SUBBLOCK_NUM: ptog_eval_block(e, op); break;
    case PTOG_OP_NAME_SET_FLAG:
    case PTOG_OP_NAME_WAIT_FLAG:
    case PTOG_OP_NAME_SET_FLAG_DYN:
    case PTOG_OP_NAME_WAIT_FLAG_DYN:
    case PTOG_OP_NAME_BARRIER:
    case PTOG_OP_NAME_BARRIER_SYNC:
    case PTOG_OP_NAME_FENCE_BARRIER_ALL:
    case PTOG_OP_NAME_RECORD_EVENT:
    case PTOG_OP_NAME_WAIT_EVENT: ptog_eval_sync(e, op); break;
    case PTOG_OP_NAME_SYNC_SET:
    case PTOG_OP_NAME_SYNC_WAIT:
    case PTOG_OP_NAME_SET_CROSS_BLOCK:
    case PTOG_OP_NAME_WAIT_CROSS_BLOCK:
    case PTOG_OP_NAME_SET_INTRA_BLOCK:
    case PTOG_OP_NAME_WAIT_INTRA_BLOCK:
    case PTOG_OP_NAME_SYNCALL:
    case PTOG_OP_NAME_SET_FFTS: ptog_eval_cross(e, op); break;
    case PTOG_OP_NAME_AIC_INITIALIZE_PIPE:
    case PTOG_OP_NAME_AIV_INITIALIZE_PIPE:
    case PTOG_OP_NAME_INITIALIZE_L2G2L_PIPE:
    case PTOG_OP_NAME_INITIALIZE_L2L_PIPE:
    case PTOG_OP_NAME_TPUSH:
    case PTOG_OP_NAME_TALLOC:
    case PTOG_OP_NAME_TPUSH_TO_AIC:
    case PTOG_OP_NAME_TALLOC_TO_AIC:
    case PTOG_OP_NAME_TPUSH_TO_AIV:
    case PTOG_OP_NAME_TALLOC_TO_AIV:
    case PTOG_OP_NAME_TPOP:
    case PTOG_OP_NAME_TFREE:
    case PTOG_OP_NAME_TPOP_FROM_AIC:
    case PTOG_OP_NAME_TFREE_FROM_AIC:
    case PTOG_OP_NAME_TPOP_FROM_AIV:
    case PTOG_OP_NAME_TFREE_FROM_AIV:
    case PTOG_OP_NAME_SET_QUANT_SCALAR:
    case PTOG_OP_NAME_SET_QUANT_VECTOR:
    case PTOG_OP_NAME_RESERVE_BUFFER:
    case PTOG_OP_NAME_IMPORT_RESERVED_BUFFER: ptog_eval_fifo(e, op); break;
    case PTOG_OP_NAME_CMO_CACHEINVALID: ptog_eval_cache(e, op); break;
    case PTOG_OP_NAME_COMM_TNOTIFY:
    case PTOG_OP_NAME_COMM_TWAIT:
    case PTOG_OP_NAME_COMM_TTEST:
    case PTOG_OP_NAME_COMM_TPUT:
    case PTOG_OP_NAME_COMM_TGET:
    case PTOG_OP_NAME_COMM_TBROADCAST:
    case PTOG_OP_NAME_COMM_TGATHER:
    case PTOG_OP_NAME_COMM_TSCATTER:
    case PTOG_OP_NAME_COMM_TREDUCE:
    case PTOG_OP_NAME_TEST_ASYNC_EVENT:
    case PTOG_OP_NAME_WAIT_ASYNC_EVENT:
    case PTOG_OP_NAME_COMM_TEST_ASYNC_EVENT:
    case PTOG_OP_NAME_COMM_WAIT_ASYNC_EVENT:
    case PTOG_OP_NAME_MAKE_PREFETCH_ASYNC_CONTEXT:
    case PTOG_OP_NAME_GET_PREFETCH_ASYNC_SESSION:
    case PTOG_OP_NAME_TPREFETCH_ASYNC: ptog_eval_comm(e, op); break;
    case PTOG_OP_NAME_CONVERSION_CAST: ptog_eval_conversion(e, op); break;
    default: ptog_eval_scalar(e, op); break;
    }
}

static bool has_region(const struct ptog_op *op)
{
    return ptog_op_part(op, PTOG_PART_REGION, 0) != NULL;
}

/* Lowers one operation by the kind that ops.def gives it; what is not simulated is checked by lint alone. */
static void eval_op(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_op_info *info = ptog_op_info(op->name);
    if (!info->modelled) {
        ptog_eval_unknown(e, op);
        return;
    }
    if (ptog_op_is_tile(op->name) && ptog_op_is_cube(e, op)) {
        if (!ptog_cube_is_modelled(e, op)) {
            ptog_eval_cube(e, op);
            return;
        }
        if (!ptog_eval_lint(e, op)) {
            ptog_define_any(e, op);
            return;
        }
    }
    if (!ptog_op_is_fifo(op->name) && !ptog_eval_lint_clauses(e, op) && !has_region(op) &&
        op->name != PTOG_OP_NAME_YIELD) {
        ptog_define_any(e, op); /* what is made of half an operation would only be wrong again */
        return;
    }
    switch (info->kind) {
    case PTOG_KIND_TILE:
    case PTOG_KIND_STORE: ptog_eval_insn(e, op); break;
    case PTOG_KIND_BLOCK: ptog_eval_section(e, op); break;
    case PTOG_KIND_FOR: ptog_eval_for(e, op); break;
    case PTOG_KIND_IF: ptog_eval_if(e, op); break;
    case PTOG_KIND_WHILE: ptog_eval_while(e, op); break;
    case PTOG_KIND_MODULE:
    case PTOG_KIND_FUNC: eval_misplaced(e, op); break;
    default: eval_plain(e, op); break;
    }
}

/* ---- regions */

/* Checks an operation, and writes its code. */
static void lower_op(struct ptog_eval *e, const struct ptog_op *op)
{
    uint32_t first = ptog_emit_next(e);
    e->now++;
    e->at = op;
    e->emitted = false;
    eval_op(e, op);
    ptog_note_cores(e, op, first);
    if (!e->emitted)
        ptog_emit(e, PTOG_CODE_STOP, op);
    ptog_emitted(e, first)->begins = true;
    ptog_emitted(e, ptog_emit_next(e) - 1)->ends = true;
    e->emitted = true; /* whoever has it in a region has records */
}

/* Lowers the operations of a region in their order, until an error ends the walk. `frames`: not those of functions
 * inside. */
static void lower_region(struct ptog_eval *e, const struct ptog_region *region, bool frames)
{
    for (const struct ptog_op *op = region->first; op && !ptog_eval_over(e); op = op->next) {
        enum ptog_op_kind kind = ptog_op_info(op->name)->kind;
        if (!frames || (kind != PTOG_KIND_MODULE && kind != PTOG_KIND_FUNC)) /* those are functions of their own */
            lower_op(e, op);
    }
}

/* Records go to the code of this function; gives the list that they went to before. */
static struct ptog_code_list *emit_to(struct ptog_eval *e, const struct ptog_function *function)
{
    struct ptog_code_list *before = e->emits;
    e->emits = &e->code_of[function - e->program->functions];
    ptog_code_clear(e->emits);
    return before;
}

/* Lowers the operations of a function that is called, into the code of that function. Its arguments are left to the
 * caller. */
void ptog_eval_body(struct ptog_eval *e, const struct ptog_function *function)
{
    struct ptog_code_list *before = emit_to(e, function);
    uint8_t section = e->section, kind = e->kind;
    e->section = PTOG_SIDE_ANY;
    e->kind = ptog_side_of_function(function);
    lower_region(e, function->region, false);
    e->section = section;
    e->kind = kind;
    e->emits = before;
}

void ptog_eval_region(struct ptog_eval *e, const struct ptog_region *region)
{
    uint32_t from = e->value_count;
    lower_region(e, region, false);
    ptog_scope_leave(e, from);
}

enum runtime_arg { RUNTIME_BLOCK, RUNTIME_BLOCKS, RUNTIME_SUBBLOCK, RUNTIME_NONE };

/* The names of arguments that the runtime sets. */
static const struct {
    const char *name;
    enum runtime_arg what;
} runtime_args[] = {
#define RUNTIME_ARG(name, what) {name, RUNTIME_##what},
#include "spec/runtime_args.def"
};
#define RUNTIME_ARGS (sizeof runtime_args / sizeof runtime_args[0])

/* Looks up the symbols of those names in the program; 0 for one that it does not have. */
static void find_runtime_symbols(const struct ptog_eval *e, ptog_symbol symbols[RUNTIME_ARGS])
{
    for (size_t i = 0; i < RUNTIME_ARGS; i++)
        symbols[i] = ptog_symbol_find(&e->tree->symbols, runtime_args[i].name, strlen(runtime_args[i].name));
}

/* Whether the runtime sets an argument, and to what. */
static enum runtime_arg runtime_arg_of(const ptog_symbol symbols[RUNTIME_ARGS], ptog_symbol name)
{
    for (size_t i = 0; i < RUNTIME_ARGS; i++)
        if (name != 0 && symbols[i] == name)
            return runtime_args[i].what;
    return RUNTIME_NONE;
}

/* Defines such an argument; false: it is no number, and is bound like others. */
static bool define_runtime_arg(struct ptog_eval *e, const struct ptog_arg *arg, enum runtime_arg what)
{
    struct ptog_value value;
    if (!ptog_value_from_type(e, &arg->type, &value) || value.kind != PTOG_VALUE_NUMBER)
        return false;
    const int64_t numbers[] = {e->block, e->blocks, e->subblock};
    value.number = (struct ptog_number){numbers[what], e->running};
    value.name = arg->name;
    value.span = arg->span;
    struct ptog_value *made = ptog_define(e, arg->name, arg->span);
    if (made)
        *made = value;
    return true;
}

/* Defines the arguments of a function that nothing calls: those that the runtime sets as numbers, the others as slots
 * to be bound. */
void ptog_define_outside(struct ptog_eval *e, const struct ptog_region *region)
{
    ptog_symbol symbols[RUNTIME_ARGS];
    find_runtime_symbols(e, symbols);
    for (uint32_t i = 0; i < region->arg_count && !e->no_memory; i++) {
        const struct ptog_arg *arg = &region->args[i];
        enum runtime_arg runtime = runtime_arg_of(symbols, arg->name);
        if (arg->name == 0 || (runtime != RUNTIME_NONE && define_runtime_arg(e, arg, runtime)))
            continue;
        struct ptog_slot_state *slot = ptog_slot_of(e, arg->name, arg->span, &arg->type, PTOG_VALUE_ANY);
        uint32_t number = slot ? (uint32_t)(slot - e->slots) + 1 : 0;
        struct ptog_value *value = ptog_define(e, arg->name, arg->span);
        if (!value || !slot)
            continue;
        *value = slot->value;
        value->slot = number;
        ptog_value_changed(e, value);
    }
}

/* Lowers a function that nothing calls: defines its arguments from outside, checks every operation and writes its
 * code. The scope is empty again afterwards. */
void ptog_eval_function(struct ptog_eval *e, const struct ptog_function *function)
{
    e->function = function->op;
    e->bare = function->op == NULL;
    e->scope = function->scope;
    e->returned = false;
    e->kind = ptog_side_of_function(function);
    e->machine.sides |= e->kind;
    uint32_t from = e->frame = e->value_count;
    emit_to(e, function);
    ptog_define_outside(e, function->region);
    lower_region(e, function->region, e->bare);
    ptog_scope_leave(e, from);
    e->yields.used = e->dirty.used = 0;
    e->depth = 0;
}
