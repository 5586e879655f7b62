/* draw: MSCATTER.   Row: table[map(idx[r]), j] op= src[r,j]      Elem: flat(table)[map(idx[r,c])] op= src[r,c] */
#include "model/mscatter.h"

#include "draw/draw.h"
#include "ref/lane.h"

/* Reads the index of lane (r, c), and where it stands in the index tile; false when there is none. */
static bool read_index(const struct ptog_draw *draw, int64_t r, int64_t c, struct ptog_origin *lane, uint64_t *index)
{
    const struct ptog_insn *op = &draw->known->insn;
    const struct ptog_target *target = ptog_mgather_as(draw->known->target, op);
    uint64_t at = (uint64_t)ptog_mgather_index_offset(target, op, r, c);
    if (!ptog_plane_find(&draw->planes[PTOG_MSCATTER_IDX], at, &lane->by_r, &lane->by_c))
        return false;
    return ptog_lane_index(draw->run.idx, at, ptog_mgather_idx(op)->dtype, target->signed_index, index);
}

/* What the policy did with an index that is inside of the table, or not. */
static enum ptog_cell_state lane_state(enum ptog_oob oob, bool inside)
{
    if (inside)
        return PTOG_CELL_WRITTEN;
    if (oob == PTOG_OOB_CLAMP)
        return PTOG_CELL_CLAMPED;
    return oob == PTOG_OOB_WRAP ? PTOG_CELL_WRAPPED : PTOG_CELL_OUTSIDE;
}

/* Tells the drawing lane (r, c): an arrow from the source to the place in the table; one that goes nowhere, or outside
 * what is shown, has none. */
static void tell_lane(struct ptog_draw *draw, int64_t r, int64_t c)
{
    const struct ptog_insn *op = &draw->known->insn;
    const struct ptog_target *target = draw->known->target;
    struct ptog_origin lane = {
        .to = PTOG_MSCATTER_TABLE, .from = PTOG_MSCATTER_SRC, .from_r = r, .from_c = c, .by = PTOG_MSCATTER_IDX};
    uint64_t index, capacity = ptog_mgather_capacity(target, op), place;
    bool skipped;
    if (!read_index(draw, r, c, &lane, &index))
        return;
    uint64_t mapped = ptog_mgather_map(target, op, index, capacity, &skipped);
    bool known = ptog_mgather_is_row(target, op) ? ptog_mgather_row_place(target, op, mapped, c, &place)
                                                 : ptog_mgather_elem_place(op, mapped, &place);
    if (skipped || !known || !ptog_plane_find(&draw->planes[PTOG_MSCATTER_TABLE], place, &lane.r, &lane.c))
        return;
    lane.state = lane_state(ptog_mgather_policy(target, op), index < capacity);
    ptog_draw_lane(draw, &lane);
}

/* Tells the drawing where each lane of mscatter goes, in the order in which they are written. */
void ptog_draw_mscatter(struct ptog_draw *draw)
{
    const struct ptog_insn *op = &draw->known->insn;
    int64_t rows = ptog_mgather_rows(draw->known->target, op), cols = ptog_mgather_cols(draw->known->target, op), r, c;
    for (int64_t i = 0; i < rows * cols; i++) {
        ptog_mscatter_lane(draw->known, rows, cols, i, &r, &c);
        tell_lane(draw, r, c);
    }
}
