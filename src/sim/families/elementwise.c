/* sim: elementwise instructions.   V computes dst[r,c] = lane(src0[r,c], src1[r,c]) over the valid region of dst */
#include "model/elementwise.h"

#include "model/lane.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/insn.h"

static uint64_t place(const struct ptog_tile *tile, int64_t r, int64_t c)
{
    return tile->addr + (uint64_t)ptog_tile_offset(tile, r, c) * ptog_dtype_size(tile->dtype);
}

static void compute(const struct ptog_sim *sim, int64_t r, int64_t c)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *dst = ptog_elementwise_dst(insn);
    enum ptog_lane_id lane = (enum ptog_lane_id)ptog_insn_row(insn->opcode)->lane;
    size_t size = ptog_dtype_size(dst->dtype);
    uint64_t a, b;
    ptog_ub_get(sim->memory, place(ptog_elementwise_src(insn, 0), r, c), size, &a);
    ptog_ub_get(sim->memory, place(ptog_elementwise_src(insn, 1), r, c), size, &b);
    ptog_ub_put(sim->memory, place(dst, r, c), size, ptog_lane_compute(sim->known->target, lane, dst->dtype, a, b));
}

static enum ptog_status phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_tile *dst = ptog_elementwise_dst(&sim->known->insn);
    int64_t rows = dst->valid_row, cols = dst->valid_col;
    (void)number;
    for (int i = 0; i < 2; i++)
        ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, i == 0 ? PTOG_AT_SRC0 : PTOG_AT_SRC1),
                        ptog_elementwise_src(&sim->known->insn, i), rows, cols);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            compute(sim, r, c);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), dst, rows, cols);
    if (sim->log)
        sim->log->lanes = (uint64_t)(rows * cols);
    return PTOG_OK;
}

static double cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                   const struct ptog_log *log)
{
    (void)number;
    return ptog_cost_vector(costs, log->lanes, ptog_elementwise_dst(&known->insn)->dtype);
}

const struct ptog_sim_family ptog_sim_elementwise = {phase, cost, NULL, NULL};
