/* lower: operations that are not simulated: known ones, those of other dialects, and names that no compiler knows. */
#include <stdio.h>
#include <string.h>

#include "asm/op_names.h"
#include "lint/lint.h"
#include "lower/emit.h"
#include "lower/ops/flow.h"
#include "lower/ops/made.h"
#include "lower/ops/ops.h"
#include "lower/parts.h"
#include "lower/scope.h"
#include "lower/types.h"

/* ---- what even an operation that is not modelled must have */

/* True when nothing is wrong with it. */
static bool check_known(struct ptog_eval *e, const struct ptog_op *op)
{
    size_t errors = e->diags->errors;
    return ptog_eval_lint(e, op) && e->diags->errors == errors;
}

/* ---- what is not modelled */

/* What the rule says while checking, and an error where a run would come to it. */
static void say_not_run(struct ptog_eval *e, const char *id, struct ptog_span span, const char *message)
{
    struct ptog_diag_entry *found = ptog_diag_emit(e->diags, id, span, "%s", message);
    if (ptog_is_bound(e))
        ptog_diag_set_severity(e->diags, found, PTOG_ERROR);
}

/* Reports, with a name in the format, what is not simulated; an error before a run. */
void ptog_say_not_modelled(struct ptog_eval *e, struct ptog_span span, const char *format, const char *name)
{
    char message[200];
    snprintf(message, sizeof message, format, name);
    say_not_run(e, "text-not-modelled", span, message);
}

/* Reports an operation of another dialect, which is not checked. */
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
    case PTOG_ORIGIN_UNKNOWN: ptog_lint_unknown_op(e->tree, op, e->diags); break;
    case PTOG_ORIGIN_FOREIGN: say_foreign(e, op, name); break;
    case PTOG_ORIGIN_KNOWN:
        if (good)
            ptog_say_not_modelled(e, op->name_span, "'%.80s' is not simulated", name);
        break;
    }
}

/* Defines the arguments of a block as any values of their types: they are whatever the branches to it hand over. */
void ptog_define_block_args(struct ptog_eval *e, const struct ptog_op *label)
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

/* Lowers an operation of other dialects: reports that it is not simulated, and checks its regions. A run stops there if
 * it has some. */
void ptog_eval_unknown(struct ptog_eval *e, const struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_LABEL) {
        ptog_emit(e, PTOG_CODE_LABEL, op);
        ptog_define_block_args(e, op);
        return;
    }
    say_not_simulated(e, op);
    if (ptog_op_part(op, PTOG_PART_REGION, 0))
        ptog_emit(e, PTOG_CODE_STOP, op);
    for (uint32_t i = 0; i < op->part_count; i++)
        if (op->parts[i].kind == PTOG_PART_REGION)
            ptog_check_body(e, op->parts[i].region);
    ptog_define_any(e, op);
}
