/* sim: MGATHER: which way runs which phase, and what it costs. */
#include "sim/families/mgather.h"

#include "model/mgather.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/simt.h"

/* Executes one phase of mgather in the way of its target and form: by elements, as a SIMT launch, or first the scalar
 * loop over indices and then its DMAs. */
static enum ptog_status mgather_phase(const struct ptog_sim *sim, int number)
{
    if (sim->known->form == PTOG_FORM_GATHER_L1)
        return ptog_sim_gather_l1(sim, number);
    if (sim->known->form == PTOG_FORM_ELEM)
        return ptog_sim_elem(sim);
    if (sim->known->effects->simt)
        return ptog_sim_row_simt(sim);
    if (number == 0)
        return ptog_sim_row_scalar(sim);
    return ptog_sim_row_moves(sim);
}

/* How many 32-byte blocks hold so many elements. */
static int64_t blocks_of(int64_t elements, enum ptog_dtype dtype)
{
    return (elements * (int64_t)ptog_dtype_size(dtype) + 31) / 32;
}

/* The cycles of MGATHER Elem on S: it loads index and element, stores, and pays once more where a row goes on in
 * another block. A lane that Zero replaces loads nothing from global memory. */
static double elem_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, const struct ptog_log *log)
{
    const struct ptog_tile *dst = ptog_mgather_dst(&known->insn);
    double policy = ptog_cost_policy(costs, ptog_mgather_oob(&known->insn));
    double cycles =
        (double)(log->lanes - log->zeros) * costs->gm_load + (double)log->lanes * (2 * costs->ub_access + policy);
    if (ptog_tile_order(dst) != PTOG_ORDER_NZ)
        cycles += (double)(dst->valid_row * (blocks_of(dst->valid_col, dst->dtype) - 1)) * costs->next_block;
    return cycles;
}

/* Row and Elem of the same elements touch the same lines in the same order, Row in fewer transactions: it never costs
 * more than Elem, and less where a transaction of Row takes two elements. */
double ptog_sim_launch_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known,
                            const struct ptog_log *log)
{
    const struct ptog_stats *stats = &log->stats;
    double policy = ptog_cost_policy(costs, ptog_mgather_oob(&known->insn));
    return costs->launch + costs->idle_warp * (double)log->idle_warps + policy * (double)log->lanes / PTOG_WARP +
           costs->transaction * (double)(stats->transactions - stats->line_hits) +
           costs->line_hit * (double)stats->line_hits;
}

/* Cycles of the scalar loop of a row gather: before the first row, for each row, for a row of zeros and for each
 * DMA. */
struct ptog_issuing ptog_sim_issuing(const struct ptog_costs *costs, const struct ptog_known_insn *known)
{
    const struct ptog_tile *dst = ptog_mgather_dst(&known->insn);
    enum ptog_oob oob = ptog_mgather_oob(&known->insn);
    if (known->form == PTOG_FORM_GATHER_L1)
        return (struct ptog_issuing){.row = costs->gm_load + ptog_cost_policy(costs, oob), .dma = costs->issue};
    bool nz = ptog_mgather_table(&known->insn)->layout == PTOG_NZ, zero = oob == PTOG_OOB_ZERO;
    struct ptog_issuing loop = {.row = costs->ub_access + ptog_cost_policy(costs, oob), .dma = costs->issue};
    if (zero && nz)
        loop.first = costs->fill * (double)blocks_of(dst->rows * dst->cols, dst->dtype);
    else if (zero)
        loop.zero = costs->fill * (double)blocks_of(dst->valid_col, dst->dtype);
    return loop;
}

/* Cycles of one phase of mgather on its pipe, without the DMAs, which cost on their own. */
static double mgather_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                           const struct ptog_log *log)
{
    if (known->form == PTOG_FORM_GATHER_L1 && known->effects->flushes)
        return ptog_sim_gather_l1_cost(costs, known, number, log);
    /* the DMAs of the second phase have costs of their own */
    if (known->effects->simt)
        return ptog_sim_launch_cost(costs, known, log);
    if (known->form == PTOG_FORM_ELEM)
        return elem_cost(costs, known, log);
    struct ptog_issuing loop = ptog_sim_issuing(costs, known);
    return loop.first + (double)ptog_mgather_dst(&known->insn)->valid_row * loop.row +
           (double)log->stats.dmas * loop.dma + (double)log->zeros * loop.zero;
}

const struct ptog_sim_family ptog_sim_mgather = {mgather_phase, mgather_cost, NULL, ptog_sim_mgather_possible};
