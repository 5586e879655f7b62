/* tool/lsp: messages of JSON-RPC. Requests are answered in the order in which they arrive; notifications change
 * documents. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- answers ---- */

void lsp_server_send(struct lsp_server *server, struct lsp_writer *message)
{
    struct ptog_sink sink = ptog_output_sink(&server->out);
    if (!message->out.no_memory) {
        lsp_print(&server->out, "Content-Length: %zu\r\n\r\n", message->out.used);
        sink.write(sink.user, message->out.bytes, message->out.used);
    }
    ptog_output_free(&message->out);
}

/* Begins an answer: what follows is its result, or its error. */
static void open_answer(struct lsp_writer *writer, const struct lsp_json *id, const char *key)
{
    lsp_put_open(writer, '{');
    lsp_put_member(writer, "jsonrpc", "2.0");
    lsp_put_key(writer, "id");
    if (id)
        lsp_put_value(writer, id);
    else
        lsp_put_raw(writer, "null", 4);
    lsp_put_key(writer, key);
}

enum { PARSE_ERROR = 32700, INVALID_REQUEST = 32600, METHOD_NOT_FOUND = 32601, NOT_INITIALIZED = 32002 };

/* The codes of errors are negative numbers. */
static void send_error(struct lsp_server *server, const struct lsp_json *id, int code, const char *message)
{
    struct lsp_writer writer = {0};
    char negative[16];
    int length = snprintf(negative, sizeof negative, "-%d", code);
    open_answer(&writer, id, "error");
    lsp_put_open(&writer, '{');
    lsp_put_key(&writer, "code");
    lsp_put_raw(&writer, negative, (size_t)length);
    lsp_put_member(&writer, "message", message);
    lsp_put_close(&writer, '}');
    lsp_put_close(&writer, '}');
    lsp_server_send(server, &writer);
}

void lsp_server_refuse(struct lsp_server *server, const char *why)
{
    send_error(server, NULL, PARSE_ERROR, why);
}

/* ---- what the server can do ---- */

/* Writes a list of strings. */
static void put_texts(struct lsp_writer *writer, const char *key, const char *const *texts)
{
    lsp_put_key(writer, key);
    lsp_put_open(writer, '[');
    for (; *texts; texts++)
        lsp_put_text(writer, *texts);
    lsp_put_close(writer, ']');
}

/* Writes which kinds of tokens there are. */
static void put_semantic_tokens(struct lsp_writer *writer)
{
    lsp_put_key(writer, "semanticTokensProvider");
    lsp_put_open(writer, '{');
    lsp_put_key(writer, "legend");
    lsp_put_open(writer, '{');
    lsp_put_key(writer, "tokenTypes");
    lsp_put_open(writer, '[');
    for (size_t i = 0; lsp_token_kind(i); i++)
        lsp_put_text(writer, lsp_token_kind(i));
    lsp_put_close(writer, ']');
    put_texts(writer, "tokenModifiers", (const char *const[]){"declaration", NULL});
    lsp_put_close(writer, '}');
    lsp_put_bool(writer, "full", true);
    lsp_put_close(writer, '}');
}

/* Writes how the editor sends its changes. */
static void put_synchronisation(struct lsp_writer *writer)
{
    lsp_put_key(writer, "textDocumentSync");
    lsp_put_open(writer, '{');
    lsp_put_bool(writer, "openClose", true);
    lsp_put_number(writer, "change", 2); /* by ranges; whole texts are taken, too */
    lsp_put_close(writer, '}');
}

/* Writes what the server can do. */
static void put_capabilities(struct lsp_writer *writer)
{
    static const char *const simple[] = {"hoverProvider",          "definitionProvider",         "referencesProvider",
                                         "documentSymbolProvider", "documentFormattingProvider", NULL};
    lsp_put_key(writer, "capabilities");
    lsp_put_open(writer, '{');
    lsp_put_member(writer, "positionEncoding", "utf-16");
    put_synchronisation(writer);
    for (size_t i = 0; simple[i]; i++)
        lsp_put_bool(writer, simple[i], true);
    lsp_put_key(writer, "completionProvider");
    lsp_put_open(writer, '{');
    put_texts(writer, "triggerCharacters", (const char *const[]){"%", ".", "<", "{", "=", NULL});
    lsp_put_close(writer, '}');
    lsp_put_key(writer, "codeActionProvider");
    lsp_put_open(writer, '{');
    put_texts(writer, "codeActionKinds", (const char *const[]){"quickfix", "source.fixAll.ptog", NULL});
    lsp_put_close(writer, '}');
    put_semantic_tokens(writer);
    lsp_put_close(writer, '}');
}

/* Answers initialize; from then on other requests are taken. */
static void answer_initialize(struct lsp_server *server, const struct lsp_json *id, const struct lsp_json *params)
{
    struct lsp_writer writer = {0};
    lsp_settings_take(&server->settings, lsp_json_get(params, "initializationOptions"));
    server->initialized = true;
    open_answer(&writer, id, "result");
    lsp_put_open(&writer, '{');
    put_capabilities(&writer);
    lsp_put_key(&writer, "serverInfo");
    lsp_put_open(&writer, '{');
    lsp_put_member(&writer, "name", "ptog");
    lsp_put_member(&writer, "version", ptog_version());
    lsp_put_close(&writer, '}');
    lsp_put_close(&writer, '}');
    lsp_put_close(&writer, '}');
    lsp_server_send(server, &writer);
}

/* ---- requests ---- */

static const struct {
    const char *method;
    lsp_answer *answer;
} questions[] = {
    {"textDocument/hover", lsp_hover},           {"textDocument/definition", lsp_definition},
    {"textDocument/references", lsp_references}, {"textDocument/documentSymbol", lsp_symbols},
    {"textDocument/completion", lsp_completion}, {"textDocument/formatting", lsp_formatting},
    {"textDocument/codeAction", lsp_actions},    {"textDocument/semanticTokens/full", lsp_semantic_tokens},
};

/* An answer about a document that is not open, or has no text, is null. */
static void answer_question(struct lsp_server *server, size_t question, const struct lsp_json *id,
                            const struct lsp_json *params)
{
    struct lsp_writer writer = {0};
    struct lsp_document *document =
        lsp_document_find(server, lsp_json_string(lsp_json_path(params, "textDocument.uri")));
    open_answer(&writer, id, "result");
    if (document && !document->refused)
        questions[question].answer(server, document, params, &writer);
    else
        lsp_put_raw(&writer, "null", 4);
    lsp_put_close(&writer, '}');
    lsp_server_send(server, &writer);
}

/* Answers shutdown; the check that is running ends. */
static void answer_shutdown(struct lsp_server *server, const struct lsp_json *id)
{
    struct lsp_writer writer = {0};
    server->shut_down = true;
    lsp_run_stop(server);
    open_answer(&writer, id, "result");
    lsp_put_raw(&writer, "null", 4);
    lsp_put_close(&writer, '}');
    lsp_server_send(server, &writer);
}

/* Answers a request, or says why it does not. */
static void take_request(struct lsp_server *server, const char *method, const struct lsp_json *id,
                         const struct lsp_json *params)
{
    if (server->shut_down) {
        send_error(server, id, INVALID_REQUEST, "the server was shut down");
    } else if (strcmp(method, "initialize") == 0) {
        answer_initialize(server, id, params);
    } else if (!server->initialized) {
        send_error(server, id, NOT_INITIALIZED, "expected initialize first");
    } else if (strcmp(method, "shutdown") == 0) {
        answer_shutdown(server, id);
    } else {
        for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
            if (strcmp(method, questions[i].method) == 0) {
                answer_question(server, i, id, params);
                return;
            }
        send_error(server, id, METHOD_NOT_FOUND, "not supported");
    }
}

/* ---- notifications ---- */

/* New settings: every document is looked at again. */
static void take_configuration(struct lsp_server *server, const struct lsp_json *params, int64_t now)
{
    lsp_settings_take(&server->settings, lsp_json_path(params, "settings.ptog"));
    for (size_t i = 0; i < server->document_count; i++) {
        server->documents[i]->unchecked = true;
        server->documents[i]->changed = now;
    }
}

/* Does what a notification says; unknown ones are passed over. */
static void take_notification(struct lsp_server *server, const char *method, const struct lsp_json *params, int64_t now)
{
    if (strcmp(method, "exit") == 0)
        server->exits = true;
    if (!server->initialized || server->shut_down)
        return;
    if (strcmp(method, "textDocument/didOpen") == 0)
        lsp_document_open(server, params, now);
    else if (strcmp(method, "textDocument/didChange") == 0)
        lsp_document_change(server, params, now);
    else if (strcmp(method, "textDocument/didClose") == 0)
        lsp_document_close(server, params, now);
    else if (strcmp(method, "workspace/didChangeConfiguration") == 0)
        take_configuration(server, params, now);
}

void lsp_server_take(struct lsp_server *server, const char *bytes, size_t size, int64_t now)
{
    struct lsp_parsed parsed;
    bool read = lsp_json_parse(&parsed, bytes, size);
    const char *method = lsp_json_string(lsp_json_get(parsed.root, "method"));
    const struct lsp_json *id = lsp_json_get(parsed.root, "id"), *params = lsp_json_get(parsed.root, "params");
    if (!read)
        lsp_server_refuse(server, "this message is not valid JSON, or is nested too deeply");
    else if (method && id)
        take_request(server, method, id, params);
    else if (method)
        take_notification(server, method, params, now);
    else if (!id) /* what has an id and no method answers a request, and the server makes none */
        send_error(server, NULL, INVALID_REQUEST, "expected a request: an object with \"method\"");
    lsp_json_free(&parsed);
}

const struct lsp_names *lsp_server_names(struct lsp_server *server, const struct lsp_document *document)
{
    if (server->named == document)
        return &server->names;
    server->named = NULL;
    lsp_names_free(&server->names);
    if (!lsp_names_find(&server->names, &document->text))
        return NULL;
    server->named = document;
    return &server->names;
}

void lsp_server_close(struct lsp_server *server)
{
    lsp_run_stop(server);
    for (size_t i = 0; i < server->document_count; i++)
        lsp_document_free(server->documents[i]);
    lsp_names_free(&server->names);
    ptog_output_free(&server->out);
}
