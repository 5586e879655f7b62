/* tool: how far work has come that takes longer than a second, on a terminal: one line on stderr, written over and
 * over, and gone at the end. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include <ptog/program.h>

struct tool_progress {
    bool wanted; /* stderr is a terminal, NO_COLOR is not set, and standard output is for people */
    bool shown;
    double start, last; /* seconds: of the work, and of what was shown last */
    const char *name;   /* of a program that runs */
    uint64_t stride;    /* operations between two looks at the clock, and when the last one was */
    double looked;
};

/* Of a clock that only goes on. */
double tool_seconds(void);

void tool_progress_start(struct tool_progress *progress);
void tool_progress_end(struct tool_progress *progress);

/* A bar: `done` of `all` units of so many bytes. */
void tool_progress_at(struct tool_progress *progress, uint64_t done, uint64_t all, uint64_t unit_bytes);

/* For a run of the program called `name`: the line of the loop it is in. Start it first. */
struct ptog_progress tool_progress_of_run(struct tool_progress *progress, const char *name);

#endif
