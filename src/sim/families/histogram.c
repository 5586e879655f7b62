/* sim: THISTOGRAM.   V counts each row and writes its 256 bins */
#include "model/families/histogram.h"

#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/tile_bytes.h"

/* Counts the elements of each row into the 256 bins of dst, and logs reads and writes. Writes UB. */
static enum ptog_status histogram_phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_tile_bytes bytes = ptog_sim_bytes(sim);
    const struct ptog_tile *src = &sim->known->insn.of[PTOG_HISTOGRAM_SRC].tile;
    int64_t filters = ptog_histogram_filters(&sim->known->insn);
    (void)number;
    ptog_sim_log_part(sim, PTOG_READS, PTOG_HISTOGRAM_SRC, src->valid_row, src->valid_col);
    if (filters > 0)
        ptog_sim_log_part(sim, PTOG_READS, PTOG_HISTOGRAM_IDX, filters, 1);
    for (int64_t r = 0; r < src->valid_row; r++)
        ptog_histogram_row(sim->known, &bytes, r);
    ptog_sim_log_part(sim, PTOG_WRITES, PTOG_HISTOGRAM_DST, src->valid_row, PTOG_HISTOGRAM_BINS);
    if (sim->log)
        sim->log->lanes = (uint64_t)(src->valid_row * (src->valid_col + PTOG_HISTOGRAM_BINS));
    return PTOG_OK;
}

/* Cycles of a histogram: vector instructions over its lanes. */
static double histogram_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                             const struct ptog_log *log)
{
    (void)number;
    return ptog_cost_vector(costs, log->lanes, known->insn.of[PTOG_HISTOGRAM_SRC].tile.dtype);
}

const struct ptog_sim_family ptog_sim_thistogram = {histogram_phase, histogram_cost, NULL, NULL};
