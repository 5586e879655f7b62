/* sim: one element of a tile.   S loads it, or stores it */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/singles.h"

#include "model/dtype.h"
#include "sim/cost.h"
#include "sim/insn.h"

/* Performs tgetval or tsetval: reads one element into `*sim->value`, or writes one, and logs that access. */
static enum ptog_status singles_phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *tile = &insn->of[PTOG_SINGLE_TILE].tile;
    bool gets = insn->opcode == PTOG_TGETVAL;
    size_t size = ptog_dtype_size(tile->dtype);
    struct ptog_access access = ptog_sim_access(sim, gets ? PTOG_READS : PTOG_WRITES, gets ? PTOG_AT_SRC : PTOG_AT_DST);
    uint64_t bits = insn->of[PTOG_SINGLE_VALUE].bits;
    (void)number;
    access.at = tile->addr + (uint64_t)ptog_single_element(insn) * size;
    access.bytes = access.element = (uint8_t)size;
    if (gets)
        ptog_ub_get(sim->memory, access.at, size, &bits);
    else
        ptog_ub_put(sim->memory, access.at, size, bits);
    if (gets && sim->value)
        *sim->value = bits;
    ptog_log_add(sim->log, &access);
    return PTOG_OK;
}

/* Cycles of one scalar access. */
static double singles_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                           const struct ptog_log *log)
{
    (void)known, (void)number, (void)log;
    return costs->ub_access;
}

const struct ptog_sim_family ptog_sim_singles = {singles_phase, singles_cost, NULL, NULL};
