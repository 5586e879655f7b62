/* sim: MGATHER: which way runs which phase, and what it costs. */
#include "sim/families/mgather.h"

#include "model/mgather.h"
#include "sim/cost.h"

static enum ptog_status phase(const struct ptog_sim *sim, int number)
{
    if (sim->known->form == PTOG_FORM_ELEM)
        return ptog_sim_elem(sim);
    if (sim->known->effects->simt)
        return ptog_sim_row_simt(sim);
    return number == 0 ? ptog_sim_row_scalar(sim) : ptog_sim_row_moves(sim);
}

static double cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                   const struct ptog_log *log)
{
    (void)number; /* the DMAs of the second phase have costs of their own */
    if (known->effects->simt)
        return costs->launch + costs->transaction * (double)log->stats.transactions;
    if (known->form == PTOG_FORM_ELEM)
        return (double)log->scalar_reads * (costs->gm_load + 2 * costs->ub_access);
    return (double)ptog_mgather_dst(&known->insn)->valid_row * (costs->ub_access + costs->issue);
}

const struct ptog_sim_family ptog_sim_mgather = {phase, cost, NULL, ptog_sim_mgather_could};
