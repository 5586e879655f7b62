/* report: a sheet of characters on which a drawing is made, and the routes of arrows on it. */
#ifndef PTOG_REPORT_DRAWING_CANVAS_H
#define PTOG_REPORT_DRAWING_CANVAS_H

#include "report/drawing/look.h"

struct ptog_canvas {
    int width, height;
    char *chars;           /* width * height, spaces at first */
    unsigned char *states; /* the enum ptog_cell_state of each */
};

/* False when out of memory. */
bool ptog_canvas_open(struct ptog_canvas *canvas, int width, int height);
void ptog_canvas_close(struct ptog_canvas *canvas);

/* What is outside the sheet is not put. */
void ptog_canvas_put(struct ptog_canvas *canvas, int x, int y, char c, enum ptog_cell_state state);
void ptog_canvas_text(struct ptog_canvas *canvas, int x, int y, const char *text, enum ptog_cell_state state);

/* Line by line, without the spaces at their ends; in colour where the sink has it. */
void ptog_canvas_write(const struct ptog_canvas *canvas, const struct ptog_sink *sink);

/* An arrow from (x1, y1) to (x2, y2), to the right: along the first line, down or up at `track`, along the second. */
struct ptog_route {
    int x1, y1, x2, y2;
    int track; /* set by ptog_routes_order */
    enum ptog_cell_state state;
};

/* Gives every route a track of its own, from `x` on, so that they cross seldom. */
void ptog_routes_order(struct ptog_route *routes, size_t count, int x);
void ptog_routes_put(struct ptog_canvas *canvas, const struct ptog_route *routes, size_t count);

#endif
