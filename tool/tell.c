/* tool: what was found in programs, told in the format that was asked for: text, JSON, SARIF, JUnit, GitHub, gcc. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
        return strcmp(diag->id, "run-empty") == 0 ? !telling->allow_empty : !telling->allow_unjudged;
    return diag->severity == PTOG_ERROR || (telling->werror && diag->severity == PTOG_WARNING);
}

int tool_judge(const struct tool_telling *telling, ptog_diags *diags, int result)
{
    const struct ptog_diag *diag;
    if (telling->quiet)
        ptog_diags_keep(diags, PTOG_WARNING);
    if (result == TOOL_USAGE)
        return result;
    if (result == TOOL_WRONG && ptog_diags_verdict(diags) == PTOG_NOT_JUDGED)
        result = TOOL_OK; /* what was not judged decides */
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (counts(telling, diag))
            return TOOL_WRONG;
    return result;
}

/* ---- the address of docs/rules.md ---- */

/* "file://" and a path, with what a URI does not allow as %20; false when it does not fit. */
static bool put_file_uri(char *uri, size_t size, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    size_t used = (size_t)snprintf(uri, size, "file://");
    for (; *path && used + 4 < size; path++) {
        const char *form = strchr(plain, *path) ? "%c" : "%%%02X";
        used += (size_t)snprintf(uri + used, size - used, form, (unsigned char)*path);
    }
    return *path == '\0';
}

/* Beside the installed command, or in the tree it was built in; false when it is in neither. */
static bool find_rules_page(char *uri, size_t size)
{
    static const char *const places[] = {PTOG_DOC_FROM_BIN "/docs/rules.md", "docs/rules.md"};
    char *program = realpath("/proc/self/exe", NULL), path[4096];
    bool found = false;
    if (!program)
        return false;
    *strrchr(program, '/') = '\0'; /* an absolute path */
    for (size_t i = 0; !found && i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", program, places[i]);
        char *real = access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
        found = real && put_file_uri(uri, size, real);
        free(real);
    }
    free(program);
    return found;
}

static void tell_sarif(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink)
{
    char found[4096];
    const char *page = getenv("PTOG_RULES_URI");
    if (!page && find_rules_page(found, sizeof found))
        page = found;
    ptog_report_sarif_all(checked, count, page && page[0] ? page : NULL, sink);
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
}
