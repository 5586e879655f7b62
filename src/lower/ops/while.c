/* lower: scf.while. The first region is the test: it ends with scf.condition, which hands values to the second
 * region, the body, or, when the condition is false, out of the loop. The body yields the arguments of the next test.
 *
 *   %r = scf.while (%a = %x) : (T) -> U { ... scf.condition(%c) %v : U } do { ^bb0(%p: U): ... scf.yield %q : T } */
#include "lower/emit.h"
#include "lower/ops/flow.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"

struct while_loop {
    const struct ptog_op *op;
    const struct ptog_region *test, *body;
    const struct ptog_part *initial;     /* items, one for each argument of the test */
    const struct ptog_type_use *results; /* types */
    uint32_t result_count;
    struct ptog_value *carried; /* arguments of the next test */
};

/* Lowers `scf.condition(%c) %v, ... : T, ...`: keeps the condition, hands out the values, and writes the record. */
void ptog_eval_condition(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *condition = ptog_op_part(op, PTOG_PART_PARENS, 0),
                           *values = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    const struct ptog_part *types = ptog_op_part(op, PTOG_PART_TYPES, 0);
    e->yields.used = 0;
    e->condition = (struct ptog_number){0, false};
    if (!condition || condition->count != 1) {
        ptog_refuse(e, "text-operands", op->name_span, "'scf.condition' needs one condition in parentheses");
        return;
    }
    if (e->depth == 0 || op->next)
        ptog_diag_emit(e->diags, "text-place", op->name_span,
                       "'scf.condition' is only allowed at the end of the first region of 'scf.while'");
    ptog_use_number(e, &condition->items[0], NULL, &e->condition);
    ptog_check_condition(e, op, &condition->items[0]);
    for (uint32_t i = 0; values && i < values->count; i++) {
        struct ptog_value *value = ptog_use(e, &values->items[i], ptog_part_type(types, i), PTOG_VALUE_ANY);
        ptog_yield(e, value);
    }
    ptog_emit_args_after(e, ptog_emit(e, PTOG_CODE_CONDITION, op), condition->items, values ? values->items : NULL,
                         values ? values->count : 0);
}

/* The body names its arguments in the label of its first block. */
static const struct ptog_op *label_of(const struct ptog_region *body)
{
    if (body->first && body->first->name == PTOG_OP_NAME_LABEL)
        return body->first;
    return NULL;
}

/* Defines a block's arguments as the values that were yielded last, or as any value where those are too few. */
static void define_args(struct ptog_eval *e, const struct ptog_region *block)
{
    static const struct ptog_value any;
    for (uint32_t i = 0; i < block->arg_count; i++) {
        const struct ptog_value *value = &any;
        if (i < ptog_yield_count(e))
            value = ptog_yielded(e, i);
        ptog_define_arg(e, &block->args[i], value);
    }
}

/* Lowers the body of a while loop in a scope of its own, with the arguments of its label. */
static void check_while_body(struct ptog_eval *e, const struct while_loop *loop)
{
    const struct ptog_op *label = label_of(loop->body);
    uint32_t scope = e->value_count;
    struct ptog_region rest = *loop->body;
    if (label) {
        define_args(e, label->parts[1].region);
        rest.first = label->next;
    }
    e->yields.used = 0;
    ptog_check_body(e, &rest);
    ptog_scope_leave(e, scope);
}

/* Walks the test of a loop with its carried values; `e->condition` and `e->yields` are what it says. */
static void check_while_test(struct ptog_eval *e, const struct while_loop *loop)
{
    uint32_t scope = e->value_count;
    for (uint32_t i = 0; i < loop->test->arg_count; i++)
        ptog_define_arg(e, &loop->test->args[i], &loop->carried[i]);
    e->yields.used = 0;
    ptog_check_body(e, loop->test);
    ptog_scope_leave(e, scope);
}

/* Reports that the body expects another number of values than the test hands out. */
static void check_label(struct ptog_eval *e, const struct while_loop *loop)
{
    const struct ptog_op *label = label_of(loop->body);
    uint32_t count = label ? label->parts[1].region->arg_count : 0;
    if (count != loop->result_count)
        ptog_diag_emit(e->diags, "text-operands", loop->op->name_span,
                       "the body of 'scf.while' expects %u values, not %u", (unsigned)loop->result_count,
                       (unsigned)count);
}

/* The records of the loop are those of the test and of the body, with jumps around them. Numbers that turns may change
 * are unknown; what the test hands out is defined as the results when both regions are over. */
static void check_while(struct ptog_eval *e, const struct while_loop *loop)
{
    uint32_t begin = ptog_emit_next(e), scope = ptog_frame_used(e);
    struct ptog_stack results = {0};
    struct ptog_code *code = ptog_emit(e, PTOG_CODE_WHILE, loop->op);
    code->flow.region = loop->test;
    code->scope = scope;
    ptog_emit_args(e, code, loop->initial->items, loop->initial->count);
    for (uint32_t i = 0; i < loop->test->arg_count; i++)
        ptog_forget_numbers(&loop->carried[i]);
    check_label(e, loop);
    ptog_define(e, 0, loop->op->name_span); /* the run counts its turns there */
    check_while_test(e, loop);
    uint32_t test = ptog_emit_next(e);
    code = ptog_emit(e, PTOG_CODE_WHILE_TEST, loop->op);
    code->scope = scope;
    code->flow.region = label_of(loop->body) ? label_of(loop->body)->parts[1].region : NULL;
    bool good = ptog_check_yields(e, loop->op, loop->result_count);
    if (good && e->yields.used > 0 && !ptog_stack_push(&results, e->yields.data, e->yields.used))
        e->no_memory = true;
    check_while_body(e, loop);
    ptog_check_yields(e, loop->op, loop->test->arg_count);
    code = ptog_emit(e, PTOG_CODE_WHILE_NEXT, loop->op);
    code->scope = scope;
    code->flow.region = loop->test;
    code->target = begin + 1;
    ptog_emitted(e, test)->target = ptog_emit_next(e);
    ptog_emit(e, PTOG_CODE_WHILE_END, loop->op)->scope = scope;
    ptog_scope_leave(e, e->frame + scope);
    if (good)
        ptog_define_forgotten(e, loop->op, &results);
    else
        ptog_define_any(e, loop->op);
    ptog_stack_free(&results);
}

/* Fills `loop->carried` with the initial values; false when out of memory. */
static bool read_carried(struct ptog_eval *e, struct while_loop *loop, const struct ptog_type *function,
                         struct ptog_arena *arena)
{
    uint32_t count = loop->test->arg_count;
    loop->carried = count ? ptog_arena_alloc(arena, count * sizeof *loop->carried) : NULL;
    if (count && !loop->carried) {
        e->no_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct ptog_type_use *use = i < function->in_count ? &function->ins[i] : NULL;
        struct ptog_value *value = ptog_use(e, &loop->initial->items[i], use, PTOG_VALUE_NUMBER);
        if (value && value->kind == PTOG_VALUE_TILE)
            ptog_life_lend(e, value);
        if (value)
            loop->carried[i] = *value;
    }
    return true;
}

/* Lowers scf.while: walks test and body once each, appends their jumps, and defines the results. */
void ptog_eval_while(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_part *test = ptog_op_part(op, PTOG_PART_REGION, 0), *types = ptog_op_part(op, PTOG_PART_TYPES, 0);
    const struct ptog_part *body = ptog_op_part(op, PTOG_PART_REGION, PTOG_WORD_do);
    struct while_loop loop = {.op = op, .initial = ptog_op_part(op, PTOG_PART_CLAUSE, PTOG_WORD_iter_args)};
    struct ptog_arena arena = {0};
    if (!test || !body || !types || !loop.initial)
        return; /* the parser does not make such a one, but for the generic form */
    const struct ptog_type *function = types->type_count == 1 ? types->types[0].type : NULL;
    if (!function || function->kind != PTOG_TYPE_FUNCTION || function->in_count != loop.initial->count) {
        ptog_refuse(e, "text-operands", op->name_span,
                    "'scf.while' needs a type (T, ...) -> U with a T for each argument");
        ptog_define_any(e, op);
        return;
    }
    loop.test = test->region;
    loop.body = body->region;
    loop.results = function->outs;
    loop.result_count = function->out_count;
    if (!ptog_want_results(e, op, loop.result_count) || !read_carried(e, &loop, function, &arena))
        return;
    check_while(e, &loop);
    e->yields.used = 0;
    ptog_arena_free(&arena);
}
