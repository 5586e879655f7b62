/* lint: structs and local arrays, values that live on the stack of a kernel: what their types hold. */
#include "lint/structs.h"

#include "asm/words.h"

/* Whether a field of a struct may have this type. */
static bool is_storable_number(const struct ptog_type *type)
{
    if (type->kind != PTOG_TYPE_SCALAR)
        return false;
    switch (type->element.dtype) {
    case PTOG_F16:
    case PTOG_BF16:
    case PTOG_F32:
    case PTOG_I8:
    case PTOG_I16:
    case PTOG_I32:
    case PTOG_I64:
    case PTOG_U8:
    case PTOG_U16:
    case PTOG_U32:
    case PTOG_U64: return true;
    default: return type->element.name == PTOG_WORD_f64;
    }
}

/* Whether all fields of a struct, and of the structs in it, are numbers that C++ has a name for; holds for other types
 * and NULL. */
bool ptog_struct_is_storable(const struct ptog_type *type)
{
    if (!type || type->kind != PTOG_TYPE_STRUCT)
        return true;
    for (uint32_t i = 0; i < type->in_count; i++) {
        const struct ptog_type *field = type->ins[i].type;
        bool inner = field->kind == PTOG_TYPE_STRUCT;
        if (inner ? !ptog_struct_is_storable(field) : !is_storable_number(field))
            return false;
    }
    return true;
}

static struct ptog_leaf leaf_of_kind(enum ptog_leaf_kind kind)
{
    return (struct ptog_leaf){.kind = kind};
}

struct ptog_leaf ptog_struct_follow(const struct ptog_type *type, const struct ptog_item *item)
{
    if (!type || type->kind != PTOG_TYPE_STRUCT || !item->called)
        return leaf_of_kind(PTOG_LEAF_UNKNOWN);
    if (item->count == 0)
        return leaf_of_kind(PTOG_LEAF_NONE);
    for (uint32_t i = 0; i < item->count; i++) {
        const struct ptog_item *number = &item->items[i];
        if (number->kind != PTOG_ITEM_INT || type->elided)
            return leaf_of_kind(PTOG_LEAF_UNKNOWN);
        if (type->kind != PTOG_TYPE_STRUCT || number->negative || number->number >= type->in_count)
            return leaf_of_kind(PTOG_LEAF_NONE);
        type = type->ins[number->number].type;
    }
    if (type->kind == PTOG_TYPE_SCALAR)
        return (struct ptog_leaf){PTOG_LEAF_NUMBER, &type->element};
    return leaf_of_kind(PTOG_LEAF_OTHER);
}

struct ptog_leaf ptog_array_elements(const struct ptog_type *type, uint32_t *rank)
{
    *rank = 0;
    if (!type || type->kind != PTOG_TYPE_LOCAL_ARRAY || type->elided)
        return leaf_of_kind(PTOG_LEAF_UNKNOWN);
    *rank = type->rank;
    if (type->element.foreign)
        return leaf_of_kind(PTOG_LEAF_OTHER);
    return (struct ptog_leaf){PTOG_LEAF_NUMBER, &type->element};
}

bool ptog_leaf_differs(const struct ptog_leaf *leaf, const struct ptog_type *type)
{
    if (leaf->kind != PTOG_LEAF_NUMBER || !type || type->kind == PTOG_TYPE_NONE)
        return false;
    return type->kind != PTOG_TYPE_SCALAR || type->element.name != leaf->element->name;
}
