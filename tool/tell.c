/* tool: what was found in programs, told in the format that was asked for: text, JSON, SARIF, JUnit, GitHub, gcc. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

bool tool_has_id(const struct ptog_diag *diag, const char *id)
{
    return strcmp(diag->id, id) == 0;
}

size_t tool_count(const ptog_diags *diags, enum ptog_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        count += ptog_diags_at(diags, i)->severity == severity;
    return count;
}

/* Whether an entry keeps its program from passing. */
static bool counts(const struct tool_telling *telling, const struct ptog_diag *diag)
{
    if (diag->unjudged)
        return tool_has_id(diag, "run-empty") ? !telling->allow_empty : !telling->allow_unjudged;
    return diag->severity == PTOG_ERROR || (telling->werror && diag->severity == PTOG_WARNING);
}

int tool_judge(const struct tool_telling *telling, ptog_diags *diags, int result)
{
    const struct ptog_diag *diag;
    if (telling->quiet)
        ptog_diags_keep(diags, PTOG_WARNING);
    tool_quote(diags);
    if (result == TOOL_USAGE)
        return result;
    if (result == TOOL_WRONG && ptog_diags_verdict(diags) == PTOG_NOT_JUDGED)
        result = TOOL_OK; /* what was not judged decides */
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (counts(telling, diag))
            return TOOL_WRONG;
    return result;
}

/* The rules' pages are where PTOG_RULES_URI says; empty: nowhere. */
static void tell_sarif(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink)
{
    const char *page = getenv("PTOG_RULES_URI");
    if (!page)
        page = PTOG_RULES_PAGE;
    ptog_report_sarif_all(checked, count, page[0] ? page : NULL, sink);
}

/* ---- all formats ---- */

void tool_tell(const struct tool_telling *telling, const struct ptog_checked *checked, size_t count)
{
    struct ptog_sink sink = tool_sink(telling->format == TOOL_TEXT ? stderr : stdout);
    sink.colour = sink.colour && telling->format == TOOL_TEXT;
    switch (telling->format) {
    case TOOL_TEXT: ptog_report_text_all(checked, count, &sink); break;
    case TOOL_JSON: ptog_report_json_all(checked, count, &sink); break;
    case TOOL_SARIF: tell_sarif(checked, count, &sink); break;
    case TOOL_JUNIT: ptog_report_junit(checked, count, telling->werror ? PTOG_WARNING : PTOG_ERROR, &sink); break;
    case TOOL_GITHUB: ptog_report_github(checked, count, &sink); break;
    case TOOL_GCC: ptog_report_gcc(checked, count, &sink); break;
    }
    fflush(stdout); /* where both streams are one file, what stderr says next begins a line of its own */
}
