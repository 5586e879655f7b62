/* sim: TLOAD and TSTORE.   Bursts between the view and the valid region: rows of ND, columns of DN, block columns of NZ
 */
#include "model/transfer.h"

#include <string.h>

#include "base/arith.h"
#include "base/pick.h"
#include "model/fault.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/cube.h"
#include "sim/insn.h"

/* The pieces of a transfer that are contiguous on both sides: one where everything is, else rows, columns of DN, rows
 * of NZ blocks; single elements where the view has a step between them, which no burst can do well. */
struct bursts {
    struct ptog_transfer_region moved;
    int64_t count;    /* of pieces */
    int64_t elements; /* in each */
    int64_t at_once;  /* pieces of one transfer: each block of the view's outer dimensions is one of its own */
    bool single;
};

/* Whether bursts run down the columns. */
static bool goes_down(const struct ptog_insn *op)
{
    return ptog_tile_order(ptog_transfer_tile(op)) == PTOG_ORDER_COL;
}

/* Whether a view has blocks above its rows and columns. */
static bool is_stacked(const struct ptog_tensor *view)
{
    return view->shape[0] > 1 || view->shape[1] > 1 || view->shape[2] > 1;
}

/* Sets *b to how a load or store is cut into bursts: their number, the elements of each, and how many are moved at
 * once. */
static void find_bursts(const struct ptog_insn *op, struct bursts *b)
{
    const struct ptog_tile *tile = ptog_transfer_tile(op);
    const struct ptog_tensor *view = ptog_transfer_view(op);
    b->moved = ptog_transfer_moves(op);
    int64_t rows = b->moved.rows, cols = b->moved.cols;
    bool down = goes_down(op);
    int64_t run = down ? rows : cols, runs = down ? cols : rows, pitch = down ? tile->rows : tile->cols;
    b->single = run > 1 && view->stride[down ? 3 : 4] != 1;
    b->count = runs;
    b->elements = run;
    if (b->single) {
        b->count = rows * cols;
        b->elements = 1;
    } else if (ptog_tile_order(tile) == PTOG_ORDER_NZ) {
        b->elements = ptog_c0(tile->dtype);
        b->count = (cols + b->elements - 1) / b->elements * rows;
    } else if (!is_stacked(view) && (runs == 1 || (pitch == run && view->stride[down ? 4 : 3] == run))) {
        b->count = run > 0 ? 1 : 0;
        b->elements = run * runs;
    }
    b->at_once = b->count;
    if (is_stacked(view) && !b->single)
        b->at_once = view->shape[down ? 4 : 3];
}

/* Sets *r and *c to the first element of piece i of a transfer, and returns how many elements it has. */
static int64_t piece(const struct ptog_insn *op, const struct bursts *b, int64_t i, int64_t *r, int64_t *c)
{
    int64_t left;
    if (b->single) {
        *r = i / b->moved.cols;
        *c = i % b->moved.cols;
        return 1;
    }
    switch (ptog_tile_order(ptog_transfer_tile(op))) {
    case PTOG_ORDER_COL: *r = 0, *c = i; return b->elements;
    case PTOG_ORDER_NZ:
        *c = i / b->moved.rows * b->elements;
        *r = i % b->moved.rows;
        left = b->moved.cols - *c;
        return ptog_min(left, b->elements);
    default: *r = i, *c = 0; return b->elements;
    }
}

/* What does not fit in the field of nBurst is cut off: of every transfer, so many bursts are left. */
static int64_t cut_bursts(const struct ptog_sim *sim, const struct bursts *b)
{
    int64_t most = sim->known->target->most_bursts;
    if (ptog_tile_order(ptog_transfer_tile(&sim->known->insn)) == PTOG_ORDER_NZ || b->at_once <= most)
        return b->at_once;
    if (sim->log) {
        sim->log->wanted_bursts = (uint64_t)b->at_once;
        sim->log->cut_bursts = (uint64_t)(b->at_once & most);
    }
    return b->at_once & most;
}

/* Notes a fault for the elements of a burst from `inside` on, which are not in the buffer, at the first of them. */
static void note_outside(const struct ptog_sim *sim, const struct bursts *b, int64_t count, int64_t inside, int64_t r,
                         int64_t c)
{
    const struct ptog_insn *op = &sim->known->insn;
    if (!sim->log || inside >= count)
        return;
    bool down = goes_down(op); /* a piece may go on in the next row or column */
    int64_t run = down ? b->moved.rows : b->moved.cols;
    int64_t first_r = down ? (r + inside) % run : r + (c + inside) / run;
    int64_t first_c = down ? c + (r + inside) / run : (c + inside) % run;
    ptog_fault_note(&sim->log->fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, (uint64_t)(count - inside), first_r, first_c,
                    ptog_view_place(ptog_transfer_view(op), first_r, first_c));
}

/* Writes the tile's pad value around what was loaded, where the target does that, and logs the writes. */
static void fill_padding(const struct ptog_sim *sim, const struct ptog_transfer_region *moved)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&sim->known->insn);
    uint64_t bits, size = ptog_dtype_size(tile->dtype);
    if (!ptog_transfer_pads(sim->known->target, tile, &bits))
        return;
    struct ptog_transfer_region padded = ptog_transfer_padded(sim->known->target, &sim->known->insn);
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TILE);
    write.bytes = size;
    for (int64_t r = 0; r < padded.rows; r++)
        for (int64_t c = r < moved->rows ? moved->cols : 0; c < padded.cols; c++) {
            write.at = tile->addr + (uint64_t)ptog_tile_offset(tile, r, c) * size;
            ptog_ub_put(sim->memory, write.at, size, bits);
            ptog_log_add(sim->log, &write);
        }
}

/* How many elements the buffer has from the view's first one on. */
static uint64_t buffer_elements(const struct ptog_sim *sim, uint64_t size)
{
    return ptog_gm_room(sim->memory, ptog_sim_buffer(sim), ptog_sim_offset(sim)) >> __builtin_ctzll(size);
}

/* Of `count` elements at `place`, those in the buffer. Sizes are powers of two: a division would take longer than the
 * rest of a short transfer's piece. */
static int64_t inside(const struct ptog_sim *sim, uint64_t place, int64_t count, uint64_t size)
{
    uint64_t left = ptog_left(buffer_elements(sim, size), place);
    return (int64_t)ptog_min(left, (uint64_t)count);
}

/* The second burst, of those that are moved at once, says how far they lie apart. */
static void note_box(struct ptog_log *log, const struct bursts *b, int64_t i, uint64_t gm, uint64_t ub, uint64_t bytes)
{
    if (i == 0) {
        log->box = (struct ptog_box){.bursts = (uint64_t)b->at_once, .burst_bytes = bytes};
        log->box.gm_gap = (int64_t)(0 - (gm + bytes));
        log->box.ub_gap = (int64_t)(0 - (ub + (bytes + 31) / 32 * 32));
    }
    if (i == 1) {
        log->box.gm_gap = (int64_t)((uint64_t)log->box.gm_gap + gm);
        log->box.ub_gap = (int64_t)((uint64_t)log->box.ub_gap + ub) / 32;
    }
    if (b->at_once == 1)
        log->box.gm_gap = log->box.ub_gap = 0;
}

/* Performs tload: moves burst by burst from global memory to UB, pads the tile, notes what lies outside of the buffer,
 * and logs accesses and counts as of one DMA. */
static enum ptog_status sim_load(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    uint64_t size = ptog_dtype_size(ptog_transfer_tile(op)->dtype), dmas = sim->log ? sim->log->stats.dmas : 0;
    const struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_VIEW);
    const struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TILE);
    struct bursts b;
    find_bursts(op, &b);
    int64_t kept = cut_bursts(sim, &b), r, c;
    for (int64_t i = 0; i < b.count; i++) {
        if (kept < b.at_once && i % b.at_once >= kept)
            continue;
        int64_t count = piece(op, &b, i, &r, &c);
        uint64_t place = ptog_view_place(ptog_transfer_view(op), r, c), at;
        note_outside(sim, &b, count, inside(sim, place, count, size), r, c);
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
        if (sim->log && i < 2)
            note_box(sim->log, &b, i, dma.gm, dma.ub, dma.bytes);
        if (sim->log)
            ptog_dma_log(&dma, sim->memory, sim->log, &read, &write);
    }
    fill_padding(sim, &b.moved);
    if (sim->log)
        sim->log->stats.dmas = dmas + 1;
    return PTOG_OK;
}

/* Element by element, where memory is added to. */
static void add_to_memory(const struct ptog_sim *sim, uint64_t to, uint64_t from, uint64_t bytes, uint64_t size)
{
    for (uint64_t i = 0; i + size <= bytes; i += size) {
        uint64_t element = 0, memory = 0;
        memcpy(&element, sim->memory->ub + from + i, size);
        ptog_gm_read(sim->memory, ptog_sim_buffer(sim), to + i, &memory, size);
        element = ptog_transfer_stored(sim->known, memory, element);
        ptog_gm_write(sim->memory, ptog_sim_buffer(sim), to + i, &element, size);
    }
}

/* Logs one burst of a store: the read of UB, the write or addition in global memory, and its counts. */
static void log_store(const struct ptog_sim *sim, uint64_t from, uint64_t to, uint64_t bytes, uint64_t stored,
                      uint64_t size)
{
    struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_TILE);
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_VIEW);
    if (ptog_transfer_adds(&sim->known->insn))
        write.kind = PTOG_ADDS;
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

/* Performs tstore: moves or adds burst by burst from UB to global memory, as far as its buffer goes, notes what lies
 * outside, and logs accesses and counts. */
static enum ptog_status store(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    uint64_t size = ptog_dtype_size(ptog_transfer_tile(op)->dtype);
    struct bursts b;
    find_bursts(op, &b);
    int64_t kept = cut_bursts(sim, &b), r, c;
    for (int64_t i = 0; i < b.count; i++) {
        if (kept < b.at_once && i % b.at_once >= kept)
            continue;
        int64_t count = piece(op, &b, i, &r, &c);
        uint64_t place = ptog_view_place(ptog_transfer_view(op), r, c);
        int64_t stored = inside(sim, place, count, size);
        uint64_t from = ptog_transfer_tile(op)->addr + (uint64_t)ptog_tile_offset(ptog_transfer_tile(op), r, c) * size;
        uint64_t to = ptog_sim_offset(sim) + place * size,
                 bytes = ptog_ub_cut(sim->memory, from, (uint64_t)stored * size);
        note_outside(sim, &b, count, stored, r, c);
        if (bytes > 0 && ptog_transfer_adds(op))
            add_to_memory(sim, to, from, bytes, size);
        else if (bytes > 0)
            ptog_gm_write(sim->memory, ptog_sim_buffer(sim), to, sim->memory->ub + from, bytes);
        if (sim->log && i < 2)
            note_box(sim->log, &b, i, to, from, (uint64_t)count * size);
        if (sim->log)
            log_store(sim, from, to, (uint64_t)count * size, bytes, size);
    }
    if (sim->log)
        sim->log->stats.dmas++;
    return PTOG_OK;
}

/* ---- TPREFETCH: all of the view is read, by whatever pieces; the tile is a place to put them, and undefined then */

/* Logs the bytes of a burst that are fetched ahead, and notes those outside of the buffer. */
static void log_prefetched(const struct ptog_sim *sim, int64_t r, int64_t c, int64_t count)
{
    const struct ptog_insn *op = &sim->known->insn;
    struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_VIEW);
    uint64_t size = ptog_dtype_size(ptog_transfer_view(op)->dtype),
             place = ptog_view_place(ptog_transfer_view(op), r, c);
    int64_t there = inside(sim, place, count, size);
    if (there < count)
        ptog_fault_note(&sim->log->fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, (uint64_t)(count - there), r, c + there, place);
    read.at = ptog_sim_offset(sim) + place * size;
    read.bytes = (uint64_t)there * size;
    sim->log->stats.gm_read_bytes += read.bytes;
    if (sim->log->gm_reads && there > 0)
        ptog_log_add(sim->log, &read);
}

/* A view may have any number of rows. After as many pieces as the buffer has elements nothing new comes: one of them
 * lay outside, or was there before. */
static void log_all_prefetched(const struct ptog_sim *sim, const struct ptog_tensor *view)
{
    bool rows = view->layout == PTOG_ND && view->stride[4] == 1;
    uint64_t left = buffer_elements(sim, ptog_dtype_size(view->dtype)) + 1;
    int64_t down, across;
    ptog_view_extents(view, &down, &across);
    for (int64_t r = 0; r < down; r++)
        for (int64_t c = 0; c < across; c += rows ? across : 1) {
            if (left-- == 0)
                return;
            log_prefetched(sim, r, c, rows ? across : 1);
        }
}

/* Performs tprefetch: the tile's bytes are lost, and the log says what was read ahead. */
static enum ptog_status prefetch(const struct ptog_sim *sim)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&sim->known->insn);
    struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES_PADDING, PTOG_AT_TILE);
    ptog_ub_fill(sim->memory, tile->addr, PTOG_NO_BYTES, (uint64_t)ptog_tile_bytes(tile));
    if (!sim->log)
        return PTOG_OK;
    log_all_prefetched(sim, ptog_transfer_view(&sim->known->insn));
    write.at = tile->addr;
    write.bytes = (uint64_t)ptog_tile_bytes(tile);
    ptog_log_add(sim->log, &write);
    sim->log->stats.dmas++;
    return PTOG_OK;
}

/* Performs a load, store or prefetch, of a vector or cube core. */
static enum ptog_status transfer_phase(const struct ptog_sim *sim, int number)
{
    (void)number;
    if (sim->known->form == PTOG_FORM_LOAD_L1)
        return ptog_sim_load_l1(sim);
    if (sim->known->form == PTOG_FORM_STORE_ACC)
        return ptog_sim_store_acc(sim);
    if (sim->known->form == PTOG_FORM_PREFETCH)
        return prefetch(sim);
    if (sim->known->form == PTOG_FORM_LOAD)
        return sim_load(sim);
    return store(sim);
}

/* Cycles of a transfer for its bytes, on the way that it goes. */
static double transfer_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                            const struct ptog_log *log)
{
    (void)number;
    if (known->form != PTOG_FORM_STORE && known->form != PTOG_FORM_STORE_ACC)
        return ptog_cost_along(costs->to_ub, (double)log->stats.gm_read_bytes);
    return ptog_cost_along(costs->to_gm, (double)log->stats.gm_write_bytes);
}

const struct ptog_sim_family ptog_sim_transfer = {transfer_phase, transfer_cost, NULL, NULL};
