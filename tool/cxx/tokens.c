/* tool/cxx: the tokens of a source: directives set apart, brackets matched. */
#include "tokens.h"

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "lex.h"

struct list {
    struct cxx_token *at;
    size_t count, room;
    bool failed; /* out of memory */
};

/* Appends a token. Sets `failed` when out of memory. */
static void push_token(struct list *list, struct cxx_token token)
{
    if (!tool_reserve(&list->at, list->count + 1, &list->room)) { /* fewer than 2^32: see CXX_MAX_BYTES */
        list->failed = true;
        return;
    }
    list->at[list->count++] = token;
}

struct include_list {
    struct cxx_include *at;
    size_t count, room;
    bool failed; /* out of memory */
};

/* Appends an #include with its place. Sets `failed` when out of memory. */
static void push_include(struct include_list *list, size_t start, size_t end)
{
    if (!tool_reserve(&list->at, list->count + 1, &list->room)) {
        list->failed = true;
        return;
    }
    list->at[list->count++] = (struct cxx_include){.start = (uint32_t)start, .end = (uint32_t)end};
}

struct token_reader {
    struct cxx_lexer lexer;
    struct list code, macros;
    struct include_list includes;
    size_t skipped; /* how many #if are open, counted from the #if 0 on; 0: nothing is skipped */
};

static void push_end(struct token_reader *reader, struct list *list)
{
    uint32_t at = (uint32_t)reader->lexer.at;
    push_token(list, (struct cxx_token){.start = at, .end = at, .match = CXX_NO_MATCH, .kind = CXX_END});
}

static bool more_on_line(struct token_reader *reader)
{
    cxx_lex_blanks(&reader->lexer);
    return reader->lexer.at < reader->lexer.size && reader->lexer.text[reader->lexer.at] != '\n';
}

/* Whether a token is this word. */
static bool is_spelled(const struct token_reader *reader, const struct cxx_token *token, const char *word)
{
    return cxx_spelled(reader->lexer.text, token->start, token->end, word);
}

/* The next token, with `glued` set by what stood before it. */
static struct cxx_token take(struct token_reader *reader, const struct cxx_token *before)
{
    bool after_operator = before && before->kind == CXX_NAME && is_spelled(reader, before, "operator");
    struct cxx_token token = cxx_lex_token(&reader->lexer, after_operator);
    token.glued = before && cxx_skip_splices(reader->lexer.text, reader->lexer.size, before->end) == token.start;
    return token;
}

/* ---- directives */

static void skip_line(struct token_reader *reader)
{
    while (more_on_line(reader))
        cxx_lex_token(&reader->lexer, false);
}

/* The name and the parameters of a macro, up to its body. */
static struct cxx_token macro_head(struct token_reader *reader)
{
    struct cxx_token token = take(reader, NULL), first = token;
    bool parameters = more_on_line(reader) && reader->lexer.text[reader->lexer.at] == '(' &&
                      cxx_skip_splices(reader->lexer.text, reader->lexer.size, first.end) == reader->lexer.at;
    while (parameters && more_on_line(reader)) {
        token = take(reader, &token);
        parameters = token.kind != CXX_CLOSE;
    }
    return token;
}

/* Reads a #define; the tokens of its body are kept apart from the code. */
static void read_define(struct token_reader *reader)
{
    if (!more_on_line(reader))
        return;
    struct cxx_token token = macro_head(reader);
    size_t first = reader->macros.count;
    while (more_on_line(reader)) {
        token = take(reader, &token);
        push_token(&reader->macros, token);
    }
    if (reader->macros.count > first)
        push_end(reader, &reader->macros);
}

/* #if 0, and nothing after it. */
static bool is_if_0(struct token_reader *reader)
{
    if (!more_on_line(reader))
        return false;
    struct cxx_token token = take(reader, NULL);
    return is_spelled(reader, &token, "0") && !more_on_line(reader);
}

static bool is_one_of(const struct token_reader *reader, const struct cxx_token *token, const char *const *words)
{
    while (*words && !is_spelled(reader, token, *words))
        words++;
    return *words != NULL;
}

/* Reads a conditional directive; what stands under #if 0 is skipped. */
static void read_condition(struct token_reader *reader, const struct cxx_token *name)
{
    static const char *const opens[] = {"if", "ifdef", "ifndef", NULL};
    static const char *const turns[] = {"else", "elif", "elifdef", "elifndef", NULL};
    if (reader->skipped > 0 && is_one_of(reader, name, opens))
        reader->skipped++;
    else if (reader->skipped > 0 && is_spelled(reader, name, "endif"))
        reader->skipped--;
    else if (reader->skipped == 1 && is_one_of(reader, name, turns))
        reader->skipped = 0;
    else if (reader->skipped == 0 && is_spelled(reader, name, "if") && is_if_0(reader))
        reader->skipped = 1;
}

/* "name" or <name>; a macro may stand there, too. */
static void read_include(struct token_reader *reader)
{
    size_t start = reader->lexer.at;
    char first = reader->lexer.text[start];
    cxx_lex_header_name(&reader->lexer);
    size_t end = reader->lexer.at + (first == '<');
    if (reader->skipped == 0 && (first == '"' || first == '<') && end <= reader->lexer.size)
        push_include(&reader->includes, start, end);
}

/* After the #. */
static void read_directive(struct token_reader *reader)
{
    static const char *const includes[] = {"include", "include_next", "import", NULL};
    if (!more_on_line(reader))
        return;
    struct cxx_token name = take(reader, NULL);
    if (reader->skipped == 0 && is_spelled(reader, &name, "define")) {
        read_define(reader);
        return;
    }
    if (is_one_of(reader, &name, includes) && more_on_line(reader))
        read_include(reader);
    else
        read_condition(reader, &name);
    skip_line(reader);
}

/* Reads the whole text into tokens of code, of macros, and includes. */
static void read_all(struct token_reader *reader)
{
    struct cxx_token before = {.kind = CXX_END, .end = UINT32_MAX};
    bool line_start = true;
    push_end(reader, &reader->code);
    while (cxx_lex_blanks(&reader->lexer), reader->lexer.at < reader->lexer.size) {
        if (cxx_lex_newline(&reader->lexer)) {
            line_start = true;
            continue;
        }
        struct cxx_token token = take(reader, &before);
        if (line_start && token.kind == CXX_HASH) {
            read_directive(reader);
            continue;
        }
        line_start = false;
        if (reader->skipped == 0)
            push_token(&reader->code, token);
        before = token;
    }
    push_end(reader, &reader->code);
}

/* ---- brackets */

/* Conditional directives can leave brackets open, or close them twice. A brace ends what was left open inside it; any
 * other bracket that does not fit is left alone. */
struct brackets {
    uint32_t *open; /* a stack of indices */
    size_t count, braces;
};

/* Forgets the brackets that are open. */
static void forget_brackets(struct brackets *brackets)
{
    brackets->count = brackets->braces = 0;
}

static void drop_to_brace(struct brackets *brackets, const struct cxx_token *at)
{
    while (brackets->braces > 0 && at[brackets->open[brackets->count - 1]].bracket != '{')
        brackets->count--;
}

/* Makes a closing bracket and the one that it closes partners; one without a partner stays alone. */
static void close_bracket(struct brackets *brackets, struct cxx_token *at, uint32_t i)
{
    if (at[i].bracket == '{')
        drop_to_brace(brackets, at);
    if (brackets->count == 0 || at[brackets->open[brackets->count - 1]].bracket != at[i].bracket)
        return;
    uint32_t partner = brackets->open[--brackets->count];
    at[partner].match = i;
    at[i].match = partner;
    brackets->braces -= at[i].bracket == '{';
}

/* Finds the partners of all brackets; false when out of memory. */
static bool match_brackets(struct cxx_tokens *tokens)
{
    size_t most = 0;
    for (size_t i = 0; i < tokens->count; i++)
        most += tokens->at[i].kind == CXX_OPEN;
    struct brackets brackets = {.open = malloc((most + 1) * sizeof(uint32_t))};
    if (!brackets.open)
        return false;
    for (size_t i = 0; i < tokens->count; i++) {
        if (tokens->at[i].kind == CXX_END)
            forget_brackets(&brackets);
        if (tokens->at[i].kind == CXX_OPEN) {
            brackets.open[brackets.count++] = (uint32_t)i;
            brackets.braces += tokens->at[i].bracket == '{';
        }
        if (tokens->at[i].kind == CXX_CLOSE)
            close_bracket(&brackets, tokens->at, (uint32_t)i);
    }
    free(brackets.open);
    return true;
}

/* ---- the whole */

static bool join_tokens(struct list *code, const struct list *macros)
{
    for (size_t i = 0; i < macros->count; i++)
        push_token(code, macros->at[i]);
    return !code->failed && !macros->failed;
}

bool cxx_tokens_read(struct cxx_tokens *tokens, const char *text, size_t size)
{
    *tokens = (struct cxx_tokens){.text = text, .size = size};
    if (size > CXX_MAX_BYTES)
        return false;
    struct token_reader reader = {.lexer = cxx_lexer_start(text, size)};
    read_all(&reader);
    tokens->macros = reader.code.count;
    bool done = join_tokens(&reader.code, &reader.macros);
    free(reader.macros.at);
    tokens->at = reader.code.at;
    tokens->count = reader.code.count;
    tokens->includes = reader.includes.at;
    tokens->include_count = reader.includes.count;
    done = done && !reader.includes.failed;
    if (done && match_brackets(tokens))
        return true;
    cxx_tokens_free(tokens);
    return false;
}

void cxx_tokens_free(struct cxx_tokens *tokens)
{
    free(tokens->at);
    free(tokens->includes);
    *tokens = (struct cxx_tokens){0};
}

bool cxx_token_is(const struct cxx_tokens *tokens, size_t i, const char *word)
{
    return cxx_spelled(tokens->text, tokens->at[i].start, tokens->at[i].end, word);
}
