/* asm: statements: results, the name of the operation with its suffixes, and what the name asks for. */
#include "asm/parser/parser.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define MAX_NAME 64 /* no known operation has a longer name */

/* ---- names */

/* Nothing near: all of them. */
static bool fail_value(struct ptog_parser *p, const struct ptog_class *of, struct ptog_span span, const char *what)
{
    char quote[PTOG_QUOTE_SIZE], list[160] = "";
    unsigned count = 0;
    while (ptog_class_value(of, count))
        count++;
    for (unsigned i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", ptog_text_or(i, count),
                 ptog_class_value(of, i));
    return ptog_fail(p, PTOG_ID_UNKNOWN_WORD, span, "unknown %s %s, expected %s", what,
                     ptog_quote(quote, p->source, span), list);
}

/* Whether a class of attributes has the value that is written there; reports one that it has not, with the nearest.
 * Unknown classes have any. */
bool ptog_check_value(struct ptog_parser *p, const char *class, struct ptog_span span, const char *what)
{
    const struct ptog_class *of = ptog_class_find(class);
    if (!of || of->values[0] == '\0')
        return true;
    struct ptog_nearest nearest;
    const char *text = p->source->bytes + span.at, *value;
    ptog_nearest_start(&nearest, text, span.length);
    for (unsigned i = 0; (value = ptog_class_value(of, i)); i++) {
        if (strlen(value) == span.length && memcmp(value, text, span.length) == 0)
            return true;
        ptog_nearest_offer(&nearest, value);
    }
    if (nearest.best)
        return ptog_fail_unknown(p, span, what, nearest.best);
    return fail_value(p, of, span, what);
}

/* suffix ::= '.' value: becomes the attribute it stands for */
static bool add_suffix(struct ptog_parser *p, const struct ptog_op *op, struct ptog_span span, unsigned n,
                       struct ptog_entry *entry)
{
    char quote[PTOG_QUOTE_SIZE];
    ptog_symbol key = ptog_suffix_key(op->name, n == 0 ? PTOG_PLACE_SUFFIX_1 : PTOG_PLACE_SUFFIX_2);
    if (n > 1 || key == 0)
        return ptog_fail(p, PTOG_ID_SYNTAX, span, "'%s' has no suffix %s", ptog_op_info(op->name)->name,
                         ptog_quote(quote, p->source, span));
    const char *class = ptog_key_class(key);
    if (!ptog_check_value(p, class, span, ptog_tree_text(p->tree, key)))
        return false;
    *entry = (struct ptog_entry){.key = key, .key_span = span};
    entry->value = (struct ptog_item){.kind = PTOG_ITEM_ATTR, .style = PTOG_ITEM_SUFFIX, .span = span};
    entry->value.name = ptog_symbol_add(&p->tree->symbols, class, strlen(class));
    entry->value.value = ptog_symbol_add(&p->tree->symbols, p->source->bytes + span.at, span.length);
    return (entry->value.name && entry->value.value) || ptog_fail_memory(p);
}

/* PTO-AS writes `mgather.row` for "pto.mgather" and a suffix: the known operation that the longest beginning of the
 * name means, in whole words, or 0. */
ptog_symbol ptog_find_bare(const struct ptog_parser *p, struct ptog_span span, uint32_t *length)
{
    char name[MAX_NAME] = "pto.";
    const char *text = p->source->bytes + span.at;
    *length = span.length < MAX_NAME - 5 ? span.length : 0;
    memcpy(name + 4, text, *length);
    while (*length > 0) {
        ptog_symbol symbol = ptog_symbol_find(&p->tree->symbols, name, *length + 4);
        if (ptog_symbol_is_op(symbol))
            return symbol;
        do
            --*length;
        while (*length > 0 && text[*length] != '.');
    }
    return 0;
}

/* The name that an operation of the first generation has now, by its name without "_dps"; NULL: the same. */
static const char *renamed(const char *text, uint32_t length)
{
    static const struct {
        const char *before, *now;
    } names[] = {{"pto.load", "pto.tload"}, {"pto.store", "pto.tstore"}, {"pto.addf", "pto.tadd"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i].before) == length && memcmp(names[i].before, text, length) == 0)
            return names[i].now;
    return NULL;
}

/* The first generation wrote "pto.tadd_dps" for "pto.tadd"; 0 when the name is no such one. */
static ptog_symbol find_old(const struct ptog_parser *p, struct ptog_span span)
{
    static const char end[] = "_dps";
    const char *text = p->source->bytes + span.at;
    uint32_t length = span.length - (uint32_t)strlen(end);
    if (span.length <= strlen(end) || memcmp(text + length, end, strlen(end)) != 0)
        return 0;
    const char *now = renamed(text, length);
    ptog_symbol symbol =
        now ? ptog_symbol_find(&p->tree->symbols, now, strlen(now)) : ptog_symbol_find(&p->tree->symbols, text, length);
    if (ptog_symbol_is_op(symbol))
        return symbol;
    return 0;
}

/* name ::= a known or unknown name | the bare name of a known one {'.' suffix} */
static bool parse_name(struct ptog_parser *p, struct ptog_op *op, struct ptog_entry **suffixes, uint32_t *count)
{
    struct ptog_span span = op->name_span = ptog_token_span(p);
    uint32_t end = span.at + span.length, at;
    ptog_take(p);
    op->name = ptog_symbol_find(&p->tree->symbols, p->source->bytes + span.at, span.length);
    if (!ptog_symbol_is_op(op->name)) {
        ptog_symbol old = find_old(p, span);
        if (old)
            op->name = old;
    }
    if (ptog_symbol_is_op(op->name))
        return true;
    ptog_symbol bare = ptog_find_bare(p, span, &at);
    if (bare == 0 || (at < span.length && !ptog_op_is_tile(bare)))
        return ptog_symbol_of(p, span.at, end, &op->name); /* the check says so */
    op->name = bare;
    op->form = PTOG_OP_AS;
    if (at < span.length && !(*suffixes = ptog_arena_alloc(&p->tree->arena, 2 * sizeof **suffixes)))
        return ptog_fail_memory(p);
    for (at += span.at; at < end; (*count)++) {
        uint32_t from = ++at;
        while (at < end && p->source->bytes[at] != '.')
            at++;
        if (!add_suffix(p, op, (struct ptog_span){from, at - from}, *count, &(*suffixes)[*count & 1]))
            return false;
    }
    return true;
}

/* ---- results */

/* results ::= '%'id [':' number] {',' '%'id [':' number]} '=' */
static bool parse_results(struct ptog_parser *p, struct ptog_op *op)
{
    size_t from = p->lists.used;
    do {
        if (p->token.kind != PTOG_TOKEN_VALUE)
            return ptog_fail_expected(p, "a result such as %x");
        struct ptog_item item = {.kind = PTOG_ITEM_VALUE, .span = ptog_token_span(p)};
        if (!ptog_symbol_of(p, p->token.at + 1, p->token.end, &item.name))
            return false;
        ptog_take(p);
        if (ptog_take_if(p, ':')) {
            struct ptog_item number;
            if (!ptog_parse_item(p, &number, false))
                return false;
            if (number.kind != PTOG_ITEM_INT || number.negative || number.number == 0 || number.number > UINT32_MAX)
                return ptog_fail(p, PTOG_ID_SYNTAX, number.span, "expected a number of results");
            item.number = number.number;
        }
        if (!ptog_push(p, &item, sizeof item))
            return false;
    } while (ptog_take_if(p, ','));
    return ptog_take_list(p, from, sizeof *op->results, &op->results, &op->result_count) &&
           (ptog_take_if(p, '=') || ptog_fail_expected(p, "'='"));
}

/* ---- statements */

static bool is_frame(ptog_symbol name)
{
    enum ptog_op_kind kind = ptog_op_info(name)->kind;
    return kind >= PTOG_KIND_MODULE;
}

/* Reads the name of an operation in quotes. */
static bool parse_generic_name(struct ptog_parser *p, struct ptog_op *op)
{
    op->form = PTOG_OP_GENERIC;
    op->name_span = (struct ptog_span){p->token.at + 1, p->token.end - p->token.at - 2};
    if (!ptog_symbol_of(p, p->token.at + 1, p->token.end - 1, &op->name))
        return false;
    ptog_take(p);
    return true;
}

/* Reads a statement from its results to its end, in the form in which it is written, and normalizes it. */
static bool parse_rest(struct ptog_parser *p, struct ptog_op *op)
{
    struct ptog_entry *suffixes = NULL; /* in the arena: every region around takes a frame of this on the stack */
    uint32_t count = 0;
    if (p->token.kind == PTOG_TOKEN_VALUE && !parse_results(p, op))
        return false;
    if (p->token.kind == PTOG_TOKEN_STRING)
        return parse_generic_name(p, op) && ptog_parse_generic(p, op) && ptog_name_attrs(p, op) &&
               ptog_normalize(p, op, suffixes, 0);
    if (ptog_at(p, '^') && op->result_count == 0)
        return ptog_parse_label(p, op);
    if (p->token.kind != PTOG_TOKEN_WORD || (op->result_count == 0 && !ptog_at_start(p)))
        return ptog_fail_expected(p, "an operation");
    if (!parse_name(p, op, &suffixes, &count))
        return false;
    p->loose_types = !ptog_symbol_is_op(op->name) && strncmp(ptog_tree_text(p->tree, op->name), "pto.", 4) == 0;
    if (is_frame(op->name))
        return ptog_parse_frame(p, op);
    return ptog_parse_parts(p, op) && ptog_name_attrs(p, op) && ptog_normalize(p, op, suffixes, count);
}

/* statement ::= [results] (generic | frame | name parts) */
struct ptog_op *ptog_parse_op(struct ptog_parser *p)
{
    struct ptog_op *op = ptog_arena_alloc(&p->tree->arena, sizeof *op);
    if (!op) {
        ptog_fail_memory(p);
        return NULL;
    }
    uint32_t at = p->token.at;
    op->number = p->tree->op_count++;
    op->blank = p->token.blank;
    if (!ptog_take_comments(p, at, &op->comments) || !parse_rest(p, op))
        return NULL;
    p->tree->has_calls |= op->name == PTOG_OP_NAME_CALL || op->name == PTOG_OP_NAME_SHORT_CALL;
    p->tree->has_fifo |= ptog_op_is_fifo(op->name);
    p->tree->has_escapes |= op->name == PTOG_OP_NAME_INTTOPTR || op->name == PTOG_OP_NAME_SECTION_SIMT ||
                            op->name == PTOG_OP_NAME_PTO_YIELD;
    op->span = ptog_span_from(p, at);
    if (!ptog_take_comments(p, p->last_end, &op->comments) || !ptog_take_trailing(p, &op->after))
        return NULL;
    return op;
}
