/* asm: the tree of a program: how it begins and ends, and small questions about operations and their parts. */
#include "asm/tree.h"

#include <string.h>

#include "base/text.h"

void ptog_tree_free(struct ptog_tree *tree)
{
    ptog_symbols_free(&tree->symbols);
    ptog_index_free(&tree->loc_names);
    ptog_arena_free(&tree->arena);
    tree->root = (struct ptog_region){0};
}

bool ptog_tree_is(const struct ptog_tree *tree, ptog_symbol symbol, const char *text)
{
    return symbol != 0 && strcmp(ptog_tree_text(tree, symbol), text) == 0;
}

bool ptog_tree_is_joined(const struct ptog_tree *tree, ptog_symbol symbol, const char *start, const char *end)
{
    size_t length = strlen(start);
    const char *text = ptog_tree_text(tree, symbol);
    return symbol != 0 && strncmp(text, start, length) == 0 && strcmp(text + length, end) == 0;
}

bool ptog_tree_is_listed(const struct ptog_tree *tree, ptog_symbol symbol, const char *words)
{
    return symbol != 0 && ptog_word_listed(ptog_tree_text(tree, symbol), words);
}

bool ptog_tree_matches(const struct ptog_tree *tree, ptog_symbol symbol, const char *pattern)
{
    size_t length = strlen(pattern);
    if (symbol != 0 && length > 0 && pattern[length - 1] == '*')
        return strncmp(ptog_tree_text(tree, symbol), pattern, length - 1) == 0;
    return ptog_tree_is(tree, symbol, pattern);
}

unsigned ptog_tree_int_width(const struct ptog_tree *tree, ptog_symbol symbol)
{
    unsigned width = 0;
    if (!ptog_tree_matches(tree, symbol, "i*"))
        return 0;
    for (const char *digit = ptog_tree_text(tree, symbol) + 1; *digit >= '0' && *digit <= '9' && width <= 64; digit++)
        width = 10 * width + (unsigned)(*digit - '0');
    return width <= 64 ? width : 0;
}

bool ptog_item_is_keyed(const struct ptog_item *item)
{
    return item->kind == PTOG_ITEM_RECORD || item->kind == PTOG_ITEM_DICT;
}

const struct ptog_item *ptog_item_entry(const struct ptog_item *item, ptog_symbol key)
{
    bool is_keyed = ptog_item_is_keyed(item);
    for (uint32_t i = 0; is_keyed && i < item->count; i++)
        if (item->entries[i].key == key)
            return &item->entries[i].value;
    return NULL;
}

const struct ptog_part *ptog_op_part(const struct ptog_op *op, enum ptog_part_kind kind, ptog_symbol word)
{
    for (uint32_t i = 0; i < op->part_count; i++)
        if (op->parts[i].kind == kind && (word == 0 || op->parts[i].word == word))
            return &op->parts[i];
    return NULL;
}

uint32_t ptog_run_values(const struct ptog_item *items, uint32_t count)
{
    uint32_t values = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool inner = items[i].called && (items[i].kind == PTOG_ITEM_WORD || items[i].kind == PTOG_ITEM_VALUE);
        if (inner)
            values += ptog_run_values(items[i].items, items[i].count);
        values +=
            items[i].kind == PTOG_ITEM_VALUE || items[i].kind == PTOG_ITEM_INT || items[i].kind == PTOG_ITEM_FLOAT;
    }
    return values;
}

const struct ptog_item *ptog_op_attr(const struct ptog_op *op, ptog_symbol key)
{
    for (uint32_t i = 0; key != 0 && op->attrs && i < op->attrs->count; i++)
        if (op->attrs->entries[i].key == key)
            return &op->attrs->entries[i].value;
    return NULL;
}

struct ptog_span ptog_type_inside(const struct ptog_type_use *use, struct ptog_span inside)
{
    if (inside.at + inside.length > use->span.length) /* an alias stands there */
        return use->span;
    return (struct ptog_span){use->span.at + inside.at, inside.length};
}
