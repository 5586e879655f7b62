/* asm: types where they are used, and lists of them. Most types of a program are a few, written often: each spelling is
 * read once and then found again. */
#include "asm/parser/parser.h"

#include <string.h>

#include "asm/insn_words.h"
#include "base/array.h"

#define MAX_CACHED 160u /* a long tile_buf type is 140 bytes */

/* The end of a type at `at` that can be told without reading it; 0 when it cannot. */
static uint32_t simple_end(const struct ptog_parser *p, uint32_t at)
{
    const char *bytes = p->lexer.bytes;
    uint32_t limit = p->lexer.size - at < MAX_CACHED ? p->lexer.size : at + MAX_CACHED;
    uint32_t depth = 0;
    for (at += bytes[at] == '!'; at < limit && ptog_is(bytes[at], PTOG_CH_NAME); at++)
        ;
    if (at == limit || bytes[at] != '<')
        return at < limit || at == p->lexer.size ? at : 0;
    for (; at < limit && ptog_is(bytes[at], PTOG_CH_IN_TYPE); at++) {
        depth += bytes[at] == '<';
        depth -= bytes[at] == '>';
        if (depth == 0)
            return at + 1;
    }
    return 0;
}

/* The type that was spelled as the bytes [at, at + length) are; NULL when none was. */
static const struct ptog_type *find_type(const struct ptog_parser *p, struct ptog_span span, uint32_t hash)
{
    const char *bytes = p->lexer.bytes;
    const struct ptog_index_slot *slot = ptog_index_first(&p->type_index, hash);
    for (; slot; slot = ptog_index_next(&p->type_index, slot)) {
        const struct ptog_spelled_type *known = &p->types[slot->number - 1];
        if (known->span.length == span.length && memcmp(bytes + known->span.at, bytes + span.at, span.length) == 0)
            return known->type;
    }
    return NULL;
}

/* Keeps a type by its text, so that the same text is parsed once. */
static bool add_type(struct ptog_parser *p, struct ptog_span span, uint32_t hash, const struct ptog_type *type)
{
    if (!ptog_array_reserve(&p->types, (size_t)p->type_count + 1, &p->type_room) ||
        !ptog_index_add(&p->type_index, hash, p->type_count + 1))
        return ptog_fail_memory(p);
    p->types[p->type_count++] = (struct ptog_spelled_type){span, type};
    return true;
}

static uint32_t hash_of(const struct ptog_parser *p, struct ptog_span span)
{
    return ptog_hash_bytes(p->lexer.bytes + span.at, span.length);
}

/* Reads a type; one that is spelled the same way as before is the same struct. False after an error. */
bool ptog_parse_type(struct ptog_parser *p, struct ptog_type_use *use)
{
    bool named = p->token.kind == PTOG_TOKEN_BANG || p->token.kind == PTOG_TOKEN_WORD;
    uint32_t at = p->token.at;
    uint32_t end = named ? simple_end(p, at) : 0;
    if (end == 0)
        return ptog_parse_new_type(p, use);
    struct ptog_span span = {at, end - at};
    uint32_t hash = hash_of(p, span);
    const struct ptog_type *known = find_type(p, span, hash);
    if (known) {
        *use = (struct ptog_type_use){known, span};
        ptog_take_from(p, end);
        return true;
    }
    if (!ptog_parse_new_type(p, use))
        return false;
    span.length = use->span.length; /* the type may have ended elsewhere */
    hash = hash_of(p, span);
    return find_type(p, span, hash) || add_type(p, span, hash, use->type);
}

/* alias ::= '!' name '=' type: from here on the name is a spelling of the type */
bool ptog_parse_alias(struct ptog_parser *p)
{
    struct ptog_span name = ptog_token_span(p);
    struct ptog_type_use use;
    char quote[PTOG_QUOTE_SIZE];
    ptog_take(p);
    if (!ptog_expect(p, '=') || !ptog_parse_type(p, &use))
        return false;
    uint32_t hash = hash_of(p, name);
    if (find_type(p, name, hash))
        return ptog_fail(p, PTOG_ID_DUPLICATE, name, "%s is already an alias of a type",
                         ptog_quote(quote, p->source, name));
    return add_type(p, name, hash, use.type);
}

/* ---- lists of types */

/* The name that operand or result `n` of the operation may leave out of its type, as old compilers print it:
 * `pto.addptr %p, %i : <f32> -> <f32>`; NULL: none. */
enum ptog_type_kind ptog_bare_type(ptog_symbol op, ptog_symbol clause)
{
    switch (op) {
    case PTOG_OP_NAME_ADDPTR:
    case PTOG_OP_NAME_PTRTOINT:
    case PTOG_OP_NAME_INTTOPTR:
    case PTOG_OP_NAME_CASTPTR:
    case PTOG_OP_NAME_LOAD_SCALAR:
    case PTOG_OP_NAME_STORE_SCALAR: return PTOG_TYPE_PTR;
    case PTOG_OP_NAME_TPREFETCH:
    case PTOG_OP_NAME_TLOAD: return clause == PTOG_WORD_ins ? PTOG_TYPE_PARTITION_VIEW : PTOG_TYPE_TILE_BUF;
    case PTOG_OP_NAME_TSTORE: return clause == PTOG_WORD_outs ? PTOG_TYPE_PARTITION_VIEW : PTOG_TYPE_TILE_BUF;
    default: return PTOG_TYPE_TILE_BUF;
    }
}

/* Reads an element of a list of types, which may be a string. */
bool ptog_parse_listed(struct ptog_parser *p, struct ptog_type_use *use)
{
    if (p->token.kind != PTOG_TOKEN_STRING)
        return ptog_parse_type(p, use);
    struct ptog_type *type = ptog_new_type(p);
    if (!type || !ptog_symbol_of(p, p->token.at + 1, p->token.end - 1, &type->text))
        return false;
    type->kind = PTOG_TYPE_STRING;
    *use = (struct ptog_type_use){type, ptog_token_span(p)};
    ptog_take(p);
    return true;
}

/* list ::= [listed {',' listed}] before `end`;  listed ::= type | string */
bool ptog_parse_type_list(struct ptog_parser *p, char end, struct ptog_type_use **types, uint32_t *count)
{
    size_t from = p->lists.used;
    if (end == '\0' || !ptog_at(p, end)) {
        do {
            struct ptog_type_use use;
            if (!ptog_parse_listed(p, &use) || !ptog_push(p, &use, sizeof use))
                return false;
        } while (ptog_take_if(p, ','));
    }
    return ptog_take_list(p, from, sizeof **types, types, count);
}

/* types ::= '(' list ')' | list */
bool ptog_parse_types(struct ptog_parser *p, struct ptog_part *part)
{
    part->parens = ptog_take_if(p, '(');
    if (!part->parens)
        return ptog_parse_type_list(p, '\0', &part->types, &part->type_count);
    return ptog_parse_type_list(p, ')', &part->types, &part->type_count) && ptog_expect(p, ')');
}
