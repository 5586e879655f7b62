/* explore: which operations a run of the function can come to: its own, and those of the functions that are called. */
#include <stdlib.h>

#include "asm/insn_words.h"
#include "explore/explore.h"
#include "lower/program.h"

static void mark_function(struct ptog_proof *proof, const struct ptog_function *function);

/* Marks the operations of a called function as part of what is proved, once. */
static void mark_callee(struct ptog_proof *proof, const struct ptog_function *caller, const struct ptog_op *op)
{
    const struct ptog_part *items = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    if (!items || items->count != 1 || items->items[0].kind != PTOG_ITEM_SYMBOL)
        return;
    const struct ptog_function *callee = ptog_function_called(proof->program, caller->scope, items->items[0].name);
    if (callee && callee->op && !proof->covers[callee->op->number].is_own)
        mark_function(proof, callee);
}

/* Marks the operations of a region, and of the functions that it calls. */
static void mark_region(struct ptog_proof *proof, const struct ptog_function *function,
                        const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        proof->covers[op->number].is_own = true;
        if (op->name == PTOG_OP_NAME_CALL || op->name == PTOG_OP_NAME_SHORT_CALL)
            mark_callee(proof, function, op);
        for (uint32_t i = 0; i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                mark_region(proof, function, op->parts[i].region);
    }
}

/* Marks the operations of a function, and of those that it calls, as part of what is proved. */
static void mark_function(struct ptog_proof *proof, const struct ptog_function *function)
{
    if (function->op)
        proof->covers[function->op->number].is_own = true;
    if (function->region)
        mark_region(proof, function, function->region);
}

bool ptog_scope_find(struct ptog_proof *proof)
{
    const struct ptog_function *function = ptog_function_find(proof->program, proof->execution.function);
    proof->own_ops = calloc(proof->op_count + 1, sizeof *proof->own_ops);
    if (!proof->own_ops)
        return false;
    if (function)
        mark_function(proof, function);
    for (size_t op = 0; op < proof->op_count; op++)
        if (proof->covers[op].is_own)
            proof->own_ops[proof->own_count++] = (uint32_t)op;
    return true;
}
