/* asm: types, read byte by byte, because 16x32xf16 is not made of tokens. */
#include "asm/parser.h"

#include <string.h>

#include <ptog/tile.h>

#define LONGEST_ELEMENT 24u

/* ---- bytes */

char ptog_type_peek(struct ptog_parser *p)
{
    while (p->lexer.at < p->lexer.size && ptog_is(p->lexer.bytes[p->lexer.at], PTOG_CH_SPACE))
        p->lexer.at++;
    return p->lexer.at < p->lexer.size ? p->lexer.bytes[p->lexer.at] : '\0';
}

bool ptog_type_accept(struct ptog_parser *p, char c)
{
    if (c == '\0' || ptog_type_peek(p) != c)
        return false;
    p->lexer.at++;
    return true;
}

bool ptog_type_fail(struct ptog_parser *p, const char *expected)
{
    p->token = ptog_look_ahead(p, 1);
    return ptog_fail_expected(p, expected);
}

struct ptog_span ptog_type_word(struct ptog_parser *p)
{
    ptog_type_peek(p);
    uint32_t at = p->lexer.at;
    while (p->lexer.at < p->lexer.size && ptog_is(p->lexer.bytes[p->lexer.at], PTOG_CH_NAME))
        p->lexer.at++;
    return (struct ptog_span){at, p->lexer.at - at};
}

/* ---- elements and shapes */

static bool is_sized(const char *text, size_t length)
{
    size_t letters = text[0] == 'i' ? 1 : length > 1 && (text[0] == 's' || text[0] == 'u') && text[1] == 'i' ? 2 : 0;
    if (letters == 0 || length == letters || length > letters + 5)
        return false;
    for (size_t i = letters; i < length; i++)
        if (!ptog_is(text[i], PTOG_CH_DIGIT))
            return false;
    return true;
}

static enum ptog_dtype find_dtype(const char *text, size_t length)
{
    char name[LONGEST_ELEMENT + 1] = "";
    if (length <= LONGEST_ELEMENT)
        memcpy(name, text, length);
    return ptog_dtype_find(name);
}

/* scalar ::= 'index' | 'i'digits | 'f16' | ... | '!pto.hif8' */
bool ptog_is_scalar(const char *text, size_t length)
{
#define SCALAR(name)                                                                                                   \
    if (length == sizeof name - 1 && memcmp(text, name, length) == 0)                                                  \
        return true;
#include "spec/types.def"
    return is_sized(text, length) || find_dtype(text, length) != PTOG_DTYPE_NONE;
}

/* A manual's element types: T, DType, dtype; not F32, which is f32 misspelled. */
static bool is_placeholder(const char *text, size_t length)
{
    char small[LONGEST_ELEMENT + 1] = "";
    for (size_t i = 0; i < length && length <= LONGEST_ELEMENT; i++)
        small[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
    bool capital = text[0] >= 'A' && text[0] <= 'Z' && !(small[0] && ptog_is_scalar(small, length));
    return capital || (length == 5 && memcmp(text, "dtype", 5) == 0);
}

static bool fail_element(struct ptog_parser *p, struct ptog_span span)
{
    struct ptog_nearest nearest;
    ptog_nearest_start(&nearest, p->source->bytes + span.at, span.length);
    for (int d = 1; d < PTOG_DTYPE_COUNT; d++)
        ptog_nearest_offer(&nearest, ptog_dtype_name((enum ptog_dtype)d));
    return ptog_fail_unknown(p, span, "element type", nearest.best);
}

/* An element that is itself made of something, vector<2xf16>: kept as it is. */
static bool read_foreign_element(struct ptog_parser *p, struct ptog_type *type, uint32_t start, uint32_t at)
{
    if (!ptog_skip_angle(p))
        return false;
    type->element.inside = (struct ptog_span){at - start, p->lexer.at - at};
    return ptog_verbatim(p, at, p->lexer.at, &type->element.name);
}

/* element ::= scalar | placeholder | name '<' verbatim '>' */
bool ptog_type_element(struct ptog_parser *p, struct ptog_type *type, uint32_t start)
{
    ptog_type_peek(p);
    uint32_t at = p->lexer.at;
    p->lexer.at += ptog_type_peek(p) == '!';
    struct ptog_span word = ptog_type_word(p);
    if (word.length == 0)
        return ptog_type_fail(p, "an element type");
    if (p->lexer.at < p->lexer.size && p->lexer.bytes[p->lexer.at] == '<')
        return read_foreign_element(p, type, start, at);
    struct ptog_span span = {at, word.at + word.length - at};
    const char *text = p->source->bytes + at;
    struct ptog_element *element = &type->element;
    element->dtype = find_dtype(text, span.length);
    element->placeholder = element->dtype == PTOG_DTYPE_NONE && is_placeholder(text, span.length);
    element->inside = (struct ptog_span){at - start, span.length};
    if (!element->placeholder && !ptog_is_scalar(text, span.length))
        return fail_element(p, span);
    return ptog_symbol_of(p, at, at + span.length, &element->name);
}

/* The length of a placeholder such as M at `at`: a capital letter, then letters other than x. */
static uint32_t placeholder_length(const struct ptog_parser *p, uint32_t at)
{
    uint32_t n = 0;
    const char *bytes = p->lexer.bytes;
    if (at < p->lexer.size && bytes[at] >= 'A' && bytes[at] <= 'Z')
        while (at + n < p->lexer.size && bytes[at + n] != 'x' && ptog_is(bytes[at + n], PTOG_CH_LETTER | PTOG_CH_DIGIT))
            n++;
    return n;
}

/* extent ::= digits | '?' | '-1', which is '?' | placeholder */
bool ptog_type_extent(struct ptog_parser *p, uint32_t start, struct ptog_extent *extent)
{
    char c = ptog_type_peek(p);
    uint32_t at = p->lexer.at;
    *extent = (struct ptog_extent){.value = PTOG_DYN};
    bool minus_one = c == '-' && p->lexer.size - at > 1 && p->lexer.bytes[at + 1] == '1';
    if (c == '?' || minus_one) {
        p->lexer.at += minus_one ? 2 : 1;
    } else if (ptog_is(c, PTOG_CH_DIGIT)) {
        uint64_t value;
        while (p->lexer.at < p->lexer.size && ptog_is(p->lexer.bytes[p->lexer.at], PTOG_CH_DIGIT))
            p->lexer.at++;
        if (!ptog_read_u64(p->lexer.bytes + at, p->lexer.at - at, &value) || value > INT64_MAX)
            return ptog_fail(p, PTOG_ID_NUMBER, (struct ptog_span){at, p->lexer.at - at},
                             "an extent must be less than 2^63");
        extent->value = (int64_t)value;
    } else {
        uint32_t n = placeholder_length(p, at);
        if (n == 0)
            return ptog_type_fail(p, "a number, '?' or a name such as M");
        p->lexer.at += n;
        if (!ptog_symbol_of(p, at, p->lexer.at, &extent->name))
            return false;
    }
    extent->inside = (struct ptog_span){at - start, p->lexer.at - at};
    return true;
}

static uint32_t skip_space(const struct ptog_parser *p, uint32_t at)
{
    while (at < p->lexer.size && p->lexer.bytes[at] == ' ')
        at++;
    return at;
}

/* Whether what follows is `extent 'x'` and then something: 16x32, ?x?, MxN, 16 x 32; not Max. */
bool ptog_type_at_shape(const struct ptog_parser *p)
{
    const char *bytes = p->lexer.bytes;
    uint32_t at = p->lexer.at, size = p->lexer.size;
    if (at < size && bytes[at] == '?')
        at++;
    else if (at < size && ptog_is(bytes[at], PTOG_CH_DIGIT))
        while (at < size && ptog_is(bytes[at], PTOG_CH_DIGIT))
            at++;
    else
        at += placeholder_length(p, at);
    if (at == p->lexer.at)
        return false;
    at = skip_space(p, at);
    if (at >= size || bytes[at] != 'x')
        return false;
    at = skip_space(p, at + 1);
    return at < size && (ptog_is(bytes[at], PTOG_CH_LETTER | PTOG_CH_DIGIT) || bytes[at] == '?' || bytes[at] == '!');
}

/* shape ::= {extent 'x'} element */
bool ptog_type_shape(struct ptog_parser *p, struct ptog_type *type, uint32_t start)
{
    size_t from = p->lists.used;
    ptog_type_peek(p);
    while (ptog_type_at_shape(p)) {
        struct ptog_extent extent;
        if (!ptog_type_extent(p, start, &extent) || !ptog_push(p, &extent, sizeof extent))
            return false;
        ptog_type_accept(p, 'x');
        ptog_type_peek(p);
    }
    return ptog_take_list(p, from, sizeof *type->dims, &type->dims, &type->rank) && ptog_type_element(p, type, start);
}

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

/* memref ::= '<' shape {',' item} '>' */
static bool parse_memref(struct ptog_parser *p, struct ptog_type *type, uint32_t start)
{
    if (!ptog_type_shape(p, type, start))
        return false;
    size_t from = p->lists.used;
    ptog_take_from(p, p->lexer.at);
    while (ptog_take_if(p, ',')) {
        struct ptog_item item;
        if (!ptog_parse_item(p, &item, true) || !ptog_push(p, &item, sizeof item))
            return false;
    }
    if (!ptog_take_list(p, from, sizeof *type->rest, &type->rest, &type->rest_count))
        return false;
    if (!ptog_at(p, '>'))
        return ptog_fail_expected(p, "',' or '>'");
    p->lexer.at = p->token.end;
    return true;
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
    case PTOG_TYPE_MEMREF: return parse_memref(p, type, start);
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
        return fail_element(p, span);
    struct ptog_nearest nearest;
    char quote[PTOG_QUOTE_SIZE];
    ptog_nearest_start(&nearest, text, word.length);
    bool compared = word.length > 4 && memcmp(text, "pto.", 4) == 0 && !is_raw(text, word.length);
    for (size_t i = 0; compared && i < sizeof names / sizeof names[0]; i++)
        ptog_nearest_offer(&nearest, names[i].name);
    if (nearest.best && p->suggested++ < PTOG_MOST_SUGGESTING &&
        !ptog_text_diag_add(p->diags, PTOG_ID_UNKNOWN_WORD, PTOG_WARNING, span, "unknown type %s, did you mean '%s%s'?",
                            ptog_quote(quote, p->source, span), bang ? "!" : "", nearest.best))
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
    type->element.dtype = find_dtype(text, p->lexer.at - start);
    type->element.inside = (struct ptog_span){0, p->lexer.at - start};
    return ptog_symbol_of(p, start, p->lexer.at, &type->element.name);
}

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
    if (!type || !ptog_enter(p))
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
    ptog_leave(p);
    use->span = ptog_span_from(p, at);
    return good;
}
