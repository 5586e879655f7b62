/* lower: loops, conditions, and what ends a region. Checking walks a body once, with numbers that may change unknown.
 */
#include "lower/ops/flow.h"
#include "lower/emit.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"

#include "base/pick.h"

/* ---- what a region hands out */

/* A yield ends a loop or a condition, a return the function, and nothing follows either; after a return, another block
 * of the function may begin. */
static void check_place(struct ptog_eval *e, const struct ptog_op *op)
{
    const char *name = ptog_tree_text(e->tree, op->name);
    bool yield = op->name == PTOG_OP_NAME_YIELD;
    if (yield && e->depth == 0)
        ptog_diag_emit(e->diags, "text-place", op->name_span, "'%s' is only allowed at the end of a loop or condition",
                       name);
    if (!yield && e->depth > 0)
        ptog_diag_emit(e->diags, "text-place", op->name_span, "'%s' is not allowed inside a loop or condition", name);
    if (op->next && (yield || op->next->name != PTOG_OP_NAME_LABEL))
        ptog_diag_emit(e->diags, "text-place", op->next->name_span, "unreachable operation after '%s'", name);
}

/* Reports a return with another number of values than the function's type has. */
static void check_return(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    if (!e->function)
        return;
    uint32_t count = ptog_type_count(ptog_op_part(e->function, PTOG_PART_ARROW, 0));
    if (operands->count != count)
        ptog_diag_emit(e->diags, "text-operands", op->name_span, "the function has %u result%s, but %u %s returned",
                       (unsigned)count, ptog_plural(count), (unsigned)operands->count,
                       operands->count == 1 ? "is" : "are");
}

void ptog_yield(struct ptog_eval *e, struct ptog_value *value)
{
    static const struct ptog_value none;
    const void *from = &none;
    if (value && value->kind == PTOG_VALUE_TILE)
        ptog_life_lend(e, value);
    if (value)
        from = value;
    if (!ptog_stack_push(&e->yields, from, sizeof *value))
        e->no_memory = true;
}

/* Lowers the end of a function or region: puts what it hands out into `e->yields`, and appends a record. */
void ptog_eval_terminator(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    bool yield = op->name == PTOG_OP_NAME_YIELD;
    e->yields.used = 0;
    check_place(e, op);
    if (!yield)
        check_return(e, op, &operands);
    for (uint32_t i = 0; i < operands.count; i++) {
        struct ptog_value *value = ptog_use(e, &operands.items[i], ptog_operand_type(&operands, i), PTOG_VALUE_ANY);
        ptog_yield(e, value);
    }
    ptog_emit_args(e, ptog_emit(e, yield ? PTOG_CODE_YIELD : PTOG_CODE_RETURN, op), operands.items, operands.count);
}

uint32_t ptog_yield_count(const struct ptog_eval *e)
{
    return (uint32_t)(e->yields.used / sizeof(struct ptog_value));
}

const struct ptog_value *ptog_yielded(const struct ptog_eval *e, uint32_t i)
{
    return (const struct ptog_value *)(const void *)e->yields.data + i;
}

/* Reports values in `e->yields` whose types differ from those written at the operation. */
static void check_yield_types(struct ptog_eval *e, const struct ptog_op *op, uint32_t count)
{
    const struct ptog_part *types = ptog_op_part(op, PTOG_PART_ARROW, 0);
    for (uint32_t i = 0; i < count; i++) {
        const struct ptog_type_use *use = ptog_part_type(types, i);
        const struct ptog_type *type = ptog_yielded(e, i)->type;
        if (use && type && !ptog_types_agree(use->type, type))
            ptog_diag_emit(e->diags, "text-type-mismatch", use->span, "the body of '%s' yields a value of another type",
                           ptog_op_info(op->name)->name);
    }
}

/* Whether the last region handed out so many values of the right types; reported if not. */
bool ptog_check_yields(struct ptog_eval *e, const struct ptog_op *op, uint32_t count)
{
    if (ptog_yield_count(e) == count)
        check_yield_types(e, op, count);
    if (ptog_eval_over(e) || ptog_yield_count(e) == count)
        return !ptog_eval_over(e);
    ptog_diag_emit(e->diags, "text-operands", op->name_span, "the body of '%s' must yield %u values, but yields %u",
                   ptog_op_info(op->name)->name, (unsigned)count, (unsigned)ptog_yield_count(e));
    return false;
}

/* Makes the numbers in a value unknown, as they may differ from one way through the program to another. */
void ptog_forget_numbers(struct ptog_value *value)
{
    switch (value->kind) {
    case PTOG_VALUE_NUMBER: value->number.known = false; break;
    case PTOG_VALUE_REAL: value->real.known = false; break;
    case PTOG_VALUE_POINTER: value->pointer.base.at.known = false; break;
    case PTOG_VALUE_VIEW:
        value->view.base.at.known = false;
        for (int i = 0; i < 5; i++)
            if (value->view.tensor.shape[i] != 1)
                value->view.tensor.shape[i] = PTOG_DYN;
        break;
    case PTOG_VALUE_TILE:
        value->tile.tile.placed = false;
        value->tile.tile.valid_row = value->tile.tile.valid_col = PTOG_DYN;
        break;
    default: break;
    }
}

void ptog_define_forgotten(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_stack *values)
{
    size_t count = values->used / sizeof(struct ptog_value);
    for (size_t i = 0; i < count && !e->no_memory; i++) {
        struct ptog_value value = ((const struct ptog_value *)(const void *)values->data)[i];
        ptog_forget_numbers(&value);
        ptog_define_result(e, op, (uint32_t)i, &value);
    }
}

/* ---- values from outside that a region may have changed: see ptog_touch in eval_tile.c */

/* Ends a conditional region: of the tiles that it changed, valid extents and address are not known after it. */
static void leave_conditional(struct ptog_eval *e, size_t from)
{
    uint32_t *numbers = (uint32_t *)(void *)(e->dirty.data + from);
    size_t count = (e->dirty.used - from) / sizeof *numbers, kept = 0;
    e->depth--;
    for (size_t i = 0; i < count; i++) {
        struct ptog_value *value = ptog_value_at(e, numbers[i]);
        value->tile.tile.valid_row = value->tile.tile.valid_col = PTOG_DYN;
        value->tile.tile.placed = false;
        if (value->depth < e->depth)
            numbers[kept++] = numbers[i];
    }
    e->dirty.used = from + kept * sizeof *numbers;
}

void ptog_check_body(struct ptog_eval *e, const struct ptog_region *region)
{
    size_t from = e->dirty.used;
    e->depth++;
    e->yields.used = 0;
    ptog_eval_region(e, region);
    if (e->dirty.used > from)
        leave_conditional(e, from);
    else
        e->depth--;
}

/* ---- loops */

struct for_loop {
    const struct ptog_op *op;
    const struct ptog_region *region;
    const struct ptog_part *initial; /* iter_args; may be NULL */
    const struct ptog_type *type;    /* of the counter */
    struct ptog_number from, to, step;
    struct ptog_value *carried; /* as many as iter_args; in yields' order */
    uint32_t count;
};

/* Defines the argument of a region or function with the value of another one, under its own name. */
void ptog_define_arg(struct ptog_eval *e, const struct ptog_arg *arg, const struct ptog_value *from)
{
    struct ptog_value *value = ptog_define(e, arg->name, arg->span);
    if (!value)
        return;
    struct ptog_value made = *value;
    *value = *from;
    value->name = made.name;
    value->span = made.span;
    value->depth = made.depth;
    value->slot = 0;
    if (value->version == 0)
        value->version = made.version;
}

/* Defines the counter of a loop, and its carried values as they are. */
static void define_loop_args(struct ptog_eval *e, const struct for_loop *loop, struct ptog_number at)
{
    struct ptog_value counter = {.kind = PTOG_VALUE_NUMBER, .width = 64, .type = loop->type};
    counter.number = at;
    ptog_define_arg(e, &loop->region->args[0], &counter);
    for (uint32_t i = 0; i < loop->count; i++)
        ptog_define_arg(e, &loop->region->args[i + 1], &loop->carried[i]);
}

void ptog_tell_flow(struct ptog_eval *e, const struct ptog_op *op, enum ptog_flow_kind kind, int64_t value,
                    int64_t other)
{
    if (!e->running || !e->progress || !e->progress->flow)
        return;
    struct ptog_flow_seen seen = {.kind = kind, .op = op->number, .value = value, .other = other, .block = e->block};
    e->progress->flow(e->progress->user, &seen);
}

/* The record that starts the loop: bounds, step and initial values. */
static void emit_for(struct ptog_eval *e, const struct for_loop *loop)
{
    const struct ptog_part *bounds = ptog_op_part(loop->op, PTOG_PART_ITEMS, 0);
    struct ptog_code *code = ptog_emit(e, PTOG_CODE_FOR, loop->op);
    struct ptog_code_arg *args = ptog_code_args(e->emits, code, 3 + loop->count);
    code->flow.region = loop->region;
    code->flow.type = loop->type;
    code->flow.results = loop->count;
    code->scope = ptog_frame_used(e);
    for (uint32_t i = 0; args && bounds && i < ptog_min(bounds->count, 3u); i++)
        args[i] = ptog_code_arg_of(e, &bounds->items[i]);
    for (uint32_t i = 0; args && i < loop->count; i++)
        args[3 + i] = ptog_code_arg_of(e, &loop->initial->items[i]);
    e->no_memory = e->no_memory || !args;
}

/* The records after the body; `begin` is the number of the first one. */
static void emit_for_end(struct ptog_eval *e, const struct for_loop *loop, uint32_t begin)
{
    struct ptog_code *next = ptog_emit(e, PTOG_CODE_FOR_NEXT, loop->op);
    *next = *ptog_emitted(e, begin);
    next->kind = PTOG_CODE_FOR_NEXT;
    next->target = begin + 1;
    struct ptog_code *end = ptog_emit(e, PTOG_CODE_FOR_END, loop->op);
    end->scope = ptog_emitted(e, begin)->scope;
    ptog_emitted(e, begin)->target = ptog_emit_next(e) - 1;
}

/* Walks the body once, with numbers that turns may change unknown. The slot before its arguments is the counter's. */
static void check_loop(struct ptog_eval *e, struct for_loop *loop)
{
    uint32_t scope = e->value_count, begin = ptog_emit_next(e);
    for (uint32_t i = 0; i < loop->count; i++)
        ptog_forget_numbers(&loop->carried[i]);
    emit_for(e, loop);
    ptog_define(e, 0, loop->op->name_span);
    struct ptog_loop_life life = ptog_life_loop(e, loop->op);
    define_loop_args(e, loop, (struct ptog_number){0, false});
    ptog_check_body(e, loop->region);
    ptog_scope_leave(e, scope);
    ptog_life_loop_end(e, &life);
    ptog_check_yields(e, loop->op, loop->count);
    emit_for_end(e, loop, begin);
}

/* Fills `loop->carried` with the initial values of a loop; false when out of memory. */
static bool read_carried(struct ptog_eval *e, struct for_loop *loop, struct ptog_arena *arena)
{
    loop->carried = loop->count ? ptog_arena_alloc(arena, loop->count * sizeof *loop->carried) : NULL;
    if (loop->count && !loop->carried) {
        e->no_memory = true;
        return false;
    }
    const struct ptog_part *types = ptog_op_part(loop->op, PTOG_PART_ARROW, 0);
    for (uint32_t i = 0; i < loop->count; i++) {
        struct ptog_value *value = ptog_use(e, &loop->initial->items[i], ptog_part_type(types, i), PTOG_VALUE_NUMBER);
        if (value && value->kind == PTOG_VALUE_TILE)
            ptog_life_lend(e, value);
        if (value)
            loop->carried[i] = *value;
    }
    return true;
}

/* Reports bounds of a loop that have two different types; a bound without a type fits any. */
static void check_bound_types(struct ptog_eval *e, const struct ptog_part *bounds)
{
    const struct ptog_type *first = NULL;
    for (uint32_t i = 0; i < bounds->count; i++) {
        const struct ptog_item *item = &bounds->items[i];
        const struct ptog_value *value = ptog_value_of(e, item);
        if (!value || !value->type)
            continue;
        if (first && !ptog_types_agree(value->type, first))
            ptog_diag_emit(e->diags, "text-type-mismatch", item->span,
                           "the bounds and the step of a loop must have the same type");
        if (!first)
            first = value->type;
    }
}

/* Reads the start, end and step of a loop as far as they are known, and reports types and steps that cannot be. */
static void read_bounds(struct ptog_eval *e, struct for_loop *loop)
{
    const struct ptog_part *bounds = ptog_op_part(loop->op, PTOG_PART_ITEMS, 0);
    struct ptog_number *numbers[] = {&loop->from, &loop->to, &loop->step};
    const struct ptog_part *type = ptog_op_part(loop->op, PTOG_PART_TYPES, 0);
    const struct ptog_type_use *use = ptog_part_type(type, 0);
    bool good = bounds && bounds->count == 3;
    for (int i = 0; bounds && bounds->count == 3 && i < 3; i++)
        good = ptog_use_number(e, &bounds->items[i], use, numbers[i]) && good;
    if (good && !use)
        check_bound_types(e, bounds);
    loop->type = ptog_used_type(use);
    if (good && loop->step.known && loop->step.value <= 0) {
        ptog_diag_emit(e->diags, "text-loop-step", bounds->items[2].span,
                       "the step of a loop must be positive, not %lld", (long long)loop->step.value);
    }
}

/* Lowers scf.for: walks its body once, with values that are true of every turn, and defines its results. */
void ptog_eval_for(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *body = ptog_op_part(op, PTOG_PART_REGION, 0);
    struct for_loop loop = {.op = op, .initial = ptog_op_part(op, PTOG_PART_CLAUSE, PTOG_WORD_iter_args)};
    struct ptog_arena arena = {0};
    loop.count = loop.initial ? loop.initial->count : 0;
    if (!body || body->region->arg_count != loop.count + 1 || !ptog_want_results(e, op, loop.count))
        return;
    loop.region = body->region;
    read_bounds(e, &loop);
    if (!read_carried(e, &loop, &arena))
        return;
    check_loop(e, &loop);
    for (uint32_t i = 0; i < loop.count && !ptog_eval_over(e); i++)
        ptog_define_result(e, op, i, &loop.carried[i]);
    e->yields.used = 0;
    ptog_arena_free(&arena);
}

/* ---- conditions */

/* Makes *value what both ways of a branch agree on: numbers that differ become unknown. */
static void merge(struct ptog_value *value, const struct ptog_value *other)
{
    bool same = value->kind == other->kind && value->kind == PTOG_VALUE_NUMBER && value->number.known &&
                other->number.known && value->number.value == other->number.value;
    if (value->kind == PTOG_VALUE_ANY)
        *value = *other;
    if (!same)
        ptog_forget_numbers(value);
}

/* A branch; `never`: its condition is constant, and it is not taken. */
static void check_branch(struct ptog_eval *e, const struct ptog_region *region, bool never)
{
    e->diags->unreached += never;
    ptog_check_body(e, region);
    e->diags->unreached -= never;
}

/* Walks both branches of an scf.if, appends the jumps between them, and defines its results as what both agree on. */
static void check_branches(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_part *then,
                           const struct ptog_part *otherwise, struct ptog_number condition, uint32_t begin)
{
    const struct ptog_part *types = ptog_op_part(op, PTOG_PART_ARROW, 0);
    uint32_t count = ptog_type_count(types);
    struct ptog_stack kept = {0};
    uint32_t scope = ptog_frame_used(e);
    check_branch(e, then->region, condition.known && condition.value == 0);
    uint32_t jump = ptog_emit_next(e);
    ptog_emit(e, PTOG_CODE_ELSE, op);
    ptog_emitted(e, begin)->target = ptog_emit_next(e);
    bool good = ptog_check_yields(e, op, count);
    if (good && count > 0 && !ptog_stack_push(&kept, e->yields.data, e->yields.used))
        e->no_memory = true;
    if (otherwise) {
        check_branch(e, otherwise->region, condition.known && condition.value != 0);
        good = ptog_check_yields(e, op, count) && good;
    } else if (count > 0) {
        ptog_diag_emit(e->diags, "text-operands", op->name_span, "'scf.if' with results needs an else region");
        good = false;
    }
    ptog_emitted(e, jump)->target = ptog_emit_next(e);
    struct ptog_code *end = ptog_emit(e, PTOG_CODE_IF_END, op);
    end->scope = scope;
    end->flow.results = count;
    for (uint32_t i = 0; i < count && !e->no_memory; i++) {
        struct ptog_value value = {0};
        if (good) {
            value = ((const struct ptog_value *)(const void *)kept.data)[i];
            merge(&value, ptog_yielded(e, i));
        }
        ptog_define_result(e, op, i, &value);
    }
    ptog_stack_free(&kept);
}

void ptog_check_condition(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item)
{
    const struct ptog_value *value = ptog_value_of(e, item);
    if (value && value->kind == PTOG_VALUE_NUMBER && value->width > 1)
        ptog_diag_emit(e->diags, "text-operand", item->span, "the condition of '%s' must be an i1, but %%%.80s is not",
                       ptog_op_info(op->name)->name, ptog_tree_text(e->tree, item->name));
}

/* Lowers scf.if, with one or two branches. */
void ptog_eval_if(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *items = ptog_op_part(op, PTOG_PART_ITEMS, 0), *then = NULL;
    const struct ptog_part *otherwise = ptog_op_part(op, PTOG_PART_REGION, PTOG_WORD_else);
    const struct ptog_part *types = ptog_op_part(op, PTOG_PART_ARROW, 0);
    uint32_t count = ptog_type_count(types);
    struct ptog_number condition;
    then = ptog_op_part(op, PTOG_PART_REGION, 0);
    if (!items || items->count != 1 || !then || !ptog_want_results(e, op, count))
        return;
    bool good = ptog_use_number(e, &items->items[0], NULL, &condition);
    ptog_check_condition(e, op, &items->items[0]);
    uint32_t begin = ptog_emit_next(e);
    ptog_emit_args(e, ptog_emit(e, PTOG_CODE_IF, op), items->items, 1);
    check_branches(e, op, then, otherwise, good ? condition : (struct ptog_number){0}, begin);
    e->yields.used = 0;
}
