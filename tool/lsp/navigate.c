/* tool/lsp: where a name is defined, where it is used, and what a document contains. */
#include <string.h>

#include "server.h"

/* Writes where a token is. */
static void put_location(struct lsp_writer *writer, const struct lsp_document *document, const struct lsp_names *names,
                         uint32_t token)
{
    lsp_put_open(writer, '{');
    lsp_put_member(writer, "uri", document->uri);
    lsp_put_range(writer, &document->text, lsp_names_word(names, &document->text, token));
    lsp_put_close(writer, '}');
}

/* The definition of the name at the position; LSP_NONE: there is no name. */
static uint32_t definition_at(const struct lsp_names *names, const struct lsp_document *document,
                              const struct lsp_json *params)
{
    size_t offset = lsp_text_offset(&document->text, lsp_json_get(params, "position"));
    uint32_t token = names ? lsp_names_token(names, offset) : LSP_NONE;
    return token == LSP_NONE ? LSP_NONE : names->tokens[token].definition;
}

/* Answers textDocument/definition. */
void lsp_definition(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *params,
                    struct lsp_writer *writer)
{
    const struct lsp_names *names = lsp_server_names(server, document);
    uint32_t definition = definition_at(names, document, params);
    if (definition == LSP_NONE)
        lsp_put_raw(writer, "null", 4);
    else
        put_location(writer, document, names, definition);
}

/* Answers textDocument/references. */
void lsp_references(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *params,
                    struct lsp_writer *writer)
{
    const struct lsp_names *names = lsp_server_names(server, document);
    const struct lsp_json *declared = lsp_json_path(params, "context.includeDeclaration");
    uint32_t definition = definition_at(names, document, params);
    bool with_definition = !declared || declared->kind != LSP_FALSE;
    lsp_put_open(writer, '[');
    for (uint32_t i = 0; definition != LSP_NONE && i < names->count; i++)
        if (names->tokens[i].definition == definition && (i != definition || with_definition))
            put_location(writer, document, names, i);
    lsp_put_close(writer, ']');
}

/* ---- symbols ---- */

enum { KIND_FUNCTION = 12, KIND_VARIABLE = 13 };

/* `all` is what the symbol covers, `name` its name. An object that is left open: children may follow. */
static void open_symbol(struct lsp_writer *writer, const struct lsp_text *text, unsigned kind, struct lsp_span name,
                        struct lsp_span all)
{
    lsp_put_open(writer, '{');
    lsp_put_key(writer, "name");
    lsp_put_string(writer, text->bytes + name.at, name.end - name.at);
    lsp_put_number(writer, "kind", kind);
    lsp_put_range(writer, text, all);
    lsp_put_key(writer, "selectionRange");
    lsp_put_span(writer, text, name);
}

/* A value, with the operation that makes it. */
static void put_variable(struct lsp_writer *writer, const struct lsp_text *text, const struct lsp_names *names,
                         uint32_t token)
{
    struct lsp_span name = lsp_names_word(names, text, token);
    uint32_t operation = lsp_names_operation(names, text, lsp_names_statement(names, token));
    open_symbol(writer, text, KIND_VARIABLE, name, name);
    if (operation != LSP_NONE && operation > token) {
        lsp_put_key(writer, "detail");
        lsp_put_string(writer, text->bytes + names->tokens[operation].at,
                       names->tokens[operation].end - names->tokens[operation].at);
    }
    lsp_put_close(writer, '}');
}

/* The values that are defined between two tokens. */
static void put_variables(struct lsp_writer *writer, const struct lsp_text *text, const struct lsp_names *names,
                          uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < names->count && i <= last; i++)
        if (names->tokens[i].kind == PTOG_LEXEME_VALUE && names->tokens[i].definition == i)
            put_variable(writer, text, names, i);
}

/* Writes a function with its variables as symbols. */
static void put_function(struct lsp_writer *writer, const struct lsp_text *text, const struct lsp_names *names,
                         const struct lsp_scope *scope)
{
    const struct lsp_token *tokens = names->tokens;
    size_t end = scope->last == LSP_NONE ? text->size : tokens[scope->last].end;
    open_symbol(writer, text, KIND_FUNCTION, (struct lsp_span){tokens[scope->symbol].at, tokens[scope->symbol].end},
                (struct lsp_span){tokens[scope->first].at, end});
    lsp_put_key(writer, "children");
    lsp_put_open(writer, '[');
    put_variables(writer, text, names, scope->first, scope->last);
    lsp_put_close(writer, ']');
    lsp_put_close(writer, '}');
}

/* Answers textDocument/documentSymbol. */
void lsp_symbols(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *params,
                 struct lsp_writer *writer)
{
    const struct lsp_names *names = lsp_server_names(server, document);
    size_t functions = 0;
    (void)params;
    lsp_put_open(writer, '[');
    for (size_t i = 0; names && i < names->scope_count; i++)
        if (names->scopes[i].is_function && names->scopes[i].symbol != LSP_NONE) {
            put_function(writer, &document->text, names, &names->scopes[i]);
            functions++;
        }
    if (names && functions == 0) /* bare statements */
        put_variables(writer, &document->text, names, 0, LSP_NONE);
    lsp_put_close(writer, ']');
}
