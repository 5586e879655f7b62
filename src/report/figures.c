/* report: the figures of a run, one to a line, as people read them. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <ptog/core.h>
#include <ptog/report.h>

#include "base/pick.h"

/* A part of a whole in percent; 0 of nothing. */
static double percent(double part, double whole)
{
    if (whole > 0)
        return 100 * part / whole;
    return 0;
}

/* A list that grows; PTOG_MAX_FIGURES are enough for all. */
struct figures {
    struct ptog_figure *list;
    size_t count;
};

__attribute__((format(printf, 3, 4))) static void add_figure(struct figures *figures, const char *name,
                                                             const char *format, ...)
{
    struct ptog_figure *figure = &figures->list[figures->count++];
    va_list arguments;
    va_start(arguments, format);
    figure->name = name;
    vsnprintf(figure->text, sizeof figure->text, format, arguments);
    va_end(arguments);
}

/* Adds how busy each pipe was. */
static void add_pipes(struct figures *figures, const struct ptog_stats *stats)
{
    char text[sizeof figures->list->text] = "";
    for (int pipe = 0; pipe < PTOG_PIPES; pipe++)
        if (pipe <= PTOG_MTE3 || stats->busy_cycles[pipe] > 0) /* the others are of a cube core */
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %.0f%%", ptog_when(pipe > 0, ", "),
                     ptog_pipe_name((enum ptog_pipe)pipe), percent(stats->busy_cycles[pipe], stats->core_cycles));
    add_figure(figures, "pipes busy", "%s%s", text,
               ptog_when(stats->core_cycles > stats->cycles, " of each core's time"));
}

/* Adds the launches and transactions of SIMT lanes, if there were any. */
static void add_simt(struct figures *figures, const struct ptog_stats *stats)
{
    if (stats->launches == 0)
        return;
    add_figure(figures, "SIMT", "%" PRIu64 " launches, %" PRIu64 " warps, %" PRIu64 " idle lanes", stats->launches,
               stats->warps, stats->idle_lanes);
    add_figure(figures, "transactions", "%" PRIu64 " of 128 bytes, %.0f%% of their bytes used, %" PRIu64 " hits",
               stats->transactions, percent((double)stats->transaction_bytes, 128 * (double)stats->transactions),
               stats->line_hits);
}

/* Fills `list` with the figures of a run, each a name and its words, and returns how many. */
size_t ptog_report_figures(const struct ptog_stats *stats, struct ptog_figure list[PTOG_MAX_FIGURES])
{
    struct figures figures = {list, 0};
    if (!stats || !list)
        return 0;
    add_figure(&figures, "time", "%.0f cycles, %.2f us at %.0f MHz", stats->cycles,
               stats->mhz > 0 ? stats->cycles / stats->mhz : 0, stats->mhz);
    add_figure(&figures, "instructions",
               "%" PRIu64 ", with %" PRIu64 " sets, %" PRIu64 " waits and %" PRIu64 " barriers", stats->instructions,
               stats->sets, stats->waits, stats->barriers);
    add_figure(&figures, "waiting", "%.0f cycles for flags", stats->wait_cycles);
    add_pipes(&figures, stats);
    add_figure(&figures, "transfers",
               "%" PRIu64 " DMAs, %" PRIu64 " bursts, %" PRIu64 " dropped; %" PRIu64 " of Row at once", stats->dmas,
               stats->bursts, stats->dropped_bursts, stats->most_outstanding);
    add_figure(&figures, "GM", "%" PRIu64 " bytes read, %" PRIu64 " written", stats->gm_read_bytes,
               stats->gm_write_bytes);
    add_figure(&figures, "scalar", "%" PRIu64 " loads, %" PRIu64 " stores", stats->scalar_loads, stats->scalar_stores);
    add_figure(&figures, "policies", "applied to %" PRIu64 " indices", stats->policy_steps);
    add_simt(&figures, stats);
    add_figure(&figures, "UB", "%" PRIu64 " bytes reached, %" PRIu64 " bytes static", stats->ub_top, stats->ub_static);
    return figures.count;
}
