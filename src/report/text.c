/* report: diagnostics and faults as people read them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ptog/report.h>
#include <ptog/rule.h>
#include <ptog/target.h>

static void put(const struct ptog_sink *sink, const char *text)
{
    sink->write(sink->user, text, strlen(text));
}

static void put_coloured(const struct ptog_sink *sink, const char *colour, const char *text)
{
    if (sink->colour)
        put(sink, colour);
    put(sink, text);
    if (sink->colour)
        put(sink, "\033[0m");
}

static void put_severity(const struct ptog_sink *sink, enum ptog_severity severity)
{
    static const char *const colours[] = {"\033[1;36m", "\033[1;33m", "\033[1;31m"};
    put_coloured(sink, colours[severity], ptog_severity_name(severity));
    put(sink, ": ");
}

static void put_line(const struct ptog_sink *sink, const char *label, const char *text)
{
    put(sink, "  = ");
    put(sink, label);
    put(sink, ": ");
    put(sink, text);
    put(sink, "\n");
}

static void put_targets(const struct ptog_sink *sink, uint32_t targets)
{
    const struct ptog_target *target;
    const char *separator = "";
    put(sink, "  = accepted by: ");
    for (size_t i = 0; (target = ptog_target_at(i)) != NULL; i++)
        if (targets & target->bit) {
            put(sink, separator);
            put(sink, target->name);
            separator = ", ";
        }
    put(sink, "\n");
}

void ptog_report_text(const ptog_diags *diags, const struct ptog_sink *sink)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        put_severity(sink, diag->severity);
        put(sink, diag->message);
        put(sink, " [");
        put(sink, diag->id);
        put(sink, "]\n");
        if (diag->fix)
            put_line(sink, "fix", diag->fix);
        if (diag->accepted_by)
            put_targets(sink, diag->accepted_by);
        put_line(sink, "documented", diag->seed);
        put(sink, "  = explain: ptog explain ");
        put(sink, diag->id);
        put(sink, "\n");
    }
}

/* An index at or above 2^63 was a negative number of a signed type, sign-extended. */
static void put_lane(const struct ptog_sink *sink, const struct ptog_fault_entry *entry)
{
    char line[120];
    int n = snprintf(line, sizeof line, ": %" PRIu64 " in all, first at (%" PRId64 ",%" PRId64 "), index ",
                     entry->count, entry->row, entry->col);
    if (entry->index > INT64_MAX)
        snprintf(line + n, sizeof line - (size_t)n, "-%" PRIu64, UINT64_MAX - entry->index + 1);
    else
        snprintf(line + n, sizeof line - (size_t)n, "%" PRIu64, entry->index);
    put(sink, line);
}

void ptog_report_fault(const struct ptog_fault *fault, const struct ptog_sink *sink)
{
    for (size_t kind = 0; kind < PTOG_FAULT_KINDS; kind++) {
        const struct ptog_fault_entry *entry = &fault->of[kind];
        const struct ptog_fault_info *info = ptog_fault_info_at(kind);
        char line[40];
        if (entry->count == 0)
            continue;
        put_severity(sink, info->severity);
        put(sink, info->what);
        put_lane(sink, entry);
        if (fault->capacity > 0) {
            snprintf(line, sizeof line, ", capacity %" PRIu64, fault->capacity);
            put(sink, line);
        }
        put(sink, " [");
        put(sink, info->id);
        put(sink, "]\n");
    }
}
