/* asm: operations outside the frame: a name and a sequence of parts. */
#include "asm/parser.h"

#include <stdio.h>
#include <string.h>

static ptog_symbol find_word(const struct ptog_parser *p)
{
    return ptog_symbol_find(&p->tree->symbols, p->source->bytes + p->token.at, p->token.end - p->token.at);
}

/* loc ::= 'loc' '(' anything balanced ')': read and forgotten */
bool ptog_parse_loc(struct ptog_parser *p)
{
    while (ptog_is_word(p, "loc") && ptog_after_token(p) == '(') {
        struct ptog_span open = ptog_token_span(p);
        ptog_take(p);
        for (int depth = 0; p->token.kind != PTOG_TOKEN_END; ptog_take(p)) {
            depth += ptog_at(p, '(');
            depth -= ptog_at(p, ')');
            if (depth == 0)
                break;
        }
        if (!ptog_take_if(p, ')'))
            return ptog_fail(p, PTOG_ID_NOT_CLOSED, open, "'loc(' is never closed");
    }
    return true;
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
        if (!ptog_parse_item(p, &item, false) || !ptog_push(p, &item, sizeof item))
            return false;
        *comma = ptog_take_if(p, ',');
    } while (*comma && !at_part_word(p));
    return ptog_take_list(p, from, sizeof *part->items, &part->items, &part->count);
}

/* clause ::= word '(' items [':' types] ')' */
static bool parse_clause(struct ptog_parser *p, struct ptog_part *part)
{
    part->kind = PTOG_PART_CLAUSE;
    ptog_take(p);
    if (!ptog_expect(p, '('))
        return false;
    size_t from = p->lists.used;
    if (!ptog_at(p, ')') && !ptog_at(p, ':')) {
        do {
            struct ptog_item item;
            if (!ptog_parse_item(p, &item, false) || !ptog_push(p, &item, sizeof item))
                return false;
        } while (ptog_take_if(p, ','));
    }
    if (!ptog_take_list(p, from, sizeof *part->items, &part->items, &part->count))
        return false;
    if (ptog_take_if(p, ':') && !ptog_parse_type_list(p, ')', &part->types, &part->type_count))
        return false;
    return ptog_take_if(p, ')') || ptog_fail_expected(p, "',' or ')'");
}

/* bracketed ::= '[' items ']' | '(' items ')' */
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

/* key ::= word '=' item */
static bool parse_key(struct ptog_parser *p, struct ptog_part *part)
{
    part->kind = PTOG_PART_KEY;
    ptog_take(p);
    ptog_take(p);
    struct ptog_item item;
    size_t from = p->lists.used;
    return ptog_parse_item(p, &item, false) && ptog_push(p, &item, sizeof item) &&
           ptog_take_list(p, from, sizeof item, &part->items, &part->count);
}

static bool parse_dict(struct ptog_parser *p, struct ptog_part *part)
{
    part->kind = PTOG_PART_DICT;
    return ptog_parse_dict(p, &part->entries, &part->count);
}

/* Words that continue a statement also at the start of a line. */
static bool is_continuation(ptog_symbol word)
{
    switch (word) {
    case PTOG_WORD_ins:
    case PTOG_WORD_outs:
    case PTOG_WORD_iter_args:
    case PTOG_WORD_sizes:
    case PTOG_WORD_valid:
    case PTOG_WORD_to:
    case PTOG_WORD_step:
    case PTOG_WORD_attributes:
    case PTOG_WORD_loc: return true;
    default: return false;
    }
}

/* Whether the word at hand belongs to the statement that is being read. */
static bool continues(const struct ptog_parser *p, char next)
{
    const char *text = p->source->bytes + p->token.at;
    size_t length = p->token.end - p->token.at;
    if (next == '=' && !memchr(text, '.', length))
        return true;
    if (p->token.new_line)
        return is_continuation(find_word(p));
    return next == '<' || !memchr(text, '.', length);
}

/* word ::= clause | key | 'to' types | 'attributes' dict | items | word ['[' items ']'] */
static bool parse_word(struct ptog_parser *p, struct ptog_part *part, bool after_types, bool *comma)
{
    char next = ptog_after_token(p);
    if (!continues(p, next))
        return true;
    const char *text = p->source->bytes + p->token.at;
    uint32_t at = p->token.at, end = p->token.end;
    if (next == '<' || next == ',' || (next != '(' && next != '=' && ptog_is_scalar(text, end - at)))
        return parse_items(p, part, comma);
    if (!ptog_symbol_of(p, at, end, &part->word))
        return false;
    if (next == '(')
        return parse_clause(p, part);
    if (next == '=')
        return parse_key(p, part);
    ptog_take(p);
    if (part->word == PTOG_WORD_attributes)
        return parse_dict(p, part);
    if (part->word == PTOG_WORD_to && after_types) {
        part->kind = PTOG_PART_TO;
        return ptog_parse_types(p, part);
    }
    part->kind = PTOG_PART_WORD;
    if (p->token.new_line || !ptog_at(p, '['))
        return true;
    part->listed = true;
    return parse_bracketed(p, part, PTOG_PART_WORD, ']');
}

/* Braces hold a dictionary when they are empty, or start with a key; otherwise operations. A single word is a key on
 * the line of the brace, and an operation on a line of its own. */
static bool braces_are_dict(const struct ptog_parser *p, const struct ptog_op *op)
{
    if (ptog_op_info(op->name)->kind == PTOG_KIND_BLOCK || ptog_op_is_tile(op->name))
        return ptog_op_is_tile(op->name);
    struct ptog_token first = ptog_look_ahead(p, 1), second = ptog_look_ahead(p, 2);
    if (first.punctuation == '}')
        return true;
    if (first.kind != PTOG_TOKEN_WORD && first.kind != PTOG_TOKEN_STRING)
        return false;
    ptog_symbol word = ptog_symbol_find(&p->tree->symbols, p->source->bytes + first.at, first.end - first.at);
    if (word != 0 && word < PTOG_WORD_OPS_END)
        return false;
    return second.punctuation == '=' || second.punctuation == ',' || (second.punctuation == '}' && !first.new_line);
}

static bool parse_braces(struct ptog_parser *p, const struct ptog_op *op, struct ptog_part *part)
{
    if (braces_are_dict(p, op))
        return parse_dict(p, part);
    return ptog_parse_region(p, part, 0);
}

static bool parse_types(struct ptog_parser *p, struct ptog_part *part, enum ptog_part_kind kind)
{
    part->kind = (uint8_t)kind;
    ptog_take(p);
    return ptog_parse_types(p, part);
}

#define MOST_RESULTS 32u /* that are looked at to tell a statement from operands */

/* Whether the values at hand are the results of a statement: '%'id [':' number] {',' ...} '=' */
static bool at_results(const struct ptog_parser *p)
{
    for (unsigned i = 0; i < 2 * MOST_RESULTS; i += 2) {
        struct ptog_token next = ptog_look_ahead(p, i + 1);
        if (next.punctuation == '=' || (next.kind == PTOG_TOKEN_WORD && !next.new_line))
            return true; /* also when the '=' is missing */
        if (next.punctuation == ':')
            return ptog_look_ahead(p, i + 2).kind == PTOG_TOKEN_INT;
        if (next.punctuation != ',' || ptog_look_ahead(p, i + 2).kind != PTOG_TOKEN_VALUE)
            return false;
    }
    return true;
}

/* Operands may start on the line after the name, as nothing else could start there. */
static bool operands_follow(const struct ptog_parser *p, const struct ptog_op *op)
{
    bool ends =
        op->name == PTOG_OP_NAME_RETURN || op->name == PTOG_OP_NAME_FUNC_RETURN || op->name == PTOG_OP_NAME_YIELD;
    if (p->token.kind == PTOG_TOKEN_VALUE)
        return !ends && !at_results(p);
    return ptog_at(p, '<') || ptog_at(p, '[') || ptog_at(p, '(');
}

/* part ::= word | items | '[' items ']' | '(' items ')' | dict | region | ':' types | '->' types
 * `part` is the last one and becomes the next; its kind is 0 when the statement is over. Items and brackets do not
 * start a line, except the first one's: that would be a statement. */
static bool parse_part(struct ptog_parser *p, const struct ptog_op *op, struct ptog_part *part, bool *comma)
{
    const struct ptog_token *token = &p->token;
    bool follows = !token->new_line || *comma || (part->kind == PTOG_PART_NONE && operands_follow(p, op));
    bool after_types = part->kind == PTOG_PART_TYPES;
    *part = (struct ptog_part){.comma = *comma};
    *comma = false;
    switch (token->kind) {
    case PTOG_TOKEN_WORD: return parse_word(p, part, after_types, comma);
    case PTOG_TOKEN_ARROW: return parse_types(p, part, PTOG_PART_ARROW);
    case PTOG_TOKEN_PUNCTUATION: break;
    case PTOG_TOKEN_END:
    case PTOG_TOKEN_BAD: return true;
    default: return !follows || parse_items(p, part, comma);
    }
    switch (token->punctuation) {
    case ':': return parse_types(p, part, PTOG_PART_TYPES);
    case '{': return parse_braces(p, op, part);
    case '<': return !follows || parse_items(p, part, comma);
    case '[': return !follows || parse_bracketed(p, part, PTOG_PART_LIST, ']');
    case '(': return !follows || parse_bracketed(p, part, PTOG_PART_PARENS, ')');
    default: return true;
    }
}

/* parts ::= {[','] part} [loc] */
bool ptog_parse_parts(struct ptog_parser *p, struct ptog_op *op)
{
    size_t from = p->lists.used;
    struct ptog_part part = {0};
    bool comma = false;
    for (;;) {
        uint32_t at = p->token.at;
        comma = comma || (p->lists.used > from && ptog_take_if(p, ','));
        if (ptog_is_word(p, "loc") && !comma && ptog_after_token(p) == '(') {
            if (!ptog_parse_loc(p))
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
              "the generic form is not read with regions: print the program without --mlir-print-op-generic");
    p->stop = true;
    return false;
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
            good = parse_bracketed(p, &part, PTOG_PART_PARENS, ')');
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
    return ptog_parse_loc(p) && ptog_take_list(p, from, sizeof *op->parts, &op->parts, &op->part_count);
}
