/* sim: the forms of TGATHER. */
#ifndef PTOG_SIM_FAMILIES_TGATHER_H
#define PTOG_SIM_FAMILIES_TGATHER_H

#include "sim/insn.h"

enum ptog_status ptog_sim_by_index(const struct ptog_sim *sim);
enum ptog_status ptog_sim_by_mask(const struct ptog_sim *sim);

/* `dst`, `cdst`: what this phase writes. */
enum ptog_status ptog_sim_by_compare(const struct ptog_sim *sim, bool dst, bool cdst);

/* What any of them could touch with other indices, or another source. */
void ptog_sim_tgather_possible(const struct ptog_sim *sim);

/* PTOG_NO_ROOM when a row has more matches than dst has columns. */
enum ptog_status ptog_sim_has_room(const struct ptog_known_insn *known, const struct ptog_memory *memory);

#endif
