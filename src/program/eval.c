/* program: the walk over a function's operations. */
#include "program/bind.h"
#include "program/judge.h"
#include "program/limits.h"
#include "program/ops.h"
#include "program/parts.h"
#include "program/place.h"
#include "program/scope.h"

#include <stdlib.h>
#include <string.h>

enum ptog_status ptog_eval_open(struct ptog_eval *e, const struct ptog_program *program,
                                const struct ptog_target *target, struct ptog_finds *finds)
{
    *e = (struct ptog_eval){.program = program, .tree = &program->tree, .target = target, .finds = finds, .blocks = 1};
    finds->strict = program->strict;
    e->value_of = calloc((size_t)program->tree.symbols.count + 2, sizeof *e->value_of);
    e->slot_of = calloc((size_t)program->tree.symbols.count + 2, sizeof *e->slot_of);
    e->name_of = calloc((size_t)program->tree.symbols.count + 2, sizeof *e->name_of);
    e->said = calloc((size_t)e->tree->op_count + 1, sizeof *e->said);
    e->called = calloc(program->function_count + 1, sizeof *e->called);
    e->place_of = calloc((size_t)e->tree->op_count + 1, sizeof *e->place_of);
    e->sync_code = calloc((size_t)e->tree->op_count + 1, sizeof *e->sync_code);
    bool good = e->sync_code && e->value_of && e->slot_of && e->name_of && e->said && e->called && e->place_of;
    if (good)
        return PTOG_OK;
    return PTOG_NO_MEMORY;
}

void ptog_eval_close(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->chunk_count; i++)
        free(e->chunks[i]);
    free(e->chunks);
    free(e->value_of);
    free(e->slot_of);
    free(e->name_of);
    free(e->memories);
    free(e->slots);
    free(e->binding_of);
    free(e->places);
    free(e->faults_of);
    free(e->said);
    free(e->modes);
    free(e->called);
    free(e->place_of);
    free(e->faults);
    free(e->last_tiles);
    free(e->code);
    free(e->sync_code);
    ptog_arena_free(&e->code_memory);
    ptog_stack_free(&e->dirty);
    ptog_stack_free(&e->yields);
    ptog_stack_free(&e->ranges);
    ptog_stack_free(&e->misaligned);
    ptog_stack_free(&e->looped);
    ptog_machine_close(e);
    ptog_legality_close(&e->legality);
    ptog_arena_free(&e->names);
}

void ptog_eval_clear(struct ptog_eval *e)
{
    for (uint32_t i = 0; i < e->slot_count; i++)
        e->slot_of[e->slots[i].name] = 0;
    e->memory_count = e->slot_count = e->place_count = 0;
    e->ranges.used = e->misaligned.used = 0;
    e->ub_need = 0;
    e->addr_unknown = e->shared = false;
    e->now = e->loop_from = e->again = 0;
    e->looped.used = 0;
}

bool ptog_refuse(struct ptog_eval *e, const char *id, struct ptog_span span, const char *message)
{
    ptog_say(e->finds, id, span, "%s", message);
    e->stopped = e->running;
    return false;
}

static void eval_misplaced(struct ptog_eval *e, const struct ptog_op *op)
{
    ptog_say(e->finds, "text-place", op->name_span, "'%s' is not allowed inside a function",
             ptog_op_info(op->name)->name);
}

static void eval_section(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *body = ptog_op_part(op, PTOG_PART_REGION, 0);
    if (op->name == PTOG_OP_NAME_SECTION_CUBE)
        ptog_eval_cube_section(e, op);
    else if (body)
        ptog_eval_region(e, body->region);
}

/* ---- one operation */

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
    case PTOG_OP_NAME_SET_VALIDSHAPE:
    case PTOG_OP_NAME_TASSIGN: ptog_eval_tile(e, op); break;
    case PTOG_OP_NAME_SUBVIEW:
    case PTOG_OP_NAME_SUBSET: ptog_eval_subview(e, op); break;
    case PTOG_OP_NAME_TGETVAL: ptog_eval_get_value(e, op); break;
    case PTOG_OP_NAME_TPRINT: ptog_eval_print(e, op); break;
    case PTOG_OP_NAME_TRESHAPE:
    case PTOG_OP_NAME_BITCAST: ptog_eval_reshape(e, op); break;
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
    case PTOG_OP_NAME_RECORD_EVENT:
    case PTOG_OP_NAME_WAIT_EVENT: ptog_eval_sync(e, op); break;
    default: ptog_eval_scalar(e, op); break;
    }
}

static bool has_region(const struct ptog_op *op)
{
    return ptog_op_part(op, PTOG_PART_REGION, 0) != NULL;
}

/* What a core would execute; the rest is arithmetic and structure around it. */
static bool is_instruction(const struct ptog_op *op)
{
    switch (op->name) {
    case PTOG_OP_NAME_TGETVAL:
    case PTOG_OP_NAME_LOAD_SCALAR:
    case PTOG_OP_NAME_STORE_SCALAR:
    case PTOG_OP_NAME_SET_FLAG:
    case PTOG_OP_NAME_WAIT_FLAG:
    case PTOG_OP_NAME_SET_FLAG_DYN:
    case PTOG_OP_NAME_WAIT_FLAG_DYN:
    case PTOG_OP_NAME_BARRIER:
    case PTOG_OP_NAME_RECORD_EVENT:
    case PTOG_OP_NAME_WAIT_EVENT: return true;
    default: return ptog_op_is_tile(op->name);
    }
}

static void eval_op(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_op_info *info = ptog_op_info(op->name);
    e->issued += e->running && is_instruction(op);
    if (!info->modelled) {
        ptog_eval_unknown(e, op);
        return;
    }
    if (ptog_op_is_tile(op->name) && ptog_op_is_cube(e, op)) {
        ptog_eval_cube(e, op);
        return;
    }
    if (!e->running && !ptog_eval_lint_clauses(e, op) && !has_region(op) && op->name != PTOG_OP_NAME_YIELD) {
        ptog_define_any(e, op); /* what is made of half an operation would only be wrong again */
        return;
    }
    switch (info->kind) {
    case PTOG_KIND_TILE:
    case PTOG_KIND_STORE: ptog_eval_insn(e, op); break;
    case PTOG_KIND_BLOCK: eval_section(e, op); break;
    case PTOG_KIND_FOR: ptog_eval_for(e, op); break;
    case PTOG_KIND_IF: ptog_eval_if(e, op); break;
    case PTOG_KIND_WHILE: ptog_eval_while(e, op); break;
    case PTOG_KIND_MODULE:
    case PTOG_KIND_FUNC: eval_misplaced(e, op); break;
    default: eval_plain(e, op); break;
    }
}

/* ---- regions */

/* Lines that are not in the text are carried out, too. */
static bool tries_lines(const struct ptog_eval *e)
{
    return e->running && e->machine.trial && e->machine.core;
}

static void eval_with_lines(struct ptog_eval *e, const struct ptog_op *op)
{
    eval_op(e, op);
    if (!ptog_eval_over(e))
        ptog_judge_step(e, op, ptog_machine_after(e, op));
}

static void walk(struct ptog_eval *e, const struct ptog_region *region, bool frames)
{
    for (const struct ptog_op *op = region->first; op && !ptog_eval_over(e); op = op->next) {
        enum ptog_op_kind kind = ptog_op_info(op->name)->kind;
        if (frames && (kind == PTOG_KIND_MODULE || kind == PTOG_KIND_FUNC))
            continue; /* functions of their own */
        if (e->running && !ptog_limit_steps(e, op->name_span))
            return;
        e->now += !e->running;
        e->at = op;
        if (!tries_lines(e))
            eval_op(e, op);
        else if (ptog_judge_step(e, op, ptog_machine_before(e, op)))
            eval_with_lines(e, op);
    }
}

void ptog_eval_body(struct ptog_eval *e, const struct ptog_region *region)
{
    walk(e, region, false);
}

void ptog_eval_region(struct ptog_eval *e, const struct ptog_region *region)
{
    uint32_t from = e->value_count;
    walk(e, region, false);
    ptog_scope_leave(e, from);
}

/* Arguments are slots that are there from the start. */
static void define_args(struct ptog_eval *e, const struct ptog_region *region)
{
    for (uint32_t i = 0; i < region->arg_count && !e->no_memory; i++) {
        const struct ptog_arg *arg = &region->args[i];
        if (arg->name == 0)
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

void ptog_eval_function(struct ptog_eval *e, const struct ptog_function *function)
{
    e->function = function->op;
    e->bare = function->op == NULL;
    e->scope = function->scope;
    e->returned = false;
    uint32_t from = e->frame = e->value_count;
    define_args(e, function->region);
    walk(e, function->region, e->bare);
    ptog_scope_leave(e, from);
    e->yields.used = e->dirty.used = 0;
    e->depth = 0;
}
