/* Renderers: diagnostics and faults as people read them. They write through a callback; the library prints nothing. */
#ifndef PTOG_REPORT_H
#define PTOG_REPORT_H

#include <ptog/diag.h>
#include <ptog/plan.h>

struct ptog_sink {
    void (*write)(void *user, const char *text, size_t length);
    void *user;
    bool colour; /* ANSI colours */
};

/* One block per diagnostic: "file:line:col: error: message [id]", the line with a caret and the related places when
 * there are any, then the fix, who accepts the operands, and where it is documented. */
PTOG_API void ptog_report_text(const ptog_diags *diags, const struct ptog_sink *sink);

/* One object: {"version":2,"target":...,"diagnostics":[...]}. `target` may be NULL. */
PTOG_API void ptog_report_json(const ptog_diags *diags, const char *target, const struct ptog_sink *sink);

/* The same object with "stats":{...}: every field of ptog/core.h by its name, cycles in whole ones, and under "sources"
 * where the figures behind the cycles come from. `stats` may be NULL: then it is the object above. */
struct ptog_stats;
struct ptog_target;
PTOG_API void ptog_report_json_stats(const ptog_diags *diags, const struct ptog_target *target,
                                     const struct ptog_stats *stats, const struct ptog_sink *sink);

/* A SARIF 2.1.0 log with one run. */
PTOG_API void ptog_report_sarif(const ptog_diags *diags, const struct ptog_sink *sink);

/* One line per kind of fault: "error: 3 elements ..., first at (0,2), index 7, capacity 4 [gm-out-of-bounds]". */
PTOG_API void ptog_report_fault(const struct ptog_fault *fault, const struct ptog_sink *sink);

#endif
