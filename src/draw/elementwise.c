/* draw: elementwise instructions.   dst[r,c] = lane(a, b), a and b elements of the sources at the same place, of a
 * column or row that stands for all of them, or a scalar */
#include "model/elementwise.h"

#include "draw/draw.h"

#define DST 0

/* What goes into element (r, c) of dst, in dst's type; false when a buffer ends before it. */
static bool take_inputs(const struct ptog_draw *draw, const struct ptog_elementwise *e, int64_t r, int64_t c,
                        uint64_t in[PTOG_LANE_INPUTS])
{
    bool read = true;
    for (int i = 1; i <= e->inputs; i++)
        if (ptog_elementwise_has(e, i, r, c)) {
            struct ptog_spot from = ptog_elementwise_spot(e, i, r, c);
            read = ptog_plane_bits(&draw->planes[i], from.r, from.c, &in[i - 1]) && read;
            in[i - 1] = ptog_elementwise_input(e->insn, i, in[i - 1]);
        }
    return read;
}

/* What happened to element (r, c) of dst: written, at fault, or not computed for want of an input. */
static enum ptog_cell_state state_of(const struct ptog_draw *draw, const struct ptog_elementwise *e, int64_t r,
                                     int64_t c)
{
    uint64_t in[PTOG_LANE_INPUTS] = {0}, number;
    enum ptog_fault_kind kind;
    if (!take_inputs(draw, e, r, c, in))
        return PTOG_CELL_OUTSIDE;
    bool faults = ptog_lane_may_fault(e->lane, e->dst->dtype) &&
                  ptog_lane_faults(e->lane, e->dst->dtype, in[0], in[1], &kind, &number);
    return faults ? PTOG_CELL_NO_RESULT : PTOG_CELL_WRITTEN;
}

/* Tells the drawing from which elements (r, c) of dst is computed. */
static void draw_result(struct ptog_draw *draw, const struct ptog_elementwise *e, int64_t r, int64_t c)
{
    struct ptog_origin lane = {.to = DST, .by = -1, .state = state_of(draw, e, r, c)};
    uint64_t place = (uint64_t)ptog_elementwise_place(e, r, c);
    if (!ptog_plane_find(&draw->planes[DST], place, &lane.r, &lane.c))
        return;
    for (int i = 1; i <= e->inputs; i++) {
        bool scalar = draw->planes[i].operand->kind == PTOG_IS_SCALAR;
        struct ptog_spot from = ptog_elementwise_spot(e, i, r, c);
        if (!ptog_elementwise_has(e, i, r, c))
            continue;
        lane.from = i;
        lane.from_r = scalar ? 0 : from.r;
        lane.from_c = scalar ? 0 : from.c;
        ptog_draw_lane(draw, &lane);
        lane.from_c++;
        if (e->packs)
            ptog_draw_lane(draw, &lane);
    }
}

/* Tells the drawing where each element of an elementwise instruction comes from. */
void ptog_draw_elementwise(struct ptog_draw *draw)
{
    struct ptog_elementwise e;
    ptog_elementwise_start(&e, draw->known, draw->run.dst.data == draw->run.src.data);
    for (int64_t r = 0; r < e.rows; r++)
        for (int64_t c = 0; c < ptog_elementwise_cols(&e, r); c++)
            draw_result(draw, &e, r, c);
}
