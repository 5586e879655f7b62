/* asm: where statements start. A statement may spread over any number of lines, and nothing ends it: the next one does,
 * by how it starts.
 *
 *   start ::= results '=' | name with '.', no '=' after it | return | call | module | func | PTO-AS name
 *           | string '(' | '^'id | ('!' | '#')id '=' */
#include "asm/parser/parser.h"

#include <string.h>

#define MAX_RESULTS 32u /* that are looked at to tell a statement from operands */

/* Whether the values at hand are the results of a statement: '%'id [':' number] {',' ...} '=' */
static bool at_results(const struct ptog_parser *p)
{
    if (ptog_after_token(p) == '=')
        return true; /* nearly always, and told without reading tokens */
    struct ptog_lexer look = p->lexer;
    look.remarks = (struct ptog_stack){0}; /* comments stay where they are until they are really passed */
    bool results = true;
    for (unsigned i = 0; i < MAX_RESULTS; i++) {
        struct ptog_token next = ptog_lexer_next(&look);
        if (next.punctuation == '=' || (next.kind == PTOG_TOKEN_WORD && !next.new_line))
            break; /* also when the '=' is missing */
        struct ptog_token then = ptog_lexer_next(&look);
        results = next.punctuation == ':' ? then.kind == PTOG_TOKEN_INT : then.kind == PTOG_TOKEN_VALUE;
        if (next.punctuation == ':')
            break;
        results = results && next.punctuation == ',';
        if (!results)
            break;
    }
    ptog_stack_free(&look.remarks);
    return results;
}

/* Words that belong to the statement before them, wherever they stand. */
static bool is_inner_word(ptog_symbol word)
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
    case PTOG_WORD_else:
    case PTOG_WORD_do:
    case PTOG_WORD_case:
    case PTOG_WORD_default:
    case PTOG_WORD_fp:
    case PTOG_WORD_pre_quant:
    case PTOG_WORD_no_tmp:
    case PTOG_WORD_offset:
    case PTOG_WORD_offsets:
    case PTOG_WORD_strides:
    case PTOG_WORD_loc: return true;
    default: return false;
    }
}

/* `pto.tile<...>` is a type; `pto.barrier <PIPE_V>` is an operation. */
static bool touches_angle(const struct ptog_parser *p)
{
    return p->token.end < p->lexer.size && p->lexer.bytes[p->token.end] == '<';
}

/* Whether the word at hand starts a statement: a known or dotted name that no '=' follows, or what looks like one. */
static bool starts_with_word(const struct ptog_parser *p)
{
    const char *text = p->source->bytes + p->token.at;
    size_t length = p->token.end - p->token.at;
    char next = ptog_after_token(p);
    uint32_t used;
    if (next == '=')
        return false;
    bool dotted = memchr(text, '.', length) != NULL;
    if (dotted && !touches_angle(p))
        return true;
    ptog_symbol word = ptog_symbol_find(&p->tree->symbols, text, length);
    if (ptog_symbol_is_op(word))
        return true;
    if (dotted)
        return false;
    if (is_inner_word(word))
        return false;
    bool inner = next == ':' || next == '<' || next == '(';
    return !inner || ptog_find_bare(p, ptog_token_span(p), &used) != 0;
}

/* Whether the token at hand starts a statement, an alias or a label. */
bool ptog_at_start(const struct ptog_parser *p)
{
    switch (p->token.kind) {
    case PTOG_TOKEN_VALUE: return at_results(p);
    case PTOG_TOKEN_WORD: return starts_with_word(p);
    case PTOG_TOKEN_STRING: return ptog_after_token(p) == '(';
    case PTOG_TOKEN_BANG:
    case PTOG_TOKEN_HASH: return ptog_after_token(p) == '=';
    default: return ptog_at(p, '^');
    }
}

/* ---- labels */

/* Begins a part with the name of a block. */
static bool push_name(struct ptog_parser *p, struct ptog_part *part)
{
    struct ptog_item item = {.kind = PTOG_ITEM_BLOCK, .span = ptog_token_span(p)};
    size_t from = p->lists.used;
    if (!ptog_symbol_of(p, p->token.at, p->token.end, &item.name) || !ptog_push(p, &item, sizeof item))
        return false;
    ptog_take(p);
    return ptog_take_list(p, from, sizeof item, &part->items, &part->count);
}

/* label ::= '^'id [args] ':': an operation of its own, whose region has the block's arguments and no body */
bool ptog_parse_label(struct ptog_parser *p, struct ptog_op *op)
{
    struct ptog_part *parts = ptog_arena_alloc(&p->tree->arena, 2 * sizeof *parts);
    struct ptog_region *region = ptog_arena_alloc(&p->tree->arena, sizeof *region);
    if (!parts || !region)
        return ptog_fail_memory(p);
    op->name = PTOG_OP_NAME_LABEL;
    op->name_span = ptog_token_span(p);
    ptog_take(p);
    if (p->token.kind != PTOG_TOKEN_WORD && p->token.kind != PTOG_TOKEN_INT)
        return ptog_fail_expected(p, "the name of a block");
    parts[0].kind = PTOG_PART_ITEMS;
    parts[1] = (struct ptog_part){.kind = PTOG_PART_REGION, .region = region};
    op->parts = parts;
    op->part_count = 2;
    if (!push_name(p, &parts[0]) || (ptog_at(p, '(') && !ptog_parse_args(p, &region->args, &region->arg_count)))
        return false;
    p->lexer.value_due = false; /* what follows the ':' is a statement */
    return ptog_expect(p, ':') && ptog_parse_loc(p, &op->loc);
}
