/* report: faults of a run as people read them. */
#include <inttypes.h>

#include <ptog/rule.h>

#include "base/reserved.h"
#include "base/text.h"
#include "model/fault.h"
#include "report/severity.h"

void ptog_report_fault(const struct ptog_fault *fault, const struct ptog_sink *sink)
{
    if (!fault || !ptog_sink_is_usable(sink))
        return;
    for (size_t kind = 0; kind < PTOG_FAULT_KINDS; kind++) {
        const struct ptog_fault_entry *entry = &fault->of[kind];
        const struct ptog_fault_info *info = ptog_fault_info_at(kind);
        char line[400];
        struct ptog_text text;
        if (entry->count == 0)
            continue;
        ptog_put_severity(sink, info->severity);
        ptog_text_init(&text, line, sizeof line);
        ptog_fault_words(&text, fault, kind, NULL, NULL);
        if (entry->count > 1)
            ptog_text_addf(&text, " (%" PRIu64 " times)", entry->count);
        ptog_put(sink, line);
        ptog_put(sink, " [");
        ptog_put(sink, info->id);
        ptog_put(sink, "]\n");
    }
}
