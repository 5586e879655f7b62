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

/* One block per diagnostic: "error: message [id]", then the fix, who accepts the operands, and where it is documented.
 */
PTOG_API void ptog_report_text(const ptog_diags *diags, const struct ptog_sink *sink);

/* One line per kind of fault: "error: 3 elements ..., first at (0,2), index 7, capacity 4 [gm-out-of-bounds]". */
PTOG_API void ptog_report_fault(const struct ptog_fault *fault, const struct ptog_sink *sink);

#endif
