/* tool: a progress bar, for work that takes longer than a second, on a terminal. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, isatty */
#include "gather.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define WIDTH 30
#define BETWEEN 0.1 /* seconds */

static double now(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void tool_progress_start(struct tool_progress *progress)
{
    const char *no_colour = getenv("NO_COLOR");
    *progress = (struct tool_progress){.wanted = isatty(STDERR_FILENO) && !(no_colour && no_colour[0])};
    progress->start = progress->last = now();
}

void tool_progress_at(struct tool_progress *progress, uint64_t done, uint64_t all, uint64_t unit_bytes)
{
    double time = progress->wanted ? now() : 0;
    if (!progress->wanted || time - progress->start < 1 || (progress->shown && time - progress->last < BETWEEN))
        return;
    progress->last = time;
    progress->shown = true;
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
        fprintf(stderr, "\r%*s\r", WIDTH + 40, "");
}
