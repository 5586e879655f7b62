/* tool/lsp: names are resolved in one pass over the tokens.
 *
 *     func.func @f(%a: !pto.ptr<f32>) {     %a is defined by the header: it belongs to the region that follows
 *       %x = pto.alloc_tile : ...           a statement begins with what it defines
 *       scf.for %i = %lo to %hi ... {       %i belongs to the region, too
 *       } }                                 a name is looked up in the regions around it, from the innermost one on
 *
 * A value that nothing defines, such as a free operand of a snippet, is defined where it is first used. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"

/* A definition that is visible now: the entries of a bucket are linked from the latest to the first. */
struct name_entry {
    uint32_t token, scope;
    uint32_t bucket, older; /* older: in the same bucket */
    uint32_t sibling;       /* the one before it of the same scope */
};

#define BUCKETS 16384
#define MAX_SCOPES 256 /* open at once: deeper regions share the innermost one */

struct name_finder {
    struct lsp_names *names;
    const struct lsp_text *text;
    struct name_entry *entries;
    size_t entry_count, entry_room;
    uint32_t buckets[BUCKETS];
    uint32_t open[MAX_SCOPES];   /* the scopes around the token at hand */
    uint32_t newest[MAX_SCOPES]; /* their entries */
    size_t depth, skipped;       /* skipped: braces deeper than MAX_SCOPES */
    uint32_t header;             /* the first token of the statement */
    int brackets;                /* ( [ < that are open in it */
    bool no_memory;
};

/* ---- tokens ---- */

/* Adds a token of the text; false when out of memory. */
static bool add_token(void *user, const struct ptog_lexeme *lexeme)
{
    struct name_finder *finder = user;
    struct lsp_names *names = finder->names;
    if (!tool_reserve(&names->tokens, names->count + 1, &names->room)) {
        finder->no_memory = true;
        return false;
    }
    names->tokens[names->count++] = (struct lsp_token){.at = (uint32_t)lexeme->at,
                                                       .end = (uint32_t)lexeme->end,
                                                       .definition = LSP_NONE,
                                                       .kind = (uint8_t)lexeme->kind,
                                                       .punctuation = lexeme->punctuation,
                                                       .starts_line = lexeme->starts_line};
    return true;
}

static bool token_is(const struct name_finder *finder, size_t i, char punctuation)
{
    return i < finder->names->count && finder->names->tokens[i].punctuation == punctuation;
}

static bool token_is_word(const struct lsp_names *names, const struct lsp_text *text, size_t i, const char *word)
{
    if (i >= names->count || names->tokens[i].kind != PTOG_LEXEME_WORD)
        return false;
    size_t length = names->tokens[i].end - names->tokens[i].at;
    return strlen(word) == length && memcmp(text->bytes + names->tokens[i].at, word, length) == 0;
}

struct lsp_span lsp_names_word(const struct lsp_names *names, const struct lsp_text *text, uint32_t token)
{
    struct lsp_span word = {names->tokens[token].at, names->tokens[token].end};
    const char *mark = NULL;
    if (names->tokens[token].kind == PTOG_LEXEME_VALUE)
        mark = memchr(text->bytes + word.at, '#', word.end - word.at);
    if (mark)
        word.end = (size_t)(mark - text->bytes);
    return word;
}

/* ---- definitions ---- */

static uint32_t bucket_of(const struct name_finder *finder, struct lsp_span word)
{
    uint32_t hash = 2166136261u;
    for (size_t i = word.at; i < word.end; i++)
        hash = (hash ^ (unsigned char)finder->text->bytes[i]) * 16777619u;
    return (hash ^ hash >> 15) % BUCKETS;
}

static bool same_name(const struct name_finder *finder, struct lsp_span a, struct lsp_span b)
{
    return a.end - a.at == b.end - b.at &&
           memcmp(finder->text->bytes + a.at, finder->text->bytes + b.at, a.end - a.at) == 0;
}

/* The definition of a name that is visible here; LSP_NONE: there is none. */
static uint32_t find_definition(const struct name_finder *finder, uint32_t token)
{
    struct lsp_span word = lsp_names_word(finder->names, finder->text, token);
    uint32_t at = finder->buckets[bucket_of(finder, word)];
    for (; at != LSP_NONE; at = finder->entries[at].older) {
        uint32_t other = finder->entries[at].token;
        if (same_name(finder, word, lsp_names_word(finder->names, finder->text, other)))
            return other;
    }
    return LSP_NONE;
}

/* Makes a token the definition of its name in the open scope number `level`. */
static void define_name(struct name_finder *finder, uint32_t token, size_t level)
{
    struct lsp_token *defined = &finder->names->tokens[token];
    uint32_t bucket = bucket_of(finder, lsp_names_word(finder->names, finder->text, token));
    defined->definition = token;
    defined->scope = finder->open[level];
    if (!tool_reserve(&finder->entries, finder->entry_count + 1, &finder->entry_room)) {
        finder->no_memory = true;
        return;
    }
    finder->entries[finder->entry_count] = (struct name_entry){.token = token,
                                                               .scope = finder->open[level],
                                                               .bucket = bucket,
                                                               .older = finder->buckets[bucket],
                                                               .sibling = finder->newest[level]};
    finder->buckets[bucket] = finder->newest[level] = (uint32_t)finder->entry_count++;
}

/* The level of the function around the token at hand; 0: there is none. */
static size_t function_level(const struct name_finder *finder)
{
    for (size_t level = finder->depth; level-- > 1;)
        if (finder->names->scopes[finder->open[level]].is_function)
            return level;
    return 0;
}

/* Links a name to its definition; one that has none is defined there. */
static void use_name(struct name_finder *finder, uint32_t token)
{
    uint32_t definition = find_definition(finder, token);
    if (definition == LSP_NONE)
        define_name(finder, token, function_level(finder));
    else
        finder->names->tokens[token].definition = definition;
}

/* ---- scopes ---- */

/* Opens the scope of a region or function; too deep ones are skipped. Sets `no_memory` when it cannot. */
static void open_scope(struct name_finder *finder, uint32_t first, bool is_function)
{
    struct lsp_names *names = finder->names;
    if (finder->depth == MAX_SCOPES) {
        finder->skipped++;
        return;
    }
    if (!tool_reserve(&names->scopes, names->scope_count + 1, &names->scope_room)) {
        finder->no_memory = true;
        return;
    }
    names->scopes[names->scope_count] =
        (struct lsp_scope){.parent = finder->depth ? finder->open[finder->depth - 1] : 0,
                           .first = first,
                           .last = LSP_NONE,
                           .symbol = LSP_NONE,
                           .is_function = is_function};
    finder->newest[finder->depth] = LSP_NONE;
    finder->open[finder->depth++] = (uint32_t)names->scope_count++;
}

/* Forgets the definitions of the innermost scope. The latest entry of a bucket is always of an inner scope, but for
 * free operands, which belong to the function around: those are taken out of the middle. */
static void close_scope(struct name_finder *finder, uint32_t last)
{
    if (finder->skipped > 0) {
        finder->skipped--;
        return;
    }
    if (finder->depth <= 1)
        return;
    finder->depth--;
    for (uint32_t at = finder->newest[finder->depth]; at != LSP_NONE; at = finder->entries[at].sibling) {
        uint32_t *link = &finder->buckets[finder->entries[at].bucket];
        while (*link != at)
            link = &finder->entries[*link].older;
        *link = finder->entries[at].older;
    }
    finder->names->scopes[finder->open[finder->depth]].last = last;
}

/* ---- statements ---- */

/* Whether the statement is a function; its name is a symbol that follows. */
static bool is_function(const struct name_finder *finder)
{
    return token_is_word(finder->names, finder->text, finder->header, "func.func") ||
           token_is_word(finder->names, finder->text, finder->header, "func");
}

/* Whether the first word among these tokens is that of a loop. */
static bool is_loop(const struct name_finder *finder, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (finder->names->tokens[i].kind == PTOG_LEXEME_WORD)
            return token_is_word(finder->names, finder->text, i, "scf.for") ||
                   token_is_word(finder->names, finder->text, i, "scf.while") ||
                   token_is_word(finder->names, finder->text, i, "scf.parallel");
    return false;
}

/* Whether the names before token `i` are all that the statement has so far: %a, %b:2 = ... */
static bool begins_statement(const struct name_finder *finder, uint32_t i)
{
    for (uint32_t k = finder->header; k < i; k++) {
        const struct lsp_token *token = &finder->names->tokens[k];
        if (token->kind != PTOG_LEXEME_VALUE && token->kind != PTOG_LEXEME_NUMBER && token->punctuation != ',' &&
            token->punctuation != ':')
            return false;
        if (i - k > 64) /* nobody defines so many at once */
            return false;
    }
    return true;
}

/* Whether an equals sign follows the names at `i`, as in %a, %b:2 = op */
static bool has_equals(const struct name_finder *finder, uint32_t i)
{
    for (uint32_t k = i + 1; k < finder->names->count && k < i + 64; k++) {
        const struct lsp_token *token = &finder->names->tokens[k];
        if (token->punctuation == '=')
            return true;
        if (token->kind != PTOG_LEXEME_VALUE && token->kind != PTOG_LEXEME_NUMBER && token->punctuation != ',' &&
            token->punctuation != ':')
            return false;
    }
    return false;
}

/* Whether the header of a region defines the value: func.func @f(%a: T), scf.for %i = ..., iter_args(%x = %y). */
static bool is_of_header(const struct name_finder *finder, uint32_t i)
{
    if (is_function(finder))
        return finder->brackets > 0 && token_is(finder, i + 1, ':');
    return token_is(finder, i + 1, '=') && is_loop(finder, finder->header, i);
}

static bool is_block_argument(const struct name_finder *finder, uint32_t i)
{
    return finder->brackets > 0 && token_is(finder, finder->header, '^') && token_is(finder, i + 1, ':');
}

/* A value of the header waits for its region: until then it is visible nowhere. */
static void take_value(struct name_finder *finder, uint32_t i)
{
    struct lsp_token *token = &finder->names->tokens[i];
    if (begins_statement(finder, i) && has_equals(finder, i))
        define_name(finder, i, finder->depth - 1);
    else if (is_block_argument(finder, i))
        define_name(finder, i, finder->depth - 1);
    else if (is_of_header(finder, i)) {
        token->definition = i;
        token->scope = LSP_NONE;
    } else {
        use_name(finder, i);
    }
}

/* Opens the region of the statement, with what its header defines. A dictionary of attributes is no region. */
static void take_region(struct name_finder *finder, uint32_t brace)
{
    bool function = is_function(finder);
    bool attributes = brace > 0 && token_is_word(finder->names, finder->text, brace - 1, "attributes");
    open_scope(finder, finder->header, function && !attributes);
    if (attributes || finder->no_memory || finder->skipped > 0)
        return;
    struct lsp_scope *scope = &finder->names->scopes[finder->open[finder->depth - 1]];
    for (uint32_t i = finder->header; i < brace; i++) {
        struct lsp_token *token = &finder->names->tokens[i];
        if (token->kind == PTOG_LEXEME_SYMBOL && function && scope->symbol == LSP_NONE)
            scope->symbol = i;
        if (token->kind == PTOG_LEXEME_VALUE && token->scope == LSP_NONE)
            define_name(finder, i, finder->depth - 1);
    }
    finder->header = brace + 1;
}

static void count_bracket(struct name_finder *finder, char c)
{
    if (c == '(' || c == '[' || c == '<')
        finder->brackets++;
    if ((c == ')' || c == ']' || c == '>') && finder->brackets > 0)
        finder->brackets--;
}

/* A statement begins on a new line outside of brackets; and after the brace of a region. */
static void take_token(struct name_finder *finder, uint32_t i)
{
    struct lsp_token *token = &finder->names->tokens[i];
    char c = token->punctuation;
    if (token->starts_line && (finder->brackets == 0 || token->kind == PTOG_LEXEME_VALUE || c == '}') &&
        !(is_function(finder) && finder->brackets > 0 && c != '}')) {
        finder->header = i;
        finder->brackets = 0;
    }
    count_bracket(finder, c);
    if (token->kind == PTOG_LEXEME_VALUE)
        take_value(finder, i);
    if (c == '{') {
        finder->brackets = 0;
        take_region(finder, i);
    } else if (c == '}') {
        close_scope(finder, i);
    }
}

/* ---- symbols ---- */

static bool is_declared(const struct lsp_names *names, const struct lsp_text *text, uint32_t i)
{
    if (i > 0 && (token_is_word(names, text, i - 1, "private") || token_is_word(names, text, i - 1, "public")))
        i--;
    return i > 0 && (token_is_word(names, text, i - 1, "func.func") || token_is_word(names, text, i - 1, "func") ||
                     token_is_word(names, text, i - 1, "module"));
}

/* Functions may be called before they are defined: definitions first. */
static void take_symbols(struct name_finder *finder)
{
    struct lsp_names *names = finder->names;
    finder->depth = 1;
    for (uint32_t i = 0; i < names->count && !finder->no_memory; i++)
        if (names->tokens[i].kind == PTOG_LEXEME_SYMBOL && is_declared(names, finder->text, i))
            define_name(finder, i, 0);
    for (uint32_t i = 0; i < names->count && !finder->no_memory; i++)
        if (names->tokens[i].kind == PTOG_LEXEME_SYMBOL && names->tokens[i].definition == LSP_NONE)
            names->tokens[i].definition = find_definition(finder, i);
}

bool lsp_names_find(struct lsp_names *names, const struct lsp_text *text)
{
    struct name_finder *finder = calloc(1, sizeof *finder);
    *names = (struct lsp_names){0};
    if (!finder)
        return false;
    finder->names = names;
    finder->text = text;
    memset(finder->buckets, 0xff, sizeof finder->buckets);
    finder->no_memory = ptog_language_lex(text->bytes, text->size, add_token, finder) == PTOG_NO_MEMORY;
    open_scope(finder, 0, false);
    for (uint32_t i = 0; i < names->count && !finder->no_memory; i++)
        if (names->tokens[i].kind != PTOG_LEXEME_COMMENT)
            take_token(finder, i);
    while (!finder->no_memory && finder->depth > 1)
        close_scope(finder, LSP_NONE);
    if (!finder->no_memory)
        take_symbols(finder);
    bool good = !finder->no_memory;
    free(finder->entries);
    free(finder);
    return good;
}

void lsp_names_free(struct lsp_names *names)
{
    free(names->tokens);
    free(names->scopes);
    *names = (struct lsp_names){0};
}
