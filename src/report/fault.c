/* report: faults of a run as people read them. */
#include <inttypes.h>
#include <stdio.h>

#include <ptog/rule.h>

#include "report/severity.h"

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
    ptog_put(sink, line);
}

void ptog_report_fault(const struct ptog_fault *fault, const struct ptog_sink *sink)
{
    for (size_t kind = 0; kind < PTOG_FAULT_KINDS; kind++) {
        const struct ptog_fault_entry *entry = &fault->of[kind];
        const struct ptog_fault_info *info = ptog_fault_info_at(kind);
        char line[40];
        if (entry->count == 0)
            continue;
        ptog_put_severity(sink, info->severity);
        ptog_put(sink, info->what);
        put_lane(sink, entry);
        if (fault->capacity > 0) {
            snprintf(line, sizeof line, ", capacity %" PRIu64, fault->capacity);
            ptog_put(sink, line);
        }
        ptog_put(sink, " [");
        ptog_put(sink, info->id);
        ptog_put(sink, "]\n");
    }
}
