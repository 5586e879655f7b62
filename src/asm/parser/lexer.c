/* asm: bytes to tokens, one at a time. */
#include "asm/parser/lexer.h"

#include <string.h>

/* L letters and '_', D digits, N what else may stand in a name, T what else in a simple type, P punctuation. */
#define L (PTOG_CH_LETTER | PTOG_CH_NAME | PTOG_CH_IN_TYPE)
#define D (PTOG_CH_DIGIT | PTOG_CH_NAME | PTOG_CH_IN_TYPE)
#define N (PTOG_CH_NAME | PTOG_CH_IN_TYPE)
#define T PTOG_CH_IN_TYPE
#define P PTOG_CH_SIGN
/* clang-format off */
const uint8_t ptog_character[256] = {
    [' '] = PTOG_CH_SPACE | T, ['\t'] = PTOG_CH_SPACE | T, ['\n'] = PTOG_CH_SPACE, ['\r'] = PTOG_CH_SPACE,
    ['0'] = D, ['1'] = D, ['2'] = D, ['3'] = D, ['4'] = D, ['5'] = D, ['6'] = D, ['7'] = D, ['8'] = D, ['9'] = D,
    ['a'] = L, ['b'] = L, ['c'] = L, ['d'] = L, ['e'] = L, ['f'] = L, ['g'] = L, ['h'] = L, ['i'] = L, ['j'] = L,
    ['k'] = L, ['l'] = L, ['m'] = L, ['n'] = L, ['o'] = L, ['p'] = L, ['q'] = L, ['r'] = L, ['s'] = L, ['t'] = L,
    ['u'] = L, ['v'] = L, ['w'] = L, ['x'] = L, ['y'] = L, ['z'] = L,
    ['A'] = L, ['B'] = L, ['C'] = L, ['D'] = L, ['E'] = L, ['F'] = L, ['G'] = L, ['H'] = L, ['I'] = L, ['J'] = L,
    ['K'] = L, ['L'] = L, ['M'] = L, ['N'] = L, ['O'] = L, ['P'] = L, ['Q'] = L, ['R'] = L, ['S'] = L, ['T'] = L,
    ['U'] = L, ['V'] = L, ['W'] = L, ['X'] = L, ['Y'] = L, ['Z'] = L, ['_'] = L,
    ['.'] = N, ['$'] = N,
    ['<'] = T | P, ['>'] = T | P, ['='] = T | P, [','] = T | P, ['?'] = T | P, [':'] = T | P, ['['] = T | P,
    [']'] = T | P, ['!'] = T, ['#'] = T,
    ['('] = P, [')'] = P, ['{'] = P, ['}'] = P, ['*'] = P, ['+'] = P, ['-'] = P, ['^'] = P, ['|'] = P,
};
/* clang-format on */
#undef L
#undef D
#undef N
#undef T
#undef P

/* Prepares *lexer to read a source from its first byte. */
void ptog_lexer_start(struct ptog_lexer *lexer, const struct ptog_source *source)
{
    *lexer = (struct ptog_lexer){.bytes = source->bytes, .size = source->size};
}

/* The byte so far ahead; NUL at the end of the text. */
static char peek(const struct ptog_lexer *lexer, uint32_t ahead)
{
    if (lexer->size - lexer->at > ahead)
        return lexer->bytes[lexer->at + ahead];
    return '\0';
}

/* Advances over characters of these classes. */
static void skip_class(struct ptog_lexer *lexer, unsigned classes)
{
    uint32_t at = lexer->at, size = lexer->size;
    const char *bytes = lexer->bytes;
    while (at < size && ptog_is(bytes[at], classes))
        at++;
    lexer->at = at;
}

/* ---- space and comments */

static uint32_t skip_ahead(const struct ptog_lexer *lexer, uint32_t ahead, unsigned classes)
{
    while (peek(lexer, ahead) != '\n' && ptog_is(peek(lexer, ahead), classes))
        ahead++;
    return ahead;
}

/* '#'id '=' (id '<' | '#'id) gives an attribute a name: #map = affine_map<...> */
static bool at_alias(const struct ptog_lexer *lexer)
{
    uint32_t name = skip_ahead(lexer, 1, PTOG_CH_NAME);
    uint32_t equals = skip_ahead(lexer, name, PTOG_CH_SPACE);
    if (name == 1 || peek(lexer, equals) != '=')
        return false;
    uint32_t value = skip_ahead(lexer, equals + 1, PTOG_CH_SPACE);
    if (peek(lexer, value) == '#')
        return ptog_is(peek(lexer, value + 1), PTOG_CH_NAME);
    uint32_t end = skip_ahead(lexer, value, PTOG_CH_NAME);
    return end > value && peek(lexer, end) == '<';
}

/* comment ::= '//' text | ';' text | '#' text at the start of a line, unless it looks like a value that is due, or like
 * a name that is given to one */
static bool at_comment(const struct ptog_lexer *lexer, bool line_start)
{
    char c = lexer->bytes[lexer->at];
    if (c == '/')
        return peek(lexer, 1) == '/';
    if (c != '#')
        return c == ';';
    bool value = lexer->value_due && ptog_is(peek(lexer, 1), PTOG_CH_NAME);
    return line_start && !value && !at_alias(lexer);
}

/* Reads a comment to the end of its line, and keeps it for the parser. */
static void keep_comment(struct ptog_lexer *lexer, bool line_start, bool blank)
{
    struct ptog_remark remark = {
        .at = lexer->at, .mark = lexer->bytes[lexer->at], .own_line = line_start, .blank = blank};
    const char *from = lexer->bytes + lexer->at;
    const char *end = memchr(from, '\n', lexer->size - lexer->at);
    lexer->at = end ? (uint32_t)(end - lexer->bytes) : lexer->size;
    remark.end = lexer->at;
    if (!ptog_stack_push(&lexer->remarks, &remark, sizeof remark))
        lexer->no_memory = true;
}

/* Skips to the next token: whether that is the first thing on its line, and stands after an empty one. */
static struct ptog_token skip_space(struct ptog_lexer *lexer)
{
    bool line_start = lexer->at == 0;
    for (;;) {
        const char *bytes = lexer->bytes;
        uint32_t from = lexer->at, at = from, size = lexer->size, lines = 0;
        for (; at < size && ptog_is(bytes[at], PTOG_CH_SPACE); at++)
            lines += bytes[at] == '\n';
        bool blank = lines > 1 && from > 0;
        line_start = line_start || lines > 0;
        lexer->at = at;
        if (at == size || !at_comment(lexer, line_start))
            return (struct ptog_token){.new_line = line_start, .blank = blank, .at = at};
        keep_comment(lexer, line_start, blank);
    }
}

/* Most tokens follow the one before them, or one space: goes past that, unless there is more to skip. */
static bool at_plain(struct ptog_lexer *lexer)
{
    uint32_t at = lexer->at, size = lexer->size;
    if (at == 0 || at >= size)
        return false;
    at += lexer->bytes[at] == ' ';
    char c = at < size ? lexer->bytes[at] : ' ';
    if (c <= ' ' || c == '/' || c == ';' || c == '#')
        return false;
    lexer->at = at;
    return true;
}

/* ---- tokens */

/* value ::= '%' (name | digits) ['#' digits];  a '-' belongs to a name unless it starts an arrow */
static void lex_name(struct ptog_lexer *lexer)
{
    for (;;) {
        skip_class(lexer, PTOG_CH_NAME);
        if (peek(lexer, 0) != '-' || peek(lexer, 1) == '>' || lexer->at == lexer->size)
            return;
        lexer->at++;
    }
}

/* Reads %name or %name#0; false where no name follows. */
static bool lex_value(struct ptog_lexer *lexer)
{
    uint32_t start = ++lexer->at;
    lex_name(lexer);
    bool named = lexer->at > start;
    if (named && peek(lexer, 0) == '#' && ptog_is(peek(lexer, 1), PTOG_CH_DIGIT)) {
        lexer->at++;
        skip_class(lexer, PTOG_CH_DIGIT);
    }
    return named;
}

/* string ::= '"' bytes '"' on one line; a backslash keeps the byte after it from ending the string */
static bool lex_string(struct ptog_lexer *lexer)
{
    for (lexer->at++; lexer->at < lexer->size && lexer->bytes[lexer->at] != '\n'; lexer->at++) {
        if (lexer->bytes[lexer->at] == '"') {
            lexer->at++;
            return true;
        }
        if (lexer->bytes[lexer->at] == '\\' && lexer->at + 1 < lexer->size && lexer->bytes[lexer->at + 1] != '\n')
            lexer->at++;
    }
    return false;
}

/* symbol ::= '@' (name | string) {'::' symbol} */
static bool lex_symbol(struct ptog_lexer *lexer)
{
    for (;;) {
        uint32_t start = ++lexer->at;
        if (peek(lexer, 0) == '"') {
            if (!lex_string(lexer))
                return false;
        } else {
            lex_name(lexer);
            if (lexer->at == start)
                return false;
        }
        if (peek(lexer, 0) != ':' || peek(lexer, 1) != ':' || peek(lexer, 2) != '@')
            return true;
        lexer->at += 2;
    }
}

/* number ::= ['-'] (digits | '0x' hex digits | digits '.' [digits] [exponent] | digits exponent) */
static enum ptog_token_kind lex_number(struct ptog_lexer *lexer)
{
    if (peek(lexer, 0) == '-')
        lexer->at++;
    if (peek(lexer, 0) == '0' && peek(lexer, 1) == 'x' && peek(lexer, 2) != '\0' &&
        strchr("0123456789abcdefABCDEF", peek(lexer, 2))) {
        for (lexer->at += 2; peek(lexer, 0) != '\0' && strchr("0123456789abcdefABCDEF", peek(lexer, 0));)
            lexer->at++;
        return PTOG_TOKEN_INT;
    }
    skip_class(lexer, PTOG_CH_DIGIT);
    enum ptog_token_kind kind = PTOG_TOKEN_INT;
    if (peek(lexer, 0) == '.' && peek(lexer, 1) != '.') {
        kind = PTOG_TOKEN_FLOAT;
        lexer->at++;
        skip_class(lexer, PTOG_CH_DIGIT);
    }
    char e = peek(lexer, 0);
    uint32_t sign = peek(lexer, 1) == '+' || peek(lexer, 1) == '-';
    if ((e == 'e' || e == 'E') && ptog_is(peek(lexer, 1 + sign), PTOG_CH_DIGIT)) {
        kind = PTOG_TOKEN_FLOAT;
        lexer->at += 1 + sign;
        skip_class(lexer, PTOG_CH_DIGIT);
    }
    return kind;
}

/* A run of bytes that start nothing is one token, so that it is one error. */
static void lex_bad(struct ptog_lexer *lexer, struct ptog_token *token)
{
    token->kind = PTOG_TOKEN_BAD;
    token->problem = PTOG_PROBLEM_BYTE;
    do
        lexer->at++;
    while (lexer->at < lexer->size &&
           ((unsigned char)lexer->bytes[lexer->at] >= 0x80 || lexer->bytes[lexer->at] == '\0'));
}

/* Reads a token of punctuation, or a number with a sign. */
static void lex_sign(struct ptog_lexer *lexer, struct ptog_token *token, char c)
{
    if (c == '-' && peek(lexer, 1) == '>') {
        token->kind = PTOG_TOKEN_ARROW;
        lexer->at += 2;
    } else if (c == '-' && ptog_is(peek(lexer, 1), PTOG_CH_DIGIT)) {
        token->kind = (uint8_t)lex_number(lexer);
    } else if (c == '.' && peek(lexer, 1) == '.' && peek(lexer, 2) == '.') {
        token->kind = PTOG_TOKEN_ELLIPSIS;
        lexer->at += 3;
    } else if (ptog_is(c, PTOG_CH_SIGN)) {
        token->kind = PTOG_TOKEN_PUNCTUATION;
        token->punctuation = c;
        lexer->at++;
    } else {
        lex_bad(lexer, token);
    }
}

static bool is_before_value(const struct ptog_token *token)
{
    char c = token->punctuation;
    return c == '=' || c == ',' || c == '(' || c == '[' || c == ':';
}

/* Reads a token whose first character says its kind: %value, @symbol, "string", ^block. */
static void lex_marked(struct ptog_lexer *lexer, struct ptog_token *token, enum ptog_token_kind kind)
{
    bool good = true;
    if (kind == PTOG_TOKEN_VALUE)
        good = lex_value(lexer);
    else if (kind == PTOG_TOKEN_SYMBOL)
        good = lex_symbol(lexer);
    else if (kind == PTOG_TOKEN_STRING)
        good = lex_string(lexer);
    else {
        lexer->at++;
        skip_class(lexer, PTOG_CH_NAME);
    }
    token->kind = (uint8_t)(good ? kind : PTOG_TOKEN_BAD);
    token->problem = PTOG_PROBLEM_NONE;
    if (!good)
        token->problem = kind == PTOG_TOKEN_VALUE ? PTOG_PROBLEM_BYTE : PTOG_PROBLEM_STRING;
}

/* Reads the next token, after spaces and comments, which are kept in `remarks`. At the end it gives PTOG_TOKEN_END for
 * ever. */
struct ptog_token ptog_lexer_next(struct ptog_lexer *lexer)
{
    struct ptog_token token = at_plain(lexer) ? (struct ptog_token){.at = lexer->at} : skip_space(lexer);
    char c = peek(lexer, 0);
    if (lexer->at == lexer->size)
        token.kind = PTOG_TOKEN_END;
    else if (ptog_is(c, PTOG_CH_LETTER)) {
        token.kind = PTOG_TOKEN_WORD;
        skip_class(lexer, PTOG_CH_NAME);
    } else if (c == '%')
        lex_marked(lexer, &token, PTOG_TOKEN_VALUE);
    else if (ptog_is(c, PTOG_CH_DIGIT))
        token.kind = (uint8_t)lex_number(lexer);
    else if (c == '@')
        lex_marked(lexer, &token, PTOG_TOKEN_SYMBOL);
    else if (c == '"')
        lex_marked(lexer, &token, PTOG_TOKEN_STRING);
    else if (c == '#')
        lex_marked(lexer, &token, PTOG_TOKEN_HASH);
    else if (c == '!')
        lex_marked(lexer, &token, PTOG_TOKEN_BANG);
    else
        lex_sign(lexer, &token, c);
    token.end = lexer->at;
    lexer->value_due = is_before_value(&token);
    return token;
}
