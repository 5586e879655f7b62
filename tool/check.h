/* tool: what the files of ptog check share. */
#ifndef TOOL_CHECK_H
#define TOOL_CHECK_H

#include "tool.h"

struct check_request {
    const char *target_text, *jobs_text; /* as given; NULL: not */
    const struct ptog_target *target;    /* NULL: each program's own, or a2a3 and a5 */
    size_t jobs;                         /* 0: one per processor */
    bool strict, aicore;
    struct tool_telling telling;
    struct tool_paths paths;
};

/* ptog check --target all. Returns an enum tool_exit. */
int tool_check_all(const struct check_request *request);

/* Prints the line that ends a report about several programs, unless --quiet was given. */
void check_summarize(const struct check_request *request, const struct tool_totals *totals);

#endif
