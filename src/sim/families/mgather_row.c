/* sim: MGATHER Row on A2/A3.   S reads idx[r] and issues one DMA per row (NZ: one multi-burst DMA per row and batch) */
#include "base/arith.h"
#include "base/pick.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "sim/families/gather.h"
#include "sim/families/mgather.h"

/* How many bytes into its buffer an element is; PTOG_NOWHERE where that cannot be said. */
static uint64_t bytes_at(const struct ptog_gather *g, bool known, uint64_t place)
{
    uint64_t at;
    if (!known || !ptog_mul_u64(place, g->size, &at) || !ptog_add_u64(at, g->offset, &at))
        return PTOG_NOWHERE;
    return at;
}

/* Appends the transfer of row r of an ND table, and notes what lies outside it. `zeros`: rows before it that S has
 * filled. False when out of memory. */
static bool row_nd(const struct ptog_gather *g, const struct ptog_lane_index *found, int64_t r, int64_t zeros)
{
    const struct ptog_insn *op = g->op;
    uint64_t place = 0, cols = (uint64_t)ptog_mgather_dst(op)->valid_col;
    bool known = ptog_mgather_row_place(g->sim->known->target, op, found->mapped, 0, &place);
    ptog_gather_judge(g, found, r, 0, cols, known ? ptog_gather_inside(g, place, cols) : 0);
    struct ptog_dma *dma = ptog_dma_next(g->sim->dmas);
    if (!dma)
        return false;
    *dma = (struct ptog_dma){.gm = bytes_at(g, known, place),
                             .ub = ptog_mgather_dst(op)->addr + (uint64_t)(r * ptog_mgather_dst(op)->cols) * g->size,
                             .bytes = cols * g->size,
                             .bursts = 1,
                             .buffer = g->buffer,
                             .drops = true,
                             .row = r,
                             .zeros = zeros};
    return true;
}

/* Appends the transfers of row r of an NZ table: every block is copied, whatever ValidCol says; only valid elements
 * are judged. False when out of memory. */
static bool row_nz(const struct ptog_gather *g, const struct ptog_lane_index *found, int64_t r)
{
    const struct ptog_insn *op = g->op;
    int64_t c0 = ptog_c0(ptog_mgather_dst(op)->dtype), blocks = ptog_mgather_table(op)->shape[1];
    for (int64_t batch = 0; batch < ptog_mgather_table(op)->shape[0]; batch++) {
        uint64_t place = 0;
        int64_t first = batch * blocks * c0;
        bool known = ptog_mgather_row_place(g->sim->known->target, op, found->mapped, first, &place);
        for (int64_t c = first; c < first + blocks * c0 && c < ptog_mgather_dst(op)->valid_col && g->sim->log;
             c += c0) {
            uint64_t at = 0, count = (uint64_t)ptog_min(ptog_mgather_dst(op)->valid_col - c, c0);
            bool here = ptog_mgather_row_place(g->sim->known->target, op, found->mapped, c, &at);
            ptog_gather_judge(g, found, r, c, count, here ? ptog_gather_inside(g, at, count) : 0);
        }
        struct ptog_dma *dma = ptog_dma_next(g->sim->dmas);
        if (!dma)
            return false;
        *dma = (struct ptog_dma){.gm = bytes_at(g, known, place),
                                 .ub = ptog_mgather_dst(op)->addr +
                                       (uint64_t)ptog_tile_offset(ptog_mgather_dst(op), r, first) * g->size,
                                 .bytes = 32,
                                 .bursts = (uint64_t)blocks,
                                 .gm_stride = (uint64_t)ptog_mgather_table(op)->stride[1] * g->size,
                                 .ub_stride = (uint64_t)ptog_mgather_dst(op)->rows * 32,
                                 .buffer = g->buffer,
                                 .drops = true,
                                 .row = r};
    }
    return true;
}

/* Fills row r of dst with zeros, and logs that and the scalar stores. */
static void zero_row(const struct ptog_gather *g, int64_t r)
{
    const struct ptog_tile *dst = ptog_mgather_dst(g->op);
    struct ptog_access access = ptog_sim_access(g->sim, PTOG_WRITES, PTOG_AT_DST);
    access.at = dst->addr + (uint64_t)(r * dst->cols) * g->size;
    access.bytes = (uint64_t)dst->valid_col * g->size;
    ptog_ub_fill(g->sim->memory, access.at, 0, access.bytes);
    ptog_log_add(g->sim->log, &access);
    if (g->sim->log) {
        g->sim->log->zeros++;
        g->sim->log->stats.scalar_stores += (uint64_t)dst->valid_col;
    }
}

/* First phase of a row gather on a2a3: reads the indices, writes zeros where an index is outside and the policy is
 * Zero, and appends a DMA for every other row to `sim->dmas`. PTOG_NO_MEMORY when that cannot grow. */
enum ptog_status ptog_sim_row_scalar(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    struct ptog_gather g = ptog_gather_of(sim);
    bool nz = ptog_mgather_table(op)->layout == PTOG_NZ;
    ptog_gather_begin(&g, ptog_mgather_dst(op)->valid_row, ptog_mgather_dst(op)->valid_col);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_IDX), ptog_mgather_idx(op),
                    ptog_mgather_idx(op)->valid_row, ptog_mgather_idx(op)->valid_col);
    if (nz && ptog_mgather_oob(op) == PTOG_OOB_ZERO) {
        ptog_ub_fill(sim->memory, ptog_mgather_dst(op)->addr, 0, (uint64_t)ptog_tile_bytes(ptog_mgather_dst(op)));
        ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), ptog_mgather_dst(op),
                        ptog_mgather_dst(op)->rows, ptog_mgather_dst(op)->cols);
        if (sim->log)
            sim->log->stats.scalar_stores += (uint64_t)(ptog_mgather_dst(op)->rows * ptog_mgather_dst(op)->cols);
    }
    for (int64_t r = 0, zeros = 0; r < ptog_mgather_dst(op)->valid_row; r++) {
        struct ptog_lane_index found = ptog_gather_index(&g, ptog_tile_list_offset(ptog_mgather_idx(op), r), r, 0);
        bool added = true;
        if (!found.zero)
            added = nz ? row_nz(&g, &found, r) : row_nd(&g, &found, r, zeros);
        else if (!nz)
            zero_row(&g, r);
        zeros += found.zero;
        if (!added)
            return PTOG_NO_MEMORY;
    }
    return PTOG_OK;
}

/* Second phase: performs the DMAs of the first one, in their order, and logs each. */
enum ptog_status ptog_sim_row_moves(const struct ptog_sim *sim)
{
    const struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_TABLE);
    const struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST);
    for (size_t i = 0; i < sim->dmas->count; i++) {
        const struct ptog_dma *dma = &sim->dmas->of[i];
        ptog_dma_move(dma, sim->memory);
        if (sim->log)
            ptog_dma_log(dma, sim->memory, sim->log, &read, &write);
    }
    return PTOG_OK;
}
