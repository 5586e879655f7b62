/* tool/cxx: the lexer, one token at a time. */
#include "lex.h"

#include <string.h>

#define NOTHING (-1) /* behind the last byte */

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r' || c == '\0';
}

size_t cxx_skip_splices(const char *text, size_t size, size_t i)
{
    while (i < size && text[i] == '\\') {
        size_t j = i + 1;
        while (j < size && is_blank((unsigned char)text[j]))
            j++;
        if (j == size || text[j] != '\n')
            return i;
        i = j + 1;
    }
    return i;
}

/* The byte at `i`; -1 at the end. */
static int byte_at(const struct cxx_lexer *lexer, size_t i)
{
    if (i < lexer->size)
        return (unsigned char)lexer->text[i];
    return NOTHING;
}

/* The place of the byte that follows the one at `i`. */
static size_t after(const struct cxx_lexer *lexer, size_t i)
{
    if (i < lexer->size)
        return cxx_skip_splices(lexer->text, lexer->size, i + 1);
    return lexer->size;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || c >= 0x80;
}

/* A name goes on with a letter, or with the backslash of \u00e9. */
static bool name_goes_on(const struct cxx_lexer *lexer, size_t i)
{
    int c = byte_at(lexer, i);
    if (c != '\\')
        return is_name(c);
    int kind = byte_at(lexer, after(lexer, i));
    return kind == 'u' || kind == 'U';
}

bool cxx_spelled(const char *text, size_t start, size_t end, const char *word)
{
    for (size_t i = start; i < end; i = cxx_skip_splices(text, end, i + 1), word++)
        if (text[i] != *word || *word == '\0')
            return false;
    return *word == '\0';
}

struct cxx_lexer cxx_lexer_start(const char *text, size_t size)
{
    struct cxx_lexer lexer = {.text = text, .size = size};
    bool marked = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; /* a byte order mark is not part of a name */
    lexer.at = cxx_skip_splices(text, size, marked ? 3 : 0);
    return lexer;
}

/* ---- blanks and comments */

static void line_comment(struct cxx_lexer *lexer)
{
    while (lexer->at < lexer->size && byte_at(lexer, lexer->at) != '\n')
        lexer->at = after(lexer, lexer->at);
}

/* Passes a comment; one that is not closed ends with the text. */
static void block_comment(struct cxx_lexer *lexer)
{
    size_t i = after(lexer, after(lexer, lexer->at));
    while (i < lexer->size) {
        size_t next = after(lexer, i);
        if (byte_at(lexer, i) == '*' && byte_at(lexer, next) == '/') {
            lexer->at = after(lexer, next);
            return;
        }
        i = next;
    }
    lexer->at = lexer->size;
}

void cxx_lex_blanks(struct cxx_lexer *lexer)
{
    for (;;) {
        int c = byte_at(lexer, lexer->at);
        int next = c == '/' ? byte_at(lexer, after(lexer, lexer->at)) : NOTHING;
        if (is_blank(c))
            lexer->at = after(lexer, lexer->at);
        else if (next == '/')
            line_comment(lexer);
        else if (next == '*')
            block_comment(lexer);
        else
            return;
    }
}

bool cxx_lex_newline(struct cxx_lexer *lexer)
{
    if (byte_at(lexer, lexer->at) != '\n')
        return false;
    lexer->at = after(lexer, lexer->at);
    return true;
}

/* ---- literals. One that is not closed ends with its line. Each returns the place of the last byte, or size. */

/* The last byte of a string or character that starts at `i`. */
static size_t quoted(const struct cxx_lexer *lexer, size_t i, bool escapes)
{
    int quote = byte_at(lexer, i);
    size_t last = i;
    for (i = after(lexer, i); i < lexer->size && byte_at(lexer, i) != '\n'; i = after(lexer, i)) {
        last = i;
        if (byte_at(lexer, i) == quote)
            return i;
        size_t next = after(lexer, i);
        if (escapes && byte_at(lexer, i) == '\\' && next < lexer->size && byte_at(lexer, next) != '\n')
            last = i = next;
    }
    return last;
}

#define RAW_MOST 16 /* bytes between the quote and the parenthesis */

static bool in_raw_delimiter(int c)
{
    return c != NOTHING && c != '\n' && c != ' ' && c != ')' && c != '\\' && c != '\t' && c != '\v' && c != '\f' &&
           c != '"';
}

/* At the quote of R"x(...)x". No splices here. Not a raw string after all: false. */
static bool raw_string(const struct cxx_lexer *lexer, size_t quote, size_t *last)
{
    const char *delimiter = lexer->text + quote + 1;
    size_t length = 0;
    while (length <= RAW_MOST && byte_at(lexer, quote + 1 + length) != '(') {
        if (!in_raw_delimiter(byte_at(lexer, quote + 1 + length)))
            return false;
        length++;
    }
    if (length > RAW_MOST)
        return false;
    for (size_t i = quote + length + 2; i < lexer->size; i++) {
        bool fits = lexer->text[i] == ')' && lexer->size - i >= length + 2;
        if (fits && memcmp(lexer->text + i + 1, delimiter, length) == 0 && lexer->text[i + 1 + length] == '"') {
            *last = i + 1 + length;
            return true;
        }
    }
    *last = lexer->size - 1;
    return true;
}

/* Whether the bytes from `start` to `last` are the prefix of a raw string. */
static bool starts_raw(const struct cxx_lexer *lexer, size_t start, size_t last)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    if (byte_at(lexer, last) != 'R')
        return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (cxx_spelled(lexer->text, start, last + 1, prefixes[i]))
            return true;
    return false;
}

/* ---- tokens: each of these returns the place of the token's last byte */

/* Reads a name, or a raw string that begins like one; its last byte. */
static size_t read_name(const struct cxx_lexer *lexer, struct cxx_token *token)
{
    size_t last = token->start, next = after(lexer, last);
    token->kind = CXX_NAME;
    while (name_goes_on(lexer, next)) {
        last = next;
        next = after(lexer, last);
    }
    size_t end;
    if (byte_at(lexer, next) == '"' && starts_raw(lexer, token->start, last) && raw_string(lexer, next, &end)) {
        token->kind = CXX_OTHER;
        return end;
    }
    return last;
}

/* 1'000, 0x1p-3, .5e+7f: more than the compilers take, and all that they take. */
static size_t number(const struct cxx_lexer *lexer, size_t i)
{
    for (;;) {
        size_t next = after(lexer, i), second = after(lexer, next);
        int c = byte_at(lexer, next), before = byte_at(lexer, i) | 0x20;
        bool exponent = (c == '+' || c == '-') && (before == 'e' || before == 'p');
        if (c == '\'' && is_name(byte_at(lexer, second)))
            i = second;
        else if (exponent || c == '.' || name_goes_on(lexer, next))
            i = next;
        else
            return i;
    }
}

struct punctuator {
    const char *spelling;
    uint8_t kind;
    char bracket;
};

static const struct punctuator punctuators[] = {
#define PUNCTUATOR(spelling, kind, bracket) {spelling, kind, bracket},
#include "punctuators.def"
#undef PUNCTUATOR
};

#define LONGEST 4

/* <:: is < and :: unless : or > follows. */
static bool is_not_digraph(const int *c)
{
    return c[0] == '<' && c[1] == ':' && c[2] == ':' && c[3] != ':' && c[3] != '>';
}

/* Reads the longest punctuation that starts there; its last byte. */
static size_t read_punctuator(const struct cxx_lexer *lexer, struct cxx_token *token, bool after_operator)
{
    size_t place[LONGEST];
    int c[LONGEST];
    for (size_t k = 0, i = token->start; k < LONGEST; k++, i = after(lexer, i)) {
        place[k] = i;
        c[k] = byte_at(lexer, i);
    }
    for (size_t row = 0; row < sizeof punctuators / sizeof *punctuators; row++) {
        const struct punctuator *found = &punctuators[row];
        size_t length = 0;
        while (found->spelling[length] && c[length] == found->spelling[length])
            length++;
        bool refused = (found->kind == CXX_LAUNCH && after_operator) || (found->bracket == '[' && is_not_digraph(c));
        if (found->spelling[length] || refused)
            continue;
        token->kind = found->kind;
        token->bracket = found->bracket;
        return place[length - 1];
    }
    return token->start;
}

struct cxx_token cxx_lex_token(struct cxx_lexer *lexer, bool after_operator)
{
    struct cxx_token token = {.start = (uint32_t)lexer->at, .match = CXX_NO_MATCH, .kind = CXX_OTHER};
    int c = byte_at(lexer, lexer->at);
    size_t last;
    if (is_digit(c) || (c == '.' && is_digit(byte_at(lexer, after(lexer, lexer->at)))))
        last = number(lexer, lexer->at);
    else if (name_goes_on(lexer, lexer->at))
        last = read_name(lexer, &token);
    else if (c == '"' || c == '\'')
        last = quoted(lexer, lexer->at, true);
    else
        last = read_punctuator(lexer, &token, after_operator);
    token.end = (uint32_t)(last + 1);
    lexer->at = after(lexer, last);
    return token;
}

void cxx_lex_header_name(struct cxx_lexer *lexer)
{
    int c = byte_at(lexer, lexer->at);
    if (c == '"') {
        lexer->at = after(lexer, quoted(lexer, lexer->at, false));
        return;
    }
    while (c == '<' && byte_at(lexer, lexer->at) != '>' && byte_at(lexer, lexer->at) != '\n' && lexer->at < lexer->size)
        lexer->at = after(lexer, lexer->at);
}
