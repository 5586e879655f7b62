/* sim: what things cost, in cycles: the figures of spec/costs.def for a target, with the caller's overrides, and how
 * long phases and transfers take by them. */
#include "sim/cost.h"

#include <stddef.h>
#include <string.h>

#include "base/pick.h"

/* The single figures, by name; the clock and the curves differ between targets. */
static const struct {
    const char *name;
    size_t offset;
} figures[] = {
    {"clock-mhz-a2a3", offsetof(struct ptog_costs, mhz)},
    {"clock-mhz-a5", offsetof(struct ptog_costs, mhz)},
    {"small-dma", offsetof(struct ptog_costs, small_dma)},
    {"gather-b32-step", offsetof(struct ptog_costs, b32_step)},
    {"gather-b16-step", offsetof(struct ptog_costs, b16_step)},
    {"gather-row", offsetof(struct ptog_costs, row)},
    {"vector-step", offsetof(struct ptog_costs, vector)},
    {"scalar-gm-load", offsetof(struct ptog_costs, gm_load)},
    {"scalar-ub-access", offsetof(struct ptog_costs, ub_access)},
    {"scalar-next-block", offsetof(struct ptog_costs, next_block)},
    {"scalar-fill", offsetof(struct ptog_costs, fill)},
    {"oob-remap", offsetof(struct ptog_costs, remap)},
    {"oob-select", offsetof(struct ptog_costs, select)},
    {"outstanding-mte2", offsetof(struct ptog_costs, outstanding)},
    {"simt-launch", offsetof(struct ptog_costs, launch)},
    {"simt-transaction", offsetof(struct ptog_costs, transaction)},
    {"simt-idle-warp", offsetof(struct ptog_costs, idle_warp)},
    {"simt-line-hit", offsetof(struct ptog_costs, line_hit)},
    {"simt-lines", offsetof(struct ptog_costs, lines)},
    {"set-flag", offsetof(struct ptog_costs, set_flag)},
    {"issue", offsetof(struct ptog_costs, issue)},
    {"cube-start", offsetof(struct ptog_costs, cube_start)},
    {"cube-step", offsetof(struct ptog_costs, cube_step)},
    {"cube-copy", offsetof(struct ptog_costs, cube_copy)},
};

/* Where the figure of that name is in `costs`; NULL when there is none. */
static double *figure_named(struct ptog_costs *costs, const char *name)
{
    for (size_t i = 0; name && i < sizeof figures / sizeof figures[0]; i++)
        if (strcmp(figures[i].name, name) == 0)
            return (double *)(void *)((char *)costs + figures[i].offset);
    return NULL;
}

/* The row of costs.def with that name; NULL: there is none. */
static const struct ptog_cost *row_of(const char *name)
{
    const struct ptog_cost *row = NULL;
    for (size_t i = 0; name && (row = ptog_cost_at(i)) != NULL && strcmp(row->name, name) != 0;)
        i++;
    if (name)
        return row;
    return NULL;
}

/* Replaces a single figure of the costs. False: there is none of that name, or time cannot be counted with the number.
 * A figure of another target changes nothing. */
static bool override(struct ptog_costs *costs, const struct ptog_cost_override *with)
{
    const struct ptog_cost *row = row_of(with->name);
    double *single = figure_named(costs, with->name);
    if (!row || !single || !(with->cycles >= 0 && with->cycles <= PTOG_LATE))
        return false;
    if (row->targets & costs->target->as)
        *single = with->cycles;
    return single != &costs->mhz || with->cycles > 0;
}

/* Fills in the cycle costs of a target, with the caller's overrides. False: an override has no such name, or a number
 * that is none. */
bool ptog_costs_open(struct ptog_costs *costs, const struct ptog_target *target,
                     const struct ptog_cost_override *overrides, size_t count)
{
    const struct ptog_cost *row;
    *costs = (struct ptog_costs){.target = target};
    for (size_t i = 0; (row = ptog_cost_at(i)) != NULL; i++) {
        if (!(row->targets & target->as))
            continue;
        double *single = figure_named(costs, row->name);
        if (single)
            *single = row->cycles;
        else if (strncmp(row->name, "gm-to-ub", 8) == 0)
            costs->to_ub = row;
        else
            costs->to_gm = row;
    }
    for (size_t i = 0; i < count; i++)
        if (!overrides || overrides[i].reserved != 0 || !override(costs, &overrides[i]))
            return false;
    return true;
}

double ptog_cost_along(const struct ptog_cost *curve, double bytes)
{
    const double(*p)[2] = curve->points;
    size_t last = curve->point_count - 1, i = 0;
    if (bytes <= p[0][0])
        return p[0][1];
    while (i + 1 < last && bytes > p[i + 1][0])
        i++;
    return p[i][1] + (bytes - p[i][0]) * (p[i + 1][1] - p[i][1]) / (p[i + 1][0] - p[i][0]);
}

double ptog_cost_dma(const struct ptog_costs *costs, uint64_t bytes)
{
    double cycles = ptog_cost_along(costs->to_ub, (double)bytes);
    return ptog_max(cycles, costs->small_dma);
}

/* The cycles that applying an out-of-bounds policy to one index takes. */
double ptog_cost_policy(const struct ptog_costs *costs, enum ptog_oob oob)
{
    switch (oob) {
    case PTOG_OOB_CLAMP:
    case PTOG_OOB_WRAP: return costs->remap;
    case PTOG_OOB_ZERO: return costs->select;
    default: return 0;
    }
}

uint32_t ptog_cost_lines(const struct ptog_costs *costs)
{
    return (uint32_t)ptog_min(costs->lines, PTOG_MAX_LINES);
}

double ptog_cost_vector(const struct ptog_costs *costs, uint64_t lanes, enum ptog_dtype dtype)
{
    return costs->vector * (1 + (double)lanes * (double)ptog_dtype_size(dtype) / 256);
}

double ptog_cost_phase(const struct ptog_costs *costs, const struct ptog_known_insn *known, int phase,
                       const struct ptog_log *log)
{
    return ptog_sim_family_of(known)->cost(costs, known, phase, log);
}
