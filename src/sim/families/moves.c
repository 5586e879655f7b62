/* sim: copies between tiles.   V, or S where spec/effects.def says so, does the pieces of a phase one after the other
 */
#include "model/moves.h"

#include "model/cube/memories.h"
#include "model/dtype.h"
#include "model/fault.h"
#include "model/target_quirks.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/cube.h"
#include "sim/insn.h"

/* The address of an element in the core's memory. */
static uint64_t tile_address(const struct ptog_tile *tile, int64_t offset)
{
    return tile->addr + (uint64_t)offset * ptog_dtype_size(tile->dtype);
}

/* An access of the instruction to an operand, without its bytes. */
static struct ptog_access access_of(const struct ptog_sim *sim, enum ptog_access_kind kind, int i)
{
    return ptog_sim_access(sim, kind, ptog_insn_row(sim->known->insn.opcode)->of[i].name);
}

/* ---- what is touched */

/* A rectangle of an operand. Columns of NZ that do not start a block are not next to each other: one at a time. */
static void log_rectangle(const struct ptog_sim *sim, struct ptog_access access, const struct ptog_tile *tile,
                          const struct ptog_piece *at)
{
    struct ptog_tile part = *tile;
    bool split = ptog_tile_order(tile) == PTOG_ORDER_NZ && at->col % ptog_c0(tile->dtype) != 0;
    if (!split) {
        part.addr = tile_address(tile, ptog_tile_offset(tile, at->row, at->col));
        ptog_log_region(sim->log, access, &part, at->rows, at->cols);
        return;
    }
    access.element = (uint8_t)ptog_dtype_size(tile->dtype);
    access.bytes = access.element;
    access.count = (uint64_t)at->rows;
    access.pitch = 32;
    for (int64_t c = 0; c < at->cols; c++) {
        access.at = tile_address(tile, ptog_tile_offset(tile, at->row, at->col + c));
        ptog_log_add(sim->log, &access);
    }
}

/* Logs the region that a copied piece is read from; a transposed one has rows and columns exchanged there. */
static void log_read(const struct ptog_sim *sim, const struct ptog_piece *piece)
{
    struct ptog_piece source = {
        .row = piece->from_row, .col = piece->from_col, .rows = piece->rows, .cols = piece->cols};
    if (piece->turned) {
        source.rows = piece->cols;
        source.cols = piece->rows;
    }
    if (piece->kind == PTOG_PIECE_COPIED)
        log_rectangle(sim, access_of(sim, PTOG_READS, piece->from), &sim->known->insn.of[piece->from].tile, &source);
}

/* Logs the region of dst that a piece writes; lost bytes count as padding. */
static void log_write(const struct ptog_sim *sim, const struct ptog_piece *piece)
{
    bool lost = piece->kind == PTOG_PIECE_LOST;
    log_rectangle(sim, access_of(sim, lost ? PTOG_WRITES_PADDING : PTOG_WRITES, PTOG_MOVE_DST),
                  &sim->known->insn.of[PTOG_MOVE_DST].tile, piece);
}

/* ---- what is done */

/* Writes element (r, c) of a piece into dst: a copy, a constant, or bytes that nobody may rely on. */
static void do_element(const struct ptog_sim *sim, const struct ptog_piece *piece, int64_t r, int64_t c)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *dst = &insn->of[PTOG_MOVE_DST].tile;
    size_t size = ptog_dtype_size(dst->dtype);
    uint64_t bits = piece->bits;
    if (piece->kind == PTOG_PIECE_COPIED)
        ptog_ub_get(sim->memory, tile_address(&insn->of[piece->from].tile, ptog_piece_origin(piece, insn, r, c)), size,
                    &bits);
    else
        ptog_ub_makes_constant(sim->memory);
    if (piece->kind == PTOG_PIECE_LOST)
        bits = UINT64_MAX / 255 * PTOG_NO_BYTES;
    ptog_ub_put(sim->memory, tile_address(dst, ptog_piece_place(piece, insn, r, c)), size, bits);
}

/* Performs the pieces of a move that belong to a phase, and logs what each reads and writes. */
static void do_pieces(const struct ptog_sim *sim, const struct ptog_pieces *move, int phase)
{
    for (int i = 0; i < move->count; i++) {
        const struct ptog_piece *piece = &move->of[i];
        if (piece->phase != phase)
            continue;
        log_read(sim, piece);
        for (int64_t r = 0; r < piece->rows; r++)
            for (int64_t c = 0; c < piece->cols; c++)
                do_element(sim, piece, r, c);
        log_write(sim, piece);
        if (sim->log)
            sim->log->lanes += (uint64_t)(piece->rows * piece->cols);
    }
}

/* ttrans: what the library keeps in tmp is its own business, the bytes are lost. */
static void lose_tmp(const struct ptog_sim *sim)
{
    const struct ptog_insn *insn = &sim->known->insn;
    struct ptog_tmp_use use;
    int at = ptog_insn_find(insn, PTOG_AT_TMP);
    if (at < 0 || !ptog_insn_has(insn, sim->known->form, at) || !ptog_quirk_tmp(sim->known->target, insn, &use))
        return;
    struct ptog_tile written = ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, use.lost), insn->of[at].tile.addr);
    ptog_ub_fill(sim->memory, written.addr, PTOG_NO_BYTES, (uint64_t)use.lost);
    ptog_log_region(sim->log, access_of(sim, PTOG_WRITES, at), &written, 1, use.lost);
}

/* ---- tconcatidx */

/* Reads how many elements of either source row r has, from the two tiles of counts. */
static void read_counts(const struct ptog_sim *sim, int64_t r, uint64_t counts[2])
{
    for (int i = 0; i < 2; i++) {
        const struct ptog_tile *idx = &sim->known->insn.of[PTOG_MOVE_IDX + i].tile;
        counts[i] = 0;
        ptog_ub_get(sim->memory, tile_address(idx, ptog_tile_offset(idx, r, 0)), ptog_dtype_size(idx->dtype),
                    &counts[i]);
    }
}

/* Logs the reads of both tiles of counts. */
static void log_counts(const struct ptog_sim *sim)
{
    int64_t rows = sim->known->insn.of[PTOG_MOVE_DST].tile.valid_row;
    for (int i = PTOG_MOVE_IDX; i <= PTOG_MOVE_IDX1; i++)
        ptog_log_region(sim->log, access_of(sim, PTOG_READS, i), &sim->known->insn.of[i].tile, rows, 1);
}

/* On A2/A3 S reads the counts, and V copies what they say. */
static void do_counted(const struct ptog_sim *sim, int phase)
{
    bool last = phase == sim->known->effects->phase_count - 1;
    if (phase == 0)
        log_counts(sim);
    for (int64_t r = 0; last && r < sim->known->insn.of[PTOG_MOVE_DST].tile.valid_row; r++) {
        struct ptog_pieces move;
        uint64_t counts[2];
        read_counts(sim, r, counts);
        if (!ptog_move_counted_row(&move, sim->known, r, counts) && sim->log)
            ptog_fault_note(&sim->log->fault, PTOG_FAULT_COUNT_ZERO, 1, r, 0, 0);
        do_pieces(sim, &move, 0);
    }
}

/* Whatever the counts are: all columns of both sources, and all valid ones of dst. */
static void possible(const struct ptog_sim *sim)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *dst = &insn->of[PTOG_MOVE_DST].tile;
    if (sim->known->form != PTOG_FORM_JOIN_COUNTED)
        return;
    sim->log->phase = (uint8_t)(sim->known->effects->phase_count - 1);
    for (int i = PTOG_MOVE_SRC; i <= PTOG_MOVE_SRC1; i++)
        ptog_log_region(sim->log, access_of(sim, PTOG_READS, i), &insn->of[i].tile, dst->valid_row,
                        insn->of[i].tile.cols);
    ptog_log_region(sim->log, access_of(sim, PTOG_WRITES, PTOG_MOVE_DST), dst, dst->valid_row, dst->valid_col);
}

/* ---- all of them */

/* Executes one phase of a move inside a core: between the memories of the cube core, with counts, or by pieces. Writes
 * the core's memory and the log. */
static enum ptog_status moves_phase(const struct ptog_sim *sim, int number)
{
    struct ptog_pieces move;
    if (sim->known->form == PTOG_FORM_TO_L0 || sim->known->form == PTOG_FORM_TO_SCALES)
        return ptog_sim_to_l0(sim);
    if (sim->known->form == PTOG_FORM_FROM_ACC || ptog_insn_sent(&sim->known->insn) >= 0)
        return ptog_sim_copy_out(sim);
    if (sim->log)
        sim->log->lanes = 0;
    if (sim->known->form == PTOG_FORM_JOIN_COUNTED) {
        do_counted(sim, number);
        return PTOG_OK;
    }
    if (number == 0)
        lose_tmp(sim);
    ptog_move_start(&move, sim->known);
    do_pieces(sim, &move, number);
    return PTOG_OK;
}

/* S loads and stores every element. */
static double moves_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                         const struct ptog_log *log)
{
    if (ptog_insn_uses_cube(&known->insn))
        return costs->cube_copy * (double)(ptog_tile_bytes(&known->insn.of[PTOG_MOVE_DST].tile) + 511) / 512;
    if (known->effects->phases[number].pipe == PTOG_S)
        return (double)(log->lanes + 1) * 2 * costs->ub_access;
    return ptog_cost_vector(costs, log->lanes, known->insn.of[PTOG_MOVE_DST].tile.dtype);
}

const struct ptog_sim_family ptog_sim_moves = {moves_phase, moves_cost, NULL, possible};
