/* sim: the tiles of an instruction in UB, for the walks of model/families, and what such a walk tells the log. */
#ifndef PTOG_SIM_TILE_BYTES_H
#define PTOG_SIM_TILE_BYTES_H

#include "model/families/tile_bytes.h"
#include "sim/insn.h"

struct ptog_tile_bytes ptog_sim_bytes(const struct ptog_sim *sim);

/* Logs `count` bytes of an operand from `at` on; what lies outside its tile as a walk past its end. */
void ptog_sim_log_bytes(const struct ptog_sim *sim, enum ptog_access_kind kind, int operand, int64_t at, int64_t count);

/* Logs rows x cols elements of an operand from its first one on. */
void ptog_sim_log_part(const struct ptog_sim *sim, enum ptog_access_kind kind, int operand, int64_t rows, int64_t cols);

#endif
