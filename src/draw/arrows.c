/* draw: lanes become arrows, those of a whole row one. */
#include "draw/draw.h"

/* Whether two lanes go from the same operand to the same row. */
static bool is_beside(const struct ptog_origin *a, const struct ptog_origin *b)
{
    return a->to == b->to && a->r == b->r && a->from == b->from;
}

/* Both come from the same row, as far apart as they are written; or from one and the same element. */
static bool goes_along(const struct ptog_origin *a, const struct ptog_origin *b)
{
    if (a->from < 0)
        return a->state == b->state;
    return a->from_r == b->from_r && (a->from_c - a->c == b->from_c - b->c || a->from_c == b->from_c);
}

/* Whether one arrow can stand for the whole row of a lane: every lane of it comes from one row of one source. A row of
 * which a part comes from nowhere is recorded cell by cell. */
bool ptog_draw_is_whole_row(const struct ptog_draw *draw, const struct ptog_origin *lane)
{
    size_t beside = 0, in_row = 0, from_nowhere = 0;
    for (size_t i = 0; i < ptog_draw_lanes(draw); i++) {
        const struct ptog_origin *other = ptog_draw_lane_at(draw, i);
        if (other->to != lane->to || other->r != lane->r)
            continue;
        in_row++;
        from_nowhere += other->from < 0;
        if (!is_beside(lane, other))
            continue;
        if (!goes_along(lane, other))
            return false;
        beside++;
    }
    if (lane->from < 0)
        return beside == in_row && beside > 1;
    return from_nowhere == 0 && (beside > 1 || draw->planes[lane->from].cols == 1);
}

/* The state of all lanes beside this one; where they differ, the arrow is an ordinary one. */
static enum ptog_cell_state common_state(const struct ptog_draw *draw, const struct ptog_origin *lane)
{
    for (size_t i = 0; i < ptog_draw_lanes(draw); i++)
        if (is_beside(lane, ptog_draw_lane_at(draw, i)) && ptog_draw_lane_at(draw, i)->state != lane->state)
            return PTOG_CELL_WRITTEN;
    return lane->state;
}

/* Whether no lane before this one goes from the same operand to the same row. */
static bool is_first_beside(const struct ptog_draw *draw, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (is_beside(ptog_draw_lane_at(draw, i), ptog_draw_lane_at(draw, number)))
            return false;
    return true;
}

/* One element goes to the whole row. */
static bool is_spread(const struct ptog_draw *draw, const struct ptog_origin *lane)
{
    size_t same = 0;
    for (size_t i = 0; i < ptog_draw_lanes(draw); i++) {
        const struct ptog_origin *other = ptog_draw_lane_at(draw, i);
        if (!is_beside(lane, other))
            continue;
        if (other->from_c != lane->from_c)
            return false;
        same++;
    }
    return same > 1 && draw->planes[lane->from].cols > 1;
}

/* The arrow of a lane, or with `whole` of its row. */
static struct ptog_drawn_arrow arrow_of(const struct ptog_draw *draw, const struct ptog_origin *lane, bool whole)
{
    const struct ptog_plane *to = &draw->planes[lane->to];
    struct ptog_drawn_arrow arrow = {.from = -1,
                                     .to = to->grid,
                                     .from_row = PTOG_DRAWN_ALL,
                                     .from_col = PTOG_DRAWN_ALL,
                                     .to_row = ptog_shown_slot(&to->row, lane->r),
                                     .to_col = whole ? PTOG_DRAWN_ALL : ptog_shown_slot(&to->col, lane->c),
                                     .state = whole ? common_state(draw, lane) : lane->state};
    if (lane->from < 0)
        return arrow;
    const struct ptog_plane *from = &draw->planes[lane->from];
    arrow.from = from->grid;
    arrow.from_row = ptog_shown_slot(&from->row, lane->from_r);
    if (!whole || is_spread(draw, lane))
        arrow.from_col = ptog_shown_slot(&from->col, lane->from_c);
    return arrow;
}

/* A family that tells no lanes: from every source to every destination. */
static void grid_arrows(const struct ptog_drawn_grid *grids, size_t count, struct ptog_drawn_arrow *arrows,
                        size_t *arrow_count)
{
    for (size_t to = 0; to < count; to++)
        for (size_t from = 0; from < count && grids[to].written; from++)
            if (!grids[from].written)
                arrows[(*arrow_count)++] = (struct ptog_drawn_arrow){.from = (int)from,
                                                                     .to = (int)to,
                                                                     .from_row = PTOG_DRAWN_ALL,
                                                                     .from_col = PTOG_DRAWN_ALL,
                                                                     .to_row = PTOG_DRAWN_ALL,
                                                                     .to_col = PTOG_DRAWN_ALL,
                                                                     .state = PTOG_CELL_WRITTEN};
}

/* A lane that is written and comes from nowhere in particular, a count, has no arrow. */
static bool has_arrow(const struct ptog_origin *lane)
{
    return lane->from >= 0 || lane->state != PTOG_CELL_WRITTEN;
}

/* Makes the drawing's arrows from the lanes that are shown: one for each element, or for a row that moves as a
 * whole. */
void ptog_draw_arrows(struct ptog_draw *draw, ptog_drawing *drawing)
{
    size_t count = ptog_draw_lanes(draw), room = count + (size_t)PTOG_MAX_OPERANDS * PTOG_MAX_OPERANDS;
    struct ptog_drawn_arrow *arrows = ptog_arena_alloc(draw->arena, room * sizeof *arrows);
    if (!arrows) {
        draw->no_memory = true;
        return;
    }
    drawing->arrows = arrows;
    for (size_t i = 0; i < count; i++) {
        bool whole = ptog_draw_is_whole_row(draw, ptog_draw_lane_at(draw, i));
        if (has_arrow(ptog_draw_lane_at(draw, i)) && (!whole || is_first_beside(draw, i)))
            arrows[drawing->arrow_count++] = arrow_of(draw, ptog_draw_lane_at(draw, i), whole);
    }
    if (!ptog_draw_family(ptog_insn_family(&draw->known->insn)))
        grid_arrows(drawing->grids, drawing->grid_count, arrows, &drawing->arrow_count);
}
