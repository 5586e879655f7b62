/* sim: MGATHER Elem.   dst[r,c] = flat(table)[map(idx[r,c])], by S on A2/A3 and for a single element on A5, by lanes
 * elsewhere */
#include "base/arith.h"
#include "model/tile.h"
#include "sim/families/gather.h"
#include "sim/families/mgather.h"
#include "sim/lanes.h"
#include "sim/simt.h"

struct elem_walk {
    struct ptog_gather g;
    const unsigned char *plain; /* the table's buffer, when it may be read as it is */
    bool nz, transactions;
};

/* Where the element is read, in bytes of the buffer; false when outside it. */
static inline bool element_address(const struct elem_walk *w, uint64_t mapped, uint64_t *at)
{
    uint64_t place = mapped;
    if (w->nz && !ptog_mgather_elem_place(w->g.op, mapped, &place))
        return false;
    if (!ptog_mul_u64(place, w->g.size, at) || *at >= w->g.room || w->g.room - *at < w->g.size)
        return false;
    *at += w->g.offset;
    return true;
}

/* The table's element `at` bytes into its buffer, read directly where the buffer is plain memory. */
static inline uint64_t bits_at(const struct elem_walk *w, uint64_t at)
{
    uint64_t bits = 0;
    if (w->plain)
        return ptog_bits_at(w->plain + at, w->g.size);
    ptog_gm_read(w->g.sim->memory, w->g.buffer, at, &bits, w->g.size);
    return bits;
}

/* Counts the read of one element in the log: bytes, transactions, and, where they are wanted, the access. */
static void log_read(struct elem_walk *w, uint64_t at)
{
    struct ptog_log *log = w->g.sim->log;
    if (w->transactions) {
        ptog_simt_line(log, w->g.buffer, at / PTOG_GM_LINE);
        log->stats.transaction_bytes += w->g.size;
    }
    log->stats.gm_read_bytes += w->g.size;
    if (log->gm_reads) {
        struct ptog_access read = ptog_sim_access(w->g.sim, PTOG_READS, PTOG_AT_TABLE);
        read.at = at;
        read.bytes = w->g.size;
        ptog_log_add(log, &read);
    }
}

/* Gathers one element into dst: reads its index, then memory; what lies outside is reported, and gives the fill bytes.
 */
static inline void gather_lane(struct elem_walk *w, int64_t index_at, int64_t to, int64_t r, int64_t c)
{
    uint64_t bits = 0, at;
    struct ptog_lane_index found = ptog_gather_index(&w->g, index_at, r, c);
    if (!found.zero) {
        bool inside = element_address(w, found.mapped, &at);
        if (inside)
            bits = bits_at(w, at);
        else
            bits = UINT64_MAX / 255 * PTOG_NO_BYTES;
        if (!inside || found.mapped >= w->g.capacity)
            ptog_gather_judge(&w->g, &found, r, c, 1, inside);
        if (inside && w->g.sim->log)
            log_read(w, at);
    } else if (w->g.sim->log) {
        w->g.sim->log->zeros++;
    }
    ptog_ub_put(w->g.sim->memory, ptog_mgather_dst(w->g.op)->addr + (uint64_t)to * w->g.size, w->g.size, bits);
}

/* ---- rows at once */

/* Elements of the table that are read without a fault whatever the policy: indices below this one are in the table and
 * in its buffer, and are no negative numbers. */
static uint64_t harmless(const struct elem_walk *w)
{
    uint64_t limit = ptog_min(w->g.capacity, w->g.room / w->g.size);
    if (w->g.signed_index)
        limit = ptog_min(limit, UINT64_C(0x80000000));
    return limit;
}

/* Nobody can see in which order the lanes of a row go: the table's bytes are read as they are, no reads are told one by
 * one, no tracer follows, and no lane writes an index of a later one. */
static bool may_go_by_rows(const struct elem_walk *w, int64_t rows, int64_t cols)
{
    const struct ptog_tile *dst = ptog_mgather_dst(w->g.op), *idx = ptog_mgather_idx(w->g.op);
    const struct ptog_memory *memory = w->g.sim->memory;
    const struct ptog_log *log = w->g.sim->log;
    return w->plain && !w->nz && !memory->tracer && !(log && log->gm_reads) &&
           ptog_ub_holds_rows(memory, dst, rows, cols) && ptog_ub_holds_rows(memory, idx, rows, cols) &&
           ptog_tiles_are_apart(dst, idx);
}

/* Counts the reads of a row of lanes in the log. */
static void log_row(struct elem_walk *w, const struct ptog_sim_lanes *lanes)
{
    struct ptog_log *log = w->g.sim->log;
    uint64_t offset = w->g.offset, size = w->g.size;
    log->stats.gm_read_bytes += lanes->count * size;
    if (!w->transactions)
        return;
    for (uint64_t i = 0; i < lanes->count; i++)
        ptog_simt_line(log, w->g.buffer, (offset + ptog_bits_at(lanes->idx + i * 4, 4) * size) / PTOG_GM_LINE);
    log->stats.transaction_bytes += lanes->count * size;
}

/* Gathers row `r` at once, and logs what it reads. False, and nothing is done, when an index is `limit` or more. */
static bool gather_row_at_once(struct elem_walk *w, int64_t r, int64_t cols, uint64_t limit)
{
    const struct ptog_tile *dst = ptog_mgather_dst(w->g.op), *idx = ptog_mgather_idx(w->g.op);
    unsigned char *ub = w->g.sim->memory->ub;
    const struct ptog_sim_lanes lanes = {.src = w->plain + w->g.offset,
                                         .idx = ub + idx->addr + (uint64_t)(r * idx->cols) * 4,
                                         .dst = ub + dst->addr + (uint64_t)(r * dst->cols) * w->g.size,
                                         .count = (uint64_t)cols};
    if (ptog_lanes_largest(&lanes, 4) >= limit)
        return false;
    if (w->g.sim->log)
        log_row(w, &lanes);
    ptog_lanes_gather(&lanes, 4, w->g.size);
    return true;
}

/* Gathers all elements, a row at once where nothing in it can go wrong, else lane by lane. */
static void walk_rows(struct elem_walk *w, int64_t rows, int64_t cols)
{
    const struct ptog_tile *dst = ptog_mgather_dst(w->g.op), *idx = ptog_mgather_idx(w->g.op);
    bool plain = ptog_tile_order(dst) == PTOG_ORDER_ROW && ptog_tile_order(idx) == PTOG_ORDER_ROW;
    uint64_t limit = may_go_by_rows(w, rows, cols) ? harmless(w) : 0;
    for (int64_t r = 0; r < rows; r++) {
        if (limit > 0 && gather_row_at_once(w, r, cols, limit))
            continue;
        for (int64_t c = 0; c < cols; c++)
            if (plain)
                gather_lane(w, r * idx->cols + c, r * dst->cols + c, r, c);
            else
                gather_lane(w, ptog_tile_offset(idx, r, c), ptog_tile_offset(dst, r, c), r, c);
    }
}

/* Block column, row, column in the block: consecutive writes fill 32-byte blocks. */
static void walk_nz(struct elem_walk *w, int64_t rows, int64_t cols)
{
    const struct ptog_tile *dst = ptog_mgather_dst(w->g.op), *idx = ptog_mgather_idx(w->g.op);
    int64_t c0 = ptog_c0(dst->dtype);
    for (int64_t block = 0; block < cols; block += c0)
        for (int64_t r = 0; r < rows; r++)
            for (int64_t c = block; c < cols && c < block + c0; c++)
                gather_lane(w, ptog_tile_offset(idx, r, c), ptog_tile_offset(dst, r, c), r, c);
}

/* Counts the loads and stores of S, one for each lane. */
static void count_scalars(struct ptog_log *log, uint64_t lanes)
{
    log->lanes = lanes;
    log->stats.scalar_loads += lanes - log->zeros;
    log->stats.scalar_stores += lanes;
}

/* Performs mgather by elements: reads indices and table, writes dst in the order of its layout, and logs reads, writes,
 * transactions and the launch or the scalar accesses. */
enum ptog_status ptog_sim_elem(const struct ptog_sim *sim)
{
    const struct ptog_target *target = sim->known->target;
    const struct ptog_insn *op = &sim->known->insn;
    bool simt = sim->known->effects->simt;
    struct elem_walk w = {.g = ptog_gather_of(sim),
                          .plain = ptog_gm_plain(sim->memory, ptog_sim_buffer(sim)),
                          .nz = ptog_mgather_table(op)->layout == PTOG_NZ,
                          .transactions = simt && sim->log};
    int64_t rows = ptog_mgather_rows(target, op), cols = ptog_mgather_cols(target, op);
    ptog_gather_begin(&w.g, rows, cols);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_IDX), ptog_mgather_idx(op), rows, cols);
    if (ptog_tile_order(ptog_mgather_dst(op)) == PTOG_ORDER_NZ)
        walk_nz(&w, rows, cols);
    else
        walk_rows(&w, rows, cols);
    ptog_log_region(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), ptog_mgather_dst(op), rows, cols);
    if (sim->log && simt)
        ptog_simt_launch(sim->log, ptog_simt_elem_shape(target->writes_padded, rows, cols));
    else if (sim->log)
        count_scalars(sim->log, (uint64_t)(rows * cols));
    return PTOG_OK;
}
