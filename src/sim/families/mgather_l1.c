/* sim: MGATHER into L1.   Row: S reads idx[r] and has MTE2 copy a row into 32-byte blocks, one transfer per row. Elem:
 * S puts the elements together in scratch memory, as they lie in the tile, and MTE2 copies all of it */
#include "base/arith.h"
#include "base/pick.h"
#include "model/dtype.h"
#include "model/fault.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/gather.h"
#include "sim/families/mgather.h"

#define BLOCK ((uint64_t)32)

/* Where bytes of a view lie in its buffer: element `place` of it; PTOG_NOWHERE beyond 64 bits. */
static uint64_t view_byte(const struct ptog_operand *view, uint64_t place)
{
    uint64_t at;
    if (!ptog_mul_u64(place, ptog_dtype_size(view->view.dtype), &at) || !ptog_add_u64(at, view->offset, &at))
        return PTOG_NOWHERE;
    return at;
}

/* Reads one element of a view by S; *bits is 0xAA where its buffer has no such byte, which gives false. */
static bool read_element(const struct ptog_gather *g, int position, enum ptog_operand_name name, uint64_t place,
                         uint64_t *bits)
{
    const struct ptog_operand *view = &g->op->of[position];
    uint64_t at = view_byte(view, place), size = ptog_dtype_size(view->view.dtype);
    *bits = UINT64_MAX / 255 * PTOG_NO_BYTES;
    if (ptog_gm_room(g->sim->memory, view->buffer, at) < size)
        return false;
    *bits = 0;
    ptog_gm_read(g->sim->memory, view->buffer, at, bits, size);
    if (!g->sim->log)
        return true;
    g->sim->log->stats.gm_read_bytes += size;
    if (g->sim->log->gm_reads) {
        struct ptog_access read = ptog_sim_access(g->sim, PTOG_READS, name);
        read.at = at;
        read.bytes = size;
        ptog_log_add(g->sim->log, &read);
    }
    return true;
}

/* The index of lane (r, c), mapped. One that lies outside its buffer is noted, and leads nowhere. */
static struct ptog_lane_index find_index(const struct ptog_gather *g, int64_t r, int64_t c)
{
    struct ptog_lane_index found = {0};
    uint64_t place = ptog_mgather_l1_index_place(g->op, r, c);
    if (!read_element(g, PTOG_MGATHER_INDICES, PTOG_AT_INDICES, place, &found.index) && g->sim->log)
        ptog_fault_note(&g->sim->log->fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, place);
    found.index = (uint32_t)found.index;
    found.mapped = ptog_mgather_map(g->sim->known->target, g->op, found.index, g->capacity, &found.zero);
    if (g->sim->log && g->remapped && g->signed_index && found.index > INT32_MAX)
        ptog_fault_note(&g->sim->log->fault, PTOG_FAULT_INDEX_NEGATIVE, 1, r, c, found.index);
    return found;
}

static struct ptog_gather gather_of(const struct ptog_sim *sim)
{
    struct ptog_gather g = ptog_gather_of(sim);
    const struct ptog_tile *dst = ptog_mgather_dst(g.op);
    g.signed_index = ptog_dtype_is_signed(ptog_mgather_index_dtype(g.op));
    ptog_gather_begin(&g, dst->valid_row, dst->valid_col);
    return g;
}

/* ---- Row */

/* Appends the transfers of a row: its whole blocks, and the rest of it, which becomes a whole block with zeros. Notes
 * what lies outside the table. False when out of memory. */
static bool add_row(const struct ptog_gather *g, const struct ptog_lane_index *found, int64_t r, int64_t zeros)
{
    const struct ptog_tile *dst = ptog_mgather_dst(g->op);
    uint64_t place = 0, cols = (uint64_t)dst->valid_col, bytes = cols * g->size;
    bool known = ptog_mgather_row_place(g->sim->known->target, g->op, found->mapped, 0, &place);
    ptog_gather_judge(g, found, r, 0, cols, known ? ptog_gather_inside(g, place, cols) : 0);
    const struct ptog_dma row = {.gm = known ? view_byte(&g->op->of[PTOG_MGATHER_TABLE], place) : PTOG_NOWHERE,
                                 .ub = dst->addr + (uint64_t)r * BLOCK,
                                 .bytes = BLOCK,
                                 .bursts = bytes / BLOCK,
                                 .gm_stride = BLOCK,
                                 .ub_stride = (uint64_t)dst->rows * BLOCK,
                                 .buffer = g->buffer,
                                 .zeroes = true,
                                 .row = r,
                                 .zeros = zeros};
    struct ptog_dma *dma = row.bursts > 0 ? ptog_dma_next(g->sim->dmas) : NULL;
    if (dma)
        *dma = row;
    if (bytes % BLOCK == 0 || (row.bursts > 0 && !dma))
        return dma != NULL;
    dma = ptog_dma_next(g->sim->dmas);
    if (!dma)
        return false;
    *dma = row;
    dma->bursts = 1;
    dma->bytes = bytes % BLOCK;
    dma->ub += row.bursts * row.ub_stride;
    if (dma->gm != PTOG_NOWHERE && !ptog_add_u64(dma->gm, row.bursts * BLOCK, &dma->gm))
        dma->gm = PTOG_NOWHERE;
    return true;
}

/* Appends the transfer with which MTE2 clears the whole tile first, as it does under Zero. False when out of memory. */
static bool add_clear(const struct ptog_gather *g)
{
    const struct ptog_tile *dst = ptog_mgather_dst(g->op);
    struct ptog_dma *dma = ptog_dma_next(g->sim->dmas);
    if (!dma)
        return false;
    *dma = (struct ptog_dma){
        .ub = dst->addr, .bytes = (uint64_t)ptog_tile_bytes(dst), .bursts = 1, .buffer = g->buffer, .clears = true};
    return true;
}

/* Appends the transfers of all rows of dst, after the clearing of the tile under Zero, and counts the rows that stay
 * zero. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status prepare_rows(const struct ptog_sim *sim)
{
    struct ptog_gather g = gather_of(sim);
    bool added = ptog_mgather_policy(sim->known->target, g.op) != PTOG_OOB_ZERO || add_clear(&g);
    for (int64_t r = 0, zeros = 0; r < ptog_mgather_dst(g.op)->valid_row && added; r++) {
        struct ptog_lane_index found = find_index(&g, r, 0);
        if (!found.zero)
            added = add_row(&g, &found, r, zeros);
        else if (sim->log)
            sim->log->zeros++;
        zeros += found.zero;
    }
    return added ? PTOG_OK : PTOG_NO_MEMORY;
}

/* ---- Elem */

/* An element of the scratch memory, by S; what its buffer has no room for is noted. */
static void write_scratch(const struct ptog_gather *g, int64_t r, int64_t c, uint64_t bits)
{
    const struct ptog_operand *scratch = &g->op->of[PTOG_MGATHER_SCRATCH];
    uint64_t place = (uint64_t)ptog_tile_offset(ptog_mgather_dst(g->op), r, c), at = view_byte(scratch, place);
    if (ptog_gm_room(g->sim->memory, scratch->buffer, at) >= g->size)
        ptog_gm_write(g->sim->memory, scratch->buffer, at, &bits, g->size);
    else if (g->sim->log)
        ptog_fault_note(&g->sim->log->fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, place);
}

/* The bytes of the scratch memory that are written and then copied, as far as its buffer has them. */
static void log_scratch(const struct ptog_sim *sim, enum ptog_access_kind kind)
{
    const struct ptog_operand *scratch = &sim->known->insn.of[PTOG_MGATHER_SCRATCH];
    struct ptog_access access = ptog_sim_access(sim, kind, PTOG_AT_SCRATCH);
    uint64_t room = ptog_gm_room(sim->memory, scratch->buffer, scratch->offset);
    uint64_t bytes = (uint64_t)ptog_tile_bytes(ptog_mgather_dst(&sim->known->insn));
    access.at = scratch->offset;
    access.bytes = ptog_min(room, bytes);
    if (access.bytes > 0)
        ptog_log_add(sim->log, &access);
}

/* The bits that element (r, c) of dst gets: that of the table which its index names, or 0 under Zero. Notes an index
 * outside the table. */
static uint64_t element_of(const struct ptog_gather *g, int64_t r, int64_t c)
{
    struct ptog_lane_index found = find_index(g, r, c);
    uint64_t bits = 0;
    if (found.zero) {
        if (g->sim->log)
            g->sim->log->zeros++;
        return 0;
    }
    bool inside = read_element(g, PTOG_MGATHER_TABLE, PTOG_AT_TABLE, found.mapped, &bits);
    if (!inside || found.mapped >= g->capacity)
        ptog_gather_judge(g, &found, r, c, 1, inside);
    return bits;
}

/* All of the tile's elements are written: those that no index is for are zero. */
static void fill_scratch(const struct ptog_sim *sim)
{
    struct ptog_gather g = gather_of(sim);
    const struct ptog_tile *dst = ptog_mgather_dst(g.op);
    for (int64_t r = 0; r < dst->rows; r++)
        for (int64_t c = 0; c < dst->cols; c++)
            write_scratch(&g, r, c, r < dst->valid_row && c < dst->valid_col ? element_of(&g, r, c) : 0);
    if (!sim->log)
        return;
    log_scratch(sim, PTOG_WRITES);
    sim->log->lanes = (uint64_t)(dst->valid_row * dst->valid_col);
    sim->log->stats.scalar_stores += (uint64_t)(dst->rows * dst->cols);
}

/* Copies the scratch buffer, in which Elem has collected its elements, to dst, and logs both accesses. */
static void copy_scratch(const struct ptog_sim *sim)
{
    const struct ptog_operand *scratch = &sim->known->insn.of[PTOG_MGATHER_SCRATCH];
    const struct ptog_tile *dst = ptog_mgather_dst(&sim->known->insn);
    const struct ptog_dma dma = {.gm = scratch->offset,
                                 .ub = dst->addr,
                                 .bytes = (uint64_t)ptog_tile_bytes(dst),
                                 .bursts = 1,
                                 .buffer = scratch->buffer};
    const struct ptog_access read = ptog_sim_access(sim, PTOG_READS, PTOG_AT_SCRATCH);
    const struct ptog_access write = ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST);
    ptog_dma_move(&dma, sim->memory);
    if (sim->log)
        ptog_dma_log(&dma, sim->memory, sim->log, &read, &write);
}

/* ---- both */

enum ptog_status ptog_sim_gather_l1(const struct ptog_sim *sim, int number)
{
    bool elem = sim->known->effects->flushes;
    if (!elem)
        return number == 0 ? prepare_rows(sim) : ptog_sim_row_moves(sim);
    if (number == 0)
        fill_scratch(sim);
    else
        copy_scratch(sim);
    return PTOG_OK;
}

/* The cycles of a phase of an Elem gather into L1: S loads an index and an element for each lane, and stores every
 * element of the tile. */
double ptog_sim_gather_l1_cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                               const struct ptog_log *log)
{
    const struct ptog_tile *dst = ptog_mgather_dst(&known->insn);
    double policy = ptog_cost_policy(costs, ptog_mgather_oob(&known->insn)), lanes = (double)log->lanes;
    if (number == 1)
        return ptog_cost_along(costs->to_ub, (double)ptog_tile_bytes(dst));
    return lanes * (costs->gm_load + policy) + (lanes - (double)log->zeros) * costs->gm_load +
           (double)(dst->rows * dst->cols) * costs->ub_access;
}
