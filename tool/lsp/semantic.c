/* tool/lsp: semantic tokens, with which an editor colors a text. Each is five numbers: lines and characters after the
 * token before, length, kind, modifiers. */
#include <string.h>

#include "server.h"

/* clang-format off */
#define TOKEN_KINDS(K) \
    K(comment) K(keyword) K(function) K(variable) K(string) K(number) K(type) K(property) K(enumMember) K(operator)
/* clang-format on */
enum token_kind {
#define K(name) KIND_##name,
    TOKEN_KINDS(K)
#undef K
        KIND_none
};

const char *lsp_token_kind(size_t i)
{
    static const char *const names[] = {
#define K(name) #name,
        TOKEN_KINDS(K)
#undef K
    };
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

/* Whether a word is an element type, or index. */
static bool is_element_type(const char *word, size_t length)
{
    for (int d = 1; d < PTOG_DTYPE_COUNT; d++) {
        const char *name = ptog_dtype_name((enum ptog_dtype)d);
        if (strlen(name) == length && memcmp(word, name, length) == 0)
            return true;
    }
    return length == 5 && memcmp(word, "index", 5) == 0;
}

/* A word is an operation, a key of a dictionary, a type, a value of an enum, or a word of the grammar. */
static enum token_kind word_kind(const struct lsp_names *names, const struct lsp_text *text, uint32_t i)
{
    const struct lsp_token *token = &names->tokens[i];
    const char *word = text->bytes + token->at;
    size_t length = token->end - token->at;
    bool has_dot = memchr(word, '.', length) != NULL;
    if (has_dot && length > 4 && memcmp(word, "pto.", 4) == 0 &&
        !(i + 1 < names->count && names->tokens[i + 1].punctuation == '='))
        return KIND_function;
    if (i + 1 < names->count && names->tokens[i + 1].punctuation == '=')
        return KIND_property;
    if (has_dot)
        return KIND_keyword;
    bool of_shape = word[0] == 'x' && i > 0 && names->tokens[i - 1].end == token->at; /* the rest of 4x8xf32 */
    if (of_shape || is_element_type(word, length))
        return KIND_type;
    if (i > 0 && (names->tokens[i - 1].punctuation == '<' || names->tokens[i - 1].kind == PTOG_LEXEME_WORD) &&
        !token->starts_line && i + 1 < names->count && names->tokens[i + 1].punctuation == '>')
        return KIND_enumMember;
    return KIND_keyword;
}

static enum token_kind kind_of(const struct lsp_names *names, const struct lsp_text *text, uint32_t i)
{
    switch (names->tokens[i].kind) {
    case PTOG_LEXEME_WORD: return word_kind(names, text, i);
    case PTOG_LEXEME_VALUE: return KIND_variable;
    case PTOG_LEXEME_SYMBOL: return KIND_function;
    case PTOG_LEXEME_NUMBER: return KIND_number;
    case PTOG_LEXEME_STRING: return KIND_string;
    case PTOG_LEXEME_ATTRIBUTE: return KIND_property;
    case PTOG_LEXEME_TYPE: return KIND_type;
    case PTOG_LEXEME_COMMENT: return KIND_comment;
    default: return KIND_none;
    }
}

/* Answers textDocument/semanticTokens/full. */
void lsp_semantic_tokens(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *params,
                         struct lsp_writer *writer)
{
    const struct lsp_text *text = &document->text;
    const struct lsp_names *names = lsp_server_names(server, document);
    size_t line = 0, from = 0; /* of the token before */
    (void)params;
    lsp_put_open(writer, '{');
    lsp_put_key(writer, "data");
    lsp_put_open(writer, '[');
    for (uint32_t i = 0; names && i < names->count; i++) {
        struct lsp_span span = {names->tokens[i].at, names->tokens[i].end};
        size_t on = lsp_text_line(text, span.at), end = lsp_text_line_span(text, span.at).end;
        enum token_kind kind = kind_of(names, text, i);
        if (span.end > end) /* a comment ends with its line, before "\r" */
            span.end = end;
        if (kind == KIND_none || span.end <= span.at)
            continue;
        if (on != line)
            from = text->lines[on];
        lsp_put_count(writer, on - line);
        lsp_put_count(writer, lsp_text_units(text, (struct lsp_span){from, span.at}));
        lsp_put_count(writer, lsp_text_units(text, span));
        lsp_put_count(writer, kind);
        lsp_put_count(writer, names->tokens[i].definition == i);
        line = on;
        from = span.at;
    }
    lsp_put_close(writer, ']');
    lsp_put_close(writer, '}');
}
