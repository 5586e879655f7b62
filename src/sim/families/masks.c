/* sim: instructions on masks.   V compares, and writes the mask in steps of its own; V selects. On A2/A3 S puts the
 * scalar of tsels into tmp first. */
#include "model/masks.h"

#include "model/dtype.h"
#include "model/fault.h"
#include "model/target_quirks.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/insn.h"

/* The bits of element (r, c) of an operand: read from UB, or the scalar itself. */
static uint64_t mask_element(const struct ptog_sim *sim, int i, int64_t r, int64_t c)
{
    const struct ptog_operand *operand = &sim->known->insn.of[i];
    size_t size = ptog_dtype_size(operand->tile.dtype);
    uint64_t bits = operand->bits;
    if (operand->kind == PTOG_IS_TILE)
        ptog_ub_get(sim->memory, operand->tile.addr + (uint64_t)ptog_tile_offset(&operand->tile, r, c) * size, size,
                    &bits);
    return bits;
}

/* An access of the instruction to an operand, without its bytes. */
static struct ptog_access access_of(const struct ptog_sim *sim, enum ptog_access_kind kind, int i)
{
    return ptog_sim_access(sim, kind, ptog_insn_row(sim->known->insn.opcode)->of[i].name);
}

/* Logs an access to part of an operand, if that is a tile. */
static void log_region(const struct ptog_sim *sim, enum ptog_access_kind kind, int i, int64_t rows, int64_t cols)
{
    if (sim->known->insn.of[i].kind == PTOG_IS_TILE)
        ptog_log_region(sim->log, access_of(sim, kind, i), &sim->known->insn.of[i].tile, rows, cols);
}

/* So many bytes of each row of a mask. */
static void log_mask(const struct ptog_sim *sim, enum ptog_access_kind kind, int i, int64_t rows, int64_t bytes)
{
    const struct ptog_tile *mask = &sim->known->insn.of[i].tile;
    int64_t pitch = mask->cols * (int64_t)ptog_dtype_size(mask->dtype);
    struct ptog_tile as_bytes = ptog_tile_at(ptog_tile_vec(PTOG_U8, mask->rows, pitch), mask->addr);
    if (bytes <= pitch) {
        ptog_log_region(sim->log, access_of(sim, kind, i), &as_bytes, rows, bytes);
    } else { /* rows that run into each other */
        as_bytes.cols = (rows - 1) * pitch + bytes;
        ptog_log_region(sim->log, access_of(sim, kind, i), &as_bytes, 1, as_bytes.cols);
    }
}

/* ---- comparisons */

/* What element (r, c) is compared with: of a tile in the place of the scalar it is the first element. */
static uint64_t other_element(const struct ptog_sim *sim, int64_t r, int64_t c)
{
    if (sim->known->form == PTOG_FORM_TO_MASK_BY_SCALAR)
        return mask_element(sim, 2, 0, 0);
    return mask_element(sim, 2, r, c);
}

/* Byte k of row r of the mask, eight comparisons. Tells a tracer which bit each of them makes. */
static uint8_t compare_byte(const struct ptog_sim *sim, const struct ptog_compare *c, int64_t r, int64_t k)
{
    unsigned byte = 0;
    for (int64_t col = 8 * k; col < 8 * k + 8 && col < c->bits; col++) {
        ptog_ub_makes_bit(sim->memory, col < c->cols ? (int)(col % 8) : PTOG_NO_RESULT);
        if (ptog_compare_bit(c, mask_element(sim, 1, r, col), other_element(sim, r, col)))
            byte |= 1u << (col % 8);
    }
    return (uint8_t)byte;
}

/* Performs tcmp and tcmps: writes the mask's bytes into dst, then inverts them where the target computes the opposite,
 * logs the accesses, and notes bytes that lie past the tile. */
static void sim_compare(const struct ptog_sim *sim)
{
    const struct ptog_tile *dst = &sim->known->insn.of[0].tile;
    struct ptog_compare c;
    ptog_compare_start(&c, sim->known);
    int64_t tile = ptog_tile_bytes(dst);
    for (int64_t r = 0; r < c.rows; r++)
        for (int64_t k = 0; k < c.bytes; k++) {
            int64_t place = ptog_compare_place(&c, dst, r, k);
            ptog_ub_put(sim->memory, dst->addr + (uint64_t)place, 1, compare_byte(sim, &c, r, k));
            if (sim->log && place >= tile)
                ptog_fault_note(&sim->log->fault, PTOG_FAULT_TILE_OVERRUN, 1, r, 8 * k, (uint64_t)place);
        }
    for (int64_t i = 0; i < c.inverted; i++) {
        uint64_t byte = 0;
        ptog_ub_makes_bit(sim->memory, i % c.pitch < c.bytes ? PTOG_EACH_BIT : PTOG_NO_RESULT);
        ptog_ub_get(sim->memory, dst->addr + (uint64_t)i, 1, &byte);
        ptog_ub_put(sim->memory, dst->addr + (uint64_t)i, 1, ~byte & 0xff);
    }
    log_region(sim, PTOG_READS, 1, c.rows, c.cols);
    if (sim->known->form == PTOG_FORM_TO_MASK_BY_SCALAR)
        log_region(sim, PTOG_READS, 2, 1, 1);
    else
        log_region(sim, PTOG_READS, 2, c.rows, c.cols);
    log_mask(sim, PTOG_WRITES, 0, c.rows, c.inverted > 0 && c.bytes < c.pitch ? c.pitch : c.bytes);
    if (sim->log)
        sim->log->lanes = (uint64_t)(c.rows * c.cols);
}

/* ---- selections */

/* Performs tsel and tsels: writes dst element by element from one source or the other, as the mask's bits say, and logs
 * the accesses. */
static void select(const struct ptog_sim *sim)
{
    const struct ptog_insn *insn = &sim->known->insn;
    const struct ptog_tile *dst = &insn->of[0].tile, *mask = &insn->of[PTOG_SELECT_MASK].tile;
    size_t size = ptog_dtype_size(dst->dtype);
    int other = ptog_select_other(insn);
    log_mask(sim, PTOG_READS, PTOG_SELECT_MASK, dst->valid_row, (dst->valid_col + 7) / 8);
    log_region(sim, PTOG_READS, PTOG_SELECT_A, dst->valid_row, dst->valid_col);
    log_region(sim, PTOG_READS, other, dst->valid_row, dst->valid_col);
    for (int64_t r = 0; r < dst->valid_row; r++)
        for (int64_t c = 0; c < dst->valid_col; c++) {
            struct ptog_mask_bit at = ptog_select_bit(sim->known, r, c);
            uint64_t byte = 0;
            ptog_ub_reads_bit(sim->memory, (int)at.bit);
            ptog_ub_get(sim->memory, mask->addr + (uint64_t)at.byte, 1, &byte);
            ptog_ub_reads_bit(sim->memory, PTOG_WHOLE_ELEMENT);
            ptog_ub_put(sim->memory, dst->addr + (uint64_t)ptog_tile_offset(dst, r, c) * size, size,
                        mask_element(sim, byte >> at.bit & 1 ? PTOG_SELECT_A : other, r, c));
        }
    log_region(sim, PTOG_WRITES, 0, dst->valid_row, dst->valid_col);
    if (sim->log)
        sim->log->lanes = (uint64_t)(dst->valid_row * dst->valid_col);
}

/* Overwrites the block of tmp in which the library keeps an address or the scalar, and logs that. Does nothing without a
 * tmp, or where the target's library uses none. */
static void use_tmp(const struct ptog_sim *sim)
{
    const struct ptog_insn *insn = &sim->known->insn;
    struct ptog_tmp_use use;
    int at = ptog_insn_find(insn, PTOG_AT_TMP);
    if (insn->of[at].tile.dtype == PTOG_DTYPE_NONE || !ptog_quirk_tmp(sim->known->target, insn, &use))
        return;
    struct ptog_tile block = ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, use.lost), insn->of[at].tile.addr);
    ptog_ub_fill(sim->memory, block.addr, PTOG_NO_BYTES, (uint64_t)use.lost);
    ptog_log_region(sim->log, access_of(sim, PTOG_WRITES, at), &block, 1, use.lost);
}

/* One phase of an instruction with masks: a comparison has one, a selection first uses up tmp and selects in its
 * last. */
static enum ptog_status masks_phase(const struct ptog_sim *sim, int number)
{
    if (sim->known->form == PTOG_FORM_TO_MASK || sim->known->form == PTOG_FORM_TO_MASK_BY_SCALAR) {
        sim_compare(sim);
        return PTOG_OK;
    }
    if (number == 0)
        use_tmp(sim);
    if (number == sim->known->effects->phase_count - 1)
        select(sim);
    return PTOG_OK;
}

/* Cycles of a phase: vector instructions, or one scalar access. */
static double masks_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                         const struct ptog_log *log)
{
    if (known->effects->phases[number].pipe == PTOG_S)
        return costs->ub_access;
    return ptog_cost_vector(costs, log->lanes, known->insn.of[1].tile.dtype);
}

const struct ptog_sim_family ptog_sim_masks = {masks_phase, masks_cost, NULL, NULL};
