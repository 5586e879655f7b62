/* asm: what an operation of the tree is made of. */
#include "asm/op_parts.h"

#include <string.h>

#include "asm/words.h"

struct ptog_operands ptog_operands_of(const struct ptog_op *op)
{
    struct ptog_operands found = {0};
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        bool items = part->kind == PTOG_PART_ITEMS || part->kind == PTOG_PART_PARENS;
        if (items && !found.items) {
            found.items = part->items;
            found.count = part->count;
            found.types = part->types;
            found.type_count = part->type_count;
        } else if (part->kind == PTOG_PART_TYPES && !found.types) {
            found.types = part->types;
            found.type_count = part->type_count;
        } else if ((part->kind == PTOG_PART_ARROW || part->kind == PTOG_PART_TO) && !found.results) {
            found.results = part->types;
            found.result_count = part->type_count;
        }
    }
    return found;
}

static bool is_type(const struct ptog_type_use *use)
{
    return use->type && use->type->kind != PTOG_TYPE_STRING && use->type->kind != PTOG_TYPE_NONE;
}

const struct ptog_type_use *ptog_operand_type(const struct ptog_operands *operands, uint32_t i)
{
    if (i < operands->type_count && is_type(&operands->types[i]))
        return &operands->types[i];
    return NULL;
}

/* Fewer types than operands: the first ones have them. */
const struct ptog_type_use *ptog_part_type(const struct ptog_part *part, uint32_t i)
{
    if (part && i < part->type_count && is_type(&part->types[i]))
        return &part->types[i];
    return NULL;
}

const struct ptog_type_use *ptog_result_type(const struct ptog_operands *operands)
{
    if (operands->result_count > 0)
        return operands->results;
    return NULL;
}

const struct ptog_type_use *ptog_only_type(const struct ptog_operands *operands)
{
    if (operands->result_count > 0)
        return operands->results;
    return ptog_operand_type(operands, 0);
}

const struct ptog_item *ptog_list_of(const struct ptog_op *op, ptog_symbol word, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (part->word != word)
            continue;
        if (part->kind == PTOG_PART_WORD && part->listed) {
            *count = part->count;
            return part->items ? part->items : op->results; /* an empty list is a list */
        }
        if (part->kind == PTOG_PART_KEY && part->items[0].kind == PTOG_ITEM_ARRAY) {
            *count = part->items[0].count;
            if (part->items[0].items)
                return part->items[0].items;
            return part->items;
        }
    }
    return NULL;
}

/* ---- attributes */

/* An attribute of an operation, by key; NULL when it has none. */
const struct ptog_item *ptog_op_attribute(const struct ptog_tree *tree, const struct ptog_op *op, const char *key)
{
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        for (uint32_t k = 0; part->kind == PTOG_PART_DICT && k < part->count; k++)
            if (strcmp(ptog_tree_text(tree, part->entries[k].key), key) == 0)
                return &part->entries[k].value;
    }
    return NULL;
}

const struct ptog_item *ptog_module_attribute(const struct ptog_tree *tree, const struct ptog_op *op, const char *key)
{
    const struct ptog_part *dict = ptog_op_part(op, PTOG_PART_DICT, PTOG_WORD_attributes);
    for (uint32_t i = 0; dict && i < dict->count; i++)
        if (strcmp(ptog_tree_text(tree, dict->entries[i].key), key) == 0)
            return &dict->entries[i].value;
    return NULL;
}

const char *ptog_item_word(const struct ptog_tree *tree, const struct ptog_item *item)
{
    return ptog_tree_text(tree, item->kind == PTOG_ITEM_ATTR ? item->value : item->name);
}

bool ptog_item_is_word(const struct ptog_tree *tree, const struct ptog_item *item, const char *word)
{
    bool spelled =
        item && (item->kind == PTOG_ITEM_ATTR || item->kind == PTOG_ITEM_WORD || item->kind == PTOG_ITEM_STRING);
    return spelled && strcmp(ptog_item_word(tree, item), word) == 0;
}
