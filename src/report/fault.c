/* report: faults of a run as people read them. */
#include <inttypes.h>
#include <stdio.h>

#include <ptog/rule.h>

#include "base/reserved.h"
#include "model/fault.h"
#include "report/severity.h"

static void put_lane(const struct ptog_sink *sink, const struct ptog_fault *fault, size_t kind)
{
    const struct ptog_fault_entry *entry = &fault->of[kind];
    char line[160], index[PTOG_FAULT_INDEX_TEXT];
    ptog_fault_index_text(fault, entry->index, index);
    snprintf(line, sizeof line, ": %" PRIu64 " in all, first at (%" PRId64 ",%" PRId64 "), %s %s", entry->count,
             entry->row, entry->col, ptog_fault_number(ptog_fault_info_at(kind)), index);
    ptog_put(sink, line);
}

void ptog_report_fault(const struct ptog_fault *fault, const struct ptog_sink *sink)
{
    if (!fault || !ptog_sink_is_usable(sink))
        return;
    for (size_t kind = 0; kind < PTOG_FAULT_KINDS; kind++) {
        const struct ptog_fault_entry *entry = &fault->of[kind];
        const struct ptog_fault_info *info = ptog_fault_info_at(kind);
        char line[40];
        if (entry->count == 0)
            continue;
        ptog_put_severity(sink, info->severity);
        ptog_put(sink, info->what);
        put_lane(sink, fault, kind);
        if (fault->capacity > 0) {
            snprintf(line, sizeof line, ", capacity %" PRIu64, fault->capacity);
            ptog_put(sink, line);
        }
        ptog_put(sink, " [");
        ptog_put(sink, info->id);
        ptog_put(sink, "]\n");
    }
}
