/* sim: which file of sim/insns runs which phase. */
#include "sim/insn.h"

#include "model/target.h"

static enum ptog_status row_phase(const struct ptog_sim *sim, int phase)
{
    if (sim->insn->effects->simt)
        return ptog_sim_row_simt(sim);
    return phase == 0 ? ptog_sim_row_scalar(sim) : ptog_sim_row_moves(sim);
}

enum ptog_status ptog_sim_phase(const struct ptog_sim *sim, int phase)
{
    bool split = sim->insn->effects->phase_count == 2;
    if (sim->log)
        sim->log->phase = (uint8_t)phase;
    switch (sim->insn->form) {
    case PTOG_FORM_LOAD: return ptog_sim_load(sim);
    case PTOG_FORM_STORE: return ptog_sim_store(sim);
    case PTOG_FORM_ROW: return row_phase(sim, phase);
    case PTOG_FORM_ELEM: return ptog_sim_elem(sim);
    case PTOG_FORM_INDEX: return ptog_sim_by_index(sim);
    case PTOG_FORM_MASK: return ptog_sim_by_mask(sim);
    case PTOG_FORM_COMPARE: return ptog_sim_by_compare(sim, !split || phase == 0, !split || phase == 1);
    }
    return PTOG_BAD_ARGUMENT;
}
