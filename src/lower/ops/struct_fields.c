/* lower: structs on the stack of a kernel. A struct is kept as an array of its numbers, those of structs in it among
 * them: of !pto.struct<i32, !pto.struct<f32, i16>> the field [1, 0] is number 1. */
#include "lower/ops/made.h"

/* Adds the numbers that a type has to *count, which stops growing beyond `most`. */
static void count_numbers(const struct ptog_type *type, uint32_t most, uint32_t *count)
{
    if (type->kind != PTOG_TYPE_STRUCT) {
        ++*count;
        return;
    }
    for (uint32_t i = 0; i < type->in_count && *count <= most; i++)
        count_numbers(type->ins[i].type, most, count);
}

uint32_t ptog_struct_numbers(const struct ptog_type *type, uint32_t most)
{
    uint32_t count = 0;
    count_numbers(type, most, &count);
    return count;
}

bool ptog_struct_find(const struct ptog_type *type, const struct ptog_item *item, uint32_t most, uint32_t *number)
{
    *number = 0;
    for (uint32_t i = 0; i < item->count; i++) {
        const struct ptog_item *field = &item->items[i];
        if (type->kind != PTOG_TYPE_STRUCT || field->kind != PTOG_ITEM_INT || field->negative ||
            field->number >= type->in_count)
            return false;
        for (uint32_t before = 0; before < field->number && *number <= most; before++)
            count_numbers(type->ins[before].type, most, number);
        type = type->ins[field->number].type;
    }
    return item->called && item->count > 0 && type->kind == PTOG_TYPE_SCALAR;
}
