/* tool/lsp: looking at the names of a document. */
#include <string.h>

#include "names.h"

uint32_t lsp_names_token(const struct lsp_names *names, size_t offset)
{
    size_t low = 0, high = names->count;
    while (low < high) { /* the first token that ends at the offset or later */
        size_t middle = low + (high - low) / 2;
        if (names->tokens[middle].end < offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == names->count || names->tokens[low].at > offset)
        return LSP_NONE;
    bool ends_here = names->tokens[low].end == offset;
    bool next_starts = low + 1 < names->count && names->tokens[low + 1].at == offset;
    if (ends_here && next_starts && names->tokens[low].kind == PTOG_LEXEME_PUNCTUATION) /* "(|%x" is about %x */
        low++;
    return (uint32_t)low;
}

uint32_t lsp_names_statement(const struct lsp_names *names, uint32_t i)
{
    while (i > 0 && !names->tokens[i].starts_line)
        i--;
    return i;
}

uint32_t lsp_names_operation(const struct lsp_names *names, const struct lsp_text *text, uint32_t first)
{
    for (uint32_t i = first; i < names->count && (i == first || !names->tokens[i].starts_line); i++) {
        const struct lsp_token *token = &names->tokens[i];
        if (token->kind == PTOG_LEXEME_WORD)
            return i;
        if (token->kind == PTOG_LEXEME_STRING && text->bytes[token->at] == '"') /* the generic form */
            return i;
        if (token->kind != PTOG_LEXEME_VALUE && token->kind != PTOG_LEXEME_NUMBER &&
            (token->punctuation == 0 || !strchr(",:=}", token->punctuation)))
            return LSP_NONE;
    }
    return LSP_NONE;
}

bool lsp_names_visible(const struct lsp_names *names, uint32_t definition, size_t offset)
{
    const struct lsp_token *token = &names->tokens[definition];
    if (token->at >= offset || token->scope == LSP_NONE)
        return false;
    const struct lsp_scope *scope = &names->scopes[token->scope];
    return scope->last == LSP_NONE || names->tokens[scope->last].at >= offset;
}
