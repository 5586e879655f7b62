/* draw: operands become grids: cells with a value, a state and a note. */
#include "draw/draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/pick.h"
#include "model/tensor.h"
#include "model/tile.h"

/* Of an element that is drawn. */
static struct ptog_drawn_cell *cell_at(const struct ptog_plane *plane, struct ptog_drawn_cell *cells, int64_t r,
                                       int64_t c)
{
    return &cells[(size_t)ptog_shown_slot(&plane->row, r) * plane->col.count + (size_t)ptog_shown_slot(&plane->col, c)];
}

/* ---- states */

/* Gives cells their state: read, padding, or nothing special. */
static void put_states(const struct ptog_plane *plane, struct ptog_drawn_cell *cells)
{
    for (size_t i = 0; i < plane->row.count; i++)
        for (size_t j = 0; j < plane->col.count; j++) {
            size_t at = i * plane->col.count + j;
            if (plane->touched && plane->touched[at] != PTOG_CELL_PLAIN)
                cells[at].state = (enum ptog_cell_state)plane->touched[at];
            else if (plane->row.at[i] >= plane->valid_rows || plane->col.at[j] >= plane->valid_cols)
                cells[at].state = PTOG_CELL_PADDING;
        }
}

/* Writes into a cell of dst which element it comes from, where no arrow for a whole row says so. */
static void note_origin(struct ptog_draw *draw, const struct ptog_origin *lane, struct ptog_drawn_cell *cell)
{
    if (lane->from < 0 || lane->is_one_of_many || ptog_draw_is_whole_row(draw, lane))
        return;
    const struct ptog_plane *from = &draw->planes[lane->from];
    if (from->rows == 1)
        cell->note = ptog_draw_words(draw, "[%" PRId64 "]", lane->from_c);
    else
        cell->note = ptog_draw_words(draw, "[%" PRId64 ",%" PRId64 "]", lane->from_r, lane->from_c);
}

/* Marks the cells whose values have changed as written, where no lanes are recorded. */
static void put_changed(const struct ptog_plane *plane, struct ptog_drawn_cell *cells)
{
    for (size_t i = 0; i < plane->row.count; i++)
        for (size_t j = 0; j < plane->col.count; j++) {
            int64_t r = plane->row.at[i], c = plane->col.at[j];
            if (r != PTOG_DRAWN_GAP && c != PTOG_DRAWN_GAP && ptog_plane_is_changed(plane, r, c))
                cells[i * plane->col.count + j].state = PTOG_CELL_WRITTEN;
        }
}

/* Gives the cells of a destination the state of their lanes, and their origin. */
static void put_written(struct ptog_draw *draw, int operand, struct ptog_drawn_cell *cells)
{
    if (draw->planes[operand].written && !ptog_draw_family(ptog_insn_family(&draw->known->insn)))
        put_changed(&draw->planes[operand], cells);
    for (size_t i = 0; i < ptog_draw_lanes(draw); i++) {
        const struct ptog_origin *lane = ptog_draw_lane_at(draw, i);
        if (lane->to != operand)
            continue;
        struct ptog_drawn_cell *cell = cell_at(&draw->planes[operand], cells, lane->r, lane->c);
        cell->state = lane->state;
        note_origin(draw, lane, cell);
    }
}

/* ---- texts */

/* Writes the value of each cell, and its place in storage where the order is not row after row. */
static void put_texts(struct ptog_draw *draw, const struct ptog_plane *plane, struct ptog_drawn_cell *cells)
{
    bool places = !ptog_plane_is_plain(plane);
    char text[PTOG_PLANE_TEXT];
    for (size_t i = 0; i < plane->row.count; i++)
        for (size_t j = 0; j < plane->col.count; j++) {
            struct ptog_drawn_cell *cell = &cells[i * plane->col.count + j];
            int64_t r = plane->row.at[i], c = plane->col.at[j];
            cell->text = "";
            if (r == PTOG_DRAWN_GAP || c == PTOG_DRAWN_GAP) {
                cell->state = PTOG_CELL_PLAIN;
                continue;
            }
            if (draw->accessed && plane->operand->kind == PTOG_IS_VIEW && cell->state == PTOG_CELL_PLAIN)
                continue; /* its bytes are not known */
            ptog_plane_text(plane, r, c, cell->state, text);
            cell->text = ptog_draw_words(draw, "%s", text);
            if (places)
                cell->note = ptog_draw_words(draw, "%s%s@%" PRIu64, ptog_or(cell->note, ""), ptog_when(cell->note, " "),
                                             ptog_plane_place(plane, r, c));
        }
}

/* ---- one operand */

/* The remark below a grid about the notes in its cells; NULL: none. */
static const char *remark_of(const struct ptog_plane *plane, const struct ptog_drawn_cell *cells)
{
    bool origins = false;
    for (size_t i = 0; i < plane->row.count * plane->col.count; i++)
        origins |= cells[i].note && cells[i].note[0] == '[';
    if (!ptog_plane_is_plain(plane))
        return origins ? "[from] @position in memory" : "@position in memory";
    if (origins)
        return "[where it is from]";
    return NULL;
}

/* A copy of the rows or columns that are shown, which the drawing keeps; NULL when out of memory. */
static int64_t *copy_shown(struct ptog_draw *draw, const struct ptog_shown *shown)
{
    int64_t *at = ptog_arena_alloc(draw->arena, (shown->count + 1) * sizeof *at);
    if (at)
        memcpy(at, shown->at, shown->count * sizeof *at);
    draw->no_memory = draw->no_memory || !at;
    return at;
}

/* As the program writes it; a long one is cut. */
static const char *operand_name(struct ptog_draw *draw, const char *name)
{
    if (!name)
        return NULL;
    return ptog_draw_words(draw, "%s%.40s%s", ptog_when(!draw->accessed, "%"), name,
                           ptog_when(strlen(name) > 40, "..."));
}

/* Makes the grid of an operand: cells, labels, and what of it is shown. */
static void make_grid(struct ptog_draw *draw, int operand, const char *name, struct ptog_drawn_grid *grid)
{
    const struct ptog_plane *plane = &draw->planes[operand];
    size_t count = plane->row.count * plane->col.count;
    struct ptog_drawn_cell *cells = ptog_arena_alloc(draw->arena, (count + 1) * sizeof *cells);
    const char **notes = ptog_arena_alloc(draw->arena, (plane->row.count + 1) * sizeof *notes);
    if (!cells || !notes) {
        draw->no_memory = true;
        return;
    }
    put_states(plane, cells);
    put_written(draw, operand, cells);
    put_texts(draw, plane, cells);
    memcpy(notes, draw->row_notes[operand], plane->row.count * sizeof *notes);
    *grid = (struct ptog_drawn_grid){.name = ptog_operand_name(plane->name),
                                     .operand = operand_name(draw, name),
                                     .title = ptog_draw_grid_title(draw, plane),
                                     .remark = remark_of(plane, cells),
                                     .written = plane->written,
                                     .rows = plane->rows,
                                     .cols = plane->cols,
                                     .row_count = plane->row.count,
                                     .col_count = plane->col.count,
                                     .row_at = copy_shown(draw, &plane->row),
                                     .col_at = copy_shown(draw, &plane->col),
                                     .row_notes = notes,
                                     .box_rows = ptog_plane_is_nz(plane) ? PTOG_NZ_ROWS : 0,
                                     .box_cols = ptog_plane_is_nz(plane) ? ptog_c0(plane->dtype) : 0,
                                     .cells = cells};
}

/* Adds the grids of all operands to the drawing, sources first, as the arrows go. Sets draw->no_memory when it cannot.
 */
void ptog_draw_grids(struct ptog_draw *draw, const char *const *names, ptog_drawing *drawing)
{
    struct ptog_drawn_grid *grids = ptog_arena_alloc(draw->arena, PTOG_MAX_OPERANDS * sizeof *grids);
    draw->no_memory = draw->no_memory || !grids;
    drawing->grids = grids;
    for (int written = 0; written < 2; written++)
        for (int i = 0; i < draw->known->insn.count && !draw->no_memory; i++) {
            struct ptog_plane *plane = &draw->planes[i];
            if (!plane->operand || plane->written != (written == 1))
                continue;
            plane->grid = (int)drawing->grid_count;
            make_grid(draw, i, names ? names[i] : NULL, &grids[drawing->grid_count++]);
        }
}
