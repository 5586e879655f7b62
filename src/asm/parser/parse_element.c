/* asm: the smallest parts of types, read byte by byte: bytes, elements, extents, shapes. 16x32xf16 is not made of
 * tokens. */
#include "asm/parser/parser.h"

#include <string.h>

#include <ptog/tile.h>

#define MAX_ELEMENT 24u

/* ---- bytes */

char ptog_type_peek(struct ptog_parser *p)
{
    while (p->lexer.at < p->lexer.size && ptog_is(p->lexer.bytes[p->lexer.at], PTOG_CH_SPACE))
        p->lexer.at++;
    if (p->lexer.at < p->lexer.size)
        return p->lexer.bytes[p->lexer.at];
    return '\0';
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

/* Whether text is the name of an integer type: i, si or ui, and one to five digits. */
static bool is_sized(const char *text, size_t length)
{
    size_t letters = 0;
    if (text[0] == 'i')
        letters = 1;
    else if (length > 1 && (text[0] == 's' || text[0] == 'u') && text[1] == 'i')
        letters = 2;
    if (letters == 0 || length == letters || length > letters + 5)
        return false;
    for (size_t i = letters; i < length; i++)
        if (!ptog_is(text[i], PTOG_CH_DIGIT))
            return false;
    return true;
}

enum ptog_dtype ptog_find_dtype(const char *text, size_t length)
{
    char name[MAX_ELEMENT + 1] = "";
    if (length <= MAX_ELEMENT)
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
    return is_sized(text, length) || ptog_find_dtype(text, length) != PTOG_DTYPE_NONE;
}

/* A manual's element types: T, DType, dtype; not F32, which is f32 misspelled. */
static bool is_placeholder(const char *text, size_t length)
{
    char small[MAX_ELEMENT + 1] = "";
    for (size_t i = 0; i < length && length <= MAX_ELEMENT; i++)
        small[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
    bool capital = text[0] >= 'A' && text[0] <= 'Z' && !(small[0] && ptog_is_scalar(small, length));
    return capital || (length == 5 && memcmp(text, "dtype", 5) == 0);
}

bool ptog_fail_element(struct ptog_parser *p, struct ptog_span span)
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
    type->element.foreign = true;
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
    element->dtype = ptog_find_dtype(text, span.length);
    element->placeholder = element->dtype == PTOG_DTYPE_NONE && is_placeholder(text, span.length);
    element->inside = (struct ptog_span){at - start, span.length};
    bool known = element->dtype != PTOG_DTYPE_NONE || element->placeholder || ptog_is_scalar(text, span.length);
    if (!known)
        return ptog_fail_element(p, span);
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
