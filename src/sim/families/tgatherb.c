/* sim: TGATHERB.   V copies blocks of 32 bytes, in the order of the target's library; one outside src comes from
 * wherever in UB it is. */
#include "model/families/tgatherb.h"

#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/tile_bytes.h"

/* Copies a 32-byte block for each offset, wherever that leads in UB, and logs the offsets, the blocks and dst. */
static enum ptog_status tgatherb_phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_tile_bytes bytes = ptog_sim_bytes(sim);
    int64_t count = ptog_tgatherb_count(sim->known);
    (void)number;
    for (int64_t i = 0; i < count; i++) {
        struct ptog_block_lane lane;
        ptog_tgatherb_lane(sim->known, i, &lane);
        ptog_tgatherb_offset(sim->known, &bytes, &lane);
        ptog_sim_log_bytes(sim, PTOG_READS, PTOG_TGATHERB_OFFSET, lane.offset_at * 4, 4);
        ptog_sim_log_bytes(sim, PTOG_READS, PTOG_TGATHERB_SRC, (int64_t)lane.offset, lane.bytes);
        ptog_sim_log_bytes(sim, PTOG_WRITES, PTOG_TGATHERB_DST, lane.to, lane.bytes);
        ptog_tgatherb_copy(sim->known, &bytes, &lane);
    }
    if (sim->log)
        sim->log->lanes = (uint64_t)count * 8;
    return PTOG_OK;
}

/* Cycles of tgatherb: vector instructions over its lanes. */
static double tgatherb_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                            const struct ptog_log *log)
{
    (void)number, (void)known;
    return ptog_cost_vector(costs, log->lanes, PTOG_U32);
}

/* Other offsets: any byte of src. */
static void tgatherb_possible(const struct ptog_sim *sim)
{
    const struct ptog_tile *src = &sim->known->insn.of[PTOG_TGATHERB_SRC].tile;
    ptog_sim_log_part(sim, PTOG_READS, PTOG_TGATHERB_SRC, src->rows, src->cols);
}

const struct ptog_sim_family ptog_sim_tgatherb = {tgatherb_phase, tgatherb_cost, NULL, tgatherb_possible};
