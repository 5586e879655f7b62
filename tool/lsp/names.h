/* tool/lsp: the tokens of a document, and which name means which definition. It is found from tokens alone, so that it
 * works while a program is being typed and does not parse. */
#ifndef TOOL_LSP_NAMES_H
#define TOOL_LSP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/language.h>

#include "text.h"

#define LSP_NONE UINT32_MAX

/* A token. A value or a symbol also says what it means. */
struct lsp_token {
    uint32_t at, end;
    uint32_t definition; /* the token that defines the same name; itself where it is defined; LSP_NONE: no name */
    uint32_t scope;      /* of a definition: where it is visible; LSP_NONE: nowhere */
    uint8_t kind;        /* enum ptog_lexeme_kind */
    char punctuation;
    bool starts_line;
};

/* A region in braces; number 0 is the whole text. */
struct lsp_scope {
    uint32_t parent;
    uint32_t first, last; /* tokens: those of its header, and its closing brace */
    uint32_t symbol;      /* of a function: the token of its name; LSP_NONE: it is none */
    bool is_function;
};

struct lsp_names {
    struct lsp_token *tokens;
    size_t count, room;
    struct lsp_scope *scopes;
    size_t scope_count, scope_room;
};

/* Finds the names of a text; false when out of memory. Free them in any case. */
bool lsp_names_find(struct lsp_names *names, const struct lsp_text *text);
void lsp_names_free(struct lsp_names *names);

/* The token that covers an offset, or ends there; LSP_NONE: none does. */
uint32_t lsp_names_token(const struct lsp_names *names, size_t offset);

/* Token numbers: the first token of the statement that token `i` belongs to; and of a statement that starts at token
 * `first`, the token that names its operation, behind "%a, %b =". LSP_NONE: it has none. */
uint32_t lsp_names_statement(const struct lsp_names *names, uint32_t i);
uint32_t lsp_names_operation(const struct lsp_names *names, const struct lsp_text *text, uint32_t first);

/* Whether a definition is visible at an offset. */
bool lsp_names_visible(const struct lsp_names *names, uint32_t definition, size_t offset);

/* What a name is without "#1": two tokens with the same bytes there are the same name. */
struct lsp_span lsp_names_word(const struct lsp_names *names, const struct lsp_text *text, uint32_t token);

#endif
