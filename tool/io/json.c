/* tool/io: JSON, read from memory in one pass. */
#include "json.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

#define MAX_DEPTH 64

static void skip_json_space(struct tool_json *in)
{
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r'))
        in->at++;
}

/* Writes into *why what was expected at the place at hand; always false. */
static bool say_unexpected(struct tool_json *in, const char *expected)
{
    skip_json_space(in);
    if (in->at == in->end)
        return tool_why(in->why, "has a header that ends where %s was expected", expected);
    char found[2] = {*in->at >= ' ' && *in->at <= '~' ? *in->at : '?', '\0'};
    return tool_why(in->why, "has a header with '%s' at byte %zu, where %s was expected", found,
                    (size_t)(in->at - in->start), expected);
}

bool tool_json_is(struct tool_json *in, char c)
{
    skip_json_space(in);
    if (in->at == in->end || *in->at != c)
        return false;
    in->at++;
    return true;
}

bool tool_json_expect(struct tool_json *in, char c)
{
    char expected[4] = {'\'', c, '\'', '\0'};
    return tool_json_is(in, c) || say_unexpected(in, expected);
}

bool tool_json_end(struct tool_json *in)
{
    skip_json_space(in);
    return in->at == in->end || say_unexpected(in, "its end");
}

/* ---- strings ---- */

/* The value of a hexadecimal digit; -1: it is none. */
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The four digits of \uXXXX. */
static bool read_hex(struct tool_json *in, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, in->at++) {
        int digit = in->at < in->end ? hex_digit(*in->at) : -1;
        if (digit < 0)
            return say_unexpected(in, "a hexadecimal digit");
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

/* A code point as UTF-8. */
static size_t put_code(char out[4], uint32_t code)
{
    if (code < 0x80)
        return out[0] = (char)code, 1;
    if (code < 0x800)
        return out[0] = (char)(0xc0 | code >> 6), out[1] = (char)(0x80 | (code & 0x3f)), 2;
    if (code < 0x10000)
        return out[0] = (char)(0xe0 | code >> 12), out[1] = (char)(0x80 | (code >> 6 & 0x3f)),
               out[2] = (char)(0x80 | (code & 0x3f)), 3;
    return out[0] = (char)(0xf0 | code >> 18), out[1] = (char)(0x80 | (code >> 12 & 0x3f)),
           out[2] = (char)(0x80 | (code >> 6 & 0x3f)), out[3] = (char)(0x80 | (code & 0x3f)), 4;
}

/* Reads the digits of \u, and the other half of a pair, as UTF-8. */
static bool read_unicode(struct tool_json *in, char out[4], size_t *count)
{
    uint32_t code, low = 0;
    if (!read_hex(in, &code))
        return false;
    if (code >= 0xd800 && code < 0xe000) {
        bool is_pair = code < 0xdc00 && in->end - in->at >= 6 && in->at[0] == '\\' && in->at[1] == 'u';
        in->at += is_pair ? 2 : 0;
        if (is_pair && !read_hex(in, &low))
            return false;
        if (low < 0xdc00 || low >= 0xe000)
            return tool_why(in->why, "has a header with half of a surrogate pair before byte %zu",
                            (size_t)(in->at - in->start));
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    *count = put_code(out, code);
    return true;
}

/* Reads what follows a backslash. */
static bool read_escape(struct tool_json *in, char out[4], size_t *count)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *found = in->at < in->end && *in->at ? strchr(letters, *in->at) : NULL;
    if (found) {
        in->at++;
        out[0] = values[found - letters];
        *count = 1;
        return true;
    }
    if (in->at == in->end || *in->at != 'u')
        return say_unexpected(in, "an escape");
    in->at++;
    return read_unicode(in, out, count);
}

/* What one character, or one escape, of a string stands for. */
static bool read_character(struct tool_json *in, char out[4], size_t *count)
{
    size_t place = (size_t)(in->at - in->start);
    *count = tool_utf8_length(in->at, in->end);
    if (*count == 0)
        return tool_why(in->why, "has a header that is not UTF-8: byte %zu of it is 0x%02x", place,
                        (unsigned)(unsigned char)*in->at);
    if ((unsigned char)*in->at < ' ')
        return tool_why(in->why, "has a header with a control character in a string, at byte %zu", place);
    memcpy(out, in->at, *count);
    in->at += *count;
    return out[0] != '\\' || read_escape(in, out, count);
}

bool tool_json_string(struct tool_json *in, char *text, size_t room, size_t *length)
{
    *length = 0;
    if (!tool_json_is(in, '"'))
        return say_unexpected(in, "a string");
    while (in->at < in->end && *in->at != '"') {
        char piece[4];
        size_t count;
        if (!read_character(in, piece, &count))
            return false;
        for (size_t i = 0; i < count; i++, (*length)++)
            if (*length + 1 < room)
                text[*length] = piece[i];
    }
    if (in->at == in->end)
        return tool_why(in->why, "has a header with a string that does not end");
    in->at++;
    if (room > 0)
        text[*length < room ? *length : room - 1] = '\0';
    return true;
}

/* ---- other values ---- */

bool tool_json_number(struct tool_json *in, int64_t *number)
{
    skip_json_space(in);
    const char *from = in->at;
    *number = 0;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++) {
        int digit = *in->at - '0';
        if (*number > (INT64_MAX - digit) / 10)
            return tool_why(in->why, "has a header with a number at byte %zu that is too large",
                            (size_t)(from - in->start));
        *number = *number * 10 + digit;
    }
    if (in->at > from + 1 && *from == '0')
        return tool_why(in->why, "has a header with a number at byte %zu that starts with 0",
                        (size_t)(from - in->start));
    return in->at > from || say_unexpected(in, "a number, 0 or more,");
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/* number ::= ['-'] digits ['.' digits] [('e' | 'E') ['+' | '-'] digits]; without a 0 in front */
static const char *end_of_number(const char *at, const char *end)
{
    at += at < end && *at == '-';
    const char *whole = at;
    at = skip_digits(at, end);
    if (at == whole || (at > whole + 1 && *whole == '0'))
        return NULL;
    if (at < end && *at == '.') {
        const char *part = ++at;
        at = skip_digits(at, end);
        if (at == part)
            return NULL;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        const char *part = at;
        at = skip_digits(at, end);
        if (at == part)
            return NULL;
    }
    return at;
}

/* true, false, null, or a number of any kind. */
static bool skip_word(struct tool_json *in)
{
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(in->end - in->at) >= length && memcmp(in->at, words[i], length) == 0)
            return in->at += length, true;
    }
    const char *end = end_of_number(in->at, in->end);
    if (!end)
        return say_unexpected(in, "a value");
    in->at = end;
    return true;
}

/* One value, or the start of an object or a list. */
static bool skip_one(struct tool_json *in, char *nest, int *depth)
{
    size_t length;
    skip_json_space(in);
    char first = in->at < in->end ? *in->at : '\0';
    if (first == '"')
        return tool_json_string(in, NULL, 0, &length);
    if (first != '{' && first != '[')
        return skip_word(in);
    if (*depth == MAX_DEPTH)
        return tool_why(in->why, "has a header that nests more than %d deep", MAX_DEPTH);
    in->at++;
    nest[(*depth)++] = first == '{' ? '}' : ']';
    return true;
}

bool tool_json_skip(struct tool_json *in)
{
    char nest[MAX_DEPTH];
    int depth = 0;
    bool fresh = true; /* nothing came yet in the innermost object or list */
    if (!skip_one(in, nest, &depth))
        return false;
    while (depth > 0) {
        size_t length;
        char close = nest[depth - 1];
        int before = depth;
        if (tool_json_is(in, close)) {
            depth--;
            fresh = false;
            continue;
        }
        if (!fresh && !tool_json_expect(in, ','))
            return false;
        if (close == '}' && (!tool_json_string(in, NULL, 0, &length) || !tool_json_expect(in, ':')))
            return false;
        if (!skip_one(in, nest, &depth))
            return false;
        fresh = depth > before;
    }
    return true;
}
