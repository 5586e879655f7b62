/* tool: the line that ends a report about several programs: how many passed, failed, and were not judged. */
#include "tool.h"

#include "io/pick.h"

void tool_totals_add(struct tool_totals *totals, int result, enum ptog_verdict verdict)
{
    if (result == TOOL_USAGE)
        totals->unread++;
    else if (verdict == PTOG_NOT_JUDGED)
        totals->unjudged++;
    else if (result == TOOL_WRONG)
        totals->failed++;
    else
        totals->passed++;
}

/* Counts a program and its findings. What several targets say alike counts once: of each kind, as many as the target
 * with the most has. */
void tool_totals_count(struct tool_totals *totals, const struct ptog_checked *checked, size_t count)
{
    struct tool_totals most = {0};
    for (size_t i = 0; i < count; i++) {
        most.errors = tool_max(most.errors, ptog_report_count(&checked[i], 1, PTOG_ERROR));
        most.warnings = tool_max(most.warnings, ptog_report_count(&checked[i], 1, PTOG_WARNING));
        most.notes = tool_max(most.notes, ptog_report_count(&checked[i], 1, PTOG_NOTE));
        most.suppressed = tool_max(most.suppressed, ptog_diags_suppressed(checked[i].diags));
    }
    totals->errors += most.errors;
    totals->warnings += most.warnings;
    totals->notes += most.notes;
    totals->suppressed += most.suppressed;
}

static const char *print_count(const char *separator, size_t count, const char *what)
{
    if (count == 0)
        return separator;
    fprintf(stderr, "%s%zu %s%s", separator, count, what, tool_plural(count));
    return ", ";
}

void tool_totals_print(const struct tool_totals *totals, const char *command, const char *more)
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
        fprintf(stderr, ", %zu not readable", totals->unread);
    separator = print_count(separator, totals->errors, "error");
    separator = print_count(separator, totals->warnings, "warning");
    separator = print_count(separator, totals->notes, "note");
    if (totals->suppressed > 0)
        fprintf(stderr, "%s%zu suppressed", separator, totals->suppressed);
    fprintf(stderr, "%s\n", more);
}
