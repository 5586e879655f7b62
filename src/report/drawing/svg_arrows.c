/* report: the arrows of a drawing's picture. */
#include <inttypes.h>

#include "report/drawing/look.h"
#include "report/drawing/svg.h"
#include "report/page.h"

/* Between two rows an arrow bends in the gutter. One between two cells runs inside the grids, below the values of the
 * source and above those of the destination. */
#define BELOW_VALUE 4
#define ABOVE_VALUE 4

struct svg_path {
    int x1, y1, bend1, bend2, x2, y2;
};

static int middle_of_row(const struct ptog_drawn_grid *grid, const struct ptog_svg_grid *at, int row)
{
    if (row == PTOG_DRAWN_ALL)
        return at->cells_y + at->cells_height / 2;
    return (ptog_svg_row_y(grid, at, (size_t)row) + ptog_svg_row_y(grid, at, (size_t)row + 1)) / 2;
}

/* Where an arrow begins: at a cell, or beside a row. */
static void start_path(struct svg_path *path, const struct ptog_drawn_grid *from, const struct ptog_svg_grid *at,
                       const struct ptog_drawn_arrow *arrow)
{
    path->x1 = path->bend1 = at->cells_x + at->cells_width;
    path->y1 = middle_of_row(from, at, arrow->from_row);
    if (arrow->from_col == PTOG_DRAWN_ALL)
        return;
    path->x1 = ptog_svg_col_x(from, at, (size_t)arrow->from_col) + at->col / 2;
    path->y1 = ptog_svg_row_y(from, at, (size_t)arrow->from_row + 1) - BELOW_VALUE;
}

/* Where an arrow ends. */
static void end_path(struct svg_path *path, const struct ptog_drawn_grid *to, const struct ptog_svg_grid *at,
                     const struct ptog_drawn_arrow *arrow)
{
    path->x2 = path->bend2 = at->x - 4;
    path->y2 = middle_of_row(to, at, arrow->to_row);
    if (arrow->to_col == PTOG_DRAWN_ALL)
        return;
    path->x2 = ptog_svg_col_x(to, at, (size_t)arrow->to_col) + 8;
    path->y2 = ptog_svg_row_y(to, at, (size_t)arrow->to_row) + ABOVE_VALUE;
}

/* "table[2,1]", "table[2]" of a row, "table" of the whole. */
static void put_end(const struct ptog_sink *sink, const struct ptog_drawn_grid *grid, int row, int col)
{
    ptog_put(sink, grid->name);
    if (row == PTOG_DRAWN_ALL)
        return;
    if (grid->row_at[row] == PTOG_DRAWN_GAP)
        ptog_put(sink, "[...");
    else
        ptog_page_format(sink, "[%" PRId64, grid->row_at[row]);
    if (col != PTOG_DRAWN_ALL && grid->col_at[col] == PTOG_DRAWN_GAP)
        ptog_put(sink, ",...");
    else if (col != PTOG_DRAWN_ALL)
        ptog_page_format(sink, ",%" PRId64, grid->col_at[col]);
    ptog_put(sink, "]");
}

/* Writes an arrow along a path, with its head, and what the pointer shows over it. */
static void put_path(const struct ptog_sink *sink, const ptog_drawing *drawing, const struct svg_path *path,
                     const struct ptog_drawn_arrow *arrow)
{
    enum ptog_cell_state state = arrow->state;
    bool cells = arrow->from >= 0 && arrow->from_col != PTOG_DRAWN_ALL;
    int half = (path->bend2 - path->bend1) / 2, head = cells ? 3 : 4;
    ptog_page_format(sink, "<path class=\"arrow a%d\" d=\"M%d %dH%dC%d %d %d %d %d %dH%d\"><title>", state, path->x1,
                     path->y1, path->bend1, path->bend1 + half, path->y1, path->bend2 - half, path->y2, path->bend2 - 6,
                     path->y2, path->x2 - 6);
    if (arrow->from >= 0)
        put_end(sink, &drawing->grids[arrow->from], arrow->from_row, arrow->from_col);
    ptog_put(sink, arrow->from >= 0 ? " to " : "to ");
    put_end(sink, &drawing->grids[arrow->to], arrow->to_row, arrow->to_col);
    ptog_put(sink, "</title></path>\n");
    ptog_page_format(sink, "<path class=\"h%d\" d=\"M%d %dl-7 -%dv%dz\"/>\n", state, path->x2, path->y2, head,
                     2 * head);
    if (cells)
        ptog_page_format(sink, "<circle class=\"h%d\" cx=\"%d\" cy=\"%d\" r=\"2\"/>\n", state, path->x1, path->y1);
}

/* Writes an arrow between two cells or rows; one that comes from nowhere starts at a dot. */
static void put_arrow(const struct ptog_sink *sink, const ptog_drawing *drawing, const struct ptog_svg *svg,
                      const struct ptog_drawn_arrow *arrow)
{
    struct svg_path path;
    end_path(&path, &drawing->grids[arrow->to], &svg->grids[arrow->to], arrow);
    if (arrow->from >= 0) {
        start_path(&path, &drawing->grids[arrow->from], &svg->grids[arrow->from], arrow);
    } else {
        path.x1 = path.bend1 = path.bend2 - 34;
        path.y1 = path.y2;
        ptog_page_format(sink, "<circle class=\"h%d\" cx=\"%d\" cy=\"%d\" r=\"4\"/>\n", arrow->state, path.x1, path.y1);
    }
    put_path(sink, drawing, &path, arrow);
}

/* Whether an arrow is drawn over the others: its element is not simply written. */
static bool is_special(const struct ptog_drawn_arrow *arrow)
{
    return arrow->state != PTOG_CELL_WRITTEN;
}

/* Writes the arrows of rows, and of cells as many as can be told apart. A cell that comes from nowhere has its colour.
 */
void ptog_svg_put_arrows(const struct ptog_sink *sink, const ptog_drawing *drawing, const struct ptog_svg *svg)
{
    int left = PTOG_SVG_CELL_ARROWS, special = 0;
    for (size_t i = 0; i < drawing->arrow_count; i++)
        special += drawing->arrows[i].from_col != PTOG_DRAWN_ALL && is_special(&drawing->arrows[i]);
    int ordinary = special < PTOG_SVG_CELL_ARROWS / 2 ? left - special : PTOG_SVG_CELL_ARROWS / 2;
    for (size_t i = 0; i < drawing->arrow_count; i++) {
        const struct ptog_drawn_arrow *arrow = &drawing->arrows[i];
        bool cells = arrow->to_col != PTOG_DRAWN_ALL;
        if (cells && (arrow->from < 0 || left == 0 || (!is_special(arrow) && ordinary == 0)))
            continue;
        left -= cells;
        ordinary -= cells && !is_special(arrow);
        put_arrow(sink, drawing, svg, arrow);
    }
}
