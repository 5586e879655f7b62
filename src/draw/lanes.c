/* draw: what the families tell of lanes, and the words that they leave. */
#include "draw/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* In the first walk: wants to see the row and column of a lane that is not like the others. */
static void look_at(struct ptog_draw *draw, const struct ptog_origin *lane)
{
    struct ptog_plane *plane = &draw->planes[lane->to];
    if (lane->state == PTOG_CELL_WRITTEN || plane->want_rows.count > 4)
        return;
    ptog_wants_add(&plane->want_rows, lane->r);
    if (plane->want_cols.count <= 2)
        ptog_wants_add(&plane->want_cols, lane->c);
}

/* Asks for an element to be shown: its row and its column. */
static void want_element(struct ptog_plane *plane, int64_t r, int64_t c)
{
    ptog_wants_add(&plane->want_rows, r);
    ptog_wants_add(&plane->want_cols, c);
}

/* Keeps a lane whose result is shown, and asks for what it reads. */
static void collect_lane(struct ptog_draw *draw, const struct ptog_origin *lane)
{
    const struct ptog_plane *to = &draw->planes[lane->to];
    if (!ptog_shown_has(&to->row, lane->r) || !ptog_shown_has(&to->col, lane->c))
        return;
    if (!ptog_stack_push(&draw->lanes, lane, sizeof *lane))
        draw->no_memory = true;
    if (lane->from >= 0)
        want_element(&draw->planes[lane->from], lane->from_r, lane->from_c);
    if (lane->by >= 0)
        want_element(&draw->planes[lane->by], lane->by_r, lane->by_c);
}

/* In the third walk: marks a shown cell of a source as read; what is out of range stays so, whatever comes later. */
static void touch(struct ptog_plane *plane, int64_t r, int64_t c, enum ptog_cell_state state)
{
    if (!plane->touched || !ptog_shown_has(&plane->row, r) || !ptog_shown_has(&plane->col, c))
        return;
    size_t row = (size_t)ptog_shown_slot(&plane->row, r), col = (size_t)ptog_shown_slot(&plane->col, c);
    unsigned char *cell = &plane->touched[row * plane->col.count + col];
    if (*cell <= PTOG_CELL_WRITTEN)
        *cell = (unsigned char)(state == PTOG_CELL_WRITTEN ? PTOG_CELL_READ : state);
}

/* Marks what a lane reads as read. */
static void mark_read(struct ptog_draw *draw, const struct ptog_origin *lane)
{
    if (lane->from >= 0)
        touch(&draw->planes[lane->from], lane->from_r, lane->from_c, PTOG_CELL_READ);
    if (lane->by >= 0)
        touch(&draw->planes[lane->by], lane->by_r, lane->by_c, lane->state);
}

void ptog_draw_lane(struct ptog_draw *draw, const struct ptog_origin *lane)
{
    switch (draw->walk) {
    case PTOG_WALK_LOOKS: look_at(draw, lane); break;
    case PTOG_WALK_COLLECTS: collect_lane(draw, lane); break;
    case PTOG_WALK_MARKS: mark_read(draw, lane); break;
    }
}

/* ---- words */

/* A formatted text that lives as long as the drawing. */
static const char *draw_words(struct ptog_draw *draw, const char *format, va_list args)
{
    char text[512];
    int length = vsnprintf(text, sizeof text, format, args);
    const char *copy = ptog_arena_copy(draw->arena, text, length > 0 ? strlen(text) : 0);
    draw->no_memory = draw->no_memory || !copy;
    return copy;
}

const char *ptog_draw_words(struct ptog_draw *draw, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *copy = draw_words(draw, format, args);
    va_end(args);
    return copy;
}

bool ptog_draw_row_wanted(const struct ptog_draw *draw, int operand, int64_t r)
{
    return draw->walk == PTOG_WALK_COLLECTS && ptog_shown_has(&draw->planes[operand].row, r);
}

void ptog_draw_row_note(struct ptog_draw *draw, int operand, int64_t r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    draw->row_notes[operand][ptog_shown_slot(&draw->planes[operand].row, r)] = draw_words(draw, format, args);
    va_end(args);
}

/* ---- families */

/* What tells a family's lanes to the drawing; NULL: it has no arrows. */
ptog_draw_fn *ptog_draw_family(enum ptog_family family)
{
    static ptog_draw_fn *const families[PTOG_FAMILIES] = {
        [PTOG_FAMILY_TRANSFER] = ptog_draw_transfer, [PTOG_FAMILY_MGATHER] = ptog_draw_mgather,
        [PTOG_FAMILY_TGATHER] = ptog_draw_tgather,   [PTOG_FAMILY_ELEMENTWISE] = ptog_draw_elementwise,
        [PTOG_FAMILY_MSCATTER] = ptog_draw_mscatter, [PTOG_FAMILY_SORTS] = ptog_draw_sorts,
        [PTOG_FAMILY_TSCATTER] = ptog_draw_tscatter, [PTOG_FAMILY_TGATHERB] = ptog_draw_tgatherb,
        [PTOG_FAMILY_MOVES] = ptog_draw_moves,       [PTOG_FAMILY_REDUCE] = ptog_draw_reduce,
    };
    return families[family];
}
