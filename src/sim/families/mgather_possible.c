/* sim: what MGATHER could touch with other indices: any row, or any element, of the table; on A2/A3 the row form also
 * writes any row of dst, MTE2 by a DMA and, with the policy Zero, S instead. */
#include "base/arith.h"
#include "base/pick.h"
#include "model/mgather.h"
#include "model/tile.h"
#include "sim/families/mgather.h"

#define BLOCK 32u

/* `count` pieces of `bytes` bytes in the table's buffer, as far as it reaches. */
static void reads_pieces(const struct ptog_sim *sim, uint64_t bytes, uint64_t count, uint64_t pitch)
{
    struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_TABLE);
    uint64_t room = ptog_gm_room(sim->memory, ptog_sim_buffer(sim), ptog_sim_offset(sim));
    uint64_t most = pitch > 0 ? room / pitch + 1 : 1;
    read.at = ptog_sim_offset(sim);
    read.bytes = ptog_min(bytes, room);
    read.count = ptog_min(count, most);
    read.pitch = pitch;
    ptog_log_add(sim->log, &read);
}

/* From the first element of a table to its last one, both included. */
static uint64_t extent_of(const struct ptog_tensor *table)
{
    uint64_t last = 0;
    for (int d = 0; d < 5; d++)
        if (!ptog_mul_add_u64((uint64_t)table->shape[d] - 1, (uint64_t)table->stride[d], &last))
            return UINT32_MAX;
    return last + 1;
}

/* Logs the part of the table that some index could make a row gather or element gather read; nothing where reads of
 * global memory are not logged. */
static void reads_table(const struct ptog_sim *sim)
{
    const struct ptog_target *target = sim->known->target;
    const struct ptog_insn *op = &sim->known->insn;
    const struct ptog_tensor *table = ptog_mgather_table(op);
    uint64_t size = ptog_dtype_size(ptog_mgather_dst(op)->dtype), elements = extent_of(table), bytes;
    if (!sim->log->gm_reads)
        return;
    if (table->layout == PTOG_ND && sim->known->form == PTOG_FORM_ROW) {
        reads_pieces(sim, (uint64_t)ptog_mgather_cols(target, op) * size, ptog_mgather_capacity(target, op),
                     (uint64_t)ptog_mgather_pitch(target, op) * size);
        return;
    }
    if (table->layout == PTOG_ND)
        elements = ptog_mgather_capacity(target, op);
    if (ptog_mul_u64(elements, size, &bytes))
        reads_pieces(sim, bytes, 1, 0);
}

/* Each row of an NZ table comes in blocks, which lie `rows` blocks apart in dst. */
static void moves_blocks(const struct ptog_sim *sim)
{
    const struct ptog_tensor *table = ptog_mgather_table(&sim->known->insn);
    const struct ptog_tile *dst = ptog_mgather_dst(&sim->known->insn);
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST);
    write.bytes = (uint64_t)dst->valid_row * BLOCK;
    for (int64_t block = 0; block < table->shape[0] * table->shape[1] && dst->addr % BLOCK == 0; block++) {
        write.at = dst->addr + (uint64_t)(block * dst->rows) * BLOCK;
        ptog_log_add(sim->log, &write);
    }
}

/* A2/A3 drops a burst to an address that is not on a block; a short burst fills its last block. */
static void moves_rows(const struct ptog_sim *sim)
{
    const struct ptog_tile *dst = ptog_mgather_dst(&sim->known->insn);
    uint64_t size = ptog_dtype_size(dst->dtype), row = (uint64_t)dst->valid_col * size;
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST);
    for (int64_t r = 0; r < dst->valid_row; r++) {
        write.at = dst->addr + (uint64_t)(r * dst->cols) * size;
        write.bytes = row;
        write.kind = PTOG_WRITES;
        if (write.at % BLOCK != 0)
            continue;
        ptog_log_add(sim->log, &write);
        write.at += row;
        write.bytes = (BLOCK - row % BLOCK) % BLOCK;
        write.kind = PTOG_WRITES_PADDING;
        ptog_log_add(sim->log, &write);
    }
}

void ptog_sim_mgather_possible(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    const struct ptog_tile *dst = ptog_mgather_dst(op);
    bool nz = ptog_mgather_table(op)->layout == PTOG_NZ;
    if (sim->known->form == PTOG_FORM_GATHER_L1)
        sim->log->phase = sim->known->effects->flushes ? 0 : 1; /* what is written does not depend on indices */
    if (sim->known->form == PTOG_FORM_GATHER_L1 || sim->known->form == PTOG_FORM_ELEM || sim->known->effects->simt) {
        reads_table(sim);
        return;
    }
    if (ptog_mgather_oob(op) == PTOG_OOB_ZERO && !nz)
        ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), dst, dst->valid_row, dst->valid_col);
    sim->log->phase = 1;
    reads_table(sim);
    if (nz)
        moves_blocks(sim);
    else
        moves_rows(sim);
}
