/* asm: items and dictionaries to text. */
#include "asm/printer/printer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "asm/parser/lexer.h"
#include "base/pick.h"

/* ---- attributes */

/* Prints an attribute of a class in the style of the form; `named`: its key says the class. */
static void put_attr(struct ptog_printer *pr, const struct ptog_item *item, bool named)
{
    const struct ptog_class *class = ptog_class_find(ptog_tree_text(pr->tree, item->name));
    bool written = pr->form == PTOG_TEXT_WRITTEN && item->style != PTOG_ITEM_SUFFIX;
    enum ptog_item_style style = (enum ptog_item_style)item->style;
    if (!written && class)
        style = class->style;
    else if (!written && style == PTOG_ITEM_HASH_DOT)
        style = PTOG_ITEM_HASH_SPACE; /* as compilers print all classes but those of the table */
    if (item->name != 0 && !named && (style == PTOG_ITEM_ANGLE || style == PTOG_ITEM_QUOTED))
        style = PTOG_ITEM_HASH_DOT; /* nothing else would tell the class */
    bool dot = style == PTOG_ITEM_HASH_DOT, space = style == PTOG_ITEM_HASH_SPACE;
    if (dot || space) {
        ptog_put(pr, dot ? "#pto." : "#pto<");
        if (class && !written)
            ptog_put(pr, class->name);
        else
            ptog_put_symbol(pr, item->name);
    }
    const char *open = "<", *close = ">";
    if (style == PTOG_ITEM_QUOTED)
        open = close = "\"";
    ptog_put(pr, space ? " " : open);
    ptog_put_symbol(pr, item->value);
    ptog_put(pr, close);
}

/* ---- items */

/* Prints an integer in decimal or hexadecimal, as it was written. */
static void put_int(struct ptog_printer *pr, const struct ptog_item *item)
{
    char digits[32];
    if (item->style == PTOG_ITEM_HEX)
        snprintf(digits, sizeof digits, "%s0x%" PRIx64, ptog_when(item->negative, "-"), item->number);
    else
        snprintf(digits, sizeof digits, "%s%" PRIu64, ptog_when(item->negative, "-"), item->number);
    ptog_put(pr, digits);
}

/* Prints a name, and what is called with it in brackets. */
static void put_called(struct ptog_printer *pr, const struct ptog_item *item, const char *mark, const char *brackets)
{
    ptog_put(pr, mark);
    ptog_put_symbol(pr, item->name);
    if (!item->called)
        return;
    ptog_put_n(pr, &brackets[0], 1);
    ptog_print_items(pr, item->items, item->count);
    ptog_put_n(pr, &brackets[1], 1);
}

/* ^name(values : types) */
static void put_block(struct ptog_printer *pr, const struct ptog_item *item)
{
    uint32_t values = 0;
    while (values < item->count && item->items[values].kind != PTOG_ITEM_TYPE)
        values++;
    ptog_put(pr, "^");
    ptog_put_symbol(pr, item->name);
    if (!item->called)
        return;
    ptog_put(pr, "(");
    ptog_print_items(pr, item->items, values);
    if (values < item->count) {
        ptog_put(pr, " : ");
        ptog_print_items(pr, item->items + values, item->count - values);
    }
    ptog_put(pr, ")");
}

void ptog_print_lead(struct ptog_printer *pr, const struct ptog_item *item)
{
    if (item->lead_word == 0)
        return;
    ptog_put_symbol(pr, item->lead_word);
    ptog_put(pr, item->lead & PTOG_LEAD_KEY ? " = " : " ");
}

void ptog_print_item(struct ptog_printer *pr, const struct ptog_item *item, bool named)
{
    switch ((enum ptog_item_kind)item->kind) {
    case PTOG_ITEM_BLOCK: put_block(pr, item); break;
    case PTOG_ITEM_WORD: put_called(pr, item, "", "()"); break;
    case PTOG_ITEM_VALUE: put_called(pr, item, "%", "[]"); break;
    case PTOG_ITEM_SYMBOL: put_called(pr, item, "@", "()"); break;
    case PTOG_ITEM_INT: put_int(pr, item); break;
    case PTOG_ITEM_STRING:
        ptog_put(pr, "\"");
        ptog_put_symbol(pr, item->name);
        ptog_put(pr, "\"");
        break;
    case PTOG_ITEM_ATTR: put_attr(pr, item, named); break;
    case PTOG_ITEM_ARRAY:
        ptog_put(pr, "[");
        ptog_print_items(pr, item->items, item->count);
        ptog_put(pr, "]");
        break;
    case PTOG_ITEM_DICT: ptog_print_dict(pr, item->entries, item->count); break;
    case PTOG_ITEM_RECORD:
    case PTOG_ITEM_MAP:
    case PTOG_ITEM_LAYOUT: ptog_print_node(pr, item); break;
    case PTOG_ITEM_TYPE: ptog_print_type(pr, item->type); return;
    case PTOG_ITEM_FLOAT:
    case PTOG_ITEM_RAW: ptog_put_symbol(pr, item->name); break;
    case PTOG_ITEM_NONE:
    case PTOG_ITEM_UNIT: break;
    }
    if (item->type) {
        ptog_put(pr, " : ");
        ptog_print_type(pr, item->type);
    }
}

void ptog_print_items(struct ptog_printer *pr, const struct ptog_item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ptog_put(pr, ptog_when(i > 0, ", "));
        ptog_print_lead(pr, &items[i]);
        ptog_print_item(pr, &items[i], false);
    }
}

/* ---- dictionaries */

/* A key is a name, or in quotes. */
static void put_key(struct ptog_printer *pr, ptog_symbol key)
{
    const char *text = ptog_tree_text(pr->tree, key);
    uint32_t length = ptog_symbol_length(&pr->tree->symbols, key);
    bool name = length > 0 && ptog_is(text[0], PTOG_CH_LETTER);
    for (uint32_t i = 0; i < length; i++)
        name = name && ptog_is(text[i], PTOG_CH_NAME);
    ptog_put(pr, ptog_when(!name, "\""));
    ptog_put_symbol(pr, key);
    ptog_put(pr, ptog_when(!name, "\""));
}

/* Prints an entry of a dictionary, which may be a key alone. */
void ptog_print_entry(struct ptog_printer *pr, const struct ptog_entry *entry, ptog_symbol op)
{
    put_key(pr, entry->key);
    if (entry->value.kind == PTOG_ITEM_UNIT)
        return;
    ptog_put(pr, " = ");
    ptog_print_item(pr, &entry->value, ptog_key_of(op, entry->key));
}

/* Prints a dictionary in braces. */
void ptog_print_dict(struct ptog_printer *pr, const struct ptog_entry *entries, uint32_t count)
{
    ptog_put(pr, "{");
    for (uint32_t i = 0; i < count; i++) {
        ptog_put(pr, ptog_when(i > 0, ", "));
        ptog_print_entry(pr, &entries[i], pr->op ? pr->op->name : 0);
    }
    ptog_put(pr, "}");
}
