/* asm: the kind of a type, and whether two types are one. */
#include "asm/types.h"

/* Whether values of this type are views of global memory, memrefs included. */
bool ptog_type_is_view(const struct ptog_type *type)
{
    switch (type->kind) {
    case PTOG_TYPE_TENSOR_VIEW:
    case PTOG_TYPE_PARTITION_VIEW: return true;
    case PTOG_TYPE_PTO_MEMREF:
    case PTOG_TYPE_MEMREF: return !type->is_on_chip;
    default: return false;
    }
}

bool ptog_type_is_tile(const struct ptog_type *type)
{
    return type->kind == PTOG_TYPE_TILE || type->kind == PTOG_TYPE_TILE_BUF || type->is_on_chip;
}

static bool extents_agree(const struct ptog_extent *a, const struct ptog_extent *b)
{
    return a->name != 0 || b->name != 0 || a->value == b->value;
}

bool ptog_elements_agree(const struct ptog_element *a, const struct ptog_element *b)
{
    if (a->placeholder || b->placeholder)
        return true;
    if (a->dtype != PTOG_DTYPE_NONE)
        return a->dtype == b->dtype;
    return a->name == b->name;
}

bool ptog_element_is_low_precision(const struct ptog_tree *tree, const struct ptog_element *element)
{
    return ptog_tree_matches(tree, element->name, "!pto.*") || ptog_tree_matches(tree, element->name, "f8*");
}

static bool tiles_agree(const struct ptog_type *a, const struct ptog_type *b)
{
    for (int f = 0; f < PTOG_FIELD_COUNT; f++)
        if (f != PTOG_FIELD_DTYPE && !extents_agree(&a->field[f], &b->field[f]))
            return false;
    return true;
}

/* Whether two types of views may be those of one value: of one kind and rank, with extents that do not contradict each
 * other. */
static bool views_agree(const struct ptog_type *a, const struct ptog_type *b)
{
    bool memrefs = a->kind >= PTOG_TYPE_PTO_MEMREF && b->kind >= PTOG_TYPE_PTO_MEMREF;
    if ((a->kind != b->kind && !memrefs) || a->rank != b->rank)
        return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if (!extents_agree(&a->dims[i], &b->dims[i]))
            return false;
    return true;
}

/* Structs nest no deeper than the parser lets them. */
static bool fields_agree(const struct ptog_type *a, const struct ptog_type *b)
{
    for (uint32_t i = 0; a->in_count == b->in_count && i < a->in_count; i++)
        if (!ptog_types_agree(a->ins[i].type, b->ins[i].type))
            return false;
    return a->in_count == b->in_count;
}

bool ptog_types_agree(const struct ptog_type *a, const struct ptog_type *b)
{
    if (a == b || a->kind == PTOG_TYPE_NONE || b->kind == PTOG_TYPE_NONE)
        return true;
    bool tiles = ptog_type_is_tile(a) && ptog_type_is_tile(b);
    bool views = ptog_type_is_view(a) && ptog_type_is_view(b);
    if (tiles || views) {
        if (a->elided || b->elided)
            return true;
        return ptog_elements_agree(&a->element, &b->element) && (tiles ? tiles_agree(a, b) : views_agree(a, b));
    }
    if (a->kind != b->kind)
        return false;
    if (a->kind == PTOG_TYPE_SCALAR || a->kind == PTOG_TYPE_PTR)
        return a->elided || b->elided || ptog_elements_agree(&a->element, &b->element);
    if (a->kind == PTOG_TYPE_STRUCT)
        return a->elided || b->elided || fields_agree(a, b);
    if (a->kind == PTOG_TYPE_LOCAL_ARRAY)
        return a->elided || b->elided || (ptog_elements_agree(&a->element, &b->element) && views_agree(a, b));
    if (a->kind == PTOG_TYPE_EVENTID_ARRAY)
        return a->slots == b->slots;
    return a->text == b->text;
}
