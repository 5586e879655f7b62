/* asm: operations outside the frame: a name and a sequence of parts. */
#include "asm/parser/parser.h"

#include <stdio.h>
#include <string.h>

/* Adds the token at hand to a text that is kept: of what stands before it, comments too, one space stays. */
static bool keep_token(struct ptog_parser *p, bool spaced)
{
    static const char space = ' ';
    return (!spaced || ptog_push(p, &space, 1)) &&
           ptog_push(p, p->source->bytes + p->token.at, p->token.end - p->token.at);
}

/* loc ::= ['loc' '(' anything balanced ')']: kept, on one line */
bool ptog_parse_loc(struct ptog_parser *p, ptog_symbol *loc)
{
    struct ptog_span open = ptog_token_span(p);
    size_t from = p->lists.used;
    int depth = 0;
    if (!ptog_is_word(p, "loc") || ptog_after_token(p) != '(')
        return true;
    do {
        if (p->token.kind == PTOG_TOKEN_END)
            return ptog_fail(p, PTOG_ID_NOT_CLOSED, open, "'loc(' is never closed");
        if (p->token.kind == PTOG_TOKEN_BAD)
            return ptog_fail_expected(p, "a location");
        if (!keep_token(p, p->lists.used > from && p->token.at > p->last_end))
            return false;
        depth += ptog_at(p, '(');
        depth -= ptog_at(p, ')');
        ptog_take(p);
    } while (depth > 0 || p->last_end == open.at + open.length);
    *loc = ptog_symbol_add(&p->tree->symbols, p->lists.data + from, p->lists.used - from);
    p->lists.used = from;
    p->tree->has_locs = true;
    return *loc != 0 || ptog_fail_memory(p);
}

/* ---- parts */

/* After a comma, `key =` and `clause(` are parts of their own, not items. */
static bool at_part_word(const struct ptog_parser *p)
{
    return p->token.kind == PTOG_TOKEN_WORD && (ptog_after_token(p) == '=' || ptog_after_token(p) == '(');
}

/* items ::= item {',' item} */
static bool parse_items(struct ptog_parser *p, struct ptog_part *part, bool *comma)
{
    size_t from = p->lists.used;
    part->kind = PTOG_PART_ITEMS;
    do {
        struct ptog_item item;
        if (!ptog_parse_operand(p, &item) || !ptog_push(p, &item, sizeof item))
            return false;
        *comma = ptog_take_if(p, ',');
    } while (*comma && !at_part_word(p));
    return ptog_take_list(p, from, sizeof *part->items, &part->items, &part->count);
}

/* clause ::= word '(' group ')' */
static bool parse_clause(struct ptog_parser *p, const struct ptog_op *op, struct ptog_part *part)
{
    part->kind = PTOG_PART_CLAUSE;
    ptog_take(p);
    p->bare_type = ptog_bare_type(op->name, part->word);
    return ptog_expect(p, '(') && ptog_parse_group(p, part);
}

/* parens ::= '(' group ')' */
static bool parse_parens(struct ptog_parser *p, struct ptog_part *part)
{
    part->kind = PTOG_PART_PARENS;
    ptog_take(p);
    return ptog_parse_group(p, part);
}

/* bracketed ::= '[' items ']' */
static bool parse_bracketed(struct ptog_parser *p, struct ptog_part *part, enum ptog_part_kind kind, char close)
{
    part->kind = (uint8_t)kind;
    ptog_take(p);
    if (!ptog_parse_items(p, close, false, &part->items, &part->count))
        return false;
    char expected[] = "',' or ' '";
    expected[8] = close;
    return ptog_take_if(p, close) || ptog_fail_expected(p, expected);
}

/* key ::= word '=' item | word ':' '[' items ']' */
static bool parse_key(struct ptog_parser *p, struct ptog_part *part)
{
    part->kind = PTOG_PART_KEY;
    ptog_take(p);
    part->listed = ptog_at(p, ':');
    ptog_take(p);
    struct ptog_item item;
    size_t from = p->lists.used;
    return ptog_parse_item(p, &item, false) && ptog_push(p, &item, sizeof item) &&
           ptog_take_list(p, from, sizeof item, &part->items, &part->count);
}

/* Reads a dictionary in braces as a part. */
static bool parse_dict(struct ptog_parser *p, struct ptog_part *part)
{
    part->kind = PTOG_PART_DICT;
    return ptog_parse_dict(p, &part->entries, &part->count);
}

/* Whether the word at hand, on the line of the statement that is being read, belongs to it. */
static bool continues(const struct ptog_parser *p, char next)
{
    const char *text = p->source->bytes + p->token.at;
    bool dotted = memchr(text, '.', p->token.end - p->token.at) != NULL;
    return p->token.new_line || !dotted || next == '<' || next == '=';
}

/* Whether the word at hand is a key: `word =`, or `word: [`, as `offset: [0]` of a cast. */
static bool at_key(const struct ptog_parser *p, char next)
{
    return next == '=' || (next == ':' && ptog_look_ahead(p, 2).punctuation == '[');
}

/* word ::= clause | key | 'to' types | 'attributes' dict | items | word ['[' items ']'] */
static bool parse_word(struct ptog_parser *p, const struct ptog_op *op, struct ptog_part *part, bool after_types,
                       bool *comma)
{
    char next = ptog_after_token(p);
    if (!continues(p, next))
        return true;
    const char *text = p->source->bytes + p->token.at;
    uint32_t at = p->token.at, end = p->token.end;
    bool key = at_key(p, next);
    if (next == '<' || next == ',' || (next != '(' && !key && ptog_is_scalar(text, end - at)))
        return parse_items(p, part, comma);
    part->word_at = at;
    if (!ptog_symbol_of(p, at, end, &part->word))
        return false;
    if (next == '(')
        return parse_clause(p, op, part);
    if (key)
        return parse_key(p, part);
    ptog_take(p);
    if (part->word == PTOG_WORD_attributes)
        return parse_dict(p, part);
    if (part->word == PTOG_WORD_to && after_types) {
        part->kind = PTOG_PART_TO;
        return ptog_parse_types(p, part);
    }
    part->kind = PTOG_PART_WORD;
    if (!ptog_at(p, '['))
        return true;
    part->listed = true;
    return parse_bracketed(p, part, PTOG_PART_WORD, ']');
}

/* Braces hold a dictionary when they are empty, or start with a key; otherwise operations. A single word is a key on
 * the line of the brace, and an operation on a line of its own. */
static bool braces_are_dict(const struct ptog_parser *p, const struct ptog_op *op, bool after_region)
{
    if (ptog_op_info(op->name)->kind == PTOG_KIND_BLOCK)
        return after_region;
    if (ptog_op_is_tile(op->name))
        return true;
    struct ptog_token first = ptog_look_ahead(p, 1), second = ptog_look_ahead(p, 2);
    if (first.punctuation == '}')
        return true;
    if (first.kind != PTOG_TOKEN_WORD && first.kind != PTOG_TOKEN_STRING)
        return false;
    ptog_symbol word = ptog_symbol_find(&p->tree->symbols, p->source->bytes + first.at, first.end - first.at);
    if (ptog_symbol_is_op(word))
        return false;
    return second.punctuation == '=' || second.punctuation == ',' || (second.punctuation == '}' && !first.new_line);
}

/* Reads a dictionary or a region, whichever the braces are. */
static bool parse_braces(struct ptog_parser *p, const struct ptog_op *op, struct ptog_part *part, bool after_region)
{
    if (braces_are_dict(p, op, after_region))
        return parse_dict(p, part);
    return ptog_parse_region(p, part, 0);
}

/* Passes a punctuation, and reads the types behind it as a part. */
static bool parse_types(struct ptog_parser *p, struct ptog_part *part, enum ptog_part_kind kind)
{
    part->kind = (uint8_t)kind;
    ptog_take(p);
    return ptog_parse_types(p, part);
}

/* launch ::= '<' '<' '<' items '>' '>' '>' */
static bool parse_launch(struct ptog_parser *p, struct ptog_part *part)
{
    part->kind = PTOG_PART_LAUNCH;
    ptog_take_from(p, p->token.at + 3);
    if (!ptog_parse_items(p, '>', false, &part->items, &part->count))
        return false;
    return ptog_expect(p, '>') && ptog_expect(p, '>') && ptog_expect(p, '>');
}

/* angle ::= '<' dict '>' | launch | items that start with <PIPE_V> */
static bool parse_angle(struct ptog_parser *p, struct ptog_part *part, bool *comma)
{
    const char *bytes = p->lexer.bytes + p->token.at;
    uint32_t left = p->lexer.size - p->token.at;
    if (left >= 3 && memcmp(bytes, "<<<", 3) == 0)
        return parse_launch(p, part);
    if (ptog_after_token(p) != '{')
        return parse_items(p, part, comma);
    ptog_take(p);
    part->listed = true;
    return parse_dict(p, part) && ptog_expect(p, '>');
}

/* A statement goes on over as many lines as it likes: what starts no other statement belongs to it. */
static bool statement_is_over(const struct ptog_parser *p)
{
    return p->token.new_line && ptog_at_start(p);
}

/* part ::= word | items | '[' items ']' | parens | '<' dict '>' | dict | region | ':' types | '->' types
 * `part` is the last one and becomes the next; its kind is 0 when the statement is over. */
static bool parse_part(struct ptog_parser *p, const struct ptog_op *op, struct ptog_part *part, bool *comma)
{
    const struct ptog_token *token = &p->token;
    bool after_types = part->kind == PTOG_PART_TYPES, after_region = part->kind == PTOG_PART_REGION;
    *part = (struct ptog_part){.comma = *comma};
    if (!*comma && statement_is_over(p))
        return true;
    *comma = false;
    switch (token->kind) {
    case PTOG_TOKEN_WORD: return parse_word(p, op, part, after_types, comma);
    case PTOG_TOKEN_ARROW: return parse_types(p, part, PTOG_PART_ARROW);
    case PTOG_TOKEN_PUNCTUATION: break;
    case PTOG_TOKEN_END:
    case PTOG_TOKEN_BAD: return true;
    default: return parse_items(p, part, comma);
    }
    switch (token->punctuation) {
    case ':': return parse_types(p, part, PTOG_PART_TYPES);
    case '{': return parse_braces(p, op, part, after_region);
    case '<': return parse_angle(p, part, comma);
    case '[': return parse_bracketed(p, part, PTOG_PART_LIST, ']');
    case '(': return parse_parens(p, part);
    case '^': return parse_items(p, part, comma);
    default: return true;
    }
}

/* parts ::= {[','] part} [loc] */
bool ptog_parse_parts(struct ptog_parser *p, struct ptog_op *op)
{
    size_t from = p->lists.used;
    struct ptog_part part = {0};
    bool comma = false;
    p->bare_type = ptog_bare_type(op->name, 0);
    for (;;) {
        uint32_t at = p->token.at;
        comma = comma || (p->lists.used > from && ptog_take_if(p, ','));
        if (ptog_is_word(p, "loc") && !comma && ptog_after_token(p) == '(') {
            if (!ptog_parse_loc(p, &op->loc))
                return false;
            break;
        }
        if (!parse_part(p, op, &part, &comma))
            return false;
        if (part.kind == PTOG_PART_NONE) {
            if (part.comma)
                return ptog_fail_expected(p, "an operand");
            break;
        }
        part.span = ptog_span_from(p, at);
        if (!ptog_push(p, &part, sizeof part))
            return false;
    }
    return ptog_take_list(p, from, sizeof *op->parts, &op->parts, &op->part_count);
}

/* Nothing of such a text can be read, and every line of it would be an error. */
static bool fail_regions(struct ptog_parser *p)
{
    ptog_fail(p, PTOG_ID_SYNTAX, ptog_token_span(p),
              "the generic form with regions is not supported; print the program without --mlir-print-op-generic");
    p->stop = true;
    return false;
}

/* Operands are values, with a type each: the other forms would give words and types to the wrong operands. */
static bool check_generic_operands(struct ptog_parser *p, const struct ptog_op *op)
{
    const struct ptog_part *operands = ptog_op_part(op, PTOG_PART_PARENS, 0);
    const struct ptog_part *types = ptog_op_part(op, PTOG_PART_TYPES, 0);
    uint32_t count = operands ? operands->count : 0;
    char quote[PTOG_QUOTE_SIZE];
    for (uint32_t i = 0; i < count; i++)
        if (operands->items[i].kind != PTOG_ITEM_VALUE)
            return ptog_fail(p, PTOG_ID_SYNTAX, operands->items[i].span, "expected a value such as %%a, found %s",
                             ptog_quote(quote, p->source, operands->items[i].span));
    if (!types || types->type_count == count)
        return true;
    return ptog_fail(p, PTOG_ID_SYNTAX, types->span, "expected %u operand type%s, found %u", count,
                     count == 1 ? "" : "s", types->type_count);
}

/* generic ::= string '(' items ')' ['<' dict '>'] [dict] ':' '(' types ')' '->' types */
bool ptog_parse_generic(struct ptog_parser *p, struct ptog_op *op)
{
    size_t from = p->lists.used;
    if (!ptog_at(p, '('))
        return ptog_fail_expected(p, "'('");
    for (;;) {
        struct ptog_part part = {0};
        uint32_t at = p->token.at;
        bool good = true;
        if (ptog_at(p, '(') && p->lists.used == from)
            good = parse_parens(p, &part);
        else if (ptog_at(p, '(') && !p->token.new_line)
            good = fail_regions(p);
        else if (ptog_at(p, '<') && !p->token.new_line) {
            ptog_take(p);
            part.listed = true;
            good = parse_dict(p, &part) && ptog_expect(p, '>');
        } else if (ptog_at(p, '{'))
            good = parse_dict(p, &part);
        else if (ptog_at(p, ':'))
            good = parse_types(p, &part, PTOG_PART_TYPES);
        else if (p->token.kind == PTOG_TOKEN_ARROW)
            good = parse_types(p, &part, PTOG_PART_ARROW);
        part.span = ptog_span_from(p, at);
        if (!good)
            return false;
        if (part.kind == PTOG_PART_NONE)
            break;
        if (!ptog_push(p, &part, sizeof part))
            return false;
    }
    return ptog_parse_loc(p, &op->loc) && ptog_take_list(p, from, sizeof *op->parts, &op->parts, &op->part_count) &&
           check_generic_operands(p, op);
}
