/* sim: TLOAD and TSTORE.   Bursts between the view and the valid region: rows of ND, columns of DN, block columns of NZ
 */
#include "model/transfer.h"

#include "base/arith.h"
#include "model/fault.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/insn.h"

/* The pieces of a transfer that are contiguous on both sides: one where everything is, else rows, columns of DN, rows
 * of NZ blocks; single elements where the view has a step between them, which no burst can do well. */
struct bursts {
    int64_t count;    /* of pieces */
    int64_t elements; /* in each */
    bool single;
};

static struct bursts bursts_of(const struct ptog_insn *op)
{
    const struct ptog_tile *tile = ptog_transfer_tile(op);
    int64_t rows = tile->valid_row, cols = tile->valid_col, c0 = ptog_c0(tile->dtype);
    enum ptog_tile_order order = ptog_tile_order(tile);
    const int64_t *stride = ptog_transfer_view(op)->stride;
    bool down = order == PTOG_ORDER_COL;
    if ((down ? rows > 1 && stride[3] != 1 : cols > 1 && stride[4] != 1))
        return (struct bursts){rows * cols, 1, true};
    if (order == PTOG_ORDER_NZ)
        return (struct bursts){(cols + c0 - 1) / c0 * rows, c0, false};
    int64_t run = down ? rows : cols, runs = down ? cols : rows;
    bool packed = runs == 1 || ((down ? tile->rows : tile->cols) == run && stride[down ? 4 : 3] == run);
    return packed ? (struct bursts){1, run * runs, false} : (struct bursts){runs, run, false};
}

/* The first element of piece i, and how many it has. */
static int64_t piece(const struct ptog_insn *op, const struct bursts *b, int64_t i, int64_t *r, int64_t *c)
{
    const struct ptog_tile *tile = ptog_transfer_tile(op);
    int64_t left;
    if (b->single) {
        *r = i / tile->valid_col;
        *c = i % tile->valid_col;
        return 1;
    }
    switch (ptog_tile_order(tile)) {
    case PTOG_ORDER_COL: *r = 0, *c = i; return b->elements;
    case PTOG_ORDER_NZ:
        *c = i / tile->valid_row * b->elements;
        *r = i % tile->valid_row;
        left = tile->valid_col - *c;
        return left < b->elements ? left : b->elements;
    default: *r = i, *c = 0; return b->elements;
    }
}

/* What does not fit in the field of nBurst is cut off. */
static int64_t cut(const struct ptog_sim *sim, const struct bursts *b)
{
    int64_t most = sim->known->target->most_bursts;
    if (ptog_tile_order(ptog_transfer_tile(&sim->known->insn)) == PTOG_ORDER_NZ || b->count <= most)
        return b->count;
    if (sim->log) {
        sim->log->wanted_bursts = (uint64_t)b->count;
        sim->log->cut_bursts = (uint64_t)(b->count & most);
    }
    return b->count & most;
}

static void note_outside(const struct ptog_sim *sim, int64_t count, int64_t inside, int64_t r, int64_t c)
{
    const struct ptog_insn *op = &sim->known->insn;
    if (!sim->log || inside >= count)
        return;
    bool down =
        ptog_tile_order(ptog_transfer_tile(op)) == PTOG_ORDER_COL; /* a piece may go on in the next row or column */
    int64_t run = down ? ptog_transfer_tile(op)->valid_row : ptog_transfer_tile(op)->valid_col;
    int64_t first_r = down ? (r + inside) % run : r + (c + inside) / run;
    int64_t first_c = down ? c + (r + inside) / run : (c + inside) % run;
    ptog_fault_note(&sim->log->fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, (uint64_t)(count - inside), first_r, first_c,
                    ptog_view_place(ptog_transfer_view(op), first_r, first_c));
}

static void fill_padding(const struct ptog_sim *sim)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&sim->known->insn);
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
    uint64_t elements = ptog_gm_room(sim->memory, ptog_sim_buffer(sim), ptog_sim_offset(sim)) / size;
    uint64_t left = place < elements ? elements - place : 0;
    return left < (uint64_t)count ? (int64_t)left : count;
}

static enum ptog_status load(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    uint64_t size = ptog_dtype_size(ptog_transfer_tile(op)->dtype), dmas = sim->log ? sim->log->stats.dmas : 0;
    struct bursts b = bursts_of(op);
    int64_t moved = cut(sim, &b), r, c;
    for (int64_t i = 0; i < moved; i++) {
        int64_t count = piece(op, &b, i, &r, &c);
        uint64_t place = ptog_view_place(ptog_transfer_view(op), r, c), at;
        note_outside(sim, count, inside(sim, place, count, size), r, c);
        if (!ptog_mul_u64(place, size, &at) || !ptog_add_u64(at, ptog_sim_offset(sim), &at))
            at = PTOG_NOWHERE;
        struct ptog_dma dma = {.gm = at,
                               .ub = ptog_transfer_tile(op)->addr +
                                     (uint64_t)ptog_tile_offset(ptog_transfer_tile(op), r, c) * size,
                               .bytes = (uint64_t)count * size,
                               .bursts = 1,
                               .buffer = ptog_sim_buffer(sim),
                               .drops = sim->known->target->drops_misaligned};
        ptog_dma_move(&dma, sim->memory);
        if (sim->log)
            ptog_dma_log(&dma, sim->memory, sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_VIEW),
                         ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TILE));
    }
    if (ptog_transfer_tile(op)->pad != PTOG_PAD_NULL)
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

static enum ptog_status store(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    uint64_t size = ptog_dtype_size(ptog_transfer_tile(op)->dtype);
    struct bursts b = bursts_of(op);
    int64_t moved = cut(sim, &b), r, c;
    for (int64_t i = 0; i < moved; i++) {
        int64_t count = piece(op, &b, i, &r, &c);
        uint64_t place = ptog_view_place(ptog_transfer_view(op), r, c);
        int64_t stored = inside(sim, place, count, size);
        uint64_t from = ptog_transfer_tile(op)->addr + (uint64_t)ptog_tile_offset(ptog_transfer_tile(op), r, c) * size;
        uint64_t to = ptog_sim_offset(sim) + place * size,
                 bytes = ptog_ub_cut(sim->memory, from, (uint64_t)stored * size);
        note_outside(sim, count, stored, r, c);
        if (bytes > 0)
            ptog_gm_write(sim->memory, ptog_sim_buffer(sim), to, sim->memory->ub + from, bytes);
        if (sim->log)
            log_store(sim, from, to, (uint64_t)count * size, bytes, size);
    }
    if (sim->log)
        sim->log->stats.dmas++;
    return PTOG_OK;
}

static enum ptog_status phase(const struct ptog_sim *sim, int number)
{
    (void)number;
    return sim->known->form == PTOG_FORM_LOAD ? load(sim) : store(sim);
}

static double cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                   const struct ptog_log *log)
{
    (void)number;
    if (known->form == PTOG_FORM_LOAD)
        return ptog_cost_along(costs->to_ub, (double)log->stats.gm_read_bytes);
    return ptog_cost_along(costs->to_gm, (double)log->stats.gm_write_bytes);
}

const struct ptog_sim_family ptog_sim_transfer = {phase, cost, NULL, NULL};
