/* draw: reductions.   dst[i,0] comes from every src[i,j], or dst[0,j] from every src[i,j]; a position comes from the
 * element that it is about */
#include "model/reduce.h"

#include "draw/draw.h"

/* The elements of one result, as they are drawn. */
struct drawn_elements {
    const struct ptog_draw *draw;
    const struct ptog_reduce *r;
    int64_t result;
};

/* Element k of a line that is reduced, before the run. */
static bool find_element(const struct drawn_elements *e, int64_t k, uint64_t *bits)
{
    const struct ptog_plane *src = &e->draw->planes[PTOG_REDUCE_SRC];
    *bits = 0;
    if (e->r->by_row)
        return ptog_plane_bits(src, e->result, k, bits);
    return ptog_plane_bits(src, k, e->result, bits);
}

/* Element k of a line that is reduced. */
static uint64_t drawn_element(const void *where, int64_t k)
{
    uint64_t bits;
    find_element(where, k, &bits);
    return bits;
}

/* Tells the drawing an arrow from element `k` of a line to its result in dst or val. */
static void draw_reduced(struct ptog_draw *draw, const struct drawn_elements *e, int64_t k, int to)
{
    struct ptog_origin lane = {.to = to, .from = PTOG_REDUCE_SRC, .by = -1, .state = PTOG_CELL_WRITTEN};
    uint64_t bits;
    lane.is_one_of_many = e->r->order != PTOG_FOLD_FIRST;
    if (e->r->by_row) {
        lane.r = lane.from_r = e->result;
        lane.from_c = k;
    } else {
        lane.c = lane.from_c = e->result;
        lane.from_r = k;
    }
    if (!find_element(e, k, &bits))
        lane.state = PTOG_CELL_OUTSIDE;
    ptog_draw_lane(draw, &lane);
}

/* Tells the drawing from which element the position, and the value at it, of a line come. */
static void tell_position(struct ptog_draw *draw, const struct drawn_elements *e)
{
    int64_t found = ptog_reduce_find(e->r, &(struct ptog_line){drawn_element, e});
    draw_reduced(draw, e, found, PTOG_REDUCE_DST);
    if (ptog_reduce_gives_value(draw->known->form))
        draw_reduced(draw, e, found, PTOG_REDUCE_VAL);
}

/* Tells the drawing which elements each result of a reduction is made of. */
void ptog_draw_reduce(struct ptog_draw *draw)
{
    struct ptog_reduce r;
    ptog_reduce_start(&r, draw->known);
    for (int64_t n = 0; n < r.results; n++) {
        struct drawn_elements e = {draw, &r, n};
        if (r.order == PTOG_FOLD_FIRST)
            tell_position(draw, &e);
        for (int64_t k = 0; k < r.count && r.order != PTOG_FOLD_FIRST; k++)
            draw_reduced(draw, &e, k, PTOG_REDUCE_DST);
    }
}
