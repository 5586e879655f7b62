/* report: the layout of a drawing's picture. */
#include <inttypes.h>
#include <stdio.h>

#include "base/pick.h"
#include "report/drawing/look.h"
#include "report/drawing/svg.h"

#define CELL_HEIGHT 26
#define NOTED_HEIGHT 38 /* of a cell with a note below its value */
#define GAP_HEIGHT 16
#define GAP_WIDTH 22
#define LEAST_WIDTH 36 /* of a cell */
#define BETWEEN 30     /* one grid and the next below it */
#define LEAST_PICTURE 460

/* ---- one grid */

/* How many characters a number has. */
static int digit_count(int64_t number)
{
    char text[24];
    return snprintf(text, sizeof text, "%" PRId64, number);
}

/* How wide the cells of a grid are, by their longest text, note or column number. */
static int cell_width(const struct ptog_drawn_grid *grid)
{
    int width = LEAST_WIDTH;
    for (size_t i = 0; i < grid->row_count * grid->col_count; i++) {
        width = ptog_max_int(width, (int)strlen(grid->cells[i].text) * PTOG_SVG_CHAR + 14);
        if (grid->cells[i].note)
            width = ptog_max_int(width, (int)strlen(grid->cells[i].note) * PTOG_SVG_SMALL_CHAR + 10);
    }
    for (size_t j = 0; j < grid->col_count; j++)
        width = ptog_max_int(width, digit_count(grid->col_at[j]) * PTOG_SVG_SMALL_CHAR + 8);
    return width;
}

static int row_height(const struct ptog_drawn_grid *grid)
{
    for (size_t i = 0; i < grid->row_count * grid->col_count; i++)
        if (grid->cells[i].note)
            return NOTED_HEIGHT;
    return CELL_HEIGHT;
}

static int notes_width(const struct ptog_drawn_grid *grid)
{
    int width = 0;
    for (size_t i = 0; i < grid->row_count; i++)
        if (grid->row_notes[i])
            width = ptog_max_int(width, 10 + PTOG_SVG_CHAR * (int)strlen(grid->row_notes[i]));
    return width;
}

int ptog_svg_col_x(const struct ptog_drawn_grid *grid, const struct ptog_svg_grid *at, size_t col)
{
    int x = at->cells_x;
    for (size_t j = 0; j < col && j < grid->col_count; j++)
        x += grid->col_at[j] == PTOG_DRAWN_GAP ? GAP_WIDTH : at->col;
    return x;
}

int ptog_svg_row_y(const struct ptog_drawn_grid *grid, const struct ptog_svg_grid *at, size_t row)
{
    int y = at->cells_y;
    for (size_t i = 0; i < row && i < grid->row_count; i++)
        y += grid->row_at[i] == PTOG_DRAWN_GAP ? GAP_HEIGHT : at->row;
    return y;
}

/* Measures a grid, and puts its upper left corner at (x, y). */
static void lay_out_grid(const struct ptog_drawn_grid *grid, int x, int y, struct ptog_svg_grid *at)
{
    int name = (int)strlen(grid->name) + (grid->operand ? 1 + (int)strlen(grid->operand) : 0);
    int words = PTOG_SVG_CHAR * ptog_max_int(name, (int)strlen(grid->title));
    if (grid->remark)
        words = ptog_max_int(words, PTOG_SVG_CHAR * (int)strlen(grid->remark));
    *at = (struct ptog_svg_grid){.x = x, .y = y, .col = cell_width(grid), .row = row_height(grid)};
    at->head = 10;
    for (size_t i = 0; i < grid->row_count; i++)
        at->head = ptog_max_int(at->head, digit_count(grid->row_at[i]) * PTOG_SVG_SMALL_CHAR + 8);
    at->cells_x = x + at->head;
    at->cells_y = y + PTOG_SVG_LINE * (grid->remark ? 3 : 2) + 20;
    at->cells_width = ptog_svg_col_x(grid, at, grid->col_count) - at->cells_x;
    at->cells_height = ptog_svg_row_y(grid, at, grid->row_count) - at->cells_y;
    at->width = ptog_max_int(words, at->head + at->cells_width + notes_width(grid));
    at->height = at->cells_y + at->cells_height - y;
}

/* ---- all of them */

/* Places the sources, or the destinations, one below the other from `x` on, and moves the picture's bottom; returns
 * how wide they are. */
static int lay_out_column(const ptog_drawing *drawing, struct ptog_svg *svg, bool written, int x)
{
    int y = svg->top, width = 0;
    for (size_t g = 0; g < drawing->grid_count && g < PTOG_SVG_GRIDS; g++) {
        if (drawing->grids[g].written != written)
            continue;
        lay_out_grid(&drawing->grids[g], x, y, &svg->grids[g]);
        y += svg->grids[g].height + BETWEEN;
        width = ptog_max_int(width, svg->grids[g].width);
    }
    svg->bottom = ptog_max_int(svg->bottom, y - BETWEEN);
    return width;
}

static int heading_width(const ptog_drawing *drawing)
{
    int width = PTOG_SVG_TITLE_CHAR * (int)strlen(drawing->title);
    width = ptog_max_int(width, PTOG_SVG_CHAR * ((int)strlen(drawing->detail) + 14));
    if (drawing->formula)
        return ptog_max_int(width, PTOG_SVG_CHAR * (int)strlen(drawing->formula));
    return width;
}

/* "16 of 40 are drawn", where there are too many. */
static bool leaves_arrows_out(const ptog_drawing *drawing, char words[64])
{
    int count = 0;
    for (size_t i = 0; i < drawing->arrow_count; i++)
        count += drawing->arrows[i].from >= 0 && drawing->arrows[i].to_col != PTOG_DRAWN_ALL;
    snprintf(words, 64, "%d of %d arrows are drawn", PTOG_SVG_CELL_ARROWS, count);
    return count > PTOG_SVG_CELL_ARROWS;
}

static const char *key_words(const struct ptog_svg *svg, int key)
{
    if (key == PTOG_SVG_KEY_ARROWS)
        return svg->arrow_words;
    if (key == PTOG_SVG_KEY_NO_VALUE)
        return PTOG_NO_DATA_WORDS;
    return ptog_look_of((enum ptog_cell_state)key)->words;
}

/* Places what there is to explain below the grids, side by side as far as there is room. */
static void lay_out_legend(const ptog_drawing *drawing, struct ptog_svg *svg, int inside)
{
    int x = 0, y = svg->bottom + 33;
    unsigned keys = ptog_drawing_states(drawing);
    keys |= ptog_drawing_lacks_data(drawing) ? 1u << PTOG_SVG_KEY_NO_VALUE : 0;
    keys |= leaves_arrows_out(drawing, svg->arrow_words) ? 1u << PTOG_SVG_KEY_ARROWS : 0;
    for (int key = 1; key <= PTOG_SVG_KEY_ARROWS; key++) {
        const char *words = key_words(svg, key);
        int width = 24 + PTOG_SVG_CHAR * (int)strlen(words);
        if (!(keys & 1u << key))
            continue;
        if (x > 0 && x + width > inside) {
            x = 0;
            y += PTOG_SVG_LINE;
        }
        svg->keys[svg->key_count++] = (struct ptog_svg_key){PTOG_SVG_MARGIN + x, y, key, words};
        x += width + 18;
    }
    svg->notes_y = y + 8 + PTOG_SVG_LINE;
}

static int note_lines(const ptog_drawing *drawing, int width)
{
    int lines = 0;
    for (size_t i = 0; i < drawing->note_count; i++)
        for (const char *at = drawing->notes[i]; *at; lines++)
            ptog_drawing_wrap(at, (size_t)(width / PTOG_SVG_CHAR), &at);
    return lines;
}

/* Measures the picture: grids in two columns with a gutter for arrows between them, and a legend. */
void ptog_svg_lay_out(const ptog_drawing *drawing, struct ptog_svg *svg)
{
    *svg = (struct ptog_svg){.top = PTOG_SVG_MARGIN + 24 + PTOG_SVG_LINE * (drawing->formula ? 2 : 1) + 26};
    int left = lay_out_column(drawing, svg, false, PTOG_SVG_MARGIN);
    svg->gutter_x = PTOG_SVG_MARGIN + left;
    svg->gutter = ptog_max_int(PTOG_SVG_GUTTER, PTOG_SVG_CHAR * (int)strlen(drawing->label) + 48);
    int right = lay_out_column(drawing, svg, true, svg->gutter_x + svg->gutter);
    int inside = ptog_max_int(ptog_max_int(left + svg->gutter + right, heading_width(drawing)), LEAST_PICTURE);
    svg->width = inside + 2 * PTOG_SVG_MARGIN;
    lay_out_legend(drawing, svg, inside);
    svg->height = svg->notes_y + PTOG_SVG_LINE * (note_lines(drawing, inside) - 1) + PTOG_SVG_MARGIN;
}
