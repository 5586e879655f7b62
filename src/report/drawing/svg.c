/* report: a drawing as SVG. One file that needs nothing else; colours follow the reader's screen, by
 * prefers-color-scheme. */
#include <inttypes.h>
#include <stdio.h>

#include "base/pick.h"
#include "base/reserved.h"
#include "report/drawing/look.h"
#include "report/drawing/svg.h"
#include "report/page.h"

/* ---- colours */

/* Writes the colours of all states. */
static void put_states(const struct ptog_sink *sink, bool dark)
{
    for (int state = 0; state < PTOG_CELL_STATES; state++) {
        const struct ptog_look *look = ptog_look_of((enum ptog_cell_state)state);
        ptog_page_format(sink, ".c%d{fill:%s}.a%d{stroke:%s}.h%d{fill:%s}\n", state,
                         dark ? look->dark_fill : look->fill, state, dark ? look->dark_line : look->line, state,
                         dark ? look->dark_line : look->line);
    }
}

static void put_style(const struct ptog_sink *sink)
{
    ptog_put(sink,
             "<style>\n"
             "text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}\n"
             ".ground{fill:#ffffff}.dim{fill:#59636e}.grid{stroke:#b4bcc6;stroke-width:1}.box{stroke:#1f2328;"
             "stroke-width:2}.gap{stroke:#7a8494;stroke-dasharray:2 3}.arrow{fill:none;stroke-width:1.4;"
             "stroke-opacity:.85}.pill{fill:#eef1f4;stroke:#b4bcc6}\n");
    put_states(sink, false);
    ptog_put(sink, "\n@media (prefers-color-scheme: dark) {\n"
                   "text{fill:#e6edf3}.ground{fill:#0d1117}.dim{fill:#9aa5b1}.grid{stroke:#4a5361}.box{stroke:#e6edf3}"
                   ".gap{stroke:#8b95a5}.pill{fill:#21262d;stroke:#4a5361}\n");
    put_states(sink, true);
    ptog_put(sink, "\n}\n</style>\n");
}

/* ---- text */

struct svg_line {
    int x, y, size;
    const char *anchor; /* NULL: its start stands at x */
    const char *look;   /* classes; NULL: none */
    bool bold;
};

/* Writes one line of text at a place, with its size, anchor and look. */
static void put_text(const struct ptog_sink *sink, struct svg_line at, const char *text, size_t length)
{
    ptog_page_format(sink, "<text x=\"%d\" y=\"%d\" font-size=\"%d\"", at.x, at.y, at.size);
    if (at.anchor)
        ptog_page_format(sink, " text-anchor=\"%s\"", at.anchor);
    if (at.look)
        ptog_page_format(sink, " class=\"%s\"", at.look);
    ptog_put(sink, at.bold ? " font-weight=\"bold\">" : ">");
    ptog_put_markup(sink, text, length);
    ptog_put(sink, "</text>\n");
}

static void put_words(const struct ptog_sink *sink, struct svg_line at, const char *text)
{
    put_text(sink, at, text, strlen(text));
}

/* Writes title, detail with line, and formula of a drawing. */
static void put_heading(const struct ptog_sink *sink, const ptog_drawing *drawing)
{
    int y = PTOG_SVG_MARGIN + 14;
    char detail[300];
    put_words(sink, (struct svg_line){.x = PTOG_SVG_MARGIN, .y = y, .size = 19, .bold = true}, drawing->title);
    if (drawing->line > 0)
        snprintf(detail, sizeof detail, "%s, line %" PRIu32, drawing->detail, drawing->line);
    else
        snprintf(detail, sizeof detail, "%s", drawing->detail);
    y += 24;
    put_words(sink, (struct svg_line){.x = PTOG_SVG_MARGIN, .y = y, .size = 13, .look = "dim"}, detail);
    if (drawing->formula)
        put_words(sink, (struct svg_line){.x = PTOG_SVG_MARGIN, .y = y + PTOG_SVG_LINE, .size = 13}, drawing->formula);
}

/* ---- grids */

/* Writes name, operand, title and remark above a grid. */
static void put_grid_heading(const struct ptog_sink *sink, const struct ptog_drawn_grid *grid,
                             const struct ptog_svg_grid *at)
{
    int y = at->y + 13, x = at->x;
    put_words(sink, (struct svg_line){.x = x, .y = y, .size = 13, .bold = true}, grid->name);
    if (grid->operand)
        put_words(sink,
                  (struct svg_line){
                      .x = x + PTOG_SVG_CHAR * ((int)strlen(grid->name) + 1), .y = y, .size = 13, .look = "dim"},
                  grid->operand);
    y += PTOG_SVG_LINE;
    put_words(sink, (struct svg_line){.x = x, .y = y, .size = 12, .look = "dim"}, grid->title);
    if (grid->remark)
        put_words(sink, (struct svg_line){.x = x, .y = y + PTOG_SVG_LINE, .size = 12, .look = "dim"}, grid->remark);
}

/* Writes the numbers of rows and columns. */
static void put_numbers(const struct ptog_sink *sink, const struct ptog_drawn_grid *grid,
                        const struct ptog_svg_grid *at)
{
    char number[24];
    for (size_t j = 0; j < grid->col_count; j++) {
        int x = (ptog_svg_col_x(grid, at, j) + ptog_svg_col_x(grid, at, j + 1)) / 2;
        snprintf(number, sizeof number, "%" PRId64, grid->col_at[j]);
        put_words(sink, (struct svg_line){x, at->cells_y - 6, 11, "middle", "dim", false},
                  grid->col_at[j] == PTOG_DRAWN_GAP ? "..." : number);
    }
    for (size_t i = 0; i < grid->row_count; i++) {
        int y = (ptog_svg_row_y(grid, at, i) + ptog_svg_row_y(grid, at, i + 1)) / 2 + 4;
        snprintf(number, sizeof number, "%" PRId64, grid->row_at[i]);
        if (grid->row_at[i] != PTOG_DRAWN_GAP)
            put_words(sink, (struct svg_line){at->cells_x - 5, y, 11, "end", "dim", false}, number);
        if (grid->row_notes[i])
            put_words(sink, (struct svg_line){at->cells_x + at->cells_width + 10, y, 12, NULL, "dim", false},
                      grid->row_notes[i]);
    }
}

static bool is_gap(const struct ptog_drawn_grid *grid, size_t i, size_t j)
{
    return grid->row_at[i] == PTOG_DRAWN_GAP || grid->col_at[j] == PTOG_DRAWN_GAP;
}

/* Writes the boxes of a grid's cells, each with what the pointer shows over it. */
static void put_cells(const struct ptog_sink *sink, const struct ptog_drawn_grid *grid, const struct ptog_svg_grid *at)
{
    for (size_t i = 0; i < grid->row_count; i++)
        for (size_t j = 0; j < grid->col_count; j++) {
            if (is_gap(grid, i, j))
                continue;
            const struct ptog_drawn_cell *cell = &grid->cells[i * grid->col_count + j];
            ptog_page_format(sink,
                             "<rect class=\"grid c%d\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title>%s[%" PRId64
                             ",%" PRId64 "] ",
                             cell->state, ptog_svg_col_x(grid, at, j), ptog_svg_row_y(grid, at, i), at->col, at->row,
                             grid->name, grid->row_at[i], grid->col_at[j]);
            ptog_put_markup(sink, cell->text, strlen(cell->text));
            const char *words = ptog_look_of(cell->state)->words;
            ptog_page_format(sink, "%s%s</title></rect>\n", ptog_when(words[0], ": "), words);
        }
}

/* Writes the values in a grid's cells, with their notes below. */
static void put_values(const struct ptog_sink *sink, const struct ptog_drawn_grid *grid, const struct ptog_svg_grid *at)
{
    for (size_t i = 0; i < grid->row_count; i++)
        for (size_t j = 0; j < grid->col_count; j++) {
            const struct ptog_drawn_cell *cell = &grid->cells[i * grid->col_count + j];
            int x = ptog_svg_col_x(grid, at, j) + at->col / 2;
            int y = ptog_svg_row_y(grid, at, i) + (cell->note ? 17 : at->row / 2 + 4);
            if (is_gap(grid, i, j))
                continue;
            put_words(sink, (struct svg_line){x, y, 13, "middle", NULL, false}, cell->text);
            if (cell->note)
                put_words(sink, (struct svg_line){x, y + 14, 11, "middle", "dim", false}, cell->note);
        }
}

static void put_line(const struct ptog_sink *sink, const char *look, int x1, int y1, int x2, int y2)
{
    ptog_page_format(sink, "<path class=\"%s\" d=\"M%d %dL%d %d\"/>\n", look, x1, y1, x2, y2);
}

/* A dashed line through each gap, and a heavy one between the fractal blocks of NZ. */
static void put_rules(const struct ptog_sink *sink, const struct ptog_drawn_grid *grid, const struct ptog_svg_grid *at)
{
    int right = at->cells_x + at->cells_width, bottom = at->cells_y + at->cells_height;
    for (size_t i = 0; i < grid->row_count; i++) {
        int y = ptog_svg_row_y(grid, at, i);
        if (grid->row_at[i] == PTOG_DRAWN_GAP)
            put_line(sink, "gap", at->cells_x, y + 8, right, y + 8);
        else if (i > 0 && grid->box_rows > 0 && grid->row_at[i - 1] != PTOG_DRAWN_GAP &&
                 grid->row_at[i] % grid->box_rows == 0)
            put_line(sink, "box", at->cells_x, y, right, y);
    }
    for (size_t j = 0; j < grid->col_count; j++) {
        int x = ptog_svg_col_x(grid, at, j);
        if (grid->col_at[j] == PTOG_DRAWN_GAP)
            put_line(sink, "gap", x + 11, at->cells_y, x + 11, bottom);
        else if (j > 0 && grid->box_cols > 0 && grid->col_at[j - 1] != PTOG_DRAWN_GAP &&
                 grid->col_at[j] % grid->box_cols == 0)
            put_line(sink, "box", x, at->cells_y, x, bottom);
    }
}

/* Writes the label on the arrows. */
static void put_label(const struct ptog_sink *sink, const ptog_drawing *drawing, const struct ptog_svg *svg)
{
    int middle = svg->gutter_x + svg->gutter / 2, width = PTOG_SVG_CHAR * (int)strlen(drawing->label) + 20;
    ptog_page_format(sink, "<rect class=\"pill\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"24\" rx=\"12\"/>\n",
                     middle - width / 2, svg->top, width);
    put_words(sink, (struct svg_line){middle, svg->top + 16, 13, "middle", NULL, true}, drawing->label);
}

/* ---- below */

/* Writes the legend and the notes. */
static void put_below(const struct ptog_sink *sink, const ptog_drawing *drawing, const struct ptog_svg *svg)
{
    int y = svg->notes_y;
    size_t room = (size_t)((svg->width - 2 * PTOG_SVG_MARGIN) / PTOG_SVG_CHAR);
    for (int i = 0; i < svg->key_count; i++) {
        const struct ptog_svg_key *key = &svg->keys[i];
        if (key->state >= PTOG_CELL_STATES)
            put_words(sink, (struct svg_line){.x = key->x, .y = key->y, .size = 12},
                      key->state == PTOG_SVG_KEY_NO_VALUE ? "--" : "->");
        else
            ptog_page_format(sink, "<rect class=\"grid c%d\" x=\"%d\" y=\"%d\" width=\"16\" height=\"12\"/>\n",
                             key->state, key->x, key->y - 10);
        put_words(sink, (struct svg_line){.x = key->x + 24, .y = key->y, .size = 12, .look = "dim"}, key->words);
    }
    for (size_t i = 0; i < drawing->note_count; i++)
        for (const char *at = drawing->notes[i], *next; *at; at = next, y += PTOG_SVG_LINE) {
            size_t length = ptog_drawing_wrap(at, room, &next);
            put_text(sink, (struct svg_line){.x = PTOG_SVG_MARGIN, .y = y, .size = 12}, at, length);
        }
}

/* ---- all of it */

enum ptog_status ptog_drawing_svg(const ptog_drawing *drawing, const struct ptog_sink *sink)
{
    struct ptog_svg svg;
    if (!drawing || !ptog_sink_is_usable(sink) || drawing->grid_count > PTOG_SVG_GRIDS)
        return PTOG_BAD_ARGUMENT;
    ptog_svg_lay_out(drawing, &svg);
    ptog_page_format(sink,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                     "role=\"img\">\n<title>",
                     svg.width, svg.height, svg.width, svg.height);
    ptog_put_markup(sink, drawing->title, strlen(drawing->title));
    ptog_put(sink, "</title>\n");
    put_style(sink);
    ptog_page_format(sink, "<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", svg.width, svg.height);
    put_heading(sink, drawing);
    for (size_t g = 0; g < drawing->grid_count; g++) {
        put_grid_heading(sink, &drawing->grids[g], &svg.grids[g]);
        put_numbers(sink, &drawing->grids[g], &svg.grids[g]);
        put_cells(sink, &drawing->grids[g], &svg.grids[g]);
        put_rules(sink, &drawing->grids[g], &svg.grids[g]);
    }
    ptog_svg_put_arrows(sink, drawing, &svg);
    for (size_t g = 0; g < drawing->grid_count; g++)
        put_values(sink, &drawing->grids[g], &svg.grids[g]);
    put_label(sink, drawing, &svg);
    put_below(sink, drawing, &svg);
    ptog_put(sink, "</svg>\n");
    return PTOG_OK;
}
