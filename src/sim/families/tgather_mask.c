/* sim: TGATHER by mask.   V moves the kept elements (axis row) or rows (axis col) of src, one after another, to dst */
#include "model/fault.h"
#include "model/tgather.h"
#include "sim/families/tgather.h"
#include "sim/lanes.h"

/* Bytes of UB: `count` elements of `size` bytes, `step` elements apart at `from`, one after the other at `to`. */
struct moved {
    uint64_t from, to, step, count;
    size_t size;
};

/* Copies elements inside UB, at once where all bytes are there and nobody traces them, else one by one. */
static void move_elements(struct ptog_memory *memory, struct moved m)
{
    uint64_t read = ((m.count - 1) * m.step + 1) * m.size, written = m.count * m.size, bits;
    if (m.count > 0 && !memory->tracer && ptog_ub_cut(memory, m.from, read) == read &&
        ptog_ub_cut(memory, m.to, written) == written) {
        const struct ptog_sim_lanes lanes = {.src = memory->ub + m.from, .dst = memory->ub + m.to, .count = m.count};
        ptog_lanes_move(&lanes, m.step, m.size);
        return;
    }
    for (uint64_t i = 0; i < m.count; i++) {
        ptog_ub_get(memory, m.from + i * m.step * m.size, m.size, &bits);
        ptog_ub_put(memory, m.to + i * m.size, m.size, bits);
    }
}

/* Copies `count` elements, `step` apart, from element `from` of src to element `to` of dst, and logs what it reads and
 * writes. */
static void sim_move_elements(const struct ptog_sim *sim, int64_t from, int64_t step, int64_t count, int64_t to)
{
    const struct ptog_insn *op = &sim->known->insn;
    size_t size = ptog_dtype_size(ptog_tgather_dst(op)->dtype);
    struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC);
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST);
    read.at = ptog_tgather_src(op)->addr + (uint64_t)from * size;
    write.at = ptog_tgather_dst(op)->addr + (uint64_t)to * size;
    ptog_ub_makes_bit(sim->memory, PTOG_WHOLE_ELEMENT);
    move_elements(sim->memory, (struct moved){read.at, write.at, (uint64_t)step, (uint64_t)count, size});
    read.element = (uint8_t)size;
    read.bytes = step == 1 ? (uint64_t)count * size : size;
    read.count = step == 1 ? 1 : (uint64_t)count;
    read.pitch = (uint64_t)step * size;
    write.bytes = (uint64_t)count * size;
    write.writes = true;
    ptog_log_add(sim->log, &read);
    ptog_log_add(sim->log, &write);
}

/* Moves whole rows that the pattern keeps, and logs both accesses of each. */
static void gather_kept_rows(const struct ptog_sim *sim, struct ptog_kept kept)
{
    const struct ptog_insn *op = &sim->known->insn;
    const struct ptog_tile *src = ptog_tgather_src(op);
    for (int64_t r = kept.first, k = 0; r < src->valid_row; r += kept.step, k++)
        sim_move_elements(sim, r * src->cols, 1, src->valid_col, k * ptog_tgather_dst(op)->cols);
}

/* Moves the kept elements of row `r` as far as they fit into dst, and logs both accesses. The others are reported and
 * not written: a device would write them over whatever lies there. */
static void gather_kept_of_row(const struct ptog_sim *sim, struct ptog_kept kept, const struct ptog_mask_rows *rows,
                               int64_t r)
{
    const struct ptog_tile *src = ptog_tgather_src(&sim->known->insn);
    int64_t to = r * rows->step, fits = ptog_mask_row_fits(rows, r), beyond = rows->kept - fits;
    if (fits > 0)
        sim_move_elements(sim, r * src->cols + kept.first, kept.step, fits, to);
    if (beyond > 0 && sim->log)
        ptog_fault_note(&sim->log->fault, PTOG_FAULT_TILE_OVERRUN, (uint64_t)beyond, r, kept.first + fits * kept.step,
                        (uint64_t)(to + fits));
}

/* Performs tgather with a pattern: copies the rows or the columns that it keeps to the front of dst, and logs both. */
enum ptog_status ptog_sim_by_mask(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tgather_pattern(op), &kept);
    if (sim->log)
        sim->log->lanes = (uint64_t)(ptog_tgather_src(op)->valid_row * ptog_tgather_src(op)->valid_col);
    if (ptog_tgather_axis(op) == PTOG_AXIS_COL) {
        gather_kept_rows(sim, kept);
        return PTOG_OK;
    }
    struct ptog_mask_rows rows = ptog_mask_rows_of(sim->known->target, op);
    for (int64_t r = 0; r < ptog_tgather_src(op)->valid_row; r++)
        gather_kept_of_row(sim, kept, &rows, r);
    return PTOG_OK;
}
