/* report: a drawing with characters. Sources stand on the left, destinations on the right, if that is not too wide;
 * else one below the other, and words tell where a row came from. A mark behind a value is its state; the legend below
 * explains the marks that are there.
 *
 *   table %t                 dst %d
 *   4x2 f32, nd in GM        2x2 f32, row_major in UB
 *          0   1                    0   1
 *     0 |  0   1  |           0 |   6   7  |  idx 3      */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/pick.h"
#include "base/reserved.h"
#include "report/drawing/canvas.h"

#define MAX_WIDTH 100 /* of sources and destinations side by side */
#define MAX_GRIDS 8
#define MAX_ROUTES 24
#define WRAPPED 78
#define GAP_WIDTH 4

struct sheet_place {
    int x, y;
    int head, col, pitch; /* widths of row numbers and cells; lines from one row to the next */
    int cells_y, cells_x;
    int cells_width, width, height;
};

struct text_sheet {
    const ptog_drawing *drawing;
    struct sheet_place at[MAX_GRIDS];
    bool beside, routed; /* sources and destinations side by side; with arrows that change rows */
    bool told;           /* where rows come from stands beside them */
    int left, channel, width, height;
};

/* ---- measures */

/* How many characters a number has. */
static int digit_count(int64_t number)
{
    char text[24];
    return snprintf(text, sizeof text, "%" PRId64, number);
}

static bool has_notes(const struct ptog_drawn_grid *grid)
{
    for (size_t i = 0; i < grid->row_count * grid->col_count; i++)
        if (grid->cells[i].note)
            return true;
    return false;
}

/* A cell: a space, the value, its mark. */
static int cell_width(const struct ptog_drawn_grid *grid)
{
    int width = 3;
    for (size_t i = 0; i < grid->row_count * grid->col_count; i++) {
        width = ptog_max_int(width, (int)strlen(grid->cells[i].text) + 2);
        width = ptog_max_int(width, grid->cells[i].note ? (int)strlen(grid->cells[i].note) + 1 : 0);
    }
    for (size_t j = 0; j < grid->col_count; j++)
        width = ptog_max_int(width, digit_count(grid->col_at[j]) + 2);
    return width;
}

static int col_x(const struct ptog_drawn_grid *grid, const struct sheet_place *at, size_t col)
{
    int x = at->cells_x;
    for (size_t j = 0; j < col; j++)
        x += grid->col_at[j] == PTOG_DRAWN_GAP ? GAP_WIDTH : at->col;
    return x;
}

static int row_y(const struct sheet_place *at, int row)
{
    return at->cells_y + row * at->pitch;
}

/* A row arrow in words, where it is not drawn: " <- table[3]". */
static void origin_words(const struct text_sheet *sheet, size_t grid, size_t row, char text[64])
{
    text[0] = '\0';
    for (size_t i = 0; i < sheet->drawing->arrow_count && sheet->told; i++) {
        const struct ptog_drawn_arrow *arrow = &sheet->drawing->arrows[i];
        if (arrow->to != (int)grid || arrow->to_row != (int)row || arrow->to_col != PTOG_DRAWN_ALL || arrow->from < 0)
            continue;
        const struct ptog_drawn_grid *from = &sheet->drawing->grids[arrow->from];
        bool hidden = arrow->from_row < 0 || from->row_at[arrow->from_row] == PTOG_DRAWN_GAP || from->rows == 1;
        if (!hidden && arrow->from_col == PTOG_DRAWN_ALL)
            snprintf(text, 64, "<- %s[%" PRId64 "]  ", from->name, from->row_at[arrow->from_row]);
        else if (!hidden)
            snprintf(text, 64, "<- %s[%" PRId64 ",%" PRId64 "]  ", from->name, from->row_at[arrow->from_row],
                     from->col_at[arrow->from_col]);
        return;
    }
}

/* How wide the notes beside the rows of a grid are. */
static int notes_width(const struct text_sheet *sheet, size_t number)
{
    const struct ptog_drawn_grid *grid = &sheet->drawing->grids[number];
    char words[64];
    int width = 0;
    for (size_t i = 0; i < grid->row_count; i++) {
        origin_words(sheet, number, i, words);
        width =
            ptog_max_int(width, 2 + (int)strlen(words) + (grid->row_notes[i] ? (int)strlen(grid->row_notes[i]) : 0));
    }
    return width;
}

/* Measures a grid in characters, and puts its upper left corner at (x, y). */
static void measure_grid(struct text_sheet *sheet, size_t number, int x, int y)
{
    const struct ptog_drawn_grid *grid = &sheet->drawing->grids[number];
    struct sheet_place *at = &sheet->at[number];
    int name = (int)strlen(grid->name) + (grid->operand ? 1 + (int)strlen(grid->operand) : 0);
    int words =
        ptog_max_int(name, ptog_max_int((int)strlen(grid->title), grid->remark ? (int)strlen(grid->remark) : 0));
    *at = (struct sheet_place){.x = x, .y = y, .head = 2, .col = cell_width(grid), .pitch = has_notes(grid) ? 2 : 1};
    if (sheet->routed)
        at->pitch = 2;
    for (size_t i = 0; i < grid->row_count; i++)
        at->head = ptog_max_int(at->head, digit_count(grid->row_at[i]));
    at->cells_x = x + at->head + 2;
    at->cells_y = y + (grid->remark ? 4 : 3);
    at->cells_width = col_x(grid, at, grid->col_count) - at->cells_x;
    at->width = ptog_max_int(words, at->head + 2 + at->cells_width + 2 + notes_width(sheet, number));
    at->height = row_y(at, (int)grid->row_count) - y - (at->pitch == 2 && !has_notes(grid) ? 1 : 0);
}

/* Places the sources, or the destinations, one below the other, and returns how wide they are. Arrows leave a source
 * on even lines and enter a destination on odd ones, so that no two of them lie on one line. */
static int place_column(struct text_sheet *sheet, bool written, int x, int y)
{
    int width = 0;
    for (size_t g = 0; g < sheet->drawing->grid_count; g++) {
        if (sheet->drawing->grids[g].written != written)
            continue;
        measure_grid(sheet, g, x, y);
        if (sheet->routed && (sheet->at[g].cells_y % 2 == 1) != written)
            measure_grid(sheet, g, x, y + 1);
        y = sheet->at[g].y + sheet->at[g].height + 1;
        width = ptog_max_int(width, sheet->at[g].width);
    }
    sheet->height = ptog_max_int(sheet->height, y - 1);
    return width;
}

/* ---- arrows */

static bool is_row_arrow(const struct ptog_drawn_arrow *arrow)
{
    return arrow->from >= 0 && arrow->from_row >= 0 && arrow->from_col == PTOG_DRAWN_ALL && arrow->to_row >= 0 &&
           arrow->to_col == PTOG_DRAWN_ALL;
}

/* A row goes to the row of the same number: that need not be drawn. */
static bool is_straight(const ptog_drawing *drawing, const struct ptog_drawn_arrow *arrow)
{
    const struct ptog_drawn_grid *from = &drawing->grids[arrow->from], *to = &drawing->grids[arrow->to];
    return from->rows == 1 || from->row_at[arrow->from_row] == to->row_at[arrow->to_row];
}

/* How many arrows of rows need a route of their own beside the grids; 0: all are straight, or there are too many. */
static size_t count_routes(const ptog_drawing *drawing)
{
    size_t rows = 0, bent = 0;
    for (size_t i = 0; i < drawing->arrow_count; i++)
        if (is_row_arrow(&drawing->arrows[i])) {
            rows++;
            bent += !is_straight(drawing, &drawing->arrows[i]);
        }
    if (bent > 0 && rows <= MAX_ROUTES)
        return rows;
    return 0;
}

/* Draws the arrows between the two columns of grids. */
static void put_routes(const struct text_sheet *sheet, struct ptog_canvas *canvas)
{
    struct ptog_route routes[MAX_ROUTES];
    size_t count = 0;
    for (size_t i = 0; i < sheet->drawing->arrow_count && sheet->beside; i++) {
        const struct ptog_drawn_arrow *arrow = &sheet->drawing->arrows[i];
        const struct sheet_place *to = &sheet->at[arrow->to];
        int x2 = to->x - 2;
        if (arrow->from < 0 && arrow->to_col == PTOG_DRAWN_ALL)
            ptog_canvas_text(canvas, x2 - 3, row_y(to, arrow->to_row), "o-->", arrow->state);
        if (!is_row_arrow(arrow))
            continue;
        const struct sheet_place *from = &sheet->at[arrow->from];
        int x1 = from->cells_x + from->cells_width + 2, y1 = row_y(from, arrow->from_row);
        if (sheet->routed)
            routes[count++] = (struct ptog_route){x1, y1, x2, row_y(to, arrow->to_row), 0, arrow->state};
        for (int x = x1; !sheet->routed && y1 == row_y(to, arrow->to_row) && x <= x2; x++)
            ptog_canvas_put(canvas, x, y1, x == x2 ? '>' : '-', arrow->state);
    }
    ptog_routes_order(routes, count, sheet->left + 3);
    ptog_routes_put(canvas, routes, count);
}

/* ---- grids */

static void put_right(struct ptog_canvas *canvas, int right, int y, const char *text, enum ptog_cell_state state)
{
    ptog_canvas_text(canvas, right - (int)strlen(text), y, text, state);
}

/* Draws a cell: its text, the mark of its state, and its note. */
static void put_cell(const struct text_sheet *sheet, struct ptog_canvas *canvas, size_t number, size_t row, size_t col)
{
    const struct ptog_drawn_grid *grid = &sheet->drawing->grids[number];
    const struct ptog_drawn_cell *cell = &grid->cells[row * grid->col_count + col];
    int right = col_x(grid, &sheet->at[number], col + 1), y = row_y(&sheet->at[number], (int)row);
    if (grid->row_at[row] == PTOG_DRAWN_GAP) {
        put_right(canvas, right - 1, y, ":", PTOG_CELL_PLAIN);
        return;
    }
    if (grid->col_at[col] == PTOG_DRAWN_GAP) {
        put_right(canvas, right - 1, y, "..", PTOG_CELL_PLAIN);
        return;
    }
    put_right(canvas, right - 1, y, cell->text, cell->state);
    ptog_canvas_put(canvas, right - 1, y, ptog_look_of(cell->state)->mark, cell->state);
    if (cell->note)
        put_right(canvas, right, y + 1, cell->note, PTOG_CELL_PLAIN);
}

/* Draws a row of cells with its number, frame and note. */
static void put_row(const struct text_sheet *sheet, struct ptog_canvas *canvas, size_t number, size_t row)
{
    const struct ptog_drawn_grid *grid = &sheet->drawing->grids[number];
    const struct sheet_place *at = &sheet->at[number];
    int y = row_y(at, (int)row), x = at->cells_x + at->cells_width + 4;
    int lines = row + 1 < grid->row_count || has_notes(grid) ? at->pitch : 1;
    char text[64];
    snprintf(text, sizeof text, "%" PRId64, grid->row_at[row]);
    put_right(canvas, at->x + at->head, y, grid->row_at[row] == PTOG_DRAWN_GAP ? ":" : text, PTOG_CELL_PLAIN);
    for (int line = 0; line < lines; line++) {
        ptog_canvas_put(canvas, at->cells_x - 1, y + line, '|', PTOG_CELL_PLAIN);
        ptog_canvas_put(canvas, at->cells_x + at->cells_width + 1, y + line, '|', PTOG_CELL_PLAIN);
    }
    for (size_t j = 0; j < grid->col_count; j++)
        put_cell(sheet, canvas, number, row, j);
    origin_words(sheet, number, row, text);
    ptog_canvas_text(canvas, x, y, text, PTOG_CELL_PLAIN);
    if (grid->row_notes[row])
        ptog_canvas_text(canvas, x + (int)strlen(text), y, grid->row_notes[row], PTOG_CELL_PLAIN);
}

/* Draws a grid with its heading and column numbers. */
static void put_grid(const struct text_sheet *sheet, struct ptog_canvas *canvas, size_t number)
{
    const struct ptog_drawn_grid *grid = &sheet->drawing->grids[number];
    const struct sheet_place *at = &sheet->at[number];
    char text[24];
    ptog_canvas_text(canvas, at->x, at->y, grid->name, PTOG_CELL_PLAIN);
    if (grid->operand)
        ptog_canvas_text(canvas, at->x + (int)strlen(grid->name) + 1, at->y, grid->operand, PTOG_CELL_PLAIN);
    ptog_canvas_text(canvas, at->x, at->y + 1, grid->title, PTOG_CELL_PLAIN);
    if (grid->remark)
        ptog_canvas_text(canvas, at->x, at->y + 2, grid->remark, PTOG_CELL_PLAIN);
    for (size_t j = 0; j < grid->col_count; j++) {
        snprintf(text, sizeof text, "%" PRId64, grid->col_at[j]);
        put_right(canvas, col_x(grid, at, j + 1) - 1, at->cells_y - 1, grid->col_at[j] == PTOG_DRAWN_GAP ? ".." : text,
                  PTOG_CELL_PLAIN);
    }
    for (size_t i = 0; i < grid->row_count; i++)
        put_row(sheet, canvas, number, i);
}

/* ---- words above and below */

static void put_wrapped(const struct ptog_sink *sink, const char *text)
{
    for (const char *next; *text; text = next) {
        size_t length = ptog_drawing_wrap(text, WRAPPED, &next);
        sink->write(sink->user, text, length);
        ptog_put(sink, "\n");
    }
}

/* Writes title, detail with line, and formula of a drawing. */
static void put_heading(const ptog_drawing *drawing, const struct ptog_sink *sink)
{
    char line[32] = "";
    if (drawing->line > 0)
        snprintf(line, sizeof line, ", line %" PRIu32, drawing->line);
    ptog_put(sink, ptog_when(sink->colour, "\033[1m"));
    ptog_put_clean(sink, drawing->title);
    ptog_put(sink, sink->colour ? "\033[0m\n" : "\n");
    ptog_put_clean(sink, drawing->detail);
    ptog_put(sink, line);
    ptog_put(sink, "\n");
    if (drawing->formula)
        put_wrapped(sink, drawing->formula);
    ptog_put(sink, "\n");
}

/* Writes what the marks of the drawn cells mean, of those states that occur. */
static void put_legend(const ptog_drawing *drawing, const struct ptog_sink *sink)
{
    unsigned states = ptog_drawing_states(drawing);
    const char *separator = "\n";
    for (int state = 0; state < PTOG_CELL_STATES; state++) {
        const struct ptog_look *look = ptog_look_of((enum ptog_cell_state)state);
        if (!(states & 1u << state) || look->mark == ' ')
            continue;
        ptog_put(sink, separator);
        ptog_put(sink, sink->colour ? look->colour : "");
        sink->write(sink->user, &look->mark, 1);
        ptog_put(sink, " ");
        ptog_put(sink, look->words);
        ptog_put(sink, ptog_when(sink->colour, "\033[0m"));
        separator = "   ";
    }
    if (ptog_drawing_lacks_data(drawing)) {
        ptog_put(sink, separator);
        ptog_put(sink, "-- " PTOG_NO_DATA_WORDS);
        separator = "   ";
    }
    ptog_put(sink, ptog_when(separator[0] != '\n', "\n"));
    for (size_t i = 0; i < drawing->note_count; i++) {
        ptog_put(sink, ptog_when(i == 0, "\n"));
        put_wrapped(sink, drawing->notes[i]);
    }
}

/* ---- all of it */

/* Places the grids: side by side where arrows and width allow it, else one below the other. */
static void lay_out(struct text_sheet *sheet)
{
    size_t routes = count_routes(sheet->drawing);
    sheet->beside = true;
    sheet->routed = routes > 0;
    sheet->channel = ptog_max_int((int)strlen(sheet->drawing->label) + 6, 2 * (int)routes + 8);
    sheet->left = place_column(sheet, false, 0, 0);
    sheet->width = sheet->left + sheet->channel + place_column(sheet, true, sheet->left + sheet->channel, 0);
    if (sheet->width <= MAX_WIDTH)
        return;
    sheet->beside = sheet->routed = false;
    sheet->told = routes > 0;
    sheet->height = 0;
    sheet->width = place_column(sheet, false, 0, 0);
    sheet->width = ptog_max_int(sheet->width, place_column(sheet, true, 0, sheet->height + 1));
}

enum ptog_status ptog_drawing_text(const ptog_drawing *drawing, const struct ptog_sink *sink)
{
    struct text_sheet sheet = {.drawing = drawing};
    struct ptog_canvas canvas;
    if (!drawing || !ptog_sink_is_usable(sink) || drawing->grid_count > MAX_GRIDS)
        return PTOG_BAD_ARGUMENT;
    lay_out(&sheet);
    if (!ptog_canvas_open(&canvas, sheet.width, sheet.height))
        return PTOG_NO_MEMORY;
    for (size_t g = 0; g < drawing->grid_count; g++)
        put_grid(&sheet, &canvas, g);
    if (sheet.beside)
        ptog_canvas_text(&canvas, sheet.left + (sheet.channel - (int)strlen(drawing->label)) / 2 - 1, 0, drawing->label,
                         PTOG_CELL_PLAIN);
    put_routes(&sheet, &canvas);
    put_heading(drawing, sink);
    ptog_canvas_write(&canvas, sink);
    ptog_canvas_close(&canvas);
    put_legend(drawing, sink);
    return PTOG_OK;
}
