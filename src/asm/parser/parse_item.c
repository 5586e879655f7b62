/* asm: items: operands, attributes, arguments, and dictionaries of them. */
#include "asm/parser/parser.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* Reads an integer of up to 64 bits; a sign is kept apart. */
static bool parse_int(struct ptog_parser *p, struct ptog_item *item)
{
    const char *text = p->source->bytes + p->token.at;
    size_t length = p->token.end - p->token.at;
    item->kind = PTOG_ITEM_INT;
    item->negative = text[0] == '-';
    text += item->negative;
    length -= item->negative;
    item->style = length > 1 && text[1] == 'x' ? PTOG_ITEM_HEX : PTOG_ITEM_PLAIN;
    if (!ptog_read_u64(text, length, &item->number) || (item->negative && item->number > UINT64_C(1) << 63))
        return ptog_fail(p, PTOG_ID_NUMBER, ptog_token_span(p), "the number does not fit in 64 bits");
    ptog_take(p);
    return true;
}

/* value ::= '%' name ['[' items ']'];  symbol ::= '@' name ['(' items ')'] */
static bool parse_named(struct ptog_parser *p, struct ptog_item *item, enum ptog_item_kind kind, char open, char close)
{
    item->kind = (uint8_t)kind;
    if (!ptog_symbol_of(p, p->token.at + 1, p->token.end, &item->name))
        return false;
    ptog_take(p);
    if (!ptog_take_if(p, open))
        return true;
    item->called = true;
    return ptog_parse_items(p, close, open == '[', &item->items, &item->count) && ptog_expect(p, close);
}

/* word ::= name | type | name '<' ... '>' */
static bool parse_word(struct ptog_parser *p, struct ptog_item *item)
{
    const char *text = p->source->bytes + p->token.at;
    size_t length = p->token.end - p->token.at;
    bool angle = p->token.end < p->lexer.size && p->source->bytes[p->token.end] == '<';
    bool pto_type = angle && length > 4 && memcmp(text, "pto.", 4) == 0;
    bool memref = angle && length == 6 && memcmp(text, "memref", 6) == 0;
    if (pto_type || memref || (!angle && ptog_is_scalar(text, length))) {
        struct ptog_type_use use;
        item->kind = PTOG_ITEM_TYPE;
        if (!ptog_parse_type(p, &use))
            return false;
        item->type = use.type;
        return true;
    }
    if (angle)
        return ptog_parse_angle_word(p, item);
    item->kind = PTOG_ITEM_WORD;
    if (ptog_is_word(p, "attributes"))
        return ptog_fail_expected(p, "a value"); /* it would read the dictionary after it */
    if (!ptog_symbol_of(p, p->token.at, p->token.end, &item->name))
        return false;
    ptog_take(p);
    return true;
}

/* Makes the token at hand an item whose text is kept, without `trim` characters at both ends. */
static bool parse_text(struct ptog_parser *p, struct ptog_item *item, enum ptog_item_kind kind, uint32_t trim)
{
    item->kind = (uint8_t)kind;
    if (!ptog_symbol_of(p, p->token.at + trim, p->token.end - trim, &item->name))
        return false;
    ptog_take(p);
    return true;
}

/* Reads a type that stands among operands. */
static bool parse_type_item(struct ptog_parser *p, struct ptog_item *item)
{
    struct ptog_type_use use;
    item->kind = PTOG_ITEM_TYPE;
    bool good = ptog_parse_type(p, &use);
    item->type = good ? use.type : NULL;
    return good;
}

/* block ::= '^'id ['(' values ':' types ')'] */
static bool parse_block(struct ptog_parser *p, struct ptog_item *item)
{
    size_t from = p->lists.used;
    item->kind = PTOG_ITEM_BLOCK;
    ptog_take(p);
    if (p->token.kind != PTOG_TOKEN_WORD && p->token.kind != PTOG_TOKEN_INT)
        return ptog_fail_expected(p, "the name of a block");
    if (!ptog_symbol_of(p, p->token.at, p->token.end, &item->name))
        return false;
    ptog_take(p);
    item->called = ptog_take_if(p, '(');
    if (!item->called)
        return true;
    do {
        struct ptog_item value;
        if (p->token.kind != PTOG_TOKEN_VALUE)
            return ptog_fail_expected(p, "a value");
        if (!ptog_parse_item(p, &value, false) || !ptog_push(p, &value, sizeof value))
            return false;
    } while (ptog_take_if(p, ','));
    if (ptog_take_if(p, ':')) {
        do {
            struct ptog_item type = {.span = ptog_token_span(p)};
            if (!parse_type_item(p, &type) || !ptog_push(p, &type, sizeof type))
                return false;
        } while (ptog_take_if(p, ','));
    }
    return ptog_take_list(p, from, sizeof *item->items, &item->items, &item->count) && ptog_expect(p, ')');
}

/* bracketed ::= '[' items ']' | '{' entries '}' | '<' value '>' | function type | block */
static bool parse_bracketed(struct ptog_parser *p, struct ptog_item *item)
{
    if (ptog_at(p, '^'))
        return parse_block(p, item);
    if (ptog_at(p, '<'))
        return ptog_parse_angle(p, item);
    if (ptog_at(p, '('))
        return parse_type_item(p, item);
    if (ptog_at(p, '{')) {
        item->kind = PTOG_ITEM_DICT;
        return ptog_parse_dict(p, &item->entries, &item->count);
    }
    if (!ptog_take_if(p, '['))
        return ptog_fail_expected(p, "a value");
    item->kind = PTOG_ITEM_ARRAY;
    return ptog_parse_items(p, ']', true, &item->items, &item->count) && ptog_expect(p, ']');
}

/* Reads an item of the kind that the token at hand begins. */
static bool parse_kind(struct ptog_parser *p, struct ptog_item *item)
{
    switch (p->token.kind) {
    case PTOG_TOKEN_VALUE: return parse_named(p, item, PTOG_ITEM_VALUE, '[', ']');
    case PTOG_TOKEN_SYMBOL: return parse_named(p, item, PTOG_ITEM_SYMBOL, '(', ')');
    case PTOG_TOKEN_INT: return parse_int(p, item);
    case PTOG_TOKEN_FLOAT: return parse_text(p, item, PTOG_ITEM_FLOAT, 0);
    case PTOG_TOKEN_STRING: return parse_text(p, item, PTOG_ITEM_STRING, 1);
    case PTOG_TOKEN_WORD: return parse_word(p, item);
    case PTOG_TOKEN_HASH: return ptog_parse_hash(p, item);
    case PTOG_TOKEN_BANG: return parse_type_item(p, item);
    case PTOG_TOKEN_ELLIPSIS: return parse_text(p, item, PTOG_ITEM_WORD, 0);
    case PTOG_TOKEN_PUNCTUATION: return parse_bracketed(p, item);
    default: return ptog_fail_expected(p, "a value");
    }
}

/* item ::= value | symbol | number | string | word | attribute | bracketed | type;  typed: a literal or value [':'
 * type] */
bool ptog_parse_item(struct ptog_parser *p, struct ptog_item *item, bool typed)
{
    *item = (struct ptog_item){0};
    if (!ptog_enter(p, 1))
        return false;
    uint32_t at = p->token.at;
    bool good = parse_kind(p, item);
    bool literal = item->kind == PTOG_ITEM_INT || item->kind == PTOG_ITEM_FLOAT || item->kind == PTOG_ITEM_STRING ||
                   item->kind == PTOG_ITEM_VALUE || (item->kind >= PTOG_ITEM_RECORD && item->kind <= PTOG_ITEM_RAW);
    if (good && typed && literal && ptog_take_if(p, ':')) {
        struct ptog_type_use use;
        good = ptog_parse_type(p, &use);
        item->type = good ? use.type : NULL;
    }
    ptog_leave(p, 1);
    item->span = ptog_span_from(p, at);
    return good;
}

/* items ::= [item {',' item}] before `end` */
bool ptog_parse_items(struct ptog_parser *p, char end, bool typed, struct ptog_item **items, uint32_t *count)
{
    size_t from = p->lists.used;
    if (!ptog_at(p, end)) {
        do {
            struct ptog_item item;
            if (!ptog_parse_item(p, &item, typed) || !ptog_push(p, &item, sizeof item))
                return false;
        } while (ptog_take_if(p, ','));
    }
    return ptog_take_list(p, from, sizeof **items, items, count);
}

/* ---- dictionaries */

/* A key may stand once in a dictionary. Marks by symbol keep that linear. */
static bool mark_key(struct ptog_parser *p, const struct ptog_entry *entry, uint32_t mark)
{
    size_t count = p->mark_count;
    if (entry->key >= count) {
        if (!ptog_array_reserve(&p->marks, (size_t)p->tree->symbols.count + 1, &p->mark_count))
            return ptog_fail_memory(p);
        memset(p->marks + count, 0, (p->mark_count - count) * sizeof *p->marks);
    }
    char quote[PTOG_QUOTE_SIZE];
    if (p->marks[entry->key] == mark)
        return ptog_fail(p, PTOG_ID_DUPLICATE, entry->key_span, "key %s is given twice",
                         ptog_quote(quote, p->source, entry->key_span));
    p->marks[entry->key] = mark;
    return true;
}

bool ptog_check_keys(struct ptog_parser *p, const struct ptog_entry *entries, uint32_t count)
{
    p->mark++;
    for (uint32_t i = 0; i < count; i++)
        if (!mark_key(p, &entries[i], p->mark))
            return false;
    return true;
}

/* entry ::= (name | string) ['=' item] */
static bool parse_entry(struct ptog_parser *p, struct ptog_entry *entry)
{
    bool quoted = p->token.kind == PTOG_TOKEN_STRING;
    if (!quoted && p->token.kind != PTOG_TOKEN_WORD)
        return ptog_fail_expected(p, "a key");
    *entry = (struct ptog_entry){.key_span = ptog_token_span(p), .value = {.kind = PTOG_ITEM_UNIT}};
    if (!ptog_symbol_of(p, p->token.at + quoted, p->token.end - quoted, &entry->key))
        return false;
    ptog_take(p);
    return !ptog_take_if(p, '=') || ptog_parse_item(p, &entry->value, true);
}

/* dict ::= '{' [entry {',' entry}] '}' */
bool ptog_parse_dict(struct ptog_parser *p, struct ptog_entry **entries, uint32_t *count)
{
    size_t from = p->lists.used;
    if (!ptog_expect(p, '{'))
        return false;
    while (!ptog_at(p, '}')) {
        struct ptog_entry entry;
        if (!parse_entry(p, &entry) || !ptog_push(p, &entry, sizeof entry))
            return false;
        if (!ptog_take_if(p, ','))
            break;
    }
    if (!ptog_at(p, '}'))
        return ptog_fail_expected(p, "',' or '}'");
    ptog_take(p);
    return ptog_take_list(p, from, sizeof **entries, entries, count) && ptog_check_keys(p, *entries, *count);
}
