/* sim: TGATHER on the machine: which file does the phase of which form, and what it costs. */
#include "sim/families/tgather.h"

#include "model/tgather.h"
#include "sim/cost.h"

/* One phase of tgather in its form: by index, by mask, or by comparison, which may be split in two. */
static enum ptog_status tgather_phase(const struct ptog_sim *sim, int number)
{
    bool split = sim->known->effects->phase_count == 2;
    if (sim->known->form == PTOG_FORM_INDEX)
        return ptog_sim_by_index(sim);
    if (sim->known->form == PTOG_FORM_MASK)
        return ptog_sim_by_mask(sim);
    return ptog_sim_by_compare(sim, !split || number == 0, !split || number == 1);
}

/* Cycles of a gather by index, where each step of lanes has a cost of its own. */
static double by_index(const struct ptog_costs *costs, const struct ptog_tile *dst)
{
    bool half = ptog_dtype_size(dst->dtype) == 2;
    int64_t per_step = half ? 128 : 64, steps = (dst->valid_col + per_step - 1) / per_step;
    return (double)dst->valid_row * ((half ? costs->b16_step : costs->b32_step) * (double)steps + costs->row);
}

/* Cycles of one phase of tgather on the pipe that it has there. */
static double tgather_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                           const struct ptog_log *log)
{
    const struct ptog_tile *dst = ptog_tgather_dst(&known->insn);
    if (known->form == PTOG_FORM_INDEX && costs->b32_step > 0)
        return by_index(costs, dst);
    if (known->effects->phases[number].pipe == PTOG_S)
        return (double)ptog_tgather_src(&known->insn)->valid_row * costs->ub_access;
    return ptog_cost_vector(costs, log->lanes, dst->dtype);
}

const struct ptog_sim_family ptog_sim_tgather = {tgather_phase, tgather_cost, ptog_sim_has_room,
                                                 ptog_sim_tgather_possible};
