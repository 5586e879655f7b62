/* report: diagnostics as a SARIF 2.1.0 log, for editors and code review. */
#include "report/sarif.h"

#include <stdio.h>

#include <ptog/version.h>

#include "base/pick.h"
#include "report/checked.h"
#include "report/put.h"

/* ---- the tool ---- */

/* Writes the tool with its rules. */
static void put_tool(struct ptog_sarif *log)
{
    struct ptog_json *json = &log->json;
    ptog_json_key(json, "tool");
    ptog_json_open(json, '{');
    ptog_json_key(json, "driver");
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "name", "ptogather");
    ptog_json_string_of(json, "version", ptog_version());
    ptog_json_key(json, "rules");
    ptog_json_open(json, '[');
    ptog_sarif_rules(log);
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
}

/* ---- places ---- */

static void put_artifact(struct ptog_json *json, const char *file)
{
    ptog_json_key(json, "artifactLocation");
    ptog_json_open(json, '{');
    ptog_json_uri_of(json, "uri", ptog_or(file, "-"));
    ptog_json_close(json, '}');
}

/* Writes a place as SARIF's physical location. */
static void put_physical(struct ptog_json *json, const struct ptog_where *where)
{
    ptog_json_key(json, "physicalLocation");
    ptog_json_open(json, '{');
    put_artifact(json, where->file);
    ptog_json_key(json, "region");
    ptog_json_open(json, '{');
    ptog_json_number_of(json, "startLine", where->line);
    ptog_json_number_of(json, "startColumn", ptog_max(where->column, 1));
    ptog_json_number_of(json, "endColumn", ptog_max(where->end_column, where->column + 1));
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
}

/* Writes where a diagnostic is. */
static void put_locations(struct ptog_json *json, const struct ptog_diag *diag)
{
    ptog_json_key(json, "locations");
    ptog_json_open(json, '[');
    if (diag->where.line > 0) {
        ptog_json_open(json, '{');
        put_physical(json, ptog_headline(&diag->where));
        ptog_json_close(json, '}');
    }
    ptog_json_close(json, ']');
}

/* Writes a place with what is to be seen there. */
static void put_note(struct ptog_json *json, const struct ptog_where *where, const char *message)
{
    ptog_json_open(json, '{');
    ptog_sarif_message(json, "message", message);
    if (where->line > 0)
        put_physical(json, where);
    ptog_json_close(json, '}');
}

/* Writes the related places of a diagnostic, and its call chain. */
static void put_related(struct ptog_json *json, const struct ptog_diag *diag)
{
    ptog_json_key(json, "relatedLocations");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < diag->related_count; i++)
        put_note(json, ptog_headline(&diag->related[i].where), diag->related[i].message);
    if (diag->where.origin) {
        for (const struct ptog_where *caller = diag->where.origin->origin; caller; caller = caller->origin)
            put_note(json, caller, "called from here");
        put_note(json, &diag->where, "in the generated program");
    }
    ptog_json_close(json, ']');
}

/* ---- fixes ---- */

/* Writes the steps of a fix in words. */
static void put_steps(struct ptog_json *json, const struct ptog_diag *diag)
{
    char words[PTOG_MAX_STEP];
    ptog_json_key(json, "fix");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < diag->fix_count; i++) {
        ptog_fix_words(&diag->fix[i], words, sizeof words);
        ptog_json_string(json, words);
    }
    ptog_json_close(json, ']');
}

/* SARIF's `fixes` are edits: every step but words is a statement of the text whose exact place is known. */
static bool is_edit(const struct ptog_diag *diag)
{
    size_t edits = 0;
    for (size_t i = 0; i < diag->fix_count; i++) {
        const struct ptog_fix *step = &diag->fix[i];
        if (step->kind == PTOG_FIX_WORDS)
            continue;
        if (step->spelling != PTOG_SPELL_TEXT || step->side == PTOG_FIX_ANYWHERE || step->where.line == 0 ||
            step->where.column == 0 || !step->where.text)
            return false;
        edits++;
    }
    return edits > 0;
}

/* A statement on a line of its own, indented as the line that it is put before or after. */
static void put_inserted(struct ptog_json *json, const struct ptog_fix *step)
{
    char statement[PTOG_MAX_STEP], text[2 * PTOG_MAX_STEP];
    int indent = (int)strspn(step->where.text, " \t");
    if (indent > PTOG_MAX_STEP / 2)
        indent = 0;
    ptog_fix_statement(step, statement, sizeof statement);
    if (step->side == PTOG_FIX_INSTEAD)
        snprintf(text, sizeof text, "%s", statement);
    else if (step->side == PTOG_FIX_BEFORE)
        snprintf(text, sizeof text, "%s\n%.*s", statement, indent, step->where.text);
    else
        snprintf(text, sizeof text, "\n%.*s%s", indent, step->where.text, statement);
    ptog_sarif_message(json, "insertedContent", text);
}

/* A line with its end. */
static void put_removed_line(struct ptog_json *json, uint32_t line)
{
    ptog_json_open(json, '{');
    ptog_json_key(json, "deletedRegion");
    ptog_json_open(json, '{');
    ptog_json_number_of(json, "startLine", line);
    ptog_json_number_of(json, "startColumn", 1);
    ptog_json_number_of(json, "endLine", (uint64_t)line + 1);
    ptog_json_number_of(json, "endColumn", 1);
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
}

/* Writes one step of a fix as a replacement of lines. */
static void put_replacement(struct ptog_json *json, const struct ptog_fix *step)
{
    if (step->side == PTOG_FIX_REMOVE) {
        put_removed_line(json, step->where.line);
        return;
    }
    if (step->from_line > 0)
        put_removed_line(json, step->from_line);
    ptog_json_open(json, '{');
    ptog_json_key(json, "deletedRegion");
    ptog_json_open(json, '{');
    ptog_json_number_of(json, "startLine", step->where.line);
    ptog_json_number_of(json, "startColumn", step->where.column);
    ptog_json_number_of(json, "endColumn",
                        step->side == PTOG_FIX_INSTEAD ? step->where.end_column : step->where.column);
    ptog_json_close(json, '}');
    put_inserted(json, step);
    ptog_json_close(json, '}');
}

/* Writes a fix that changes flags as an edit of the file. */
static void put_edits(struct ptog_json *json, const struct ptog_diag *diag)
{
    ptog_json_key(json, "fixes");
    ptog_json_open(json, '[');
    ptog_json_open(json, '{');
    ptog_sarif_message(json, "description", "change flags or barriers");
    ptog_json_key(json, "artifactChanges");
    ptog_json_open(json, '[');
    ptog_json_open(json, '{');
    put_artifact(json, diag->where.file);
    ptog_json_key(json, "replacements");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < diag->fix_count; i++)
        if (diag->fix[i].kind != PTOG_FIX_WORDS)
            put_replacement(json, &diag->fix[i]);
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
    ptog_json_close(json, ']');
}

/* A fix as words, for who shows it; the witness; and for what it was found, where a program has several targets. */
static void put_properties(struct ptog_json *json, const struct ptog_diag *diag, const char *targets)
{
    ptog_json_key(json, "properties");
    ptog_json_open(json, '{');
    if (diag->fix_count > 0)
        put_steps(json, diag);
    if (diag->witness)
        ptog_json_string_of(json, "witness", diag->witness);
    if (targets[0])
        ptog_json_string_of(json, "targets", targets);
    ptog_json_close(json, '}');
}

/* Writes one diagnostic. */
static void put_result(struct ptog_sarif *log, const struct ptog_diag *diag, const char *targets)
{
    struct ptog_json *json = &log->json;
    ptog_json_newline(json);
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "ruleId", diag->id);
    ptog_json_string_of(json, "level", ptog_severity_name(diag->severity));
    ptog_sarif_message(json, "message", diag->message);
    put_locations(json, diag);
    ptog_sarif_fingerprint(log, diag);
    if (diag->related_count > 0 || diag->where.origin)
        put_related(json, diag);
    if (diag->count > 1)
        ptog_json_number_of(json, "occurrenceCount", diag->count);
    if (is_edit(diag))
        put_edits(json, diag);
    if (diag->fix_count > 0 || diag->witness || targets[0])
        put_properties(json, diag, targets);
    ptog_json_close(json, '}');
}

/* ---- what could not be read ---- */

/* Writes that a file could not be read. */
static void put_notification(struct ptog_json *json, const struct ptog_checked *unread)
{
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "level", "error");
    ptog_sarif_message(json, "message", unread->unread);
    ptog_json_key(json, "locations");
    ptog_json_open(json, '[');
    ptog_json_open(json, '{');
    ptog_json_key(json, "physicalLocation");
    ptog_json_open(json, '{');
    put_artifact(json, unread->file);
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
}

/* Only when there is something to say: a log without invocations is one of a run that succeeded. */
static void put_invocations(struct ptog_sarif *log)
{
    struct ptog_json *json = &log->json;
    size_t unread = 0;
    for (size_t i = 0; i < log->count; i++)
        unread += log->checked[i].unread != NULL;
    if (unread == 0)
        return;
    ptog_json_key(json, "invocations");
    ptog_json_open(json, '[');
    ptog_json_open(json, '{');
    ptog_json_bool_of(json, "executionSuccessful", false);
    ptog_json_key(json, "toolExecutionNotifications");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < log->count; i++)
        if (log->checked[i].unread)
            put_notification(json, &log->checked[i]);
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
    ptog_json_close(json, ']');
}

/* Writes the run: tool, columns, and all results. */
static void put_run(struct ptog_sarif *log)
{
    struct ptog_json *json = &log->json;
    struct ptog_walk walk = {.list = log->checked, .count = log->count};
    const struct ptog_diag *diag;
    char targets[PTOG_MAX_TARGETS];
    ptog_json_open(json, '{');
    put_tool(log);
    put_invocations(log);
    ptog_json_string_of(json, "columnKind", "unicodeCodePoints");
    ptog_json_key(json, "results");
    ptog_json_open(json, '[');
    while ((diag = ptog_walk_next_new(&walk)) != NULL) {
        ptog_walk_targets(&walk, diag, targets);
        put_result(log, diag, targets);
    }
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
}

void ptog_report_sarif_all(const struct ptog_checked *checked, size_t count, const char *rules_page,
                           const struct ptog_sink *sink)
{
    struct ptog_sarif log = {.json = {.sink = sink}, .checked = checked, .count = count, .rules_page = rules_page};
    if (!ptog_report_is_possible(checked, count, sink))
        return;
    ptog_json_open(&log.json, '{');
    ptog_json_string_of(&log.json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    ptog_json_string_of(&log.json, "version", "2.1.0");
    ptog_json_key(&log.json, "runs");
    ptog_json_open(&log.json, '[');
    put_run(&log);
    ptog_index_free(&log.fingerprints);
    ptog_json_close(&log.json, ']');
    ptog_json_close(&log.json, '}');
    ptog_put(sink, "\n");
}

void ptog_report_sarif(const ptog_diags *diags, const struct ptog_sink *sink)
{
    const struct ptog_checked one = {.diags = diags};
    ptog_report_sarif_all(&one, 1, NULL, sink);
}
