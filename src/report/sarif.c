/* report: diagnostics as a SARIF 2.1.0 log, for editors and code review. */
#include "report/sarif.h"

#include <ptog/version.h>

#include "report/put.h"

/* ---- the tool ---- */

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
    ptog_json_uri_of(json, "uri", file ? file : "-");
    ptog_json_close(json, '}');
}

static void put_physical(struct ptog_json *json, const struct ptog_where *where)
{
    ptog_json_key(json, "physicalLocation");
    ptog_json_open(json, '{');
    put_artifact(json, where->file);
    ptog_json_key(json, "region");
    ptog_json_open(json, '{');
    ptog_json_number_of(json, "startLine", where->line);
    ptog_json_number_of(json, "startColumn", where->column > 0 ? where->column : 1);
    ptog_json_number_of(json, "endColumn", where->end_column > where->column ? where->end_column : where->column + 1);
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
}

static void put_locations(struct ptog_json *json, const struct ptog_diag *diag)
{
    ptog_json_key(json, "locations");
    ptog_json_open(json, '[');
    if (diag->where.line > 0) {
        ptog_json_open(json, '{');
        put_physical(json, &diag->where);
        ptog_json_close(json, '}');
    }
    ptog_json_close(json, ']');
}

static void put_related(struct ptog_json *json, const struct ptog_diag *diag)
{
    ptog_json_key(json, "relatedLocations");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < diag->related_count; i++) {
        ptog_json_open(json, '{');
        ptog_sarif_message(json, "message", diag->related[i].message);
        if (diag->related[i].where.line > 0)
            put_physical(json, &diag->related[i].where);
        ptog_json_close(json, '}');
    }
    ptog_json_close(json, ']');
}

/* ---- results ---- */

/* A fix is words, and SARIF's `fixes` are edits: it is a property. So is a witness. */
static void put_properties(struct ptog_json *json, const struct ptog_diag *diag)
{
    ptog_json_key(json, "properties");
    ptog_json_open(json, '{');
    if (diag->fix)
        ptog_json_lines_of(json, "fix", diag->fix);
    if (diag->witness)
        ptog_json_string_of(json, "witness", diag->witness);
    ptog_json_close(json, '}');
}

static void put_result(struct ptog_json *json, const struct ptog_diag *diag)
{
    ptog_json_newline(json);
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "ruleId", diag->id);
    ptog_json_string_of(json, "level", ptog_severity_name(diag->severity));
    ptog_sarif_message(json, "message", diag->message);
    put_locations(json, diag);
    if (diag->related_count > 0)
        put_related(json, diag);
    if (diag->count > 1)
        ptog_json_number_of(json, "occurrenceCount", diag->count);
    if (diag->fix || diag->witness)
        put_properties(json, diag);
    ptog_json_close(json, '}');
}

/* ---- what could not be read ---- */

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

static void put_run(struct ptog_sarif *log)
{
    struct ptog_json *json = &log->json;
    struct ptog_walk walk = {.list = log->checked, .count = log->count};
    const struct ptog_diag *diag;
    ptog_json_open(json, '{');
    put_tool(log);
    put_invocations(log);
    ptog_json_string_of(json, "columnKind", "unicodeCodePoints");
    ptog_json_key(json, "results");
    ptog_json_open(json, '[');
    while ((diag = ptog_walk_next_new(&walk)) != NULL)
        put_result(json, diag);
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
}

void ptog_report_sarif_all(const struct ptog_checked *checked, size_t count, const char *rules_page,
                           const struct ptog_sink *sink)
{
    struct ptog_sarif log = {{.sink = sink}, checked, count, rules_page};
    ptog_json_open(&log.json, '{');
    ptog_json_string_of(&log.json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    ptog_json_string_of(&log.json, "version", "2.1.0");
    ptog_json_key(&log.json, "runs");
    ptog_json_open(&log.json, '[');
    put_run(&log);
    ptog_json_close(&log.json, ']');
    ptog_json_close(&log.json, '}');
    ptog_put(sink, "\n");
}

void ptog_report_sarif(const ptog_diags *diags, const struct ptog_sink *sink)
{
    const struct ptog_checked one = {.diags = diags};
    ptog_report_sarif_all(&one, 1, NULL, sink);
}
