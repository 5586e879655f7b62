/* repair: the places of a function where a flag could stand. */
#include "repair/edits/places.h"

#include "base/array.h"
#include "lower/eval.h"

/* Appends a place before or after an operation. False when out of memory. */
static bool add_place(struct ptog_flag_places *places, const struct ptog_op *op, bool after)
{
    if (!ptog_array_reserve(&places->of, places->count + 1, &places->room))
        return false;
    places->of[places->count++] = (struct ptog_flag_place){op, after};
    return true;
}

/* Before an operation that only computes, or makes a view or a tile, a flag does what it does before the next one. */
static bool is_place(const struct ptog_op *op)
{
    enum ptog_op_kind kind = ptog_op_info(op->name)->kind;
    if (kind == PTOG_KIND_MODULE || kind == PTOG_KIND_FUNC)
        return false;
    return kind != PTOG_KIND_PLAIN || op->result_count == 0 || op->name == PTOG_OP_NAME_LOAD_SCALAR;
}

static bool is_terminator(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_RETURN || op->name == PTOG_OP_NAME_FUNC_RETURN || op->name == PTOG_OP_NAME_YIELD;
}

bool ptog_op_is_gone(const struct ptog_added *added, const struct ptog_op *op)
{
    enum ptog_edit_kind kind = added->edits[op->number].kind;
    return kind == PTOG_EDIT_MOVE || kind == PTOG_EDIT_REMOVE;
}

/* Appends all places of a region and of those inside it, in the order of the text. False when out of memory. */
static bool add_places(struct ptog_flag_places *places, const struct ptog_added *added,
                       const struct ptog_region *region)
{
    bool good = true;
    for (const struct ptog_op *op = region->first; op && good; op = op->next) {
        enum ptog_op_kind kind = ptog_op_info(op->name)->kind;
        if (kind == PTOG_KIND_MODULE || kind == PTOG_KIND_FUNC || ptog_op_is_gone(added, op))
            continue; /* functions of their own */
        if (is_place(op))
            good = add_place(places, op, false);
        for (uint32_t i = 0; i < op->part_count && good; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                good = add_places(places, added, op->parts[i].region);
        if (!op->next && !is_terminator(op))
            good = good && add_place(places, op, true);
    }
    return good;
}

bool ptog_flag_places_list(struct ptog_flag_places *places, const struct ptog_tries *tries)
{
    *places = (struct ptog_flag_places){0};
    return add_places(places, tries->added, tries->function->region);
}

struct ptog_lines *ptog_lines_at(const struct ptog_added *added, const struct ptog_flag_place *place)
{
    if (place->after)
        return &added->after[place->op->number];
    return &added->before[place->op->number];
}
