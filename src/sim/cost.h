/* sim: what things cost, in cycles: the figures of spec/costs.def for one target, with the caller's changes. */
#ifndef PTOG_SIM_COST_H
#define PTOG_SIM_COST_H

#include "sim/insn.h"

struct ptog_costs {
    const struct ptog_target *target;
    const struct ptog_cost *to_ub, *to_gm;
    double mhz, small_dma, b32_step, b16_step, row, vector, gm_load, ub_access, launch, transaction, set_flag, issue;
};

/* False when an override has no such name, or a number that is none. */
bool ptog_costs_open(struct ptog_costs *costs, const struct ptog_target *target,
                     const struct ptog_cost_override *overrides, size_t count);

/* Along a curve of {bytes, cycles}: flat before the first point, the last slope after the last. */
double ptog_cost_along(const struct ptog_cost *curve, double bytes);

/* Vector work on so many elements of a type. */
double ptog_cost_vector(const struct ptog_costs *costs, uint64_t lanes, enum ptog_dtype dtype);

/* One DMA of a Row gather. */
double ptog_cost_dma(const struct ptog_costs *costs, uint64_t bytes);

/* A phase of an instruction that ran with this log. */
double ptog_cost_phase(const struct ptog_costs *costs, const struct ptog_known_insn *known, int phase,
                       const struct ptog_log *log);

#endif
