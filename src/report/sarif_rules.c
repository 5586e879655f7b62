/* report: the rules of a SARIF log: those rows of our tables that its results name. */
#include "report/sarif.h"

#include <stdio.h>
#include <string.h>

#include <ptog/core.h>
#include <ptog/rule.h>

void ptog_sarif_message(struct ptog_json *json, const char *key, const char *text)
{
    ptog_json_key(json, key);
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "text", text);
    ptog_json_close(json, '}');
}

/* A row of one of the tables: what a rule of the log needs of it. */
struct sarif_row {
    const char *id;
    enum ptog_severity severity;
    const char *what, *why;
};

/* Whether any diagnostic of the log has this id. */
static bool is_used(const struct ptog_sarif *log, const char *id)
{
    struct ptog_walk walk = {.list = log->checked, .count = log->count};
    const struct ptog_diag *diag;
    while ((diag = ptog_walk_next(&walk)) != NULL)
        if (strcmp(diag->id, id) == 0)
            return true;
    return false;
}

/* Writes where the page of a rule is: `pages` with the id in the place of {id}; a folder's name, with or without a
 * slash, has ID.html in it. Nothing, if that is too long. */
static void put_help_uri(struct ptog_json *json, const char *pages, const char *id)
{
    char uri[1024];
    size_t bytes = strlen(pages);
    const char *mark = strstr(pages, "{id}"), *slash = bytes && pages[bytes - 1] == '/' ? "" : "/";
    if (bytes >= sizeof uri)
        return;
    int length = mark ? snprintf(uri, sizeof uri, "%.*s%s%s", (int)(mark - pages), pages, id, mark + strlen("{id}"))
                      : snprintf(uri, sizeof uri, "%s%s%s.html", pages, slash, id);
    if (length > 0 && (size_t)length < sizeof uri)
        ptog_json_string_of(json, "helpUri", uri);
}

/* Writes a rule, if a result is of it. */
static void put_rule(struct ptog_sarif *log, const struct sarif_row *row)
{
    struct ptog_json *json = &log->json;
    if (!is_used(log, row->id))
        return;
    ptog_json_newline(json);
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "id", row->id);
    ptog_sarif_message(json, "shortDescription", row->what);
    ptog_sarif_message(json, "help", row->why);
    if (log->rules_page)
        put_help_uri(json, log->rules_page, row->id);
    ptog_json_key(json, "defaultConfiguration");
    ptog_json_open(json, '{');
    ptog_json_string_of(json, "level", ptog_severity_name(row->severity));
    ptog_json_close(json, '}');
    ptog_json_close(json, '}');
}

/* Writes all rules of the log. An id may stand in several rows and several tables: the first one describes it. */
void ptog_sarif_rules(struct ptog_sarif *log)
{
    const struct ptog_rule *rule;
    const struct ptog_text_rule *text;
    const struct ptog_fault_info *fault;
    const struct ptog_machine_fault *machine;
    for (size_t i = 0; (rule = ptog_rule_at(i)) != NULL; i++)
        if (ptog_rule_find(rule->id) == rule)
            put_rule(log, &(struct sarif_row){rule->id, rule->severity, rule->what, rule->why});
    for (size_t i = 0; (text = ptog_text_rule_at(i)) != NULL; i++)
        if (!ptog_rule_find(text->id) && ptog_text_rule_find(text->id) == text)
            put_rule(log, &(struct sarif_row){text->id, text->severity, text->what, text->why});
    for (size_t i = 0; (fault = ptog_fault_info_at(i)) != NULL; i++)
        if (!ptog_rule_find(fault->id) && !ptog_text_rule_find(fault->id))
            put_rule(log, &(struct sarif_row){fault->id, fault->severity, fault->what, fault->why});
    for (size_t i = 0; (machine = ptog_machine_fault_at(i)) != NULL; i++)
        if (!ptog_rule_find(machine->id) && !ptog_text_rule_find(machine->id) && !ptog_fault_info_find(machine->id))
            put_rule(log, &(struct sarif_row){machine->id, machine->severity, machine->what, machine->why});
}
