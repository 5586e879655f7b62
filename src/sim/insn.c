/* sim: which file of sim/families runs which family. */
#include "sim/insn.h"

/* The functions of the family that an instruction belongs to; never NULL. */
const struct ptog_sim_family *ptog_sim_family_of(const struct ptog_known_insn *known)
{
    static const struct ptog_sim_family *const families[PTOG_FAMILIES] = {
#define FAMILY(NAME, name) [PTOG_FAMILY_##NAME] = &ptog_sim_##name,
#include <ptog/spec/forms.def>
    };
    return families[ptog_insn_family(&known->insn)];
}

enum ptog_status ptog_sim_phase(const struct ptog_sim *sim, int phase)
{
    if (sim->log)
        sim->log->phase = (uint8_t)phase;
    return ptog_sim_family_of(sim->known)->phase(sim, phase);
}
