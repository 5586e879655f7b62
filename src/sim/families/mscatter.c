/* sim: MSCATTER.   Row on A2/A3: S reads idx[r], MTE3 stores row r; Elem there: S loads and stores each element; on A5
 * both are SIMT launches, and S stores a single element.
 *
 * MTE3 reads the indices again where S read them: the instruction's own flags hold whoever could write to the index
 * tile until MTE3 is done. */
#include "model/mscatter.h"

#include "base/arith.h"
#include "model/tile.h"
#include "sim/cost.h"
#include "sim/families/gather.h"
#include "sim/families/mgather.h"
#include "sim/simt.h"

struct scatter_walk {
    struct ptog_gather g;
    bool drops_outside;
    struct ptog_access write; /* of one element, without its place */
    struct ptog_scatter_lanes lanes;
};

/* Where lane (r, c) goes, in elements of the table; false when that is outside the buffer. */
static bool place_lane(const struct scatter_walk *w, uint64_t mapped, int64_t c, uint64_t *place)
{
    const struct ptog_target *target = w->g.sim->known->target;
    bool known = ptog_mgather_is_row(target, w->g.op) ? ptog_mgather_row_place(target, w->g.op, mapped, c, place)
                                                      : ptog_mgather_elem_place(w->g.op, mapped, place);
    return known && ptog_gather_inside(&w->g, *place, 1) == 1;
}

/* `same`: memory held the element already. */
static void log_store(const struct scatter_walk *w, uint64_t at, bool same)
{
    struct ptog_log *log = w->g.sim->log;
    struct ptog_access access = w->write;
    access.at = at;
    access.bytes = w->g.size;
    access.same = same;
    ptog_log_add(log, &access);
    log->stats.gm_write_bytes += w->g.size;
    if (w->g.sim->known->effects->simt) {
        ptog_simt_line(log, w->g.buffer, at / PTOG_GM_LINE);
        log->stats.transaction_bytes += w->g.size;
    }
}

/* Stores element (r, c) at `place`, or combines it with what is there; notes the lane, and the access in the log. */
static void store_element(struct scatter_walk *w, uint64_t mapped, uint64_t place, int64_t r, int64_t c)
{
    const struct ptog_tile *src = ptog_mscatter_src(w->g.op);
    struct ptog_memory *memory = w->g.sim->memory;
    uint64_t bits = 0, old = 0, at = w->g.offset + place * w->g.size;
    ptog_ub_get(memory, src->addr + (uint64_t)ptog_tile_offset(src, r, c) * w->g.size, w->g.size, &bits);
    ptog_scatter_lanes_add(&w->lanes, (struct ptog_scatter_lane){place, mapped, bits, r, c});
    ptog_gm_read(memory, w->g.buffer, at, &old, w->g.size);
    bits = ptog_mscatter_stored(w->g.sim->known, old, bits);
    ptog_gm_write(memory, w->g.buffer, at, &bits, w->g.size);
    if (w->g.sim->log)
        log_store(w, at, bits == old);
}

/* Scatters element (r, c) by the index that was read: an index outside is dropped or reported, as the target has it. */
static void scatter_lane(struct scatter_walk *w, const struct ptog_lane_index *found, int64_t r, int64_t c)
{
    struct ptog_log *log = w->g.sim->log;
    uint64_t place = 0;
    if (found->zero)
        return;
    if (found->mapped >= w->g.capacity && w->drops_outside) {
        if (log)
            ptog_fault_note(&log->fault, PTOG_FAULT_SCATTER_DROPPED, 1, r, c, found->index);
        return;
    }
    bool inside = place_lane(w, found->mapped, c, &place);
    ptog_gather_judge(&w->g, found, r, c, 1, inside);
    if (inside)
        store_element(w, found->mapped, place, r, c);
}

/* The table's element or row that lane (r, c) is for. Notes a fault where its offset overflows 32 bits. */
static struct ptog_lane_index index_of(const struct scatter_walk *w, int64_t r, int64_t c)
{
    const struct ptog_target *target = w->g.sim->known->target;
    struct ptog_log *log = w->g.sim->log;
    struct ptog_lane_index found = ptog_gather_index(&w->g, ptog_mgather_index_offset(target, w->g.op, r, c), r, c);
    bool dropped = found.zero || (w->drops_outside && found.mapped >= w->g.capacity);
    if (log && !dropped && ptog_gather_wraps(&w->g, found.mapped))
        ptog_fault_note(&log->fault, PTOG_FAULT_PRODUCT_OVERFLOW, 1, r, c, found.index);
    return found;
}

/* Scatters all elements in the order of the target's lanes; in Row mode an index serves a row. */
static void walk_lanes(struct scatter_walk *w, int64_t rows, int64_t cols)
{
    bool is_row = ptog_mgather_is_row(w->g.sim->known->target, w->g.op);
    int64_t r, c;
    for (r = 0; is_row && r < rows; r++) {
        const struct ptog_lane_index found = index_of(w, r, 0);
        for (c = 0; c < cols; c++)
            scatter_lane(w, &found, r, c);
    }
    for (int64_t i = 0; !is_row && i < rows * cols; i++) {
        ptog_mscatter_lane(w->g.sim->known, rows, cols, i, &r, &c);
        const struct ptog_lane_index found = index_of(w, r, c);
        scatter_lane(w, &found, r, c);
    }
}

/* Adds of MTE3 race with no other adds, atomic writes of lanes with no others of another core. S is not atomic. */
static enum ptog_access_kind kind_of_store(const struct ptog_known_insn *known)
{
    if (ptog_mscatter_atomic(&known->insn) == PTOG_SCATTER_NONE)
        return PTOG_WRITES;
    if (known->effects->simt)
        return PTOG_WRITES_ATOMIC;
    return known->form == PTOG_FORM_SCATTER_ROW ? PTOG_ADDS : PTOG_ADDS_IN_STEPS;
}

/* Logs the read of an operand's valid rows, up to a column. */
static void log_tile(const struct ptog_sim *sim, enum ptog_operand_name name, const struct ptog_tile *tile,
                     int64_t cols)
{
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, name), tile, tile->valid_row, cols);
}

/* Adds to the log what the scatter costs: the shape of its SIMT launch, a DMA for each row, or scalar stores. */
static void count_work(const struct ptog_sim *sim, const struct scatter_walk *w, int64_t rows, int64_t cols)
{
    struct ptog_log *log = sim->log;
    if (sim->known->effects->simt && ptog_mscatter_drops_outside(sim->known))
        ptog_simt_launch(log, ptog_simt_elem_shape(false, 1, (int64_t)w->g.capacity));
    else if (sim->known->effects->simt && sim->known->form == PTOG_FORM_SCATTER_ROW)
        ptog_simt_launch(log, ptog_simt_row_shape(false, rows, cols));
    else if (sim->known->effects->simt)
        ptog_simt_launch(log, ptog_simt_elem_shape(false, rows, cols));
    else if (sim->known->form == PTOG_FORM_SCATTER_ROW)
        log->stats.dmas += (uint64_t)rows;
    else
        log->stats.scalar_stores += log->lanes = (uint64_t)(rows * cols);
}

/* Writes all lanes to the table in global memory; logs index, source and stores, and notes lanes that meet at one
 * place. PTOG_NO_MEMORY when there is no memory for that comparison. */
static enum ptog_status scatter_all(const struct ptog_sim *sim, bool reads_index)
{
    const struct ptog_insn *op = &sim->known->insn;
    int64_t rows = ptog_mgather_rows(sim->known->target, op), cols = ptog_mscatter_cols(sim->known);
    struct scatter_walk w = {.g = ptog_gather_of(sim),
                             .drops_outside = ptog_mscatter_drops_outside(sim->known),
                             .write = ptog_sim_access(sim, kind_of_store(sim->known), PTOG_AT_TABLE)};
    if (sim->log && ptog_mscatter_conflicts(sim->known) && !ptog_scatter_lanes_open(&w.lanes, rows * cols))
        return PTOG_NO_MEMORY;
    ptog_gather_begin(&w.g, rows, cols);
    if (reads_index)
        log_tile(sim, PTOG_AT_IDX, ptog_mgather_idx(op), ptog_mgather_idx(op)->valid_col);
    log_tile(sim, PTOG_AT_SRC, ptog_mscatter_src(op), cols);
    walk_lanes(&w, rows, cols);
    if (!sim->log)
        return PTOG_OK;
    ptog_scatter_lanes_judge(&w.lanes, &sim->log->fault);
    count_work(sim, &w, rows, cols);
    return PTOG_OK;
}

/* One phase of mscatter: where there are two, the first only reads the indices. */
static enum ptog_status phase(const struct ptog_sim *sim, int number)
{
    bool two_phases = sim->known->effects->phase_count == 2;
    if (!two_phases || number == 1)
        return scatter_all(sim, !two_phases);
    log_tile(sim, PTOG_AT_IDX, ptog_mgather_idx(&sim->known->insn), ptog_mgather_idx(&sim->known->insn)->valid_col);
    return PTOG_OK;
}

/* Cycles of one phase of mscatter: of the launch, or of the scalar loop and its DMAs. */
static double cost(const struct ptog_costs *costs, const struct ptog_known_insn *known, int number,
                   const struct ptog_log *log)
{
    const struct ptog_tile *src = ptog_mscatter_src(&known->insn);
    double policy = ptog_cost_policy(costs, ptog_mgather_oob(&known->insn)), rows = (double)src->valid_row;
    if (known->effects->simt)
        return ptog_sim_launch_cost(costs, known, log);
    if (known->form == PTOG_FORM_SCATTER_ELEM)
        return (double)log->lanes * (costs->gm_load + 2 * costs->ub_access + policy);
    if (number == 0)
        return rows * (costs->ub_access + policy + costs->issue);
    return rows *
           ptog_cost_along(costs->to_gm, (double)ptog_mscatter_cols(known) * (double)ptog_dtype_size(src->dtype));
}

/* ---- other indices: any row, or any element, of the table could be written */

/* Logs the part of the table that some indices could make the scatter write, cut to its buffer. */
static void possible_writes(const struct ptog_sim *sim)
{
    const struct ptog_insn *op = &sim->known->insn;
    const struct ptog_tensor *table = ptog_mgather_table(op);
    uint64_t size = ptog_dtype_size(ptog_mscatter_src(op)->dtype), bytes = 0, pitch = 0, count = 1;
    uint64_t capacity = ptog_mgather_capacity(sim->known->target, op);
    uint64_t room = ptog_gm_room(sim->memory, ptog_sim_buffer(sim), ptog_sim_offset(sim));
    struct ptog_access write = ptog_sim_access(sim, kind_of_store(sim->known), PTOG_AT_TABLE);
    sim->log->phase = (uint8_t)(sim->known->effects->phase_count - 1);
    if (table->layout == PTOG_ND && sim->known->form == PTOG_FORM_SCATTER_ROW) {
        pitch = (uint64_t)ptog_mgather_pitch(sim->known->target, op) * size;
        bytes = (uint64_t)ptog_mscatter_cols(sim->known) * size;
        count = ptog_min(capacity, room / pitch + 1);
    } else if (table->layout == PTOG_NZ || !ptog_mul_u64(capacity, size, &bytes)) {
        bytes = room;
    }
    write.at = ptog_sim_offset(sim);
    write.bytes = ptog_min(bytes, room);
    write.count = count;
    write.pitch = pitch;
    ptog_log_add(sim->log, &write);
}

const struct ptog_sim_family ptog_sim_mscatter = {phase, cost, NULL, possible_writes};
