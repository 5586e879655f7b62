/* asm: attribute classes that the operation names: what <x> and "x" mean, and whether the value is one of the class. */
#include "asm/parser/parser.h"

#include <string.h>

/* Reports an attribute of another class than the one that is expected. Always false. */
static bool fail_class(struct ptog_parser *p, const struct ptog_item *item, const char *class)
{
    char quote[PTOG_QUOTE_SIZE];
    return ptog_fail(p, PTOG_ID_UNKNOWN_WORD, item->span, "expected an attribute of class '%s', found %s", class,
                     ptog_quote(quote, p->source, item->span));
}

/* Where the value stands inside the item's text: it is the last word before a closing '>' or '"'. */
static struct ptog_span value_span(const struct ptog_parser *p, const struct ptog_item *item)
{
    uint32_t end = item->span.at + item->span.length;
    while (end > item->span.at && !ptog_is(p->source->bytes[end - 1], PTOG_CH_NAME))
        end--;
    uint32_t at = end;
    while (at > item->span.at && ptog_is(p->source->bytes[at - 1], PTOG_CH_NAME))
        at--;
    return (struct ptog_span){at, end - at};
}

static bool is_attr_name(const char *text, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        if (!ptog_is(text[i], PTOG_CH_NAME))
            return false;
    return length > 0;
}

/* <x> and "x" become attributes of the class; an attribute of another class, or an unknown value, is an error. */
static bool name_item(struct ptog_parser *p, struct ptog_item *item, const char *class, const char *what)
{
    const struct ptog_symbols *symbols = &p->tree->symbols;
    if (item->kind == PTOG_ITEM_STRING && !item->type &&
        is_attr_name(ptog_symbol_text(symbols, item->name), ptog_symbol_length(symbols, item->name))) {
        item->kind = PTOG_ITEM_ATTR;
        item->style = PTOG_ITEM_QUOTED;
        item->value = item->name;
        item->name = 0;
    }
    if (item->kind != PTOG_ITEM_ATTR)
        return true;
    if (item->name == 0) {
        item->name = ptog_symbol_add(&p->tree->symbols, class, strlen(class));
        if (item->name == 0)
            return ptog_fail_memory(p);
    } else {
        const char *name = ptog_symbol_text(symbols, item->name);
        if (strcmp(name, class) != 0 && ptog_class_find(name) != ptog_class_find(class))
            return fail_class(p, item, class);
    }
    return ptog_check_value(p, class, value_span(p, item), what);
}

/* Gives the values of a dictionary that lack it the class that their key has; false when out of memory, or after an
 * error. */
static bool name_entries(struct ptog_parser *p, ptog_symbol op, struct ptog_entry *entries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ptog_symbol key = entries[i].key;
        const char *class = ptog_key_of(op, key) ? ptog_key_class(key) : NULL;
        if (class && !name_item(p, &entries[i].value, class, ptog_tree_text(p->tree, key)))
            return false;
    }
    return true;
}

/* Gives arguments of an operation that lack it the class that their position has; *n is the number of the first, and
 * goes on. */
static bool name_items(struct ptog_parser *p, ptog_symbol op, struct ptog_part *part, unsigned *n)
{
    for (uint32_t i = 0; i < part->count; i++, (*n)++) {
        struct ptog_item *item = &part->items[i];
        bool named = item->kind == PTOG_ITEM_ATTR || item->kind == PTOG_ITEM_STRING;
        const char *class = named ? ptog_arg_class(op, *n) : NULL;
        if (class && !name_item(p, item, class, class))
            return false;
        if (item->kind == PTOG_ITEM_DICT && !name_entries(p, op, item->entries, item->count))
            return false;
    }
    return true;
}

/* Gives attributes of an operation that are written without their class the class that its table says, so that all
 * forms of a text have one tree. False after an error. */
bool ptog_name_attrs(struct ptog_parser *p, struct ptog_op *op)
{
    unsigned n = 0;
    if (!ptog_symbol_is_op(op->name))
        return true;
    for (uint32_t i = 0; i < op->part_count; i++) {
        struct ptog_part *part = &op->parts[i];
        if (part->kind == PTOG_PART_DICT && !name_entries(p, op->name, part->entries, part->count))
            return false;
        if ((part->kind <= PTOG_PART_CLAUSE) && !name_items(p, op->name, part, &n))
            return false;
    }
    return true;
}
