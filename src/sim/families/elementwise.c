/* sim: elementwise instructions.   V, or S where spec/effects.def says so, computes dst[r,c] = lane(a, b) over the
 * valid region of dst */
#include "sim/families/elementwise.h"

#include "base/pick.h"
#include "model/fault.h"
#include "model/target_quirks.h"
#include "model/tile.h"
#include "sim/cost.h"

uint64_t ptog_sim_input(const struct ptog_sim *sim, const struct ptog_elementwise *e, int i, int64_t r, int64_t c)
{
    const struct ptog_operand *operand = &e->insn->of[i];
    const struct ptog_tile *tile = &operand->tile;
    struct ptog_spot from = ptog_elementwise_spot(e, i, r, c);
    uint64_t bits = operand->bits;
    if (operand->kind == PTOG_IS_TILE)
        ptog_ub_get(sim->memory, ptog_sim_place(tile, ptog_tile_offset(tile, from.r, from.c)),
                    ptog_elementwise_size(e, i), &bits);
    return ptog_elementwise_input(e->insn, i, bits);
}

/* Computes element (r, c) of dst from the inputs that exist there and writes it; a fault of the lane is noted in the
 * log. */
static void sim_compute(const struct ptog_sim *sim, const struct ptog_elementwise *e, int64_t r, int64_t c)
{
    uint64_t in[PTOG_LANE_INPUTS] = {0}, number;
    enum ptog_dtype dtype = e->dst->dtype;
    enum ptog_fault_kind kind;
    for (int i = 1; i <= e->inputs; i++)
        if (ptog_elementwise_has(e, i, r, c))
            in[i - 1] = ptog_sim_input(sim, e, i, r, c);
    if (e->reads_dst)
        in[2] = ptog_sim_input(sim, e, 0, r, c);
    if (sim->log && !ptog_ub_is_undefined(sim->memory) &&
        ptog_lane_faults(e->lane, dtype, in[0], in[1], &kind, &number))
        ptog_fault_note(&sim->log->fault, kind, 1, r, c, number);
    ptog_ub_put(sim->memory, ptog_sim_place(e->dst, ptog_elementwise_place(e, r, c)), ptog_dtype_size(dtype),
                ptog_elementwise_compute(e, in, r, c));
}

/* Elements past the valid columns, which are computed for the sake of pairs or blocks, count as defined. */
static void compute_row(const struct ptog_sim *sim, const struct ptog_elementwise *e, int64_t r)
{
    int64_t end = ptog_elementwise_cols(e, r), valid = ptog_min(end, e->dst->valid_col);
    for (int64_t c = 0; c < valid; c++)
        sim_compute(sim, e, r, c);
    ptog_ub_makes_bit(sim->memory, PTOG_NO_RESULT);
    for (int64_t c = valid; c < end; c++)
        sim_compute(sim, e, r, c);
    ptog_ub_makes_bit(sim->memory, PTOG_WHOLE_ELEMENT);
}

/* Sources are read where they are wanted: an element more, for the sake of pairs or blocks, decides nothing. */
static void log_read(const struct ptog_sim *sim, const struct ptog_elementwise *e, int i)
{
    const struct ptog_tile *tile = &e->insn->of[i].tile;
    int64_t rows = e->dst->valid_row, cols = e->dst->valid_col;
    if (e->insn->of[i].kind != PTOG_IS_TILE || e->rows == 0)
        return;
    if (i == e->broadcast.small && e->broadcast.spread == PTOG_SPREAD_COLUMN)
        cols = e->broadcast.period;
    if (i == e->broadcast.small && e->broadcast.spread == PTOG_SPREAD_ROW)
        rows = 1;
    if (e->partial) {
        rows = ptog_min(tile->valid_row, rows);
        cols = ptog_min(tile->valid_col, cols);
    }
    if (e->unpacks)
        cols = (cols + 1) / 2;
    if (e->packs) /* no half of a pair */
        cols = ptog_min(2 * cols, tile->valid_col / 2 * 2);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, ptog_insn_row(e->insn->opcode)->of[i].name), tile, rows,
                    cols);
}

/* Logs the part of dst that is written: a packed row, rows that are generated, or the computed rows and those that are
 * copied after them. */
static void log_writes(const struct ptog_sim *sim, const struct ptog_elementwise *e)
{
    const struct ptog_access access = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST);
    struct ptog_tile written = *e->dst;
    if (e->packed) {
        written.cols = e->rows * e->cols;
        ptog_log_region(sim->log, access, &written, 1, written.cols);
        return;
    }
    for (int64_t r = 0; e->generates && r < e->rows; r++) {
        written.addr = ptog_sim_place(e->dst, ptog_tile_offset(e->dst, r, 0));
        ptog_log_region(sim->log, access, &written, 1, ptog_elementwise_cols(e, r));
    }
    if (e->generates)
        return;
    int64_t computed = ptog_min(e->copied_from, e->rows);
    if (computed > 0)
        ptog_log_region(sim->log, access, &written, computed, e->cols);
    written.addr = ptog_sim_place(e->dst, ptog_tile_offset(e->dst, computed, 0));
    if (computed < e->rows)
        ptog_log_region(sim->log, access, &written, e->rows - computed, e->copied_cols);
}

/* Without a tmp, it may keep that in the target's scratch memory, whatever lies there: a source before it is read, and
 * dst after it was written. */
static void lose_scratch(const struct ptog_sim *sim)
{
    const struct ptog_insn *insn = &sim->known->insn;
    struct ptog_tmp_use use;
    int tmp = ptog_insn_find(insn, PTOG_AT_TMP);
    if (tmp < 0 || ptog_insn_has(insn, sim->known->form, tmp) || !ptog_quirk_uses_scratch(sim->known->target, insn) ||
        !ptog_quirk_tmp(sim->known->target, insn, &use))
        return;
    uint64_t at = sim->known->target->ub_scratch;
    struct ptog_tile written = ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, use.lost), at);
    if (!sim->memory->tracer) /* no element comes from there */
        ptog_ub_fill(sim->memory, at, PTOG_NO_BYTES, (uint64_t)use.lost);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_SCRATCHES, PTOG_AT_TMP), &written, 1, use.lost);
}

/* Rows of the small source that have more than one element, and not the same one everywhere. Undefined ones are
 * reported as such. */
static void note_blocks(const struct ptog_sim *sim, const struct ptog_elementwise *e)
{
    int64_t cols = ptog_broadcast_block(&e->broadcast, e->dst), small = e->broadcast.small;
    for (int64_t r = 0; sim->log && !sim->memory->tracer && r < e->rows; r++) {
        int64_t c = 1;
        while (c < cols && ptog_sim_input(sim, e, (int)small, r, c) == ptog_sim_input(sim, e, (int)small, r, 0))
            c++;
        if (c < cols)
            ptog_fault_note(&sim->log->fault, PTOG_FAULT_EXPAND_BLOCK, 1, r, c, (uint64_t)c);
    }
}

/* What the library keeps in tmp is its own business: the bytes are lost, and those behind a tmp that it leaves. */
static void lose_tmp(const struct ptog_sim *sim)
{
    const struct ptog_insn *insn = &sim->known->insn;
    struct ptog_tmp_use use;
    int at = ptog_insn_find(insn, PTOG_AT_TMP);
    if (at < 0 || !ptog_insn_has(insn, sim->known->form, at) || !ptog_quirk_tmp(sim->known->target, insn, &use))
        return;
    const struct ptog_tile *tmp = &insn->of[at].tile;
    struct ptog_tile written = ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, use.lost), tmp->addr);
    int64_t beyond = use.lost - ptog_tile_bytes(tmp), size = (int64_t)ptog_dtype_size(tmp->dtype);
    ptog_ub_fill(sim->memory, tmp->addr, PTOG_NO_BYTES, (uint64_t)use.lost);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TMP), &written, 1, use.lost);
    if (sim->log && beyond > 0)
        ptog_fault_note(&sim->log->fault, PTOG_FAULT_TILE_OVERRUN, (uint64_t)((beyond + size - 1) / size), tmp->rows, 0,
                        (uint64_t)(tmp->rows * tmp->cols));
}

/* A library that works in the place of a source leaves something else there. */
static void spoil(const struct ptog_sim *sim, const struct ptog_elementwise *e, int i)
{
    const struct ptog_tile *tile = &e->insn->of[i].tile;
    enum ptog_lane_id lane = ptog_quirk_spoils(e->target, e->insn, i);
    if (lane == PTOG_LANE_none || e->insn->of[i].kind != PTOG_IS_TILE)
        return;
    for (int64_t r = 0; r < e->rows; r++)
        for (int64_t c = 0; c < e->cols; c++)
            ptog_ub_put(sim->memory, ptog_sim_place(tile, ptog_tile_offset(tile, r, c)), ptog_dtype_size(tile->dtype),
                        ptog_lane_compute(e->target, lane, tile->dtype, ptog_sim_input(sim, e, i, r, c), 0, 0));
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, ptog_insn_row(e->insn->opcode)->of[i].name), tile,
                    e->rows, e->cols);
}

/* Logs the reads of all inputs, and of dst where the lane accumulates. */
static void read_inputs(const struct ptog_sim *sim, const struct ptog_elementwise *e)
{
    for (int i = 1; i <= e->inputs; i++)
        log_read(sim, e, i);
    if (e->reads_dst)
        log_read(sim, e, 0);
    note_blocks(sim, e);
}

/* Writes all of dst, by whole rows where that gives the same, then logs it and what the scratch tiles lose. */
static void write_dst(const struct ptog_sim *sim, const struct ptog_elementwise *e)
{
    bool done = ptog_sim_by_rows(sim, e);
    for (int64_t r = 0; !done && r < e->rows; r++)
        compute_row(sim, e, r);
    log_writes(sim, e);
    for (int i = 1; i <= e->inputs; i++)
        spoil(sim, e, i);
}

/* The row of the instruction says that a phase reads, or that it writes. */
static bool has_access(const struct ptog_phase *phase, bool writes)
{
    for (int i = 0; i < phase->count; i++)
        if (phase->effects[i].writes == writes)
            return true;
    return false;
}

/* Where an instruction has two phases, the first computes and the second corrects what it wrote, or the first reads and
 * the second writes. */
static enum ptog_status elementwise_phase(const struct ptog_sim *sim, int number)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_phase *row = &sim->known->effects->phases[number];
    struct ptog_elementwise e;
    ptog_elementwise_start(&e, sim->known,
                           insn->of[1].kind == PTOG_IS_TILE && insn->of[1].tile.addr == insn->of[0].tile.addr);
    lose_scratch(sim);
    if (has_access(row, false))
        read_inputs(sim, &e);
    if (number == 0)
        lose_tmp(sim);
    if (has_access(row, true))
        write_dst(sim, &e);
    lose_scratch(sim);
    if (sim->log) {
        sim->log->fault.index_signed = ptog_dtype_is_signed(e.dst->dtype);
        sim->log->lanes = (uint64_t)(has_access(row, true) ? e.rows * e.cols : e.rows);
    }
    return PTOG_OK;
}

/* Cycles of a phase: vector instructions, or every operand of every element where S does it. */
static double elementwise_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                               const struct ptog_log *log)
{
    if (known->effects->phases[number].pipe == PTOG_S) /* every operand of every element */
        return (double)log->lanes * known->insn.count * costs->ub_access;
    return ptog_cost_vector(costs, log->lanes, ptog_elementwise_dst(&known->insn)->dtype);
}

const struct ptog_sim_family ptog_sim_elementwise = {elementwise_phase, elementwise_cost, NULL, NULL};
