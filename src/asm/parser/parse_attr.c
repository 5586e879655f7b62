/* asm: attributes that start with '#' or '<', and text that is kept as it is. */
#include "asm/parser/parse_nodes.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- verbatim text */

/* The end of the string that starts at `at`: its closing quote, or where its line ends without one. */
static uint32_t skip_string(const struct ptog_parser *p, uint32_t at)
{
    const char *bytes = p->lexer.bytes;
    for (at++; at < p->lexer.size && bytes[at] != '"' && bytes[at] != '\n'; at++)
        at += bytes[at] == '\\' && at + 1 < p->lexer.size && bytes[at + 1] != '\n';
    return at;
}

/* Finds the '>' that closes the '<' at lexer.at, and goes past it. Strings count as one, and "->" closes nothing. */
bool ptog_skip_angle(struct ptog_parser *p)
{
    const char *bytes = p->lexer.bytes;
    uint32_t at = p->lexer.at, size = p->lexer.size, depth = 0;
    for (; at < size; at++) {
        if (bytes[at] == '<')
            depth++;
        else if (bytes[at] == '>' && bytes[at - 1] != '-' && --depth == 0)
            break;
        else if (bytes[at] == '"') {
            uint32_t quote = at;
            at = skip_string(p, at);
            if (at < size && bytes[at] == '\n')
                return ptog_fail(p, PTOG_ID_NOT_CLOSED, (struct ptog_span){quote, at - quote},
                                 "the string is not closed on its line");
        }
    }
    if (at >= size)
        return ptog_fail(p, PTOG_ID_NOT_CLOSED, (struct ptog_span){p->lexer.at, 1}, "'<' is never closed");
    p->lexer.at = at + 1;
    return true;
}

/* Sets *text to the bytes from `at` to `end`, with ends of lines as spaces: a statement is printed on one line. False
 * when out of memory. */
bool ptog_verbatim(struct ptog_parser *p, uint32_t at, uint32_t end, ptog_symbol *text)
{
    const char *bytes = p->source->bytes;
    if (!memchr(bytes + at, '\n', end - at) && !memchr(bytes + at, '\r', end - at))
        return ptog_symbol_of(p, at, end, text);
    size_t from = p->lists.used;
    for (; at < end; at++) {
        char c = bytes[at] == '\n' || bytes[at] == '\r' ? ' ' : bytes[at];
        if (!ptog_push(p, &c, 1))
            return false;
    }
    *text = ptog_symbol_add(&p->tree->symbols, p->lists.data + from, p->lists.used - from);
    p->lists.used = from;
    return *text != 0 || ptog_fail_memory(p);
}

/* Makes what was lexed since byte `at` an attribute whose text is kept as it is. */
bool ptog_parse_raw(struct ptog_parser *p, struct ptog_item *item, uint32_t at)
{
    item->kind = PTOG_ITEM_RAW;
    if (!ptog_verbatim(p, at, p->lexer.at, &item->name))
        return false;
    ptog_take_from(p, p->lexer.at);
    return true;
}

/* word ::= 'affine_map' '<' map '>' | 'strided' '<' layout '>' | name '<' verbatim '>' */
bool ptog_parse_angle_word(struct ptog_parser *p, struct ptog_item *item)
{
    uint32_t at = p->token.at, open = p->token.end;
    item->kind = PTOG_ITEM_RAW;
    if (ptog_is_word(p, "affine_map"))
        item->kind = PTOG_ITEM_MAP;
    else if (ptog_is_word(p, "strided"))
        item->kind = PTOG_ITEM_LAYOUT;
    p->lexer.at = open;
    if (!ptog_skip_angle(p))
        return false;
    uint8_t kind = item->kind;
    if (!ptog_read_node(p, item, (struct ptog_span){open + 1, p->lexer.at - open - 2})) {
        if (p->no_memory || !ptog_parse_raw(p, item, at))
            return false;
        item->kind = kind;
        item->map = NULL;
        return true;
    }
    ptog_take_from(p, p->lexer.at);
    return true;
}

/* ---- names of attributes */

/* Makes room for a name in p->attrs. */
static bool grow_attrs(struct ptog_parser *p, ptog_symbol name)
{
    size_t count = p->attr_count;
    if (name < count)
        return true;
    if (!ptog_array_reserve(&p->attrs, (size_t)p->tree->symbols.count + 1, &p->attr_count))
        return ptog_fail_memory(p);
    for (size_t i = count; i < p->attr_count; i++)
        p->attrs[i] = NULL;
    return true;
}

/* alias ::= '#'id '=' attribute: from here on the name is a spelling of the attribute */
bool ptog_parse_attr_alias(struct ptog_parser *p)
{
    struct ptog_span span = ptog_token_span(p);
    struct ptog_item *item = ptog_arena_alloc(&p->tree->arena, sizeof *item);
    ptog_symbol name;
    char quote[PTOG_QUOTE_SIZE];
    if (!item || !ptog_symbol_of(p, span.at, span.at + span.length, &name))
        return ptog_fail_memory(p);
    ptog_take(p);
    if (!ptog_expect(p, '=') || !ptog_parse_item(p, item, true) || !grow_attrs(p, name))
        return false;
    if (p->attrs[name])
        return ptog_fail(p, PTOG_ID_DUPLICATE, span, "%s is already an alias of an attribute",
                         ptog_quote(quote, p->source, span));
    p->attrs[name] = item;
    return true;
}

/* `#map` as what it stands for, at its own place. */
static void resolve_alias(const struct ptog_parser *p, struct ptog_item *item)
{
    if (item->name >= p->attr_count || !p->attrs[item->name])
        return;
    struct ptog_span span = item->span;
    *item = *p->attrs[item->name];
    item->span = span;
}

/* ---- attributes */

static bool is_simple(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!ptog_is(text[i], PTOG_CH_NAME))
            return false;
    return length > 0;
}

static uint32_t skip_attr_space(const char *bytes, uint32_t at, uint32_t end)
{
    while (at < end && ptog_is(bytes[at], PTOG_CH_SPACE))
        at++;
    return at;
}

/* Splits "class value", or finds "value" alone when `class` is NULL; false when it is not that simple. */
static bool split_attr(struct ptog_parser *p, uint32_t at, uint32_t end, struct ptog_span *class,
                       struct ptog_span *value)
{
    const char *bytes = p->source->bytes;
    at = skip_attr_space(bytes, at, end);
    while (end > at && ptog_is(bytes[end - 1], PTOG_CH_SPACE))
        end--;
    if (class) {
        uint32_t word = at;
        while (word < end && ptog_is(bytes[word], PTOG_CH_NAME))
            word++;
        *class = (struct ptog_span){at, word - at};
        at = skip_attr_space(bytes, word, end);
    }
    *value = (struct ptog_span){at, end - at};
    return is_simple(bytes + at, end - at) && (!class || class->length > 0);
}

/* record ::= '#pto.' class '<' key '=' value {',' key '=' value} '>'; false when it is no record, or out of memory */
static bool parse_record(struct ptog_parser *p, struct ptog_item *item, struct ptog_span class)
{
    uint32_t open = class.at + class.length;
    item->kind = PTOG_ITEM_RECORD;
    if (!ptog_read_node(p, item, (struct ptog_span){open + 1, p->lexer.at - open - 2}) ||
        !ptog_symbol_of(p, class.at, open, &item->name))
        return false;
    ptog_take_from(p, p->lexer.at);
    return true;
}

/* attribute ::= '#pto<' class value '>' | '#pto.' class '<' value '>' | record | '#' name ['<' verbatim '>'] */
bool ptog_parse_hash(struct ptog_parser *p, struct ptog_item *item)
{
    uint32_t at = p->token.at, end = p->token.end;
    const char *bytes = p->source->bytes;
    bool angle = end < p->lexer.size && bytes[end] == '<';
    p->lexer.at = end;
    if (end - at == 1)
        return ptog_fail_expected(p, "a value");
    if (angle && !ptog_skip_angle(p))
        return false;
    struct ptog_span class = {at + 5, end - at - 5}, value;
    bool space = end - at == 4 && memcmp(bytes + at, "#pto", 4) == 0;
    bool dot = end - at > 5 && memcmp(bytes + at, "#pto.", 5) == 0;
    if (!angle || !(space || dot) || !split_attr(p, end + 1, p->lexer.at - 1, space ? &class : NULL, &value)) {
        if (angle && dot && parse_record(p, item, class))
            return true;
        item->count = 0;
        if (p->no_memory || !ptog_parse_raw(p, item, at))
            return false;
        resolve_alias(p, item);
        return true;
    }
    item->kind = PTOG_ITEM_ATTR;
    item->style = space ? PTOG_ITEM_HASH_SPACE : PTOG_ITEM_HASH_DOT;
    if (!ptog_symbol_of(p, class.at, class.at + class.length, &item->name) ||
        !ptog_symbol_of(p, value.at, value.at + value.length, &item->value))
        return false;
    ptog_take_from(p, p->lexer.at);
    return true;
}

/* angle ::= '<' value '>' where the operation names the class */
bool ptog_parse_angle(struct ptog_parser *p, struct ptog_item *item)
{
    p->lexer.at = p->token.end;
    struct ptog_span word = ptog_type_word(p);
    item->kind = PTOG_ITEM_ATTR;
    item->style = PTOG_ITEM_ANGLE;
    if (word.length == 0)
        return ptog_type_fail(p, "a name such as PIPE_V");
    if (!ptog_type_accept(p, '>'))
        return ptog_type_fail(p, "'>'");
    if (!ptog_symbol_of(p, word.at, word.at + word.length, &item->value))
        return false;
    ptog_take_from(p, p->lexer.at);
    return true;
}
