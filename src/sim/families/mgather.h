/* sim: the ways of MGATHER. */
#ifndef PTOG_SIM_FAMILIES_MGATHER_H
#define PTOG_SIM_FAMILIES_MGATHER_H

#include "sim/insn.h"

enum ptog_status ptog_sim_row_scalar(const struct ptog_sim *sim); /* A2/A3: indices, DMAs, zero rows */
enum ptog_status ptog_sim_row_moves(const struct ptog_sim *sim);  /* A2/A3: the DMAs */
enum ptog_status ptog_sim_row_simt(const struct ptog_sim *sim);
enum ptog_status ptog_sim_elem(const struct ptog_sim *sim);
enum ptog_status ptog_sim_gather_l1(const struct ptog_sim *sim, int number);

/* The cycles of a phase of an Elem gather into L1. */
double ptog_sim_gather_l1_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                               const struct ptog_log *log);

/* A SIMT launch of MGATHER or MSCATTER, in cycles. */
double ptog_sim_launch_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known,
                            const struct ptog_log *log);

/* What any of them could touch with other indices. */
void ptog_sim_mgather_possible(const struct ptog_sim *sim);

#endif
