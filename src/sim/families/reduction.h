/* sim: what reductions share: the part of tmp that their library writes over. */
#ifndef PTOG_SIM_FAMILIES_REDUCTION_H
#define PTOG_SIM_FAMILIES_REDUCTION_H

#include "sim/insn.h"

/* What the library keeps in tmp is its own business: the bytes are lost, and the write is logged. */
void ptog_sim_use_tmp(const struct ptog_sim *sim);

/* An access of these bytes alone. */
void ptog_sim_log_tmp(const struct ptog_sim *sim, enum ptog_access_kind kind);

#endif
