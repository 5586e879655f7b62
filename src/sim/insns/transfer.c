/* sim: TLOAD and TSTORE.   Bursts between the view and the valid region: rows of ND, columns of DN, block columns of NZ
 */
#include "model/transfer.h"

#include "base/arith.h"
#include "model/fault.h"
#include "model/target.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "sim/insn.h"

/* The pieces of a transfer that are contiguous on both sides: one where everything is, else rows, columns of DN, rows
 * of NZ blocks; single elements where the view has a step between them, which no burst can do well. */
struct bursts {
    int64_t count;    /* of pieces */
    int64_t elements; /* in each */
    bool single;
};

static struct bursts bursts_of(const struct ptog_transfer *op)
{
    int64_t rows = op->tile.valid_row, cols = op->tile.valid_col, c0 = ptog_c0(op->tile.dtype);
    enum ptog_tile_order order = ptog_tile_order(&op->tile);
    const int64_t *stride = op->view.stride;
    bool down = order == PTOG_ORDER_COL;
    if ((down ? rows > 1 && stride[3] != 1 : cols > 1 && stride[4] != 1))
        return (struct bursts){rows * cols, 1, true};
    if (order == PTOG_ORDER_NZ)
        return (struct bursts){(cols + c0 - 1) / c0 * rows, c0, false};
    int64_t run = down ? rows : cols, runs = down ? cols : rows;
    bool packed = runs == 1 || ((down ? op->tile.rows : op->tile.cols) == run && stride[down ? 4 : 3] == run);
    return packed ? (struct bursts){1, run * runs, false} : (struct bursts){runs, run, false};
}

/* The first element of piece i, and how many it has. */
static int64_t piece(const struct ptog_transfer *op, const struct bursts *b, int64_t i, int64_t *r, int64_t *c)
{
    int64_t left;
    if (b->single) {
        *r = i / op->tile.valid_col;
        *c = i % op->tile.valid_col;
        return 1;
    }
    switch (ptog_tile_order(&op->tile)) {
    case PTOG_ORDER_COL: *r = 0, *c = i; return b->elements;
    case PTOG_ORDER_NZ:
        *c = i / op->tile.valid_row * b->elements;
        *r = i % op->tile.valid_row;
        left = op->tile.valid_col - *c;
        return left < b->elements ? left : b->elements;
    default: *r = i, *c = 0; return b->elements;
    }
}

/* nBurst has 12 bits on A2/A3, 16 on A5: what does not fit is cut off. */
static int64_t cut(const struct ptog_sim *sim, const struct bursts *b)
{
    int64_t most = sim->insn->target->bit == PTOG_ON_A2A3 ? 4095 : 65535;
    if (ptog_tile_order(&sim->insn->x.tile) == PTOG_ORDER_NZ || b->count <= most)
        return b->count;
    if (sim->log) {
        sim->log->wanted_bursts = (uint64_t)b->count;
        sim->log->cut_bursts = (uint64_t)(b->count & most);
    }
    return b->count & most;
}

static void note_outside(const struct ptog_sim *sim, int64_t count, int64_t inside, int64_t r, int64_t c)
{
    const struct ptog_transfer *op = &sim->insn->x;
    if (!sim->log || inside >= count)
        return;
    bool down = ptog_tile_order(&op->tile) == PTOG_ORDER_COL; /* a piece may go on in the next row or column */
    int64_t run = down ? op->tile.valid_row : op->tile.valid_col;
    int64_t first_r = down ? (r + inside) % run : r + (c + inside) / run;
    int64_t first_c = down ? c + (r + inside) / run : (c + inside) % run;
    ptog_fault_note(&sim->log->fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, (uint64_t)(count - inside), first_r, first_c,
                    ptog_view_place(&op->view, first_r, first_c));
}

static void fill_padding(const struct ptog_sim *sim)
{
    const struct ptog_tile *tile = &sim->insn->x.tile;
    uint64_t bits = ptog_pad_bits(tile->dtype, tile->pad), size = ptog_dtype_size(tile->dtype);
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TILE);
    write.bytes = size;
    for (int64_t r = 0; r < tile->rows; r++)
        for (int64_t c = r < tile->valid_row ? tile->valid_col : 0; c < tile->cols; c++) {
            write.at = tile->addr + (uint64_t)ptog_tile_offset(tile, r, c) * size;
            ptog_ub_put(sim->memory, write.at, size, bits);
            ptog_log_add(sim->log, &write);
        }
}

/* Of `count` elements at `place`, those in the buffer. */
static int64_t inside(const struct ptog_sim *sim, uint64_t place, int64_t count, uint64_t size)
{
    uint64_t elements = ptog_gm_room(sim->memory, sim->insn->gm, sim->insn->offset) / size;
    uint64_t left = place < elements ? elements - place : 0;
    return left < (uint64_t)count ? (int64_t)left : count;
}

enum ptog_status ptog_sim_load(const struct ptog_sim *sim)
{
    const struct ptog_transfer *op = &sim->insn->x;
    uint64_t size = ptog_dtype_size(op->tile.dtype), dmas = sim->log ? sim->log->stats.dmas : 0;
    struct bursts b = bursts_of(op);
    int64_t moved = cut(sim, &b), r, c;
    for (int64_t i = 0; i < moved; i++) {
        int64_t count = piece(op, &b, i, &r, &c);
        uint64_t place = ptog_view_place(&op->view, r, c), at;
        note_outside(sim, count, inside(sim, place, count, size), r, c);
        if (!ptog_mul_u64(place, size, &at) || !ptog_add_u64(at, sim->insn->offset, &at))
            at = PTOG_NOWHERE;
        struct ptog_dma dma = {.gm = at,
                               .ub = op->tile.addr + (uint64_t)ptog_tile_offset(&op->tile, r, c) * size,
                               .bytes = (uint64_t)count * size,
                               .bursts = 1,
                               .buffer = sim->insn->gm,
                               .drops = sim->insn->target->bit == PTOG_ON_A2A3};
        ptog_dma_move(&dma, sim->memory);
        if (sim->log)
            ptog_dma_log(&dma, sim->memory, sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_VIEW),
                         ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TILE));
    }
    if (op->tile.pad != PTOG_PAD_NULL)
        fill_padding(sim);
    if (sim->log)
        sim->log->stats.dmas = dmas + 1;
    return PTOG_OK;
}

static void log_store(const struct ptog_sim *sim, uint64_t from, uint64_t to, uint64_t bytes, uint64_t stored,
                      uint64_t size)
{
    struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_TILE);
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_VIEW);
    read.at = from;
    read.bytes = bytes;
    read.element = (uint8_t)size;
    write.at = to;
    write.bytes = stored;
    ptog_log_add(sim->log, &read);
    ptog_log_add(sim->log, &write);
    sim->log->stats.bursts++;
    sim->log->stats.gm_write_bytes += stored;
}

enum ptog_status ptog_sim_store(const struct ptog_sim *sim)
{
    const struct ptog_transfer *op = &sim->insn->x;
    uint64_t size = ptog_dtype_size(op->tile.dtype);
    struct bursts b = bursts_of(op);
    int64_t moved = cut(sim, &b), r, c;
    for (int64_t i = 0; i < moved; i++) {
        int64_t count = piece(op, &b, i, &r, &c);
        uint64_t place = ptog_view_place(&op->view, r, c);
        int64_t stored = inside(sim, place, count, size);
        uint64_t from = op->tile.addr + (uint64_t)ptog_tile_offset(&op->tile, r, c) * size;
        uint64_t to = sim->insn->offset + place * size, bytes = ptog_ub_cut(sim->memory, from, (uint64_t)stored * size);
        note_outside(sim, count, stored, r, c);
        if (bytes > 0)
            ptog_gm_write(sim->memory, sim->insn->gm, to, sim->memory->ub + from, bytes);
        if (sim->log)
            log_store(sim, from, to, (uint64_t)count * size, bytes, size);
    }
    if (sim->log)
        sim->log->stats.dmas++;
    return PTOG_OK;
}
