/* tool/lsp: diagnostics as the protocol has them. A fix that consists of edits goes along in `data`, so that a code
 * action is a look at what was told. */
#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "judge.h"
#include "server.h"

/* ---- fixes ---- */

#define STEP_BYTES 400
#define MAX_FINDINGS 1000 /* of a document: nobody reads more */

/* Whether a step is an edit of this text; words are none. */
static bool is_edit_step(const struct ptog_fix *step)
{
    return step->kind != PTOG_FIX_WORDS && step->spelling == PTOG_SPELL_TEXT && step->side != PTOG_FIX_ANYWHERE &&
           step->where.line > 0 && step->where.column > 0;
}

/* Whether the fix can be made: every step of it but words is an edit. */
static bool is_edit_fix(const struct ptog_diag *diag)
{
    size_t edits = 0;
    for (size_t i = 0; i < diag->fix_count; i++) {
        if (diag->fix[i].kind != PTOG_FIX_WORDS && !is_edit_step(&diag->fix[i]))
            return false;
        edits += diag->fix[i].kind != PTOG_FIX_WORDS;
    }
    return edits > 0;
}

static void put_edit(struct lsp_writer *writer, const struct lsp_text *text, struct lsp_span span, const char *insert)
{
    lsp_put_open(writer, '{');
    lsp_put_range(writer, text, span);
    lsp_put_member(writer, "newText", insert);
    lsp_put_close(writer, '}');
}

static void put_removed(struct lsp_writer *writer, const struct lsp_text *text, uint32_t line)
{
    put_edit(writer, text, (struct lsp_span){lsp_text_at(text, line, 1), lsp_text_at(text, line + 1, 1)}, "");
}

/* A statement that is put before or after another one stands on a line of its own, indented like that one. */
static void put_step(struct lsp_writer *writer, const struct lsp_text *text, const struct ptog_fix *step)
{
    char statement[STEP_BYTES], insert[3 * STEP_BYTES];
    struct lsp_span span = lsp_text_place(text, &step->where);
    const char *line = text->bytes + lsp_text_at(text, step->where.line, 1);
    int indent = (int)strspn(line, " \t");
    if (indent > STEP_BYTES)
        indent = 0;
    if (step->side == PTOG_FIX_REMOVE || step->from_line > 0)
        put_removed(writer, text, step->from_line > 0 ? step->from_line : step->where.line);
    if (step->side == PTOG_FIX_REMOVE)
        return;
    ptog_fix_statement(step, statement, sizeof statement);
    if (step->side == PTOG_FIX_INSTEAD)
        snprintf(insert, sizeof insert, "%s", statement);
    else if (step->side == PTOG_FIX_BEFORE)
        snprintf(insert, sizeof insert, "%s\n%.*s", statement, indent, line);
    else
        snprintf(insert, sizeof insert, "\n%.*s%s", indent, line, statement);
    if (step->side != PTOG_FIX_INSTEAD)
        span.end = span.at;
    put_edit(writer, text, span, insert);
}

/* The steps as one line of words. */
static void write_title(struct ptog_output *title, const struct ptog_diag *diag)
{
    char words[STEP_BYTES];
    for (size_t i = 0; i < diag->fix_count; i++) {
        ptog_fix_words(&diag->fix[i], words, sizeof words);
        lsp_print(title, "%s%s", i > 0 ? "; " : "", words);
    }
}

/* Writes the fix of a diagnostic as edits, for the action that offers it. */
static void put_fix(struct lsp_writer *writer, const struct lsp_text *text, const struct ptog_diag *diag)
{
    struct ptog_output title = {0};
    write_title(&title, diag);
    lsp_put_key(writer, "data");
    lsp_put_open(writer, '{');
    lsp_put_key(writer, "title");
    lsp_put_string(writer, title.bytes ? title.bytes : "", title.used);
    lsp_put_key(writer, "edits");
    lsp_put_open(writer, '[');
    for (size_t i = 0; i < diag->fix_count; i++)
        if (is_edit_step(&diag->fix[i]))
            put_step(writer, text, &diag->fix[i]);
    lsp_put_close(writer, ']');
    lsp_put_close(writer, '}');
    ptog_output_free(&title);
}

/* ---- one diagnostic ---- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

/* Whether the same was told before, for another target. Out of memory, it is told twice. */
static bool is_seen(struct lsp_seen *seen, const struct ptog_diag *diag)
{
    uint64_t print = hash_text(hash_text(UINT64_C(14695981039346656037), diag->id), diag->message);
    print = (print ^ diag->where.line) * UINT64_C(1099511628211) ^ diag->where.column;
    for (size_t i = 0; i < seen->count; i++)
        if (seen->list[i] == print)
            return true;
    if (tool_reserve(&seen->list, seen->count + 1, &seen->room))
        seen->list[seen->count++] = print;
    return false;
}

/* The protocol knows 1 error, 2 warning, 3 information. What was not examined is no fault of the program: it is not
 * simulated, or a limit ended the run. */
static unsigned severity_number(const struct ptog_diag *diag)
{
    if (diag->unjudged)
        return 3;
    return diag->severity == PTOG_ERROR ? 1 : 3 - (unsigned)diag->severity;
}

/* The message, and below it the witness of a race and what to do where no edit does it. */
static void put_message(struct lsp_writer *writer, const struct ptog_diag *diag)
{
    struct ptog_output message = {0};
    lsp_print(&message, "%s", diag->message);
    if (diag->fix_count > 0 && !is_edit_fix(diag)) {
        lsp_print(&message, "\nfix: ");
        write_title(&message, diag);
    }
    if (diag->witness)
        lsp_print(&message, "\nwitness: %s", diag->witness);
    lsp_put_key(writer, "message");
    lsp_put_string(writer, message.bytes ? message.bytes : "", message.used);
    ptog_output_free(&message);
}

/* Writes the related places of a diagnostic. */
static void put_related(struct lsp_writer *writer, const struct lsp_text *text, const char *uri,
                        const struct ptog_diag *diag)
{
    lsp_put_key(writer, "relatedInformation");
    lsp_put_open(writer, '[');
    for (size_t i = 0; i < diag->related_count; i++) {
        if (diag->related[i].where.line == 0)
            continue;
        lsp_put_open(writer, '{');
        lsp_put_key(writer, "location");
        lsp_put_open(writer, '{');
        lsp_put_member(writer, "uri", uri);
        lsp_put_range(writer, text, lsp_text_place(text, &diag->related[i].where));
        lsp_put_close(writer, '}');
        lsp_put_member(writer, "message", diag->related[i].message);
        lsp_put_close(writer, '}');
    }
    lsp_put_close(writer, ']');
}

/* Writes one diagnostic. */
static void put_finding(struct lsp_writer *writer, const struct lsp_text *text, const char *uri,
                        const struct ptog_diag *diag)
{
    lsp_put_open(writer, '{');
    lsp_put_range(writer, text, lsp_text_place(text, &diag->where));
    lsp_put_number(writer, "severity", severity_number(diag));
    lsp_put_member(writer, "code", diag->id);
    lsp_put_member(writer, "source", "ptog");
    put_message(writer, diag);
    if (diag->related_count > 0)
        put_related(writer, text, uri, diag);
    if (is_edit_fix(diag))
        put_fix(writer, text, diag);
    lsp_put_close(writer, '}');
}

/* Writes diagnostics that were not written before, while there are not too many. */
void lsp_put_findings(struct lsp_writer *writer, const struct lsp_text *text, const char *uri, const ptog_diags *diags,
                      struct lsp_seen *seen)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL && seen->count < MAX_FINDINGS; i++)
        if (!is_seen(seen, diag))
            put_finding(writer, text, uri, diag);
}

/* ---- checking ---- */

/* What was found in a program on its targets. */
static void put_checked(struct lsp_writer *writer, const struct lsp_settings *settings,
                        const struct lsp_document *document, const ptog_program *program, struct lsp_seen *seen)
{
    struct judgement judgement;
    struct tool_telling telling = {0};
    if (judge_open(&judgement, program, settings->target)) {
        for (size_t i = 0; i < judgement.count; i++)
            judge_check(&judgement.of[i], program);
        judge_decide(&judgement, &telling);
        for (size_t i = 0; i < judgement.count; i++)
            lsp_put_findings(writer, &document->text, document->uri, judgement.of[i].diags, seen);
    }
    judge_close(&judgement);
}

void lsp_check(struct lsp_server *server, struct lsp_document *document)
{
    struct lsp_writer list = {0};
    struct lsp_seen seen = {0};
    ptog_program *program = NULL;
    ptog_diags *diags = ptog_diags_new();
    document->unchecked = false;
    lsp_put_open(&list, '[');
    if (!document->refused)
        ptog_program_parse(&program, "document", document->text.bytes, document->text.size, diags);
    lsp_put_findings(&list, &document->text, document->uri, diags, &seen);
    if (program) {
        ptog_program_be_strict(program, server->settings.strict);
        put_checked(&list, &server->settings, document, program, &seen);
    }
    lsp_put_close(&list, ']');
    document->unrun = program && !server->settings.no_run;
    free(document->found);
    document->found = list.out.bytes;
    document->found_bytes = list.out.used;
    lsp_publish(server, document, list.out.bytes, list.out.used);
    ptog_program_free(program);
    ptog_diags_free(diags);
    free(seen.list);
}

void lsp_publish(struct lsp_server *server, const struct lsp_document *document, const char *list, size_t bytes)
{
    struct lsp_writer writer = {0};
    lsp_put_open(&writer, '{');
    lsp_put_member(&writer, "jsonrpc", "2.0");
    lsp_put_member(&writer, "method", "textDocument/publishDiagnostics");
    lsp_put_key(&writer, "params");
    lsp_put_open(&writer, '{');
    lsp_put_member(&writer, "uri", document->uri);
    if (document->version.kind == LSP_NUMBER) {
        lsp_put_key(&writer, "version");
        lsp_put_value(&writer, &document->version);
    }
    lsp_put_key(&writer, "diagnostics");
    if (list)
        lsp_put_raw(&writer, list, bytes);
    else
        lsp_put_raw(&writer, "[]", 2);
    lsp_put_close(&writer, '}');
    lsp_put_close(&writer, '}');
    lsp_server_send(server, &writer);
}

void lsp_findings_read(const struct lsp_document *document, struct lsp_parsed *parsed)
{
    *parsed = (struct lsp_parsed){0};
    if (document->found && !lsp_json_parse(parsed, document->found, document->found_bytes))
        lsp_json_free(parsed);
}

/* Keeps the diagnostics of a run, which take the place of those of the check, and sends them to the editor. */
void lsp_run_tell(struct lsp_server *server, struct lsp_document *document, const char *told, size_t bytes)
{
    struct lsp_writer list = {0};
    lsp_json_free(&document->run);
    bool read = bytes > 0 && lsp_json_parse(&document->run, told, bytes);
    const struct lsp_json *found = read ? lsp_json_get(document->run.root, "diagnostics") : NULL;
    if (found) {
        lsp_put_value(&list, found);
        free(document->found);
        document->found = list.out.bytes;
        document->found_bytes = list.out.used;
        lsp_publish(server, document, list.out.bytes, list.out.used);
    }
    if (!read)
        lsp_json_free(&document->run);
}
