/* report: diagnostics as a SARIF 2.1.0 log, for editors and code review. */
#include "report/json_writer.h"

#include <stdio.h>

#include <ptog/rule.h>
#include <ptog/version.h>

#include "report/put.h"

/* {"text": ...} */
static void put_message(struct ptog_json *json, const char *key, const char *text)
{
    ptog_json_key(json, key);
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "text", text);
    ptog_json_close(json, '}');
}

/* ---- the rules that the results name ---- */

static bool is_used(const ptog_diags *diags, const char *id)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (strcmp(diag->id, id) == 0)
            return true;
    return false;
}

static void put_rule(struct ptog_json *json, const char *id, enum ptog_severity severity, const char *what,
                     const char *why)
{
    ptog_json_newline(json);
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "id", id);
    put_message(json, "shortDescription", what);
    put_message(json, "help", why);
    ptog_json_key(json, "defaultConfiguration");
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "level", ptog_severity_name(severity));
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
}

/* An id may stand in several rows and several tables: the first one describes it. */
static void put_rules(struct ptog_json *json, const ptog_diags *diags)
{
    const struct ptog_rule *rule;
    const struct ptog_text_rule *text;
    const struct ptog_fault_info *fault;
    for (size_t i = 0; (rule = ptog_rule_at(i)) != NULL; i++)
        if (ptog_rule_find(rule->id) == rule && is_used(diags, rule->id))
            put_rule(json, rule->id, rule->severity, rule->what, rule->why);
    for (size_t i = 0; (text = ptog_text_rule_at(i)) != NULL; i++)
        if (!ptog_rule_find(text->id) && ptog_text_rule_find(text->id) == text && is_used(diags, text->id))
            put_rule(json, text->id, text->severity, text->what, text->why);
    for (size_t i = 0; (fault = ptog_fault_info_at(i)) != NULL; i++)
        if (!ptog_rule_find(fault->id) && !ptog_text_rule_find(fault->id) && is_used(diags, fault->id))
            put_rule(json, fault->id, fault->severity, fault->what, fault->why);
}

static void put_tool(struct ptog_json *json, const ptog_diags *diags)
{
    ptog_json_key(json, "tool");
    ptog_json_open(json, '{');
    ptog_json_key(json, "driver");
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "name", "ptogather");
    ptog_json_string_of(json, "version", ptog_version());
    ptog_json_key(json, "rules");
    ptog_json_open(json, '[');
    put_rules(json, diags);
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
}

/* ---- places ---- */

static void put_artifact(struct ptog_json *json, const struct ptog_where *where)
{
    ptog_json_key(json, "artifactLocation");
    ptog_json_open(json, '{');
    ptog_json_uri_of(json, "uri", where->file ? where->file : "-");
    ptog_json_close(json, '}');
}

static void put_physical(struct ptog_json *json, const struct ptog_where *where)
{
    ptog_json_key(json, "physicalLocation");
    ptog_json_open(json, '{');
    put_artifact(json, where);
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
        put_message(json, "message", diag->related[i].message);
        if (diag->related[i].where.line > 0)
            put_physical(json, &diag->related[i].where);
        ptog_json_close(json, '}');
    }
    ptog_json_close(json, ']');
}

/* ---- results ---- */

/* ---- fixes ---- */

static void put_steps(struct ptog_json *json, const struct ptog_diag *diag)
{
    char words[PTOG_LONGEST_STEP];
    ptog_json_key(json, "fix");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < diag->fix_count; i++) {
        ptog_fix_words(&diag->fix[i], words, sizeof words);
        ptog_json_string(json, words);
    }
    ptog_json_close(json, ']');
}

/* SARIF's `fixes` are edits: every step is a statement of the text whose exact place is known. */
static bool is_edit(const struct ptog_diag *diag)
{
    for (size_t i = 0; i < diag->fix_count; i++) {
        const struct ptog_fix *step = &diag->fix[i];
        if (step->kind == PTOG_FIX_WORDS || step->spelling != PTOG_SPELL_TEXT || step->side == PTOG_FIX_ANYWHERE ||
            step->where.line == 0 || step->where.column == 0 || !step->where.text)
            return false;
    }
    return diag->fix_count > 0;
}

/* A statement on a line of its own, indented as the line that it is put before or after. */
static void put_inserted(struct ptog_json *json, const struct ptog_fix *step)
{
    char statement[PTOG_LONGEST_STEP], text[2 * PTOG_LONGEST_STEP];
    int indent = (int)strspn(step->where.text, " \t");
    if (indent > PTOG_LONGEST_STEP / 2)
        indent = 0;
    ptog_fix_statement(step, statement, sizeof statement);
    if (step->side == PTOG_FIX_BEFORE)
        snprintf(text, sizeof text, "%s\n%.*s", statement, indent, step->where.text);
    else
        snprintf(text, sizeof text, "\n%.*s%s", indent, step->where.text, statement);
    put_message(json, "insertedContent", text);
}

static void put_replacement(struct ptog_json *json, const struct ptog_fix *step)
{
    ptog_json_open(json, '{');
    ptog_json_key(json, "deletedRegion");
    ptog_json_open(json, '{');
    ptog_json_number_of(json, "startLine", step->where.line);
    ptog_json_number_of(json, "startColumn", step->where.column);
    ptog_json_number_of(json, "endColumn", step->where.column);
    ptog_json_close(json, '}');
    put_inserted(json, step);
    ptog_json_close(json, '}');
}

static void put_edits(struct ptog_json *json, const struct ptog_diag *diag)
{
    ptog_json_key(json, "fixes");
    ptog_json_open(json, '[');
    ptog_json_open(json, '{');
    put_message(json, "description", "add flags or barriers");
    ptog_json_key(json, "artifactChanges");
    ptog_json_open(json, '[');
    ptog_json_open(json, '{');
    put_artifact(json, &diag->where);
    ptog_json_key(json, "replacements");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < diag->fix_count; i++)
        put_replacement(json, &diag->fix[i]);
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
    ptog_json_close(json, ']');
}

/* A fix as words, for who shows it; and the witness. */
static void put_properties(struct ptog_json *json, const struct ptog_diag *diag)
{
    ptog_json_key(json, "properties");
    ptog_json_open(json, '{');
    if (diag->fix_count > 0)
        put_steps(json, diag);
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
    put_message(json, "message", diag->message);
    put_locations(json, diag);
    if (diag->related_count > 0)
        put_related(json, diag);
    if (diag->count > 1)
        ptog_json_number_of(json, "occurrenceCount", diag->count);
    if (is_edit(diag))
        put_edits(json, diag);
    if (diag->fix_count > 0 || diag->witness)
        put_properties(json, diag);
    ptog_json_close(json, '}');
}

#define MOST_COMPARED 4096 /* in a longer list repetitions are not looked for */

/* The same program checked for several targets says many things several times. */
static bool is_repeated(const ptog_diags *diags, size_t i)
{
    const struct ptog_diag *diag = ptog_diags_at(diags, i);
    for (size_t j = 0; j < i && i < MOST_COMPARED; j++) {
        const struct ptog_diag *other = ptog_diags_at(diags, j);
        if (other->where.line == diag->where.line && other->where.column == diag->where.column && other->where.file &&
            diag->where.file && strcmp(other->where.file, diag->where.file) == 0 && strcmp(other->id, diag->id) == 0 &&
            strcmp(other->message, diag->message) == 0)
            return true;
    }
    return false;
}

static void put_run(struct ptog_json *json, const ptog_diags *diags)
{
    ptog_json_open(json, '{');
    put_tool(json, diags);
    ptog_json_string_of(json, "columnKind", "unicodeCodePoints");
    ptog_json_key(json, "results");
    ptog_json_open(json, '[');
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        if (!is_repeated(diags, i))
            put_result(json, ptog_diags_at(diags, i));
    ptog_json_close(json, ']');
    ptog_json_close(json, '}');
}

void ptog_report_sarif(const ptog_diags *diags, const struct ptog_sink *sink)
{
    struct ptog_json json = {.sink = sink};
    ptog_json_open(&json, '{');
    ptog_json_string_of(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    ptog_json_string_of(&json, "version", "2.1.0");
    ptog_json_key(&json, "runs");
    ptog_json_open(&json, '[');
    put_run(&json, diags);
    ptog_json_close(&json, ']');
    ptog_json_close(&json, '}');
    ptog_put(sink, "\n");
}
