/* sim: TGATHER by index.   V reads UB at src + (idx*size mod 2^32) for each lane; A2/A3 keeps the offsets in tmp or dst
 */
#include "model/fault.h"
#include "model/target.h"
#include "model/tgather.h"
#include "sim/insn.h"

static uint64_t index_at(const struct ptog_sim *sim, int64_t r, int64_t c)
{
    const struct ptog_tile *idx = &sim->insn->t.idx;
    size_t size = ptog_dtype_size(idx->dtype);
    uint64_t bits;
    ptog_ub_get(sim->memory, idx->addr + (uint64_t)ptog_tile_offset(idx, r, c) * size, size, &bits);
    return size == 2 ? (uint16_t)bits : (uint32_t)bits;
}

/* 2-byte data on A2/A3: the byte offsets go to tmp, walked with dst's row stride whatever tmp's shape is. */
static void walk_tmp(const struct ptog_sim *sim)
{
    const struct ptog_tgather *op = &sim->insn->t;
    uint64_t tile = (uint64_t)ptog_tile_bytes(&op->tmp);
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TMP);
    write.bytes = 4;
    for (int64_t r = 0; r < op->dst.valid_row; r++)
        for (int64_t c = 0; c < op->dst.valid_col; c++) {
            uint64_t at = (uint64_t)(r * op->dst.cols + c) * 4;
            ptog_ub_put(sim->memory, op->tmp.addr + at, 4, index_at(sim, r, c) * 2);
            write.kind = at < tile ? PTOG_WRITES : PTOG_OVERRUNS;
            write.writes = true;
            write.at = op->tmp.addr + at;
            ptog_log_add(sim->log, &write);
        }
}

static void lane(const struct ptog_sim *sim, int64_t r, int64_t c, uint64_t elements, size_t size)
{
    const struct ptog_tgather *op = &sim->insn->t;
    uint64_t index = index_at(sim, r, c), bits, from = op->src.addr + (uint32_t)(index * size);
    bool outside = index >= elements;
    ptog_ub_get(sim->memory, from, size, &bits);
    ptog_ub_put(sim->memory, op->dst.addr + (uint64_t)ptog_tile_offset(&op->dst, r, c) * size, size, bits);
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

enum ptog_status ptog_sim_by_index(const struct ptog_sim *sim)
{
    const struct ptog_tgather *op = &sim->insn->t;
    size_t size = ptog_dtype_size(op->dst.dtype);
    uint64_t elements = (uint64_t)(op->src.rows * op->src.cols);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_IDX), &op->idx, op->dst.valid_row,
                    op->dst.valid_col);
    if (sim->insn->target->walks_tmp && size == 2 && op->tmp.dtype != PTOG_DTYPE_NONE)
        walk_tmp(sim);
    for (int64_t r = 0; r < op->dst.valid_row; r++)
        for (int64_t c = 0; c < op->dst.valid_col; c++)
            lane(sim, r, c, elements, size);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), &op->dst, op->dst.valid_row,
                    op->dst.valid_col);
    if (sim->log) {
        sim->log->fault.capacity = elements;
        sim->log->lanes = (uint64_t)(op->dst.valid_row * op->dst.valid_col);
    }
    return PTOG_OK;
}
