/* asm: types where they are used, and lists of them. Most types of a program are a few, written often: each spelling is
 * read once and then found again. */
#include "asm/parser.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_CACHED 160u /* a long tile_buf type is 140 bytes */

/* The end of a type at `at` that can be told without reading it; 0 when it cannot. */
static uint32_t simple_end(const struct ptog_parser *p, uint32_t at)
{
    const char *bytes = p->lexer.bytes;
    uint32_t limit = p->lexer.size - at < LONGEST_CACHED ? p->lexer.size : at + LONGEST_CACHED;
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

static bool grow_types(struct ptog_parser *p)
{
    uint32_t slots = p->type_slots ? p->type_slots * 2 : 64;
    struct ptog_type_slot *types = calloc(slots, sizeof *types);
    if (!types)
        return ptog_fail_memory(p);
    for (uint32_t i = 0; i < p->type_slots; i++) {
        if (!p->types[i].type)
            continue;
        uint32_t at = p->types[i].hash & (slots - 1);
        while (types[at].type)
            at = (at + 1) & (slots - 1);
        types[at] = p->types[i];
    }
    free(p->types);
    p->types = types;
    p->type_slots = slots;
    return true;
}

static struct ptog_type_slot *find_type(const struct ptog_parser *p, uint32_t at, uint32_t length, uint32_t hash)
{
    const char *bytes = p->lexer.bytes;
    for (uint32_t i = hash & (p->type_slots - 1);; i = (i + 1) & (p->type_slots - 1)) {
        struct ptog_type_slot *slot = &p->types[i];
        if (!slot->type ||
            (slot->hash == hash && slot->length == length && memcmp(bytes + slot->at, bytes + at, length) == 0))
            return slot;
    }
}

bool ptog_parse_type(struct ptog_parser *p, struct ptog_type_use *use)
{
    bool named = p->token.kind == PTOG_TOKEN_BANG || p->token.kind == PTOG_TOKEN_WORD;
    uint32_t at = p->token.at;
    uint32_t end = named ? simple_end(p, at) : 0;
    if (end == 0)
        return ptog_parse_new_type(p, use);
    if (p->type_count * 2 >= p->type_slots && !grow_types(p))
        return false;
    uint32_t hash = ptog_text_hash(p->lexer.bytes + at, end - at);
    struct ptog_type_slot *slot = find_type(p, at, end - at, hash);
    if (slot->type) {
        *use = (struct ptog_type_use){slot->type, {at, end - at}};
        ptog_take_from(p, end);
        return true;
    }
    if (!ptog_parse_new_type(p, use))
        return false;
    slot = find_type(p, at, use->span.length, ptog_text_hash(p->lexer.bytes + at, use->span.length));
    if (!slot->type) {
        *slot = (struct ptog_type_slot){ptog_text_hash(p->lexer.bytes + at, use->span.length), at, use->span.length,
                                        use->type};
        p->type_count++;
    }
    return true;
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
    if (p->type_count * 2 >= p->type_slots && !grow_types(p))
        return false;
    uint32_t hash = ptog_text_hash(p->lexer.bytes + name.at, name.length);
    struct ptog_type_slot *slot = find_type(p, name.at, name.length, hash);
    if (slot->type)
        return ptog_fail(p, PTOG_ID_DUPLICATE, name, "%s already stands for a type",
                         ptog_quote(quote, p->source, name));
    *slot = (struct ptog_type_slot){hash, name.at, name.length, use.type};
    p->type_count++;
    return true;
}

/* ---- lists of types */

/* Old compilers print types without their name where the operation tells it: `pto.addptr %p, %i : <f32> -> <f32>`. */
enum ptog_type_kind ptog_bare_type(ptog_symbol op, ptog_symbol clause)
{
    switch (op) {
    case PTOG_OP_NAME_ADDPTR:
    case PTOG_OP_NAME_PTRTOINT:
    case PTOG_OP_NAME_INTTOPTR:
    case PTOG_OP_NAME_CASTPTR:
    case PTOG_OP_NAME_LOAD_SCALAR:
    case PTOG_OP_NAME_STORE_SCALAR: return PTOG_TYPE_PTR;
    case PTOG_OP_NAME_TLOAD: return clause == PTOG_WORD_ins ? PTOG_TYPE_PARTITION_VIEW : PTOG_TYPE_TILE_BUF;
    case PTOG_OP_NAME_TSTORE: return clause == PTOG_WORD_outs ? PTOG_TYPE_PARTITION_VIEW : PTOG_TYPE_TILE_BUF;
    default: return PTOG_TYPE_TILE_BUF;
    }
}

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
