/* sim: TGATHER by index, as the machine does it. V reads UB at src + (idx * size mod 2^32) for each lane, wherever that
 * is: inside src or not. A2/A3 first writes the byte offsets to tmp, or without one to dst. */
#include "model/fault.h"
#include "model/tgather.h"
#include "sim/families/tgather.h"
#include "sim/lanes.h"

/* The index of lane (r, c), read from UB. */
static uint64_t index_at(const struct ptog_sim *sim, int64_t r, int64_t c)
{
    const struct ptog_tile *idx = ptog_tgather_idx(&sim->known->insn);
    size_t size = ptog_dtype_size(idx->dtype);
    uint64_t bits;
    ptog_ub_get(sim->memory, idx->addr + (uint64_t)ptog_tile_offset(idx, r, c) * size, size, &bits);
    if (size == 2)
        return (uint16_t)bits;
    return (uint32_t)bits;
}

/* 2-byte data on A2/A3: the byte offsets go to tmp, walked with dst's row stride whatever tmp's shape is. */
static void walk_tmp(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    uint64_t tile = (uint64_t)ptog_tile_bytes(ptog_tgather_tmp(op));
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TMP);
    write.bytes = 4;
    for (int64_t r = 0; r < ptog_tgather_dst(op)->valid_row; r++)
        for (int64_t c = 0; c < ptog_tgather_dst(op)->valid_col; c++) {
            uint64_t at = (uint64_t)(r * ptog_tgather_dst(op)->cols + c) * 4;
            ptog_ub_put(sim->memory, ptog_tgather_tmp(op)->addr + at, 4, index_at(sim, r, c) * 2);
            write.kind = at < tile ? PTOG_WRITES : PTOG_OVERRUNS;
            write.writes = true;
            write.at = ptog_tgather_tmp(op)->addr + at;
            ptog_log_add(sim->log, &write);
        }
}

/* Copies one element of the source, wherever its index leads, into dst; logs the read, and notes an index outside of
 * the source. */
static void lane(const struct ptog_sim *sim, int64_t r, int64_t c, uint64_t elements, size_t size)
{
    const struct ptog_insn *op = &sim->known->insn;
    uint64_t index = index_at(sim, r, c), bits, from = ptog_tgather_src(op)->addr + (uint32_t)(index * size);
    bool outside = index >= elements;
    ptog_ub_get(sim->memory, from, size, &bits);
    ptog_ub_put(sim->memory, ptog_tgather_dst(op)->addr + (uint64_t)ptog_tile_offset(ptog_tgather_dst(op), r, c) * size,
                size, bits);
    if (!sim->log)
        return;
    struct ptog_access read = ptog_sim_access(sim, outside ? PTOG_OVERRUNS : PTOG_READS, PTOG_AT_SRC);
    read.at = from;
    read.bytes = size;
    read.element = (uint8_t)size;
    ptog_log_add(sim->log, &read);
    if (outside)
        ptog_fault_note(&sim->log->fault, PTOG_FAULT_UB_OUTSIDE_TILE, 1, r, c, index);
}

/* ---- rows at once */

/* Nobody can see in which order the lanes of a row go: no tracer, no lane that writes an index of a later one. */
static bool may_go_by_rows(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    const struct ptog_tile *dst = ptog_tgather_dst(op), *src = ptog_tgather_src(op), *idx = ptog_tgather_idx(op);
    return !sim->memory->tracer && ptog_ub_holds_rows(sim->memory, dst, dst->valid_row, dst->valid_col) &&
           ptog_ub_holds_rows(sim->memory, idx, dst->valid_row, dst->valid_col) &&
           ptog_ub_holds_rows(sim->memory, src, src->rows, src->cols) && ptog_tiles_are_apart(dst, idx);
}

/* Gathers row `r` at once, and marks the elements of src that it read. False, and nothing is done: an index lies
 * outside src. */
static bool row(const struct ptog_sim *sim, int64_t r, uint64_t elements, unsigned char *marks)
{
    const struct ptog_insn *op = &sim->known->insn;
    const struct ptog_tile *dst = ptog_tgather_dst(op), *idx = ptog_tgather_idx(op);
    size_t size = ptog_dtype_size(dst->dtype), wide = ptog_dtype_size(idx->dtype);
    const struct ptog_sim_lanes lanes = {.src = sim->memory->ub + ptog_tgather_src(op)->addr,
                                         .idx = sim->memory->ub + idx->addr + (uint64_t)(r * idx->cols) * wide,
                                         .dst = sim->memory->ub + dst->addr + (uint64_t)(r * dst->cols) * size,
                                         .count = (uint64_t)dst->valid_col};
    if (ptog_lanes_largest(&lanes, wide) >= elements)
        return false;
    ptog_lanes_gather(&lanes, wide, size);
    if (marks)
        ptog_lanes_mark(&lanes, wide, marks);
    return true;
}

/* Writes all rows of dst: a whole row at once where no index leaves the source, else lane by lane. Logs the elements
 * that were read. */
static void rows(const struct ptog_sim *sim, uint64_t elements, size_t size)
{
    const struct ptog_insn *op = &sim->known->insn;
    bool by_rows = may_go_by_rows(sim);
    unsigned char *marks = by_rows ? ptog_log_mark(sim->log, elements) : NULL;
    by_rows &= marks || !ptog_log_wants_each(sim->log); /* else each read is logged on its own */
    for (int64_t r = 0; r < ptog_tgather_dst(op)->valid_row; r++) {
        bool done = by_rows && row(sim, r, elements, marks);
        for (int64_t c = 0; !done && c < ptog_tgather_dst(op)->valid_col; c++)
            lane(sim, r, c, elements, size);
    }
    if (!marks)
        return;
    struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC);
    read.at = ptog_tgather_src(op)->addr;
    read.bytes = size;
    read.element = (uint8_t)size;
    ptog_log_marked(sim->log, read, elements);
}

/* Performs tgather by index: reads indices and source, writes dst and, on targets whose library uses it, tmp; logs all
 * of it. */
enum ptog_status ptog_sim_by_index(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    size_t size = ptog_dtype_size(ptog_tgather_dst(op)->dtype);
    uint64_t elements = (uint64_t)(ptog_tgather_src(op)->rows * ptog_tgather_src(op)->cols);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_IDX), ptog_tgather_idx(op),
                    ptog_tgather_dst(op)->valid_row, ptog_tgather_dst(op)->valid_col);
    if (sim->known->target->walks_tmp && size == 2 && ptog_tgather_tmp(op)->dtype != PTOG_DTYPE_NONE)
        walk_tmp(sim);
    rows(sim, elements, size);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), ptog_tgather_dst(op),
                    ptog_tgather_dst(op)->valid_row, ptog_tgather_dst(op)->valid_col);
    if (sim->log) {
        sim->log->fault.capacity = elements;
        sim->log->lanes = (uint64_t)(ptog_tgather_dst(op)->valid_row * ptog_tgather_dst(op)->valid_col);
    }
    return PTOG_OK;
}
