/* report: where everything of a drawing stands in its picture. Numbers are whole pixels; text is set in a monospaced
 * font, whose characters are taken to be a little wider than they are.
 *
 *      title, detail, formula
 *      source  |          | destination | words beside its rows
 *      source  |  gutter  | destination |
 *      legend, notes */
#ifndef PTOG_REPORT_DRAWING_SVG_H
#define PTOG_REPORT_DRAWING_SVG_H

#include <ptog/drawing.h>

#define PTOG_SVG_MARGIN 24
#define PTOG_SVG_GUTTER 120
#define PTOG_SVG_CHAR 8        /* width of a character of 13 px */
#define PTOG_SVG_SMALL_CHAR 7  /* ... of 11 px */
#define PTOG_SVG_TITLE_CHAR 12 /* ... of 19 px */
#define PTOG_SVG_LINE 18       /* from one line of text to the next */

struct ptog_svg_grid {
    int x, y;             /* of its name, on top */
    int cells_x, cells_y; /* of the first cell */
    int head;             /* width of the numbers before the rows */
    int col, row;         /* width and height of a cell */
    int cells_width, cells_height;
    int width, height; /* of all of it, the words beside its rows included */
};

#define PTOG_SVG_GRIDS 8

/* More arrows from cell to cell are a thicket: then those of the first cells are drawn, and of what is out of range. */
#define PTOG_SVG_CELL_ARROWS 16

/* An entry of the legend: a state; or past the last one, that there is no value, and that not every arrow is drawn. */
#define PTOG_SVG_KEY_NO_VALUE PTOG_CELL_STATES
#define PTOG_SVG_KEY_ARROWS (PTOG_CELL_STATES + 1)

struct ptog_svg_key {
    int x, y, state;
    const char *words;
};

struct ptog_svg {
    int width, height;
    int top;              /* of the grids */
    int gutter_x, bottom; /* where the gutter begins; where the grids end */
    int gutter;           /* its width */
    struct ptog_svg_grid grids[PTOG_SVG_GRIDS];
    struct ptog_svg_key keys[PTOG_CELL_STATES + 2];
    char arrow_words[64];
    int key_count, notes_y;
};

void ptog_svg_lay_out(const ptog_drawing *drawing, struct ptog_svg *svg);

/* The left edge of a column, the upper edge of a row; past the last one, the end of the grid. */
int ptog_svg_col_x(const struct ptog_drawn_grid *grid, const struct ptog_svg_grid *at, size_t col);
int ptog_svg_row_y(const struct ptog_drawn_grid *grid, const struct ptog_svg_grid *at, size_t row);

/* The arrows of rows, and of cells as many as can be told apart. */
void ptog_svg_put_arrows(const struct ptog_sink *sink, const ptog_drawing *drawing, const struct ptog_svg *svg);

#endif
