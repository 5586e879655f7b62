/* sim: sorts.   V sorts each 32 columns of a row; a row that ends in the middle of them is first copied to tmp, whole
 * or its last group, and filled up there. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/families/sorts.h"

#include "model/dtype.h"
#include "model/fault.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/merges.h"
#include "sim/insn.h"

/* The address of an element in UB. */
static uint64_t place_in(const struct ptog_tile *tile, int64_t r, int64_t c)
{
    return tile->addr + (uint64_t)ptog_tile_offset(tile, r, c) * ptog_dtype_size(tile->dtype);
}

/* Reads an element of the source from UB into *bits. True. */
static bool get_number(const void *where, int64_t r, int64_t c, uint64_t *bits)
{
    const struct ptog_sim *sim = where;
    const struct ptog_tile *src = &sim->known->insn.of[PTOG_SORT_SRC].tile;
    *bits = 0;
    ptog_ub_get(sim->memory, place_in(src, r, c), ptog_dtype_size(src->dtype), bits);
    return true;
}

/* Reads the index that belongs to an element from UB into *bits. True. */
static bool get_pair_index(const void *where, int64_t r, int64_t c, uint64_t *bits)
{
    const struct ptog_sim *sim = where;
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *idx = &insn->of[PTOG_SORT_IDX].tile;
    ptog_ub_get(sim->memory, place_in(idx, ptog_sort32_index_row(insn, r), c), 4, bits);
    return true;
}

/* Reads number and index of a pair again, so that a tracer sees where the bytes of dst come from. */
static void put_pair(const struct ptog_sim *sim, const struct ptog_sort32 *s, int64_t r, int64_t c,
                     const struct ptog_pair *pair)
{
    const struct ptog_tile *dst = &sim->known->insn.of[PTOG_SORT_DST].tile;
    uint64_t bits;
    for (int64_t e = 0; e < s->pair; e++) {
        bool is_index = e >= s->pair / 2;
        ptog_ub_makes_constant(sim->memory);
        if (is_index)
            get_pair_index(sim, r, pair->column, &bits);
        else if (e == 0 && pair->column < s->cols)
            get_number(sim, r, pair->column, &bits);
        ptog_ub_put(sim->memory, place_in(dst, r, c + e), ptog_dtype_size(s->dtype),
                    ptog_pair_element(s->dtype, pair, e));
    }
}

/* Sorts one group of 32 numbers with their indices, writes the pairs into dst, and notes those that are NaN. */
static void sort_group(const struct ptog_sim *sim, const struct ptog_sort32 *s, int64_t r, int64_t g)
{
    const struct ptog_pair_source source = {get_number, get_pair_index, sim};
    struct ptog_pair pairs[PTOG_SORT_GROUP];
    bool readable;
    int count = ptog_sort32_group(s, &source, r, g, pairs, &readable);
    for (int k = 0; k < count; k++) {
        int64_t at = ptog_sort32_place(s, g, k);
        put_pair(sim, s, r, at, &pairs[k]);
        if (sim->log && pairs[k].column < s->cols && ptog_pair_is_nan(s->dtype, &pairs[k]))
            ptog_fault_note(&sim->log->fault, PTOG_FAULT_SORT_NAN, 1, r, at, (uint64_t)pairs[k].column);
    }
}

/* Fills the part of tmp that the target's library uses with bytes that nobody may rely on, and logs the write. */
static void lose_tmp(const struct ptog_sim *sim, const struct ptog_sort32 *s)
{
    const struct ptog_tile *tmp = &sim->known->insn.of[PTOG_SORT_TMP].tile;
    int64_t bytes = ptog_sort32_tmp(sim->known->target, s->dtype, s->cols) * (int64_t)ptog_dtype_size(s->dtype);
    struct ptog_tile part = ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, bytes), tmp->addr);
    if (bytes == 0)
        return;
    ptog_ub_fill(sim->memory, part.addr, PTOG_NO_BYTES, (uint64_t)bytes);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TMP), &part, 1, bytes);
}

/* Performs tsort32, or tmrgsort: reads numbers and indices, writes sorted pairs into dst, and logs the accesses. */
static enum ptog_status sorts_phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_insn *insn = &sim->known->insn;
    struct ptog_sort32 s;
    (void)number;
    if (insn->opcode == PTOG_TMRGSORT)
        return ptog_sim_merge(sim);
    ptog_sort32_start(&s, sim->known);
    int64_t index_rows = ptog_sort32_index_row(insn, s.rows - 1) + 1, width = s.groups * PTOG_SORT_GROUP;
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC), &insn->of[PTOG_SORT_SRC].tile, s.rows,
                    s.cols);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_IDX), &insn->of[PTOG_SORT_IDX].tile, index_rows,
                    width);
    lose_tmp(sim, &s);
    for (int64_t r = 0; r < s.rows; r++)
        for (int64_t g = 0; g < s.groups; g++)
            sort_group(sim, &s, r, g);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), &insn->of[PTOG_SORT_DST].tile, s.rows,
                    width * s.pair);
    if (sim->log)
        sim->log->lanes = (uint64_t)(s.rows * width);
    return PTOG_OK;
}

/* Cycles of a sort or merge: vector instructions over its lanes. */
static double sorts_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                         const struct ptog_log *log)
{
    (void)number;
    return ptog_cost_vector(costs, log->lanes, known->insn.of[PTOG_SORT_DST].tile.dtype);
}

const struct ptog_sim_family ptog_sim_sorts = {sorts_phase, sorts_cost, NULL, NULL};
