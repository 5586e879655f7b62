/* tool/lsp: edits of a document: its canonical text, and fixes of findings. */
#include <string.h>

#include "server.h"

/* Answers textDocument/formatting with the text as ptog fmt prints it, null while it has errors. */
void lsp_formatting(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *params,
                    struct lsp_writer *writer)
{
    struct ptog_output printed = {0};
    struct ptog_sink sink = ptog_output_sink(&printed);
    ptog_program *program = NULL;
    (void)server;
    (void)params;
    bool good = ptog_program_parse(&program, "document", document->text.bytes, document->text.size, NULL) == PTOG_OK &&
                ptog_program_print(program, PTOG_AS_WRITTEN, &sink, NULL) == PTOG_OK && !printed.no_memory;
    if (good)
        lsp_put_rewrite(writer, &document->text, printed.bytes, printed.used);
    else /* a text with errors is left alone */
        lsp_put_raw(writer, "null", 4);
    ptog_program_free(program);
    ptog_output_free(&printed);
}

/* ---- code actions ---- */

/* Whether the editor wants actions of this kind: context.only lists kinds and what they are a part of. */
static bool is_wanted(const struct lsp_json *params, const char *kind)
{
    const struct lsp_json *only = lsp_json_path(params, "context.only");
    if (!only || only->kind != LSP_LIST)
        return true;
    for (const struct lsp_json *row = only->first; row; row = row->next) {
        const char *wanted = lsp_json_string(row);
        size_t length = wanted ? strlen(wanted) : 0;
        if (wanted && strncmp(kind, wanted, length) == 0 && (kind[length] == '\0' || kind[length] == '.'))
            return true;
    }
    return false;
}

/* Begins an action; the list of its edits follows. */
static void open_action(struct lsp_writer *writer, const struct lsp_document *document, const char *title,
                        const char *kind, const struct lsp_json *diagnostic)
{
    lsp_put_open(writer, '{');
    lsp_put_member(writer, "title", title);
    lsp_put_member(writer, "kind", kind);
    if (diagnostic) {
        lsp_put_key(writer, "diagnostics");
        lsp_put_open(writer, '[');
        lsp_put_value(writer, diagnostic);
        lsp_put_close(writer, ']');
        lsp_put_bool(writer, "isPreferred", true);
    }
    lsp_put_key(writer, "edit");
    lsp_put_open(writer, '{');
    lsp_put_key(writer, "changes");
    lsp_put_open(writer, '{');
    lsp_put_key(writer, document->uri);
}

static void close_action(struct lsp_writer *writer)
{
    lsp_put_close(writer, '}');
    lsp_put_close(writer, '}');
    lsp_put_close(writer, '}');
}

/* The fix of each finding on the lines of the range. */
static void put_quick_fixes(struct lsp_writer *writer, const struct lsp_document *document, struct lsp_span range)
{
    struct lsp_parsed parsed;
    lsp_findings_read(document, &parsed);
    for (const struct lsp_json *row = parsed.root ? parsed.root->first : NULL; row; row = row->next) {
        struct lsp_span span = lsp_text_span(&document->text, lsp_json_get(row, "range"));
        const struct lsp_json *edits = lsp_json_path(row, "data.edits");
        if (!edits || lsp_text_line(&document->text, span.end) < lsp_text_line(&document->text, range.at) ||
            lsp_text_line(&document->text, span.at) > lsp_text_line(&document->text, range.end))
            continue;
        open_action(writer, document, lsp_json_string(lsp_json_path(row, "data.title")), "quickfix", row);
        lsp_put_value(writer, edits);
        close_action(writer);
    }
    lsp_json_free(&parsed);
}

/* Answers textDocument/codeAction with the fixes of the range, and the fix of all flags. */
void lsp_actions(struct lsp_server *server, struct lsp_document *document, const struct lsp_json *params,
                 struct lsp_writer *writer)
{
    const struct lsp_json *fixed = lsp_json_get(document->run.root, "fixed");
    (void)server;
    lsp_put_open(writer, '[');
    if (is_wanted(params, "quickfix"))
        put_quick_fixes(writer, document, lsp_text_span(&document->text, lsp_json_get(params, "range")));
    if (lsp_json_string(fixed) && is_wanted(params, "source.fixAll.ptog")) {
        open_action(writer, document, "Fix all flags and barriers", "source.fixAll.ptog", NULL);
        lsp_put_rewrite(writer, &document->text, fixed->text, fixed->length);
        close_action(writer);
    }
    lsp_put_close(writer, ']');
}
