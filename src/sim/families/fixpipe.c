/* sim: what leaves L0C: a store of an accumulator to global memory, or a copy to L1 or to UB of vector cores, element by
 * element; and the way back, from UB to L1. */
#include "model/cube/fixpipe.h"

#include "model/cube/memories.h"
#include "model/cube/product.h"
#include "model/fault.h"
#include "model/moves.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "model/transfer.h"
#include "sim/families/cube.h"

/* The address of an element in the core's memory. */
static uint64_t address_of(const struct ptog_tile *tile, int64_t r, int64_t c)
{
    return tile->addr + (uint64_t)ptog_tile_offset(tile, r, c) * ptog_dtype_size(tile->dtype);
}

/* Element (r, c) of an accumulator as it leaves; `col` counts from the first column that does. */
static uint64_t leaving(const struct ptog_sim *sim, const struct ptog_fixpipe *f, const struct ptog_tile *acc,
                        int64_t r, int64_t c, int64_t col)
{
    uint64_t bits = 0, scale = 0;
    ptog_ub_get(sim->memory, address_of(acc, r, c), ptog_dtype_size(acc->dtype), &bits);
    if (f->scale >= 0 && f->per_column) {
        const struct ptog_tile *tile = &sim->known->insn.of[f->scale].tile;
        ptog_ub_get(sim->memory, tile->addr + ptog_scale_offset(col), sizeof scale, &scale);
    } else if (f->scale >= 0) {
        scale = sim->known->insn.of[f->scale].bits;
    }
    return ptog_fixpipe_convert(f, bits, scale);
}

/* Logs the reads of the scales, where there is one for each column. */
static void log_scale(const struct ptog_sim *sim, const struct ptog_fixpipe *f, int64_t cols)
{
    if (f->scale < 0 || !f->per_column)
        return;
    struct ptog_tile scales = sim->known->insn.of[f->scale].tile;
    scales.dtype = PTOG_U64;
    ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_QUANT), &scales, 1, cols);
}

/* ---- TSTORE */

/* Stores element (r, c) of the accumulator, converted, to global memory; outside of the buffer nothing is written, and
 * a fault is noted. */
static void store_element(const struct ptog_sim *sim, const struct ptog_fixpipe *f, int64_t r, int64_t c)
{
    const struct ptog_insn *op = &sim->known->insn;
    uint64_t size = ptog_dtype_size(ptog_transfer_view(op)->dtype),
             place = ptog_view_place(ptog_transfer_view(op), r, c);
    uint64_t at = ptog_sim_offset(sim) + place * size, memory = 0;
    uint64_t bits = leaving(sim, f, ptog_transfer_tile(op), r, c, c);
    if (ptog_gm_room(sim->memory, ptog_sim_buffer(sim), at) < size) {
        if (sim->log)
            ptog_fault_note(&sim->log->fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, 1, r, c, place);
        return;
    }
    ptog_gm_read(sim->memory, ptog_sim_buffer(sim), at, &memory, size);
    bits = ptog_fixpipe_stored(sim->known, memory, bits);
    ptog_gm_write(sim->memory, ptog_sim_buffer(sim), at, &bits, size);
}

/* Performs tstore of an accumulator: converts and writes its elements to global memory, and logs the reads of L0C and
 * of the scales, the write and its counts. */
enum ptog_status ptog_sim_store_acc(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    struct ptog_cube_region moved = ptog_loaded_region(op);
    struct ptog_fixpipe f = ptog_fixpipe_of(sim->known);
    for (int64_t r = 0; r < moved.rows; r++)
        for (int64_t c = 0; c < moved.cols; c++)
            store_element(sim, &f, r, c);
    if (!sim->log)
        return PTOG_OK;
    ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_TILE), ptog_transfer_tile(op), moved.rows,
                   moved.cols);
    log_scale(sim, &f, moved.cols);
    ptog_log_cube_view(sim, ptog_transfer_adds(op) ? PTOG_ADDS : PTOG_WRITES, moved);
    sim->log->stats.dmas++;
    sim->log->stats.bursts += (uint64_t)moved.rows;
    sim->log->stats.gm_write_bytes +=
        (uint64_t)(moved.rows * moved.cols) * ptog_dtype_size(ptog_transfer_view(op)->dtype);
    return PTOG_OK;
}

/* ---- TMOV, TEXTRACT and TINSERT to L1 and to UB */

/* One copy of an instruction: its rectangle, and the core that has the destination. */
struct sent_part {
    struct ptog_acc_copy copy;
    int peer; /* enum ptog_peer; -1: the core itself */
};

/* A rectangle of the destination from its (row, col) on. */
static void log_written(const struct ptog_sim *sim, enum ptog_access_kind kind, const struct sent_part *part, int64_t rows,
                        int64_t cols)
{
    struct ptog_tile window = sim->known->insn.of[PTOG_MOVE_DST].tile;
    struct ptog_access access = ptog_sim_access(sim, kind, PTOG_AT_DST);
    window.addr = address_of(&window, part->copy.row, part->copy.col);
    if (part->peer >= 0) {
        access.space = PTOG_IN_PEER;
        access.buffer = part->peer;
    }
    ptog_log_boxes(sim->log, access, &window, rows, cols);
}

/* Logs what a copy reads and writes. */
static void log_part(const struct ptog_sim *sim, const struct ptog_fixpipe *f, const struct sent_part *part)
{
    const struct ptog_acc_copy *copy = &part->copy;
    struct ptog_tile window = sim->known->insn.of[PTOG_MOVE_SRC].tile;
    window.addr = address_of(&window, copy->from_row, copy->from_col);
    ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC), &window, copy->rows, copy->cols);
    log_scale(sim, f, copy->cols);
    if (copy->written_rows > copy->rows || copy->written_cols > copy->cols)
        log_written(sim, PTOG_WRITES_PADDING, part, copy->written_rows, copy->written_cols);
    log_written(sim, PTOG_WRITES, part, copy->rows, copy->cols);
}

/* The memory that a copy writes; NULL: there is no such core. */
static struct ptog_memory *destination_of(const struct ptog_sim *sim, int peer)
{
    if (peer < 0)
        return sim->memory;
    if (sim->peers)
        return sim->peers[peer];
    return NULL;
}

/* What is written beside the valid elements is nobody's. */
static void write_part(const struct ptog_sim *sim, const struct ptog_fixpipe *f, const struct sent_part *part)
{
    const struct ptog_tile *dst = &sim->known->insn.of[PTOG_MOVE_DST].tile,
                           *src = &sim->known->insn.of[PTOG_MOVE_SRC].tile;
    const struct ptog_acc_copy *copy = &part->copy;
    struct ptog_memory *to = destination_of(sim, part->peer);
    size_t size = ptog_dtype_size(dst->dtype);
    for (int64_t r = 0; to && r < copy->written_rows; r++)
        for (int64_t c = 0; c < copy->written_cols; c++) {
            uint64_t at = address_of(dst, copy->row + r, copy->col + c);
            if (r < copy->rows && c < copy->cols)
                ptog_ub_put(to, at, size, leaving(sim, f, src, copy->from_row + r, copy->from_col + c, c));
            else
                ptog_ub_fill(to, at, PTOG_NO_BYTES, size);
        }
}

/* Performs a copy out of an accumulator, or from UB to L1, and logs it. */
enum ptog_status ptog_sim_copy_out(const struct ptog_sim *sim)
{
    const struct ptog_insn *insn = &sim->known->insn;
    struct ptog_fixpipe f = ptog_fixpipe_of(sim->known);
    for (int i = 0; i < ptog_acc_parts(insn); i++) {
        struct sent_part part = {ptog_acc_copy_of(sim->known, i), ptog_insn_sent(insn) >= 0 ? ptog_acc_peer(insn, i) : -1};
        write_part(sim, &f, &part);
        if (sim->log)
            log_part(sim, &f, &part);
    }
    return PTOG_OK;
}
