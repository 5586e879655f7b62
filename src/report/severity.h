/* report: severities, in their colours. */
#ifndef PTOG_REPORT_SEVERITY_H
#define PTOG_REPORT_SEVERITY_H

#include "report/put.h"

static inline const char *ptog_severity_colour(enum ptog_severity severity)
{
    static const char *const colours[] = {"\033[1;36m", "\033[1;33m", "\033[1;31m"};
    return (unsigned)severity < 3 ? colours[severity] : "";
}

/* "error: " */
static inline void ptog_put_severity(const struct ptog_sink *sink, enum ptog_severity severity)
{
    if (sink->colour)
        ptog_put(sink, ptog_severity_colour(severity));
    ptog_put(sink, ptog_severity_name(severity));
    ptog_put(sink, sink->colour ? "\033[0m: " : ": ");
}

/* "error: ", or "not judged: " for what was not examined. */
static inline void ptog_put_level(const struct ptog_sink *sink, const struct ptog_diag *diag)
{
    if (!diag->unjudged) {
        ptog_put_severity(sink, diag->severity);
        return;
    }
    ptog_put(sink, sink->colour ? "\033[1;35m" : "");
    ptog_put(sink, ptog_verdict_name(PTOG_NOT_JUDGED));
    ptog_put(sink, sink->colour ? "\033[0m: " : ": ");
}

#endif
