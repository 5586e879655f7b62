/* sim: TMRGSORT, of the sorts. */
#ifndef PTOG_SIM_FAMILIES_MERGES_H
#define PTOG_SIM_FAMILIES_MERGES_H

#include "sim/insn.h"

enum ptog_status ptog_sim_merge(const struct ptog_sim *sim);

#endif
