/* tool/lsp: JSON is read into a tree. Depth and number of values are limited, so any bytes take bounded memory. */
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "io/utf8.h"

/* ---- memory of a tree ---- */

#define BLOCK_BYTES ((size_t)65536)

/* Memory until lsp_json_free; NULL when there is none. A block begins with the address of the one before. */
static void *take_memory(struct lsp_parsed *parsed, size_t bytes)
{
    bytes = (bytes + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    if (bytes > parsed->left) {
        size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        void **block = malloc(sizeof *block + size);
        if (!block) {
            parsed->no_memory = true;
            return NULL;
        }
        *block = parsed->blocks;
        parsed->blocks = block;
        parsed->at = (char *)(block + 1);
        parsed->left = size;
    }
    void *taken = parsed->at;
    parsed->at += bytes;
    parsed->left -= bytes;
    return taken;
}

void lsp_json_free(struct lsp_parsed *parsed)
{
    while (parsed->blocks) {
        void **block = parsed->blocks;
        parsed->blocks = *block;
        free(block);
    }
    *parsed = (struct lsp_parsed){0};
}

/* ---- strings ---- */

struct json_reader {
    struct lsp_parsed *parsed;
    const char *at, *end;
    int depth;
};

static void skip_blanks(struct json_reader *in)
{
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r'))
        in->at++;
}

static bool take_sign(struct json_reader *in, char sign)
{
    skip_blanks(in);
    bool found = in->at < in->end && *in->at == sign;
    in->at += found;
    return found;
}

/* The four hexadecimal digits of \u; below 0: there are none. */
static int32_t read_hex(struct json_reader *in)
{
    int32_t code = 0;
    if (in->end - in->at < 4)
        return -1;
    for (int i = 0; i < 4; i++, in->at++) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const char *digit = *in->at ? strchr(digits, *in->at) : NULL;
        if (!digit)
            return -1;
        int32_t value = (int32_t)(digit - digits);
        code = code * 16 + (value < 16 ? value : value - 6);
    }
    return code;
}

/* Writes a character as UTF-8; returns where it ends. */
static char *put_utf8(char *to, int32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    int more = 1 + (code >= 0x800) + (code >= 0x10000);
    static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(leads[more] | code >> (6 * more));
    while (more-- > 0)
        *to++ = (char)(0x80 | (code >> (6 * more) & 0x3f));
    return to;
}

/* A character after \u. Half of a surrogate pair becomes U+FFFD: no text of UTF-8 has one. NULL: no digits. */
static char *read_unicode(struct json_reader *in, char *to)
{
    int32_t code = read_hex(in);
    if (code < 0)
        return NULL;
    if (code < 0xd800 || code > 0xdfff)
        return put_utf8(to, code);
    const char *before = in->at;
    if (code < 0xdc00 && in->end - in->at >= 6 && in->at[0] == '\\' && in->at[1] == 'u') {
        in->at += 2;
        int32_t low = read_hex(in);
        if (low >= 0xdc00 && low <= 0xdfff)
            return put_utf8(to, 0x10000 + (code - 0xd800) * 0x400 + (low - 0xdc00));
        in->at = before;
    }
    return put_utf8(to, 0xfffd);
}

/* What stands after a backslash; NULL: nothing that JSON knows. */
static char *read_escape(struct json_reader *in, char *to)
{
    static const char from[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (in->at == in->end)
        return NULL;
    char c = *in->at++;
    if (c == 'u')
        return read_unicode(in, to);
    const char *found = c ? strchr(from, c) : NULL;
    if (!found)
        return NULL;
    *to = meant[found - from];
    return to + 1;
}

/* One character of a string, escaped or not; NULL when it is none. */
static char *read_character(struct json_reader *in, char *to)
{
    if (*in->at == '\\') {
        in->at++;
        return read_escape(in, to);
    }
    size_t count = tool_utf8_length(in->at, in->end);
    if (count == 0 || (unsigned char)*in->at < ' ')
        return NULL;
    memcpy(to, in->at, count);
    in->at += count;
    return to + count;
}

/* Where the string that begins at `at` ends: its closing quote; NULL when there is none. */
static const char *find_quote(const char *at, const char *end)
{
    for (; at < end && *at != '"'; at++)
        if (*at == '\\' && ++at == end)
            return NULL;
    return at < end ? at : NULL;
}

/* Decoded text is at most as long as it was written: \u and its digits are six bytes, a character at most four. */
static bool read_string(struct json_reader *in, const char **text, size_t *length)
{
    const char *quote = take_sign(in, '"') ? find_quote(in->at, in->end) : NULL;
    char *start = quote ? take_memory(in->parsed, (size_t)(quote - in->at) + 4) : NULL;
    char *to = start;
    while (to && in->at < quote)
        to = read_character(in, to);
    if (!to || in->at != quote)
        return false;
    in->at++;
    *to = '\0';
    *text = start;
    *length = (size_t)(to - start);
    return true;
}

/* ---- values ---- */

static bool read_value(struct json_reader *in, struct lsp_json *value);

static const char *skip_number_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/* number ::= ['-'] digits ['.' digits] [('e' | 'E') ['+' | '-'] digits], without a 0 in front */
static bool read_json_number(struct json_reader *in, struct lsp_json *value)
{
    const char *at = in->at + (*in->at == '-'), *digits = at;
    at = skip_number_digits(at, in->end);
    if (at == digits || (*digits == '0' && at > digits + 1))
        return false;
    if (at < in->end && *at == '.') {
        digits = ++at;
        at = skip_number_digits(at, in->end);
        if (at == digits)
            return false;
    }
    if (at < in->end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < in->end && (*at == '+' || *at == '-');
        digits = at;
        at = skip_number_digits(at, in->end);
        if (at == digits)
            return false;
    }
    value->kind = LSP_NUMBER;
    value->length = (size_t)(at - in->at);
    char *copy = take_memory(in->parsed, value->length + 1);
    if (!copy)
        return false;
    memcpy(copy, in->at, value->length);
    copy[value->length] = '\0';
    value->text = copy;
    in->at = at;
    return true;
}

/* Reads null, false or true. */
static bool read_word(struct json_reader *in, struct lsp_json *value)
{
    static const struct {
        const char *word;
        enum lsp_json_kind kind;
    } words[] = {{"null", LSP_NULL}, {"false", LSP_FALSE}, {"true", LSP_TRUE}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if ((size_t)(in->end - in->at) >= length && memcmp(in->at, words[i].word, length) == 0) {
            value->kind = words[i].kind;
            in->at += length;
            return true;
        }
    }
    return read_json_number(in, value);
}

/* One member, with its key in an object; NULL when there is none. */
static struct lsp_json *read_member(struct json_reader *in, bool keyed)
{
    struct lsp_json *member = NULL;
    size_t length;
    if (in->parsed->nodes++ < LSP_MAX_NODES)
        member = take_memory(in->parsed, sizeof *member);
    if (!member)
        return NULL;
    *member = (struct lsp_json){0};
    if (keyed && (!read_string(in, &member->key, &length) || !take_sign(in, ':')))
        return NULL;
    return read_value(in, member) ? member : NULL;
}

/* The members of a list or an object, whose opening bracket was taken. */
static bool read_members(struct json_reader *in, struct lsp_json *value, char close)
{
    struct lsp_json **link = &value->first;
    value->kind = close == '}' ? LSP_OBJECT : LSP_LIST;
    if (take_sign(in, close))
        return true;
    do {
        *link = read_member(in, close == '}');
        if (!*link)
            return false;
        link = &(*link)->next;
    } while (take_sign(in, ','));
    return take_sign(in, close);
}

/* Reads a value of any kind; false where there is none, or it is nested too deeply. */
static bool read_value(struct json_reader *in, struct lsp_json *value)
{
    skip_blanks(in);
    if (in->at == in->end || in->depth == LSP_MAX_DEPTH)
        return false;
    if (*in->at == '"') {
        value->kind = LSP_STRING;
        return read_string(in, &value->text, &value->length);
    }
    if (*in->at != '{' && *in->at != '[')
        return read_word(in, value);
    char close = *in->at++ == '{' ? '}' : ']';
    in->depth++;
    bool good = read_members(in, value, close);
    in->depth--;
    return good;
}

bool lsp_json_parse(struct lsp_parsed *parsed, const char *text, size_t size)
{
    *parsed = (struct lsp_parsed){0};
    struct json_reader in = {.parsed = parsed, .at = text, .end = text + size};
    parsed->root = read_member(&in, false);
    skip_blanks(&in);
    if (in.at != in.end)
        parsed->root = NULL;
    return parsed->root != NULL;
}

/* ---- looking at it ---- */

const struct lsp_json *lsp_json_get(const struct lsp_json *object, const char *key)
{
    if (!object || object->kind != LSP_OBJECT)
        return NULL;
    for (const struct lsp_json *member = object->first; member; member = member->next)
        if (strcmp(member->key, key) == 0)
            return member;
    return NULL;
}

const struct lsp_json *lsp_json_path(const struct lsp_json *object, const char *path)
{
    char key[64];
    while (object && *path) {
        size_t length = strcspn(path, ".");
        if (length >= sizeof key)
            return NULL;
        memcpy(key, path, length);
        key[length] = '\0';
        object = lsp_json_get(object, key);
        path += length + (path[length] == '.');
    }
    return object;
}

const char *lsp_json_string(const struct lsp_json *value)
{
    return value && value->kind == LSP_STRING ? value->text : NULL;
}

uint32_t lsp_json_count(const struct lsp_json *value, uint32_t otherwise)
{
    uint64_t number = 0;
    if (!value || value->kind != LSP_NUMBER)
        return otherwise;
    for (size_t i = 0; i < value->length && value->text[i] >= '0' && value->text[i] <= '9'; i++) {
        number = number * 10 + (uint64_t)(value->text[i] - '0');
        if (number > UINT32_MAX)
            return UINT32_MAX;
    }
    return (uint32_t)number;
}
