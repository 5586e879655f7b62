/* asm: types: those with a name and <...>, functions, and those that are kept as they are. */
#include "asm/parser/parser.h"

#include <string.h>

#include <ptog/tile.h>

#include "base/pick.h"

/* ---- types with <...> */

/* view ::= '<' shape '>' */
static bool parse_view(struct ptog_parser *p, struct ptog_type *type, uint32_t start)
{
    return ptog_type_shape(p, type, start) && (ptog_type_accept(p, '>') || ptog_type_fail(p, "'>'"));
}

/* ptr ::= '<' element [',' space] '>' */
static bool parse_ptr(struct ptog_parser *p, struct ptog_type *type, uint32_t start)
{
    if (!ptog_type_element(p, type, start))
        return false;
    if (ptog_type_accept(p, ',')) {
        struct ptog_span word = ptog_type_word(p);
        if (word.length == 0)
            return ptog_type_fail(p, "a memory space");
        if (!ptog_symbol_of(p, word.at, word.at + word.length, &type->space))
            return false;
    }
    return ptog_type_accept(p, '>') || ptog_type_fail(p, "',' or '>'");
}

/* struct ::= '<' [type {',' type}] '>' */
static bool parse_struct(struct ptog_parser *p, struct ptog_type *type)
{
    p->tree->has_escapes = true;
    ptog_take_from(p, p->lexer.at);
    if (!ptog_parse_type_list(p, '>', &type->ins, &type->in_count))
        return false;
    if (!ptog_at(p, '>'))
        return ptog_fail_expected(p, "',' or '>'");
    p->lexer.at = p->token.end;
    return true;
}

/* eventid_array ::= '<' digits '>' */
static bool parse_eventid_array(struct ptog_parser *p, struct ptog_type *type, uint32_t start)
{
    struct ptog_extent count;
    if (!ptog_type_extent(p, start, &count))
        return false;
    type->slots = count.value;
    return ptog_type_accept(p, '>') || ptog_type_fail(p, "'>'");
}

static const struct type_name {
    enum ptog_type_kind kind;
    const char *name;
    bool old;
} names[] = {
#define TYPE_NAME(kind, name, old) {kind, name, old},
#include "spec/types.def"
};

static const struct type_name *find_name(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, text, length) == 0)
            return &names[i];
    return NULL;
}

/* known ::= name '<' '...' '>' | name '<' what its kind asks for '>' */
static bool parse_known(struct ptog_parser *p, struct ptog_type *type, const struct type_name *name, uint32_t start)
{
    type->kind = name->kind;
    type->style = name->old ? PTOG_STYLE_OLD : PTOG_STYLE_NONE;
    if (!ptog_type_accept(p, '<'))
        return ptog_type_fail(p, "'<'");
    if (ptog_type_peek(p) == '.') {
        for (int i = 0; i < 3; i++)
            if (!ptog_type_accept(p, '.'))
                return ptog_type_fail(p, "'...'");
        type->elided = true;
        return ptog_type_accept(p, '>') || ptog_type_fail(p, "'>'");
    }
    switch (type->kind) {
    case PTOG_TYPE_PTR: return parse_ptr(p, type, start);
    case PTOG_TYPE_TILE:
    case PTOG_TYPE_TILE_BUF:
    case PTOG_TYPE_MULTI_TILE_BUF: return ptog_parse_tile(p, type, start);
    case PTOG_TYPE_PTO_MEMREF:
    case PTOG_TYPE_MEMREF: return ptog_parse_memref(p, type, start);
    case PTOG_TYPE_STRUCT: return parse_struct(p, type);
    case PTOG_TYPE_EVENTID_ARRAY: return parse_eventid_array(p, type, start);
    default: return parse_view(p, type, start);
    }
}

static bool is_raw(const char *text, size_t length)
{
#define RAW_TYPE(name)                                                                                                 \
    if (length == sizeof name - 1 && memcmp(text, name, length) == 0)                                                  \
        return true;
#include "spec/types.def"
    return false;
}

/* An unknown type is kept; when its name is close to a known one, that is said. */
static bool parse_unknown(struct ptog_parser *p, struct ptog_type *type, struct ptog_span word, bool bang)
{
    struct ptog_span span = {word.at - bang, word.length + bang};
    const char *text = p->source->bytes + word.at;
    bool angle = p->lexer.at < p->lexer.size && p->lexer.bytes[p->lexer.at] == '<';
    if (!angle && !bang && (!p->loose_types || word.length == 0))
        return ptog_fail_element(p, span);
    struct ptog_nearest nearest;
    char quote[PTOG_QUOTE_SIZE];
    ptog_nearest_start(&nearest, text, word.length);
    bool compared = word.length > 4 && memcmp(text, "pto.", 4) == 0 && !is_raw(text, word.length);
    for (size_t i = 0; compared && i < sizeof names / sizeof names[0]; i++)
        ptog_nearest_offer(&nearest, names[i].name);
    if (nearest.best && p->suggested++ < PTOG_MAX_SUGGESTING) {
        struct ptog_diag_entry *entry =
            ptog_diag_emit(p->diags, PTOG_ID_UNKNOWN_WORD, span, "unknown type %s, did you mean '%s%s'?",
                           ptog_quote(quote, p->source, span), ptog_when(bang, "!"), nearest.best);
        ptog_diag_set_severity(p->diags, entry, PTOG_WARNING);
    }
    if (p->diags->no_memory)
        return ptog_fail_memory(p);
    if (angle && !ptog_skip_angle(p))
        return false;
    type->kind = PTOG_TYPE_RAW;
    return ptog_verbatim(p, span.at, p->lexer.at, &type->text);
}

/* ---- types */

/* function ::= '(' [type {',' type}] ')' '->' (type | '(' [types] ')') */
static bool parse_function(struct ptog_parser *p, struct ptog_type *type)
{
    ptog_take(p);
    type->kind = PTOG_TYPE_FUNCTION;
    if (!ptog_parse_type_list(p, ')', &type->ins, &type->in_count) || !ptog_expect(p, ')'))
        return false;
    if (p->token.kind != PTOG_TOKEN_ARROW)
        return ptog_fail_expected(p, "'->'");
    ptog_take(p);
    struct ptog_part outs = {0};
    if (!ptog_parse_types(p, &outs))
        return false;
    type->outs = outs.types;
    type->out_count = outs.type_count;
    return true;
}

/* named ::= ['!'] name ['<' ... '>'] */
static bool parse_named(struct ptog_parser *p, struct ptog_type *type)
{
    uint32_t start = p->lexer.at = p->token.at;
    bool bang = p->token.kind == PTOG_TOKEN_BANG;
    if (bang && p->token.end - start == 1)
        return ptog_fail_expected(p, "the name of a type");
    p->lexer.at += bang;
    struct ptog_span word = ptog_type_word(p);
    const char *text = p->source->bytes + start;
    const struct type_name *name = find_name(p->source->bytes + word.at, word.length);
    type->no_bang = name && !bang && name->kind != PTOG_TYPE_MEMREF;
    if (name && bang && name->kind == PTOG_TYPE_MEMREF)
        name = NULL;
    if (name)
        return parse_known(p, type, name, start);
    if (!ptog_is_scalar(text, p->lexer.at - start))
        return parse_unknown(p, type, word, bang);
    type->kind = PTOG_TYPE_SCALAR;
    type->element.dtype = ptog_find_dtype(text, p->lexer.at - start);
    type->element.inside = (struct ptog_span){0, p->lexer.at - start};
    return ptog_symbol_of(p, start, p->lexer.at, &type->element.name);
}

/* A type in the tree's arena, all zero; NULL, with a report, when out of memory. */
struct ptog_type *ptog_new_type(struct ptog_parser *p)
{
    struct ptog_type *type = ptog_arena_alloc(&p->tree->arena, sizeof *type);
    if (!type)
        ptog_fail_memory(p);
    return type;
}

/* bare ::= '<' what the kind of type asks for that stands here '>' */
static bool parse_bare(struct ptog_parser *p, struct ptog_type *type)
{
    struct type_name name = {.kind = p->bare_type ? p->bare_type : PTOG_TYPE_TILE_BUF};
    p->lexer.at = p->token.at;
    return parse_known(p, type, &name, p->token.at);
}

/* type ::= named | function | bare */
bool ptog_parse_new_type(struct ptog_parser *p, struct ptog_type_use *use)
{
    struct ptog_type *type = ptog_new_type(p);
    use->type = type;
    if (!type || !ptog_enter(p, 1))
        return false;
    uint32_t at = p->token.at;
    bool good;
    if (ptog_at(p, '(')) {
        good = parse_function(p, type);
    } else if (ptog_at(p, '<')) {
        good = parse_bare(p, type);
        if (good)
            ptog_take_from(p, p->lexer.at);
    } else {
        good = p->token.kind == PTOG_TOKEN_BANG || p->token.kind == PTOG_TOKEN_WORD ? parse_named(p, type)
                                                                                    : ptog_fail_expected(p, "a type");
        if (good)
            ptog_take_from(p, p->lexer.at);
    }
    ptog_leave(p, 1);
    use->span = ptog_span_from(p, at);
    return good;
}
