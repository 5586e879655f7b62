/* lower: addresses for tiles that are yet to come. */
#include "lower/forward_address.h"

#include "lower/scope.h"

#define FARTHEST 1024 /* operations ahead: each tassign of a free name looks for its instruction */

/* Whether one of the items is this value. */
static bool has_value(const struct ptog_item *items, uint32_t count, ptog_symbol name)
{
    for (uint32_t i = 0; i < count; i++)
        if (items[i].kind == PTOG_ITEM_VALUE && items[i].name == name)
            return true;
    return false;
}

/* The operation places its result: an instruction, or an alloc_tile without an address of its own. */
static bool places_result(const struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_ALLOC_TILE)
        return !ptog_op_part(op, PTOG_PART_KEY, PTOG_WORD_addr);
    return ptog_op_is_tile(op->name);
}

bool ptog_is_yet_to_come(const struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item)
{
    int steps = 0;
    if (item->kind != PTOG_ITEM_VALUE || e->slot_of[item->name] != 0)
        return false;
    if (e->value_of[item->name] != 0 && !ptog_forward_address_of(e, item->name))
        return false;
    for (op = op->next; op && steps < FARTHEST; op = op->next, steps++) {
        if (has_value(op->results, op->result_count, item->name))
            return places_result(op);
        if (op->outs && has_value(op->outs->items, op->outs->count, item->name))
            return op->defines && places_result(op);
    }
    return false;
}

void ptog_set_forward_address(struct ptog_eval *e, ptog_symbol name, struct ptog_number addr, struct ptog_span span)
{
    struct ptog_value *value = ptog_define(e, name, span);
    if (!value)
        return;
    value->kind = PTOG_VALUE_PLACE;
    value->number = addr;
}

const struct ptog_value *ptog_forward_address_of(const struct ptog_eval *e, ptog_symbol name)
{
    const struct ptog_value *value = ptog_value_named(e, name);
    if (value && value->kind == PTOG_VALUE_PLACE)
        return value;
    return NULL;
}
