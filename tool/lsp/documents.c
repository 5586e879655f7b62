/* tool/lsp: documents that the editor has open, and their edits. */
#include <stdlib.h>
#include <string.h>

#include "server.h"

struct lsp_document *lsp_document_find(struct lsp_server *server, const char *uri)
{
    for (size_t i = 0; uri && i < server->document_count; i++)
        if (strcmp(server->documents[i]->uri, uri) == 0)
            return server->documents[i];
    return NULL;
}

/* Frees a document with what was found in it. */
void lsp_document_free(struct lsp_document *document)
{
    free(document->uri);
    free(document->found);
    lsp_text_free(&document->text);
    lsp_json_free(&document->run);
    free(document);
}

/* After every change: what was found out about the text before is forgotten, and a run of it is ended. */
static void document_changed(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *version,
                             int64_t now)
{
    document->version = (struct lsp_json){0};
    if (version && version->kind == LSP_NUMBER && version->length < sizeof document->version_text) {
        memcpy(document->version_text, version->text, version->length);
        document->version =
            (struct lsp_json){.kind = LSP_NUMBER, .text = document->version_text, .length = version->length};
    }
    document->unchecked = true;
    document->unrun = false;
    document->changed = now;
    lsp_json_free(&document->run);
    if (server->child.of == document)
        lsp_run_stop(server);
    if (server->named == document)
        server->named = NULL;
}

/* Says in the editor what cannot be done. */
static void show_message(struct lsp_server *server, const char *text)
{
    struct lsp_writer writer = {0};
    lsp_put_open(&writer, '{');
    lsp_put_member(&writer, "jsonrpc", "2.0");
    lsp_put_member(&writer, "method", "window/showMessage");
    lsp_put_key(&writer, "params");
    lsp_put_open(&writer, '{');
    lsp_put_number(&writer, "type", 2);
    lsp_put_member(&writer, "message", text);
    lsp_put_close(&writer, '}');
    lsp_put_close(&writer, '}');
    lsp_server_send(server, &writer);
}

/* A document without text takes the place of one that is too large, or for which there is no memory: later edits of it
 * are not followed. */
static void refuse_document(struct lsp_server *server, struct lsp_document *document, const char *why)
{
    if (!document->refused)
        show_message(server, why);
    document->refused = true;
    lsp_text_set(&document->text, "", 0);
}

#define TOO_LARGE "ptog: this document is larger than 4 MiB and is not checked"
#define NO_MEMORY "ptog: out of memory; this document is not checked"

/* Gives a document its text, or refuses it when that is too large. */
static void set_text(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *text)
{
    document->refused = false;
    if (text->length > LSP_MAX_DOCUMENT)
        refuse_document(server, document, TOO_LARGE);
    else if (!lsp_text_set(&document->text, text->text, text->length))
        refuse_document(server, document, NO_MEMORY);
}

/* Adds an empty document; NULL when out of memory. */
static struct lsp_document *new_document(struct lsp_server *server, const char *uri)
{
    struct lsp_document *document = calloc(1, sizeof *document);
    char *copy = malloc(strlen(uri) + 1);
    if (!document || !copy || !lsp_text_set(&document->text, "", 0)) {
        free(document);
        free(copy);
        return NULL;
    }
    document->uri = strcpy(copy, uri);
    server->documents[server->document_count++] = document;
    return document;
}

/* An editor opened a document: it is checked soon. */
void lsp_document_open(struct lsp_server *server, const struct lsp_json *params, int64_t now)
{
    const struct lsp_json *item = lsp_json_get(params, "textDocument"), *text = lsp_json_get(item, "text");
    const char *uri = lsp_json_string(lsp_json_get(item, "uri"));
    struct lsp_document *document = lsp_document_find(server, uri);
    if (!uri || !lsp_json_string(text))
        return;
    if (!document && server->document_count == LSP_MAX_DOCUMENTS) {
        show_message(server, "ptog: more than 64 documents are open; this one is not checked");
        return;
    }
    if (!document)
        document = new_document(server, uri);
    if (!document)
        return;
    set_text(server, document, text);
    document_changed(server, document, lsp_json_get(item, "version"), now);
}

/* One entry of contentChanges: a range and its new text, or the whole text. */
static void apply_change(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *change)
{
    const struct lsp_json *text = lsp_json_get(change, "text"), *range = lsp_json_get(change, "range");
    if (!lsp_json_string(text))
        return;
    if (!range) {
        set_text(server, document, text);
        return;
    }
    if (document->refused)
        return;
    struct lsp_span span = lsp_text_span(&document->text, range);
    if (document->text.size - (span.end - span.at) + text->length > LSP_MAX_DOCUMENT)
        refuse_document(server, document, TOO_LARGE);
    else if (!lsp_text_splice(&document->text, span, text->text, text->length))
        refuse_document(server, document, NO_MEMORY);
}

/* An editor changed a document: changes are applied, and it is checked soon. */
void lsp_document_change(struct lsp_server *server, const struct lsp_json *params, int64_t now)
{
    const struct lsp_json *changes = lsp_json_get(params, "contentChanges");
    struct lsp_document *document =
        lsp_document_find(server, lsp_json_string(lsp_json_path(params, "textDocument.uri")));
    if (!document || !changes || changes->kind != LSP_LIST)
        return;
    for (const struct lsp_json *change = changes->first; change; change = change->next)
        apply_change(server, document, change);
    document_changed(server, document, lsp_json_path(params, "textDocument.version"), now);
}

/* An editor closed a document: its findings are taken back, and it is freed. */
void lsp_document_close(struct lsp_server *server, const struct lsp_json *params, int64_t now)
{
    struct lsp_document *document =
        lsp_document_find(server, lsp_json_string(lsp_json_path(params, "textDocument.uri")));
    size_t i = 0;
    if (!document)
        return;
    document_changed(server, document, NULL, now);
    lsp_publish(server, document, NULL, 0);
    while (server->documents[i] != document)
        i++;
    server->documents[i] = server->documents[--server->document_count];
    lsp_document_free(document);
}

/* ---- settings ---- */

static void take_flag(bool *flag, const struct lsp_json *value, bool means)
{
    if (value && (value->kind == LSP_TRUE || value->kind == LSP_FALSE))
        *flag = (value->kind == LSP_TRUE) == means;
}

/* Takes the settings that the editor sent; what is not there stays. */
void lsp_settings_take(struct lsp_settings *settings, const struct lsp_json *given)
{
    const char *target = lsp_json_string(lsp_json_get(given, "target"));
    if (target) /* "" and "auto" are the program's own */
        settings->target = ptog_target_find(target);
    take_flag(&settings->strict, lsp_json_get(given, "strict"), true);
    take_flag(&settings->no_run, lsp_json_get(given, "run"), false);
    settings->delay = lsp_json_count(lsp_json_get(given, "delay"), settings->delay);
}
