/* tool/io: the dictionary in an npy header: {'descr': '<f4', 'fortran_order': False, 'shape': (16, 32), }. */
#include "npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct header_reader {
    const char *at, *end;
    struct tool_why *why;
    struct tool_npy *npy;
    bool fortran, has_descr, has_order, has_shape;
};

static void skip_header_space(struct header_reader *in)
{
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r'))
        in->at++;
}

/* Reads this character after spaces; false where another one stands there. */
static bool is_next(struct header_reader *in, char c)
{
    skip_header_space(in);
    if (in->at == in->end || *in->at != c)
        return false;
    in->at++;
    return true;
}

/* Characters for a message; what cannot be shown is '?'. */
static void quote(char *text, size_t room, const char *from, const char *end)
{
    size_t n = 0;
    for (; n + 1 < room && from < end && *from != '\n'; n++, from++)
        text[n] = *from >= ' ' && *from <= '~' ? *from : '?';
    text[n] = '\0';
}

/* Writes into *why what was expected at the place at hand; always false. */
static bool refuse_header(struct header_reader *in, const char *expected)
{
    char found[24];
    skip_header_space(in);
    quote(found, sizeof found, in->at, in->end);
    if (in->at == in->end || found[0] == '\0')
        return tool_why(in->why, "has an npy header that ends where %s was expected", expected);
    return tool_why(in->why, "has an npy header with '%s' where %s was expected", found, expected);
}

/* word ::= "'" characters "'" | '"' characters '"' */
static bool read_word(struct header_reader *in, const char **word, size_t *length)
{
    bool single = is_next(in, '\'');
    if (!single && !is_next(in, '"'))
        return refuse_header(in, "a string");
    char mark = single ? '\'' : '"';
    const char *end = memchr(in->at, mark, (size_t)(in->end - in->at));
    if (!end)
        return tool_why(in->why, "has an npy header with a string that does not end");
    *word = in->at;
    *length = (size_t)(end - in->at);
    in->at = end + 1;
    return true;
}

/* number ::= digits ['L']; at most 2^63 - 1 */
static bool read_extent(struct header_reader *in, int64_t *number)
{
    skip_header_space(in);
    const char *from = in->at;
    char text[24];
    uint64_t value = 0;
    bool fits = true;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++) {
        uint64_t digit = (uint64_t)(*in->at - '0');
        fits = fits && value <= ((uint64_t)INT64_MAX - digit) / 10;
        value = fits ? value * 10 + digit : 0;
    }
    if (in->at == from)
        return refuse_header(in, "an extent, 0 or more,");
    quote(text, sizeof text, from, in->at);
    if (!fits)
        return tool_why(in->why, "has a shape with an extent of %s: too large", text);
    if (in->at < in->end && *in->at == 'L')
        in->at++;
    *number = (int64_t)value;
    return true;
}

/* shape ::= '(' [number {',' number} [',']] ')' */
static bool read_shape(struct header_reader *in)
{
    int rank = 0;
    bool comma = true;
    if (!is_next(in, '('))
        return refuse_header(in, "a shape in parentheses");
    while (!is_next(in, ')')) {
        int64_t extent = 0;
        if (!comma)
            return refuse_header(in, "',' or ')'");
        if (!read_extent(in, &extent))
            return false;
        if (rank == TOOL_NPY_MAX_RANK)
            return tool_why(in->why, "has more than %d dimensions; expected at most %d", TOOL_NPY_MAX_RANK,
                            TOOL_NPY_MAX_RANK);
        in->npy->shape[rank++] = extent;
        comma = is_next(in, ',');
    }
    in->npy->rank = rank;
    return true;
}

/* Reads the value of fortran_order. */
static bool read_order(struct header_reader *in)
{
    skip_header_space(in);
    size_t left = (size_t)(in->end - in->at);
    in->fortran = left >= 4 && memcmp(in->at, "True", 4) == 0;
    if (!in->fortran && (left < 5 || memcmp(in->at, "False", 5) != 0))
        return refuse_header(in, "True or False");
    in->at += in->fortran ? 4 : 5;
    return true;
}

/* Whether numpy has elements of this kind and size. Both halves of a complex number have the same one. */
static bool is_element(char kind, size_t item)
{
    bool is_power = (item & (item - 1)) == 0;
    switch (kind) {
    case 'b': return item == 1;
    case 'i':
    case 'u': return item > 0 && item <= 8 && is_power;
    case 'f': return item == 2 || item == 4 || item == 8 || item == 12 || item == 16;
    case 'c': return item == 8 || item == 16;
    case 'V':
    case 'S': return item > 0 && item <= 16;
    default: return false;
    }
}

/* descr ::= ['<' | '>' | '|' | '='] letter digits */
static bool read_descr(struct header_reader *in)
{
    const char *word;
    size_t length, i = 0, item = 0;
    char text[24];
    skip_header_space(in);
    if (in->at < in->end && (*in->at == '[' || *in->at == '('))
        return tool_why(in->why, "has elements of several fields; expected one number per element");
    if (!read_word(in, &word, &length))
        return false;
    quote(text, sizeof text, word, word + length);
    char order = length > 0 && strchr("<>|=", word[0]) ? word[i++] : '=';
    char kind = i < length ? word[i++] : '\0';
    if (kind == 'O')
        return tool_why(in->why, "holds Python objects; expected one number per element");
    size_t digits = i;
    for (; i < length && i < digits + 2 && word[i] >= '0' && word[i] <= '9'; i++)
        item = item * 10 + (size_t)(word[i] - '0');
    if (i < length || !is_element(kind, item))
        return tool_why(in->why, "has elements of type '%s'; expected integers, floats or booleans", text);
    in->npy->kind = kind;
    in->npy->item = item;
    in->npy->big_endian = order == '>' && item > 1 && !strchr("VS", kind);
    return true;
}

/* Reads the value of a key, which may occur once. */
static bool read_value(struct header_reader *in, const char *key, size_t length)
{
    static const char *const names[] = {"descr", "fortran_order", "shape"};
    bool *const had[] = {&in->has_descr, &in->has_order, &in->has_shape};
    bool (*const read[])(struct header_reader *) = {read_descr, read_order, read_shape};
    char text[24];
    for (int i = 0; i < 3; i++) {
        if (strlen(names[i]) != length || memcmp(names[i], key, length) != 0)
            continue;
        if (*had[i])
            return tool_why(in->why, "has an npy header with '%s' twice", names[i]);
        *had[i] = true;
        return read[i](in);
    }
    quote(text, sizeof text, key, key + length);
    return tool_why(in->why, "has an npy header with the key '%s'; expected descr, fortran_order and shape", text);
}

/* dictionary ::= '{' [word ':' value {',' word ':' value} [',']] '}' */
static bool read_dictionary(struct header_reader *in)
{
    const char *key;
    size_t length;
    if (!is_next(in, '{'))
        return refuse_header(in, "'{'");
    while (!is_next(in, '}')) {
        if (!read_word(in, &key, &length))
            return false;
        if (!is_next(in, ':'))
            return refuse_header(in, "':'");
        if (!read_value(in, key, length))
            return false;
        if (!is_next(in, ',') && (in->at == in->end || *in->at != '}'))
            return refuse_header(in, "',' or '}'");
    }
    skip_header_space(in);
    return in->at == in->end || refuse_header(in, "its end");
}

/* Both orders are the same unless two extents are larger than 1. */
static bool order_matters(const struct tool_npy *npy)
{
    int large = 0;
    for (int d = 0; d < npy->rank; d++)
        large += npy->shape[d] > 1;
    return large > 1;
}

bool tool_npy_parse_header(struct tool_npy *npy, const char *text, size_t length, struct tool_why *why)
{
    struct header_reader in = {.at = text, .end = text + length, .why = why, .npy = npy};
    if (!read_dictionary(&in))
        return false;
    const char *missing = NULL;
    if (!in.has_descr)
        missing = "descr";
    else if (!in.has_order)
        missing = "fortran_order";
    else if (!in.has_shape)
        missing = "shape";
    if (missing)
        return tool_why(why, "has an npy header without '%s'", missing);
    npy->fortran = in.fortran && order_matters(npy);
    return true;
}
