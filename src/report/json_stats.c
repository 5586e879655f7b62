/* report: the figures of a run on the machine, as a JSON object. */
#include <stddef.h>

#include <ptog/core.h>
#include <ptog/target.h>

#include "report/json_writer.h"

/* What is counted, in the order of struct ptog_stats. */
static const struct {
    const char *name;
    size_t at;
} counts[] = {
#define COUNT(name)                                                                                                    \
    {                                                                                                                  \
#name, offsetof(struct ptog_stats, name)                                                                       \
    }
    COUNT(instructions),
    COUNT(sets),
    COUNT(waits),
    COUNT(barriers),
    COUNT(dmas),
    COUNT(bursts),
    COUNT(dropped_bursts),
    COUNT(gm_read_bytes),
    COUNT(gm_write_bytes),
    COUNT(scalar_loads),
    COUNT(scalar_stores),
    COUNT(launches),
    COUNT(warps),
    COUNT(idle_lanes),
    COUNT(transactions),
    COUNT(transaction_bytes),
    COUNT(ub_top),
    COUNT(ub_static),
    COUNT(line_hits),
    COUNT(policy_steps),
    COUNT(most_outstanding),
#undef COUNT
};

/* An estimate needs no fractions. */
static uint64_t whole(double cycles)
{
    if (cycles > 0)
        return (uint64_t)(cycles + 0.5);
    return 0;
}

/* Writes how long each pipe was busy. */
static void put_busy(struct ptog_json *json, const struct ptog_stats *stats)
{
    ptog_json_key(json, "busy_cycles");
    ptog_json_open(json, '{');
    for (int pipe = 0; pipe < PTOG_PIPES; pipe++)
        if (pipe <= PTOG_MTE3 || stats->busy_cycles[pipe] > 0) /* the others are of a cube core */
            ptog_json_number_of(json, ptog_pipe_name((enum ptog_pipe)pipe), whole(stats->busy_cycles[pipe]));
    ptog_json_close(json, '}');
}

/* Writes which document each cost of the target comes from. */
static void put_sources(struct ptog_json *json, const struct ptog_target *target)
{
    const struct ptog_cost *cost;
    ptog_json_key(json, "sources");
    ptog_json_open(json, '[');
    for (size_t i = 0; target && (cost = ptog_cost_at(i)) != NULL; i++) {
        if (!(cost->targets & target->as))
            continue;
        ptog_json_open(json, '{');
        ptog_json_string_of(json, "figure", cost->name);
        ptog_json_string_of(json, "source", cost->source);
        ptog_json_close(json, '}');
    }
    ptog_json_close(json, ']');
}

/* Writes the figures of a run as one object. */
void ptog_json_stats(struct ptog_json *json, const struct ptog_target *target, const struct ptog_stats *stats)
{
    ptog_json_open(json, '{');
    ptog_json_number_of(json, "cycles", whole(stats->cycles));
    ptog_json_number_of(json, "mhz", whole(stats->mhz));
    ptog_json_number_of(json, "wait_cycles", whole(stats->wait_cycles));
    put_busy(json, stats);
    ptog_json_number_of(json, "core_cycles", whole(stats->core_cycles));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        ptog_json_number_of(json, counts[i].name, *(const uint64_t *)((const char *)stats + counts[i].at));
    put_sources(json, target);
    ptog_json_close(json, '}');
}
