/* tool: how far work has come, on a terminal. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, isatty */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WIDTH 30
#define LINE 70     /* columns, of which the last ones are blank */
#define AFTER 1.0   /* seconds */
#define BETWEEN 0.1 /* seconds from one to the next */

double tool_seconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void tool_progress_start(struct tool_progress *progress)
{
    const char *no_colour = getenv("NO_COLOR");
    *progress = (struct tool_progress){.wanted = isatty(STDERR_FILENO) && !(no_colour && no_colour[0])};
    progress->start = progress->last = tool_seconds();
}

/* Whether it is time to show something. */
static bool is_due(struct tool_progress *progress, double time)
{
    if (time - progress->start < AFTER || (progress->shown && time - progress->last < BETWEEN))
        return false;
    progress->last = time;
    return progress->shown = true;
}

void tool_progress_at(struct tool_progress *progress, uint64_t done, uint64_t all, uint64_t unit_bytes)
{
    double time = progress->wanted ? tool_seconds() : 0;
    if (!progress->wanted || !is_due(progress, time))
        return;
    double share = all > 0 ? (double)done / (double)all : 1, spent = time - progress->start;
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < (int)(share * WIDTH) ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3d %%  %.2f GB/s  %.0f s left  ", bar, (int)(share * 100),
            (double)done * (double)unit_bytes / spent * 1e-9, share > 0 ? spent / share - spent : 0);
    fflush(stderr);
}

void tool_progress_end(struct tool_progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r%*s\r", LINE, "");
    progress->shown = false;
}

/* ---- a run */

/* Operations take from nanoseconds to milliseconds: the clock is looked at some hundred times in a second. */
static uint64_t next_stride(uint64_t stride, double since)
{
    if (since < 0.002)
        return stride < (uint64_t)1 << 30 ? stride * 2 : stride;
    if (since > 0.02)
        return stride / 4 + 1;
    return stride;
}

/* Shows how far a run is, now and then; returns after how many operations it wants to be called again. */
static uint64_t show_run(void *user, uint64_t done, uint64_t most, uint32_t line)
{
    struct tool_progress *progress = user;
    double time = tool_seconds();
    char text[LINE];
    progress->stride = next_stride(progress->stride, time - progress->looked);
    progress->looked = time;
    if (!is_due(progress, time))
        return progress->stride;
    snprintf(text, sizeof text, "%.24s:%" PRIu32 ": %" PRIu64 " of at most %" PRIu64 " operations", progress->name,
             line, done, most);
    fprintf(stderr, "\r%-*s\r", LINE, text);
    fflush(stderr);
    return progress->stride;
}

struct ptog_progress tool_progress_of_run(struct tool_progress *progress, const char *name)
{
    const char *slash = strrchr(name, '/');
    progress->name = slash ? slash + 1 : name;
    progress->stride = 1;
    progress->looked = progress->start;
    return (struct ptog_progress){.at = show_run, .user = progress};
}
