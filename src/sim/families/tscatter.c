/* sim: TSCATTER.   A2/A3: V writes zeros, then S writes element by element, or V row by row; A5: V does it all */
#include "model/families/tscatter.h"

#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/tile_bytes.h"

/* Logs the reads of the source and, in the form by index, of the indices. */
static void log_sources(const struct ptog_sim *sim)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *src = &insn->of[PTOG_TSCATTER_SRC].tile, *over = src;
    if (sim->known->form == PTOG_FORM_SCATTER_INDEX) {
        over = &insn->of[PTOG_TSCATTER_IDX].tile;
        ptog_sim_log_part(sim, PTOG_READS, PTOG_TSCATTER_IDX, over->valid_row, over->valid_col);
    }
    ptog_sim_log_part(sim, PTOG_READS, PTOG_TSCATTER_SRC, over->valid_row, over->valid_col);
    if (sim->log)
        sim->log->lanes = (uint64_t)(over->valid_row * over->valid_col);
}

/* Where lane (i, j) goes, in elements of dst. */
static int64_t place_of(const struct ptog_sim *sim, int64_t i, int64_t j)
{
    const struct ptog_tile *idx = &sim->known->insn.of[PTOG_TSCATTER_IDX].tile;
    int64_t to, from;
    uint64_t bits = 0;
    bool wraps;
    if (sim->known->form == PTOG_FORM_SCATTER_INDEX) {
        size_t wide = ptog_dtype_size(idx->dtype);
        ptog_ub_get(sim->memory, idx->addr + (uint64_t)ptog_tile_offset(idx, i, j) * wide, wide, &bits);
        return ptog_tscatter_index(sim->known, bits);
    }
    ptog_tscatter_places(sim->known, i, j, &to, &from, &wraps);
    return to;
}

/* Logs the elements that are written; those inside dst only where no phase has logged all of it. */
static void log_elements(const struct ptog_sim *sim, bool inside_too)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *dst = &insn->of[PTOG_TSCATTER_DST].tile;
    bool by_index = sim->known->form == PTOG_FORM_SCATTER_INDEX;
    const struct ptog_tile *over = &insn->of[by_index ? PTOG_TSCATTER_IDX : PTOG_TSCATTER_SRC].tile;
    int64_t size = (int64_t)ptog_dtype_size(dst->dtype), elements = dst->rows * dst->cols;
    for (int64_t i = 0; sim->log && i < over->valid_row; i++)
        for (int64_t j = 0; j < over->valid_col; j++) {
            int64_t to = place_of(sim, i, j);
            if (inside_too || to < 0 || to >= elements)
                ptog_sim_log_bytes(sim, PTOG_WRITES, PTOG_TSCATTER_DST, to * size, size);
        }
}

/* Fills dst with zeros where the target's library does that first. */
static void write_zeros(const struct ptog_sim *sim)
{
    const struct ptog_tile *dst = &sim->known->insn.of[PTOG_TSCATTER_DST].tile;
    if (ptog_tscatter_zeroed(sim->known) == PTOG_ZEROED_NOTHING)
        return;
    ptog_ub_fill(sim->memory, dst->addr, 0, (uint64_t)ptog_tile_bytes(dst));
    ptog_sim_log_part(sim, PTOG_WRITES, PTOG_TSCATTER_DST, dst->rows, dst->cols);
}

/* One phase of tscatter: zeros first, where the target writes any, then all elements. Writes UB and the log. */
static enum ptog_status tscatter_phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_tile_bytes bytes = ptog_sim_bytes(sim);
    bool split = sim->known->effects->phase_count == 2;
    if (number == 0)
        write_zeros(sim);
    if (split && number == 0)
        return PTOG_OK;
    log_sources(sim);
    log_elements(sim, split || ptog_tscatter_zeroed(sim->known) == PTOG_ZEROED_NOTHING);
    return ptog_tscatter_walk(sim->known, &bytes);
}

/* Cycles of one phase of tscatter: scalar accesses, or vector instructions. */
static double tscatter_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                            const struct ptog_log *log)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_TSCATTER_DST].tile;
    if (known->effects->phases[number].pipe == PTOG_S)
        return 3 * (double)log->lanes * costs->ub_access;
    return ptog_cost_vector(costs, log->lanes + (uint64_t)(dst->rows * dst->cols), dst->dtype);
}

/* Other indices: any element of dst. */
static void tscatter_possible(const struct ptog_sim *sim)
{
    const struct ptog_tile *dst = &sim->known->insn.of[PTOG_TSCATTER_DST].tile;
    if (sim->known->form != PTOG_FORM_SCATTER_INDEX)
        return;
    sim->log->phase = (uint8_t)(sim->known->effects->phase_count - 1);
    ptog_sim_log_part(sim, PTOG_WRITES, PTOG_TSCATTER_DST, dst->rows, dst->cols);
}

const struct ptog_sim_family ptog_sim_tscatter = {tscatter_phase, tscatter_cost, NULL, tscatter_possible};
