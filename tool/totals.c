/* tool: the line that ends a report about several programs: how many passed, failed, and were not judged. */
#include "tool.h"

#include "io/pick.h"

void tool_totals_add(struct tool_totals *totals, int result, enum ptog_verdict verdict)
{
    totals->unread += result == TOOL_USAGE;
    if (result == TOOL_USAGE)
        return;
    totals->passed += result == TOOL_OK;
    totals->unjudged += result == TOOL_WRONG && verdict == PTOG_NOT_JUDGED;
    totals->failed += result == TOOL_WRONG && verdict != PTOG_NOT_JUDGED;
}

void tool_totals_count(struct tool_totals *totals, const ptog_diags *diags)
{
    totals->errors += tool_count(diags, PTOG_ERROR);
    totals->warnings += tool_count(diags, PTOG_WARNING);
    totals->notes += tool_count(diags, PTOG_NOTE);
    totals->suppressed += ptog_diags_suppressed(diags);
}

static const char *print_count(const char *separator, size_t count, const char *what)
{
    if (count == 0)
        return separator;
    fprintf(stderr, "%s%zu %s%s", separator, count, what, tool_plural(count));
    return ", ";
}

void tool_totals_print(const struct tool_totals *totals, const char *command)
{
    size_t files = totals->passed + totals->failed + totals->unjudged + totals->unread;
    const char *separator = "; ";
    if (files == 0)
        return;
    fflush(stdout);
    fprintf(stderr, "ptog %s: %zu file%s: %zu passed", command, files, tool_plural(files), totals->passed);
    if (totals->failed > 0)
        fprintf(stderr, ", %zu failed", totals->failed);
    if (totals->unjudged > 0)
        fprintf(stderr, ", %zu not judged", totals->unjudged);
    if (totals->unread > 0)
        fprintf(stderr, ", %zu not read", totals->unread);
    separator = print_count(separator, totals->errors, "error");
    separator = print_count(separator, totals->warnings, "warning");
    separator = print_count(separator, totals->notes, "note");
    if (totals->suppressed > 0)
        fprintf(stderr, "%s%zu suppressed", separator, totals->suppressed);
}
