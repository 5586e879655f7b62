/* asm: what an operation of the tree is made of: operands with their types, lists, attributes. */
#ifndef PTOG_ASM_OP_PARTS_H
#define PTOG_ASM_OP_PARTS_H

#include "asm/tree.h"

struct ptog_operands {
    const struct ptog_item *items;
    uint32_t count;
    const struct ptog_type_use *types; /* strings excluded */
    uint32_t type_count;
    const struct ptog_type_use *results;
    uint32_t result_count;
};

/* Of a PLAIN operation: its first items, the types after ':', the types after '->' or 'to'. */
struct ptog_operands ptog_operands_of(const struct ptog_op *op);

/* The type of operand i; NULL when it has none. */
const struct ptog_type_use *ptog_operand_type(const struct ptog_operands *operands, uint32_t i);
const struct ptog_type_use *ptog_part_type(const struct ptog_part *part, uint32_t i);

/* The type of the only result; NULL when none is written. */
const struct ptog_type_use *ptog_result_type(const struct ptog_operands *operands);

/* The type of the first result, or that of the first operand when there is none: of operations that write one type for
 * both. */
const struct ptog_type_use *ptog_only_type(const struct ptog_operands *operands);

/* The number of types of a part; 0 where `part` is NULL. */
static inline uint32_t ptog_type_count(const struct ptog_part *part)
{
    if (part)
        return part->type_count;
    return 0;
}

/* The type where something is used; NULL when none is written. */
static inline const struct ptog_type *ptog_used_type(const struct ptog_type_use *use)
{
    if (use)
        return use->type;
    return NULL;
}

/* The items of `key = [...]` or `word [...]`; NULL when there is none. */
const struct ptog_item *ptog_list_of(const struct ptog_op *op, ptog_symbol word, uint32_t *count);

/* An attribute of an operation, by key; NULL when it has none. The second: of a module or function, which has them
 * after the word `attributes`. */
const struct ptog_item *ptog_op_attribute(const struct ptog_tree *tree, const struct ptog_op *op, const char *key);
const struct ptog_item *ptog_module_attribute(const struct ptog_tree *tree, const struct ptog_op *op, const char *key);

/* The word of an item that may be #pto<class word>, a string or a bare word. */
const char *ptog_item_word(const struct ptog_tree *tree, const struct ptog_item *item);

/* Whether an item, which may be NULL, is this word, in one of these spellings. */
bool ptog_item_is_word(const struct ptog_tree *tree, const struct ptog_item *item, const char *word);

#endif
