/* sim: elementwise instructions, many lanes at once. V reads a part of a row of each source, computes, and writes a
 * part of a row of dst:
 *
 *     a  where it lies in UB      \
 *     b  one element, spread       >   ptog_lane_compute_row   ->   dst, where it lies in UB
 *     c  collected one by one     /
 *
 * That is what the lanes do one after another, as long as nobody can see the order: no source lies on a part of dst
 * that an earlier lane writes, no lane is without a result, and no tracer wants to know which lane reads what. */
#include "sim/families/elementwise.h"

#include "model/tile.h"
#include "sim/lanes.h"

struct row_part {
    const struct ptog_sim *sim;
    const struct ptog_elementwise *e;
    int64_t r, c, count; /* so many elements of dst from (r, c) on */
};

/* Whether an input is the one that is broadcast. */
static bool is_small(const struct ptog_elementwise *e, int i)
{
    return e->broadcast.spread != PTOG_SPREAD_NONE && i == e->broadcast.small;
}

/* Each element of the source lies where the one that is made of it goes. */
static bool is_in_place(const struct ptog_elementwise *e, int i)
{
    const struct ptog_tile *src = &e->insn->of[i].tile, *dst = e->dst;
    return src->addr == dst->addr && src->cols == dst->cols && src->dtype == dst->dtype &&
           ptog_tile_order(src) == PTOG_ORDER_ROW && !e->packed && !is_small(e, i);
}

/* All that is read of a source lies in its tile, and none of it is written before. */
static bool may_be_read(const struct ptog_elementwise *e, int i)
{
    const struct ptog_tile *src = &e->insn->of[i].tile;
    struct ptog_spot last = ptog_broadcast_spot(&e->broadcast, i, e->rows - 1, e->cols - 1);
    if (e->insn->of[i].kind != PTOG_IS_TILE)
        return true;
    return last.r < src->rows && last.c < src->cols && (ptog_tiles_are_apart(src, e->dst) || is_in_place(e, i));
}

/* Whether whole rows can be computed at once: nobody traces bytes, no lane can fault, and each operand's rows lie in
 * one piece inside UB. */
static bool may_go_by_rows(const struct ptog_sim *sim, const struct ptog_elementwise *e)
{
    if (sim->memory->tracer || e->partial || e->generates || e->converts ||
        ptog_lane_may_fault(e->lane, e->dst->dtype) || !ptog_ub_holds_rows(sim->memory, e->dst, e->rows, e->cols))
        return false;
    for (int i = 1; i <= e->inputs; i++)
        if (!may_be_read(e, i))
            return false;
    return true;
}

/* One element stands for all of the part. */
static bool is_one(const struct row_part *p, int i)
{
    return p->e->insn->of[i].kind != PTOG_IS_TILE ||
           (is_small(p->e, i) && p->e->broadcast.spread == PTOG_SPREAD_COLUMN && p->e->broadcast.period == 1);
}

/* The part of source `i` where it lies in UB, one element after the other; NULL: it does not, or has another type. */
static const unsigned char *find_row(const struct row_part *p, int i)
{
    const struct ptog_tile *tile = &p->e->insn->of[i].tile;
    const struct ptog_memory *memory = p->sim->memory;
    struct ptog_spot first = ptog_broadcast_spot(&p->e->broadcast, i, p->r, p->c);
    uint64_t bytes = (uint64_t)p->count * ptog_dtype_size(tile->dtype);
    if (tile->dtype != p->e->dst->dtype || ptog_tile_order(tile) != PTOG_ORDER_ROW ||
        (is_small(p->e, i) && p->e->broadcast.spread == PTOG_SPREAD_COLUMN))
        return NULL;
    uint64_t at = ptog_sim_place(tile, ptog_tile_offset(tile, first.r, first.c));
    if (ptog_ub_cut(memory, at, bytes) < bytes)
        return NULL;
    return memory->ub + at;
}

/* Copies the elements of input i into `row`, one by one, and returns it. */
static const unsigned char *collect_row(const struct row_part *p, int i, unsigned char row[PTOG_LANE_ROW * 8])
{
    size_t size = ptog_dtype_size(p->e->dst->dtype);
    uint64_t bits = ptog_sim_input(p->sim, p->e, i, p->r, p->c);
    bool one = is_one(p, i);
    for (int64_t k = 0; k < p->count; k++) {
        if (!one)
            bits = ptog_sim_input(p->sim, p->e, i, p->r, p->c + k);
        ptog_bits_to(row + (size_t)k * size, size, bits);
    }
    return row;
}

/* The elements of input i: in UB, where they lie in a row, else copied into `row`. */
static const unsigned char *read_part(const struct row_part *p, int i, unsigned char row[PTOG_LANE_ROW * 8])
{
    const unsigned char *found = is_one(p, i) ? NULL : find_row(p, i);
    if (found)
        return found;
    return collect_row(p, i, row);
}

/* Computes some columns of one row and writes them to dst in UB. Inputs are read before, so dst may overlap them. */
static void compute_part(const struct row_part *p)
{
    const struct ptog_elementwise *e = p->e;
    struct ptog_memory *memory = p->sim->memory;
    unsigned char rows[PTOG_LANE_INPUTS][PTOG_LANE_ROW * 8];
    struct ptog_lane_row row = {.target = e->target, .lane = e->lane, .dtype = e->dst->dtype, .inputs = e->inputs};
    uint64_t to = ptog_sim_place(e->dst, ptog_elementwise_place(e, p->r, p->c));
    uint64_t bytes = (uint64_t)p->count * ptog_dtype_size(e->dst->dtype);
    for (int i = 0; i < PTOG_LANE_INPUTS; i++) {
        row.dtypes[i] = e->dst->dtype;
        row.in[i] = i < e->inputs ? read_part(p, i + 1, rows[i]) : row.in[0];
    }
    if (e->reads_dst) {
        row.inputs = PTOG_LANE_INPUTS;
        row.in[2] = read_part(p, 0, rows[2]);
    }
    if (e->lane == PTOG_LANE_none)
        memmove(memory->ub + to, row.in[0], bytes);
    else
        ptog_lane_compute_row(&row, memory->ub + to, (int)p->count);
}

bool ptog_sim_by_rows(const struct ptog_sim *sim, const struct ptog_elementwise *e)
{
    struct row_part p = {.sim = sim, .e = e};
    if (!may_go_by_rows(sim, e))
        return false;
    for (p.r = 0; p.r < e->rows; p.r++)
        for (p.c = 0; p.c < e->cols; p.c += PTOG_LANE_ROW) {
            int64_t left = e->cols - p.c;
            p.count = ptog_min(left, PTOG_LANE_ROW);
            compute_part(&p);
        }
    return true;
}
