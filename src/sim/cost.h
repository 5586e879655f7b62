/* sim: what things cost, in cycles: the figures of spec/costs.def for one target, with the caller's changes. */
#ifndef PTOG_SIM_COST_H
#define PTOG_SIM_COST_H

#include "sim/insn.h"

struct ptog_costs {
    const struct ptog_target *target;
    const struct ptog_cost *to_ub, *to_gm;
    double mhz, small_dma, b32_step, b16_step, row, vector, gm_load, ub_access, next_block, fill;
    double remap, select, outstanding, launch, transaction, idle_warp, line_hit, lines, set_flag, issue;
    double cube_start, cube_step, cube_copy;
};

/* False when an override has no such name, or a number that is none. */
bool ptog_costs_open(struct ptog_costs *costs, const struct ptog_target *target,
                     const struct ptog_cost_override *overrides, size_t count);

/* Along a curve of {bytes, cycles}: flat before the first point, the last slope after the last. */
double ptog_cost_along(const struct ptog_cost *curve, double bytes);

/* Vector work on so many elements of a type. */
double ptog_cost_vector(const struct ptog_costs *costs, uint64_t lanes, enum ptog_dtype dtype);

/* What a policy does to one index. */
double ptog_cost_policy(const struct ptog_costs *costs, enum ptog_oob oob);

/* How many lines of GM a core counts as read a short while ago. */
uint32_t ptog_cost_lines(const struct ptog_costs *costs);

/* One DMA of a Row gather. */
double ptog_cost_dma(const struct ptog_costs *costs, uint64_t bytes);

/* The loop of S that issues the DMAs of a Row gather: what it does before the first row, for each row, for each DMA,
 * and for each row that it fills with zeros instead. */
struct ptog_issuing {
    double began; /* when S began with it */
    double first, row, dma, zero;
};
struct ptog_issuing ptog_sim_issuing(const struct ptog_costs *costs, const struct ptog_known_insn *known);

/* A phase of an instruction that ran with this log. */
double ptog_cost_phase(const struct ptog_costs *costs, const struct ptog_known_insn *known, int phase,
                       const struct ptog_log *log);

#endif
