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

/* One object: {"version":1,"target":...,"diagnostics":[...]}. `target` may be NULL. */
PTOG_API void ptog_report_json(const ptog_diags *diags, const char *target, const struct ptog_sink *sink);

/* The same object with "stats":{...}: every field of ptog/core.h by its name, cycles in whole ones, and under "sources"
 * where the figures behind the cycles come from. `stats` may be NULL: then it is the object above. */
struct ptog_stats;
struct ptog_target;
PTOG_API void ptog_report_json_stats(const ptog_diags *diags, const struct ptog_target *target,
                                     const struct ptog_stats *stats, const struct ptog_sink *sink);

/* A SARIF 2.1.0 log with one run. */
PTOG_API void ptog_report_sarif(const ptog_diags *diags, const struct ptog_sink *sink);

/* ---- several programs in one report ---- */

/* One program that was looked at. A program that was judged for several targets stands there once for each. */
struct ptog_checked {
    const char *file;        /* its name; "-" is standard input */
    const char *target;      /* what it was judged for; NULL: nothing in particular */
    const ptog_diags *diags; /* what was found; NULL: nothing */
    const char *unread;      /* why it could not be read; NULL: it was */
    uint64_t reserved[2];
};

/* The JSON object above with all diagnostics. "target" is the one they have in common, or null. When there are programs
 * that could not be read, they stand in "unread":[{"file":...,"message":...}]. */
PTOG_API void ptog_report_json_all(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink);

/* The SARIF log of all; what several targets say alike stands there once. `rules_page` is the address of docs/rules.md,
 * for the helpUri of each rule; NULL: they have none. A program that could not be read makes the invocation one that
 * did not succeed. */
PTOG_API void ptog_report_sarif_all(const struct ptog_checked *checked, size_t count, const char *rules_page,
                                    const struct ptog_sink *sink);

/* A line for each diagnostic, each of its places and its fix, as compilers write them and editors read them:
 * "file:line:column: error: message [id]". What several targets say alike stands there once, as in the next one. */
PTOG_API void ptog_report_gcc(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink);

/* Annotations of a GitHub workflow: "::error file=...,line=...::message". */
PTOG_API void ptog_report_github(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink);

/* JUnit's XML: a test case for each, which fails with diagnostics of severity `fails` or worse. */
PTOG_API void ptog_report_junit(const struct ptog_checked *checked, size_t count, enum ptog_severity fails,
                                const struct ptog_sink *sink);

/* Where something is documented, as people know the documents: of "002 Mode Resolution; 002 Layout Support", "MGATHER
 * manual, Mode Resolution; Layout Support". */
PTOG_API void ptog_report_documented(const char *seed, const struct ptog_sink *sink);

/* One line per kind of fault: "error: 3 elements ..., first at (0,2), index 7, capacity 4 [gm-out-of-bounds]". */
PTOG_API void ptog_report_fault(const struct ptog_fault *fault, const struct ptog_sink *sink);

#endif
