/* lower: calls between the functions of a module. A tile is passed by reference: callee and caller have the same
 * bytes, and what the callee makes valid is so afterwards.
 *
 * Checking looks at a call's types; the function itself is checked on its own. Before a run each function is walked
 * once where it is first called, so that its tiles get their places. */
#include "base/pick.h"
#include "lower/emit.h"
#include "lower/ops/flow.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/scope.h"
#include "lower/types.h"

struct function_call {
    const struct ptog_op *op;
    const struct ptog_function *callee;
    const struct ptog_item *args;
    uint32_t count;
    const struct ptog_part *types, *results; /* may be NULL */
};

static const struct ptog_part *results_of(const struct ptog_function *function)
{
    return ptog_op_part(function->op, PTOG_PART_ARROW, 0);
}

/* ---- names: a function sees its own */

/* Makes the names of the caller's frame unknown, while a callee is walked or runs. */
static void hide_names(struct ptog_eval *e)
{
    for (uint32_t i = e->frame + 1; i <= e->value_count; i++)
        if (ptog_value_at(e, i)->name != 0)
            e->value_of[ptog_value_at(e, i)->name] = 0;
}

/* Makes them known again. */
static void show_names(struct ptog_eval *e)
{
    for (uint32_t i = e->frame + 1; i <= e->value_count; i++)
        if (ptog_value_at(e, i)->name != 0)
            e->value_of[ptog_value_at(e, i)->name] = i;
}

/* ---- one call */

/* Defines the arguments of a called function as the values with these numbers; number 0 is a value of which nothing is
 * known. */
static void define_call_args(struct ptog_eval *e, const struct ptog_region *region, const uint32_t *numbers)
{
    static const struct ptog_value any;
    for (uint32_t i = 0; i < region->arg_count && !e->no_memory; i++) {
        const struct ptog_value *from = numbers[i] ? ptog_value_at(e, numbers[i]) : &any;
        ptog_define_arg(e, &region->args[i], from);
        if (!e->no_memory)
            ptog_value_at(e, e->value_count)->slot = from->slot;
    }
}

/* What the callee made valid, and where it put a tile, holds for the caller too. */
static void hand_back(struct ptog_eval *e, const uint32_t *numbers, uint32_t count, uint32_t first)
{
    for (uint32_t i = 0; i < count; i++) {
        struct ptog_value *from = numbers[i] ? ptog_value_at(e, numbers[i]) : NULL;
        if (from && from->kind == PTOG_VALUE_TILE) {
            from->tile = ptog_value_at(e, first + i)->tile;
            from->version = ptog_value_at(e, first + i)->version;
        }
    }
}

/* Opens the frame of a called function: hides the caller's names, and saves in *caller what ptog_call_leave
 * restores. */
void ptog_call_enter(struct ptog_eval *e, const struct ptog_function *callee, const uint32_t *numbers,
                     struct ptog_caller *caller)
{
    *caller = (struct ptog_caller){e->frame, e->depth, e->function, e->bare};
    hide_names(e);
    e->frame = e->value_count;
    e->function = callee->op;
    e->bare = false;
    e->depth = 0;
    e->calls++;
    e->yields.used = 0;
    define_call_args(e, callee->region, numbers);
}

/* Closes that frame: hands changed tiles back to the caller's values, and makes its names visible again. */
void ptog_call_leave(struct ptog_eval *e, const struct ptog_function *callee, const uint32_t *numbers,
                     const struct ptog_caller *caller)
{
    if (!e->no_memory)
        hand_back(e, numbers, callee->region->arg_count, e->frame + 1);
    ptog_scope_leave(e, e->frame);
    e->calls--;
    e->depth = caller->depth;
    e->function = caller->function;
    e->bare = caller->bare;
    e->frame = caller->frame;
    e->returned = false;
    show_names(e);
}

/* Defines the results of a call by their types alone. */
static void define_typed(struct ptog_eval *e, const struct function_call *call)
{
    const struct ptog_part *types = call->callee ? results_of(call->callee) : call->results;
    for (uint32_t i = 0; types && i < types->type_count; i++) {
        struct ptog_value value;
        ptog_value_from_type(e, &types->types[i], &value);
        ptog_define_result(e, call->op, i, &value);
    }
}

/* ---- checks */

/* Reports arguments whose types differ from those of the callee. */
static void check_args(struct ptog_eval *e, const struct function_call *call)
{
    const struct ptog_region *region = call->callee->region;
    for (uint32_t i = 0; i < call->count; i++) {
        const struct ptog_type_use *use = ptog_part_type(call->types, i);
        const struct ptog_type *type = region->args[i].type.type;
        if (use && type && !ptog_types_agree(use->type, type))
            ptog_diag_relate(ptog_diag_emit(e->diags, "text-type-mismatch", use->span,
                                            "@%.80s expects another type here", call->callee->name),
                             region->args[i].span, "defined here");
    }
}

/* Whether the numbers of arguments and results agree with the callee; reports where not. */
static bool check_counts(struct ptog_eval *e, const struct function_call *call)
{
    const struct ptog_part *types = results_of(call->callee);
    if (call->count != call->callee->region->arg_count) {
        ptog_diag_emit(e->diags, "text-operands", call->op->name_span,
                       "@%.80s has %u argument%s, but is called with %u", call->callee->name,
                       (unsigned)call->callee->region->arg_count, ptog_plural(call->callee->region->arg_count),
                       (unsigned)call->count);
        return false;
    }
    return ptog_want_results(e, call->op, ptog_type_count(types));
}

/* Reads the arguments; numbers[i] is the value's number, 0 when there is none. */
static uint32_t *read_args(struct ptog_eval *e, const struct function_call *call, struct ptog_arena *arena)
{
    uint32_t *numbers = ptog_arena_alloc(arena, (call->count + 1) * sizeof *numbers);
    for (uint32_t i = 0; numbers && i < call->count; i++) {
        struct ptog_value *value = ptog_use(e, &call->args[i], ptog_part_type(call->types, i), PTOG_VALUE_ANY);
        numbers[i] = value ? e->value_of[call->args[i].name] : 0;
        if (value && value->kind == PTOG_VALUE_TILE)
            ptog_place_use(e, value); /* the callee reads or writes it */
    }
    e->no_memory = e->no_memory || !numbers;
    return numbers;
}

/* Whether the callee is walked now: before a run once, and never while only checking. */
static bool is_walked_now(struct ptog_eval *e, const struct ptog_function *callee)
{
    size_t number = (size_t)(callee - e->program->functions);
    if (e->called[number])
        ptog_life_again(e);
    if (!ptog_is_bound(e) || e->called[number])
        return false;
    e->called[number] = true;
    return true;
}

/* Checks a call of a function that has a body; before a run, the first call of each is followed into it. */
static void check_call(struct ptog_eval *e, const struct function_call *call)
{
    struct ptog_arena arena = {0};
    uint32_t *numbers = check_counts(e, call) ? read_args(e, call, &arena) : NULL;
    if (numbers)
        check_args(e, call);
    if (numbers && e->calls >= PTOG_MAX_CALLS) {
        ptog_say_nested_calls(e, call->op, call->callee);
    } else if (numbers) {
        struct ptog_code *code = ptog_emit(e, PTOG_CODE_CALL, call->op);
        code->callee = (uint32_t)(call->callee - e->program->functions);
        ptog_note_call(e, call->callee, code);
        ptog_emit_args(e, code, call->args, call->count);
        if (is_walked_now(e, call->callee)) {
            struct ptog_caller caller;
            ptog_call_enter(e, call->callee, numbers, &caller);
            ptog_eval_body(e, call->callee);
            ptog_call_leave(e, call->callee, numbers, &caller);
            ptog_define_forgotten(e, call->op, &e->yields); /* what it returned */
            e->yields.used = 0;
        } else {
            define_typed(e, call);
        }
        e->emitted = true;
    }
    ptog_arena_free(&arena);
}

/* Reports calls that are nested too deeply, and stops a run. */
void ptog_say_nested_calls(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_function *callee)
{
    ptog_say_not_modelled(e, op->name_span, "'@%.80s' calls itself, or calls are nested too deeply", callee->name);
}

/* Lowers a call: walks the callee with these arguments, defines the results, and appends a record. What cannot be
 * called gets a record that stops a run. */
void ptog_eval_call(struct ptog_eval *e, const struct ptog_op *op)
{
    struct function_call call = {
        .op = op, .types = ptog_op_part(op, PTOG_PART_TYPES, 0), .results = ptog_op_part(op, PTOG_PART_ARROW, 0)};
    const struct ptog_part *items = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    const struct ptog_item *name = items && items->count == 1 ? items->items : NULL;
    if (!name || name->kind != PTOG_ITEM_SYMBOL) {
        ptog_refuse(e, "text-operand", op->name_span, "expected a function such as @f(%x)");
        ptog_define_any(e, op);
        return;
    }
    call.args = name->items;
    call.count = name->called ? name->count : 0;
    call.callee = ptog_function_called(e->program, e->scope, name->name);
    if (call.callee) {
        check_call(e, &call);
        return;
    }
    if (e->program->declared[name->name])
        ptog_say_not_modelled(e, name->span,
                              e->program->named[name->name]
                                  ? "'@%.80s' has no body in its module, and no other module alone defines it"
                                  : "'@%.80s' has no body in this file",
                              ptog_tree_text(e->tree, name->name));
    else
        ptog_diag_emit(e->diags, "text-undefined", name->span, "@%.80s is not defined",
                       ptog_tree_text(e->tree, name->name));
    ptog_emit(e, PTOG_CODE_STOP, op);
    define_typed(e, &call);
}
