/* program: operations that are not simulated: known ones, those of other dialects, and names that no compiler knows. */
#include <stdio.h>
#include <string.h>

#include "lint/lint.h"
#include "program/flow.h"
#include "program/ops.h"
#include "program/parts.h"
#include "program/scope.h"
#include "program/types.h"

/* ---- what even an operation that is not modelled must have */

/* A scatter inside UB goes by a tile of indices or by a pattern, and by one of them. */
static void check_tscatter(struct ptog_eval *e, const struct ptog_op *op)
{
    bool pattern = ptog_op_attr(op, PTOG_WORD_maskPattern) != NULL, indices = op->ins->count > 1;
    if (pattern == indices)
        ptog_say(e->finds, "text-operands", op->name_span,
                 "'pto.tscatter' needs either a tile of indices or a maskPattern");
}

/* How a scatter to global memory treats its lanes is said together with its mode. */
static void check_mscatter(struct ptog_eval *e, const struct ptog_op *op)
{
    static const char *const keys[] = {"scatterAtomicOp", "scatterOob", "scatterConflict"};
    const struct ptog_item *item = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && !item; i++)
        item = ptog_attr_of(e, op, keys[i]);
    if (item && !ptog_op_attr(op, PTOG_WORD_coalesce))
        ptog_say_fix(e->finds,
                     ptog_say(e->finds, "text-oob-alone", item->span,
                              "'pto.mscatter' has an attribute that requires coalesce, which is missing"),
                     "add coalesce = #pto<coalesce row> or elem");
}

/* True when nothing is wrong with it. */
static bool check_known(struct ptog_eval *e, const struct ptog_op *op)
{
    size_t errors = e->finds->errors;
    if (e->running)
        return true;
    if (op->ins && op->name == PTOG_OP_NAME_TSCATTER)
        check_tscatter(e, op);
    else if (op->ins && op->name == PTOG_OP_NAME_MSCATTER)
        check_mscatter(e, op);
    return ptog_eval_lint(e, op) && e->finds->errors == errors;
}

/* ---- what is not modelled */

/* What the rule says while checking, and an error where a run would come to it. */
static void say_not_run(struct ptog_eval *e, const char *id, struct ptog_span span, const char *message)
{
    struct ptog_found *found = ptog_say(e->finds, id, span, "%s", message);
    if (e->bound || e->running)
        ptog_say_severity(e->finds, found, PTOG_ERROR);
}

void ptog_say_not_modelled(struct ptog_eval *e, struct ptog_span span, const char *format, const char *name)
{
    char message[200];
    snprintf(message, sizeof message, format, name);
    say_not_run(e, "text-not-modelled", span, message);
}

static void say_foreign(struct ptog_eval *e, const struct ptog_op *op, const char *name)
{
    char message[200];
    snprintf(message, sizeof message, "'%.80s' belongs to another dialect and is not checked", name);
    say_not_run(e, "text-foreign", op->name_span, message);
}

/* One diagnostic for each operation, by where its name comes from. */
static void say_not_simulated(struct ptog_eval *e, const struct ptog_op *op)
{
    const char *name = ptog_tree_text(e->tree, op->name);
    bool good = check_known(e, op);
    switch (ptog_op_origin(e->tree, op)) {
    case PTOG_ORIGIN_UNKNOWN: ptog_lint_unknown_op(e->tree, op, e->finds); break;
    case PTOG_ORIGIN_FOREIGN: say_foreign(e, op, name); break;
    case PTOG_ORIGIN_KNOWN:
        if (good)
            ptog_say_not_modelled(e, op->name_span, "'%.80s' is not simulated", name);
        break;
    }
}

/* The arguments of a block are whatever the branches to it hand over. */
static void define_block_args(struct ptog_eval *e, const struct ptog_op *label)
{
    const struct ptog_region *block = label->parts[1].region;
    for (uint32_t i = 0; i < block->arg_count && !e->no_memory; i++) {
        struct ptog_value value;
        ptog_value_from_type(e, &block->args[i].type, &value);
        struct ptog_value *made = ptog_define(e, block->args[i].name, block->args[i].span);
        if (!made)
            return;
        value.name = made->name;
        value.span = made->span;
        value.depth = made->depth;
        *made = value;
    }
}

void ptog_eval_unknown(struct ptog_eval *e, const struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_LABEL) {
        define_block_args(e, op);
        return;
    }
    say_not_simulated(e, op);
    for (uint32_t i = 0; i < op->part_count; i++)
        if (op->parts[i].kind == PTOG_PART_REGION && !e->running)
            ptog_check_body(e, op->parts[i].region);
    ptog_define_any(e, op);
    e->stopped = e->running;
}
