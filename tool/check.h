/* tool: what the files of ptog check share. */
#ifndef TOOL_CHECK_H
#define TOOL_CHECK_H

#include "tool.h"

struct check_request {
    const char *target_text, *jobs_text; /* as given; NULL: not */
    const struct ptog_target *target;    /* NULL: each program's own, or host */
    size_t jobs;                         /* 0: one per processor */
    bool strict;
    struct tool_telling telling;
    struct tool_paths paths;
};

/* ptog check --target all. Returns an enum tool_exit. */
int tool_check_all(const struct check_request *request);

/* What the line that ends the search of a directory counts: programs, and what was found in them. */
struct check_totals {
    size_t clean, wrong, unread;
    size_t errors, warnings, notes;
};

/* Counts a program: what it came to, an enum tool_exit, and what was found, which may be NULL. */
void check_add(struct check_totals *totals, int result, const ptog_diags *diags);

/* Prints that line, when a directory was searched and --quiet was not given. */
void check_summarize(const struct check_request *request, const struct check_totals *totals);

#endif
