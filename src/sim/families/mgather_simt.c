/* sim: MGATHER Row as a SIMT launch.   A warp owns rows, 32 lanes step along the columns: dst[r,j] = table[map(idx[r]),
 * j] */
#include "base/pick.h"
#include "model/tile.h"
#include "sim/families/gather.h"
#include "sim/families/mgather.h"
#include "sim/simt.h"

/* `inside` elements come from the buffer, the rest of the row is 0xAA, or all of it is zero. */
static void put_row(const struct ptog_gather *g, const struct ptog_lane_index *found, int64_t r, uint64_t place,
                    uint64_t inside)
{
    const struct ptog_tile *dst = ptog_mgather_dst(g->op);
    struct ptog_memory *memory = g->sim->memory;
    uint64_t cols = g->cols, from = g->offset + place * g->size;
    if (ptog_tile_order(dst) == PTOG_ORDER_ROW) {
        uint64_t to = dst->addr + (uint64_t)(r * dst->cols) * g->size, fits = ptog_ub_cut(memory, to, cols * g->size);
        uint64_t moved = ptog_min(inside * g->size, fits);
        if (moved > 0)
            ptog_gm_read(memory, g->buffer, from, memory->ub + to, moved);
        ptog_ub_fill(memory, to + moved, found->zero ? 0 : PTOG_NO_BYTES, fits - moved);
        return;
    }
    for (uint64_t c = 0; c < cols; c++) {
        uint64_t bits = found->zero ? 0 : UINT64_MAX / 255 * PTOG_NO_BYTES;
        if (c < inside) {
            bits = 0;
            ptog_gm_read(memory, g->buffer, from + c * g->size, &bits, g->size);
        }
        ptog_ub_put(memory, dst->addr + (uint64_t)ptog_tile_offset(dst, r, (int64_t)c) * g->size, g->size, bits);
    }
}

/* Gathers row `r`, of one index: moves its bytes, logs the read of the table with its transactions, and reports an
 * index or a product that is wrong. */
static void gather_row(const struct ptog_gather *g, int64_t r)
{
    const struct ptog_target *target = g->sim->known->target;
    struct ptog_log *log = g->sim->log;
    uint64_t place = 0, inside = 0, cols = g->cols;
    struct ptog_lane_index found = ptog_gather_index(g, ptog_mgather_index_offset(target, g->op, r, 0), r, 0);
    if (!found.zero) {
        bool known = ptog_mgather_row_place(target, g->op, found.mapped, 0, &place);
        inside = known ? ptog_gather_inside(g, place, cols) : 0;
        if (log && ptog_gather_wraps(g, found.mapped))
            ptog_fault_note(&log->fault, PTOG_FAULT_PRODUCT_OVERFLOW, 1, r, 0, found.index);
        ptog_gather_judge(g, &found, r, 0, cols, inside);
    }
    put_row(g, &found, r, place, inside);
    if (!log || inside == 0)
        return;
    struct ptog_access read = ptog_sim_access(g->sim, PTOG_READS, PTOG_AT_TABLE);
    read.at = g->offset + place * g->size;
    read.bytes = inside * g->size;
    if (log->gm_reads)
        ptog_log_add(log, &read);
    ptog_simt_run(log, &read, g->size);
}

/* Performs a row gather as a SIMT launch: writes the rows of dst, and logs indices, dst and the shape of the launch. */
enum ptog_status ptog_sim_row_simt(const struct ptog_sim *sim)
{
    const struct ptog_target *target = sim->known->target;
    const struct ptog_insn *op = &sim->known->insn;
    struct ptog_gather g = ptog_gather_of(sim);
    int64_t rows = ptog_mgather_rows(target, op), cols = ptog_mgather_cols(target, op);
    ptog_gather_begin(&g, rows, cols);
    if (sim->log && target->writes_padded) { /* the first column of the index tile, all of its rows */
        struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_IDX);
        ptog_log_region(sim->log, read, ptog_mgather_idx(op), rows, 1);
    } else {
        ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_IDX), ptog_mgather_idx(op),
                        ptog_mgather_idx(op)->valid_row, ptog_mgather_idx(op)->valid_col);
    }
    for (int64_t r = 0; r < rows; r++)
        gather_row(&g, r);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), ptog_mgather_dst(op), rows, cols);
    if (sim->log)
        ptog_simt_launch(sim->log, ptog_simt_row_shape(target->writes_padded, rows, cols));
    return PTOG_OK;
}
