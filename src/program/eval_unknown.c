/* program: operations that are not modelled, and names that no compiler knows. */
#include <stdio.h>
#include <string.h>

#include "asm/nearest.h"
#include "program/asks.h"
#include "program/flow.h"
#include "program/ops.h"
#include "program/parts.h"
#include "program/scope.h"
#include "program/types.h"

#define MOST_COMPARED 100u /* findings, after which unknown names are no longer compared with the known ones */

/* ---- misspelled names */

/* "pto.mgather.row": the name of an operation that has suffixes in PTO-AS, with one of them. */
static bool has_suffix(const struct ptog_tree *tree, const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && name[length] != '.')
        length--;
    ptog_symbol op = ptog_symbol_find(&tree->symbols, name, length);
    return op != 0 && op < PTOG_WORD_OPS_END && ptog_suffix_key(op, PTOG_PLACE_SUFFIX_1) != 0;
}

static const char *nearest_op(const char *name)
{
    struct ptog_nearest nearest;
    ptog_nearest_start(&nearest, name + strlen("pto."), strlen(name) - strlen("pto."));
    for (ptog_symbol s = 1; s < PTOG_WORD_OPS_END; s++)
        if (strncmp(ptog_op_info(s)->name, "pto.", 4) == 0)
            ptog_nearest_offer(&nearest, ptog_op_info(s)->name + 4);
    return nearest.best;
}

static void say_misspelled(struct ptog_eval *e, const struct ptog_op *op, const char *name)
{
    const char *nearest = e->finds->count < MOST_COMPARED ? nearest_op(name) : NULL;
    if (has_suffix(e->tree, name))
        ptog_say(e->finds, "text-unknown-op", op->name_span,
                 "unknown op '%.80s': suffixes belong to PTO-AS, where names have no 'pto.'", name);
    else if (nearest)
        ptog_say(e->finds, "text-unknown-op", op->name_span, "unknown op '%.80s', did you mean 'pto.%s'?", name,
                 nearest);
    else
        ptog_say(e->finds, "text-unknown-op", op->name_span, "unknown op '%.80s'", name);
    e->stopped = e->running;
}

static bool is_misspelled(const struct ptog_op *op, const char *name)
{
    return op->name >= PTOG_WORD_OPS_END && strncmp(name, "pto.", 4) == 0 && !ptog_op_is_micro(name);
}

/* ---- what even an operation that is not modelled must have */

/* A scatter inside UB goes by a tile of indices or by a pattern, and by one of them. */
static void check_tscatter(struct ptog_eval *e, const struct ptog_op *op)
{
    bool pattern = ptog_op_attr(op, PTOG_WORD_maskPattern) != NULL, indices = op->ins->count > 1;
    if (pattern == indices)
        ptog_say(e->finds, "text-operands", op->name_span,
                 "'pto.tscatter' takes a tile of indices or a maskPattern, and exactly one of them");
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
                              "an attribute of 'pto.mscatter' is given without coalesce"),
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
    return ptog_check_asks(e, op) && e->finds->errors == errors;
}

/* ---- what is not modelled */

void ptog_say_not_modelled(struct ptog_eval *e, struct ptog_span span, const char *format, const char *name)
{
    char message[200];
    snprintf(message, sizeof message, format, name);
    struct ptog_found *found = ptog_say(e->finds, "text-not-modelled", span, "%s", message);
    if (e->bound || e->running)
        ptog_say_severity(e->finds, found, PTOG_ERROR);
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
    const char *name = ptog_tree_text(e->tree, op->name);
    if (op->name == PTOG_OP_NAME_LABEL) {
        define_block_args(e, op);
        return;
    }
    bool good = check_known(e, op);
    if (is_misspelled(op, name))
        say_misspelled(e, op, name);
    else if (good)
        ptog_say_not_modelled(e, op->name_span, "'%.80s' is not simulated yet", name);
    for (uint32_t i = 0; i < op->part_count; i++)
        if (op->parts[i].kind == PTOG_PART_REGION && !e->running)
            ptog_check_body(e, op->parts[i].region);
    ptog_define_any(e, op);
    e->stopped = e->running;
}
