/* report: a sheet of characters.
 *
 *   ----.          a route: out of its row, down at its track, into the other row; where a line crosses another, the
 *       |          one that goes up or down is in front
 *   ----|----.
 *       '--> |  */
#include "report/drawing/canvas.h"

#include <stdlib.h>

#include "base/pick.h"

/* Makes a canvas of blanks. False when out of memory; it need not be closed then. */
bool ptog_canvas_open(struct ptog_canvas *canvas, int width, int height)
{
    size_t size = (size_t)width * (size_t)height;
    *canvas = (struct ptog_canvas){width, height, malloc(size + 1), calloc(size + 1, 1)};
    if (!canvas->chars || !canvas->states) {
        ptog_canvas_close(canvas);
        return false;
    }
    memset(canvas->chars, ' ', size);
    return true;
}

void ptog_canvas_close(struct ptog_canvas *canvas)
{
    free(canvas->chars);
    free(canvas->states);
    *canvas = (struct ptog_canvas){0};
}

/* Where the canvas has the character at a place; NULL outside of it. */
static char *char_of(const struct ptog_canvas *canvas, int x, int y)
{
    bool inside = x >= 0 && x < canvas->width && y >= 0 && y < canvas->height;
    if (inside)
        return &canvas->chars[y * canvas->width + x];
    return NULL;
}

void ptog_canvas_put(struct ptog_canvas *canvas, int x, int y, char c, enum ptog_cell_state state)
{
    char *place = char_of(canvas, x, y);
    if (!place)
        return;
    *place = c;
    canvas->states[place - canvas->chars] = (unsigned char)state;
}

/* One column for each character; what is no plain one is a question mark. */
void ptog_canvas_text(struct ptog_canvas *canvas, int x, int y, const char *text, enum ptog_cell_state state)
{
    while (*text) {
        struct ptog_char c = ptog_char_at(text);
        ptog_canvas_put(canvas, x++, y, c.code >= 0x20 && c.code < 0x7f ? (char)c.code : '?', state);
        text += c.bytes;
    }
}

/* Writes line y of the canvas without the spaces at its end, in the colours of its cells. */
static void write_line(const struct ptog_canvas *canvas, int y, const struct ptog_sink *sink)
{
    const char *line = canvas->chars + (size_t)y * (size_t)canvas->width;
    const unsigned char *states = canvas->states + (size_t)y * (size_t)canvas->width;
    int length = canvas->width;
    while (length > 0 && line[length - 1] == ' ')
        length--;
    for (int from = 0, to; from < length; from = to) {
        const char *colour = sink->colour ? ptog_look_of((enum ptog_cell_state)states[from])->colour : "";
        for (to = from; to < length && states[to] == states[from];)
            to++;
        ptog_put(sink, colour);
        sink->write(sink->user, line + from, (size_t)(to - from));
        ptog_put(sink, ptog_when(colour[0], "\033[0m"));
    }
    ptog_put(sink, "\n");
}

void ptog_canvas_write(const struct ptog_canvas *canvas, const struct ptog_sink *sink)
{
    for (int y = 0; y < canvas->height; y++)
        write_line(canvas, y, sink);
}

/* ---- routes */

/* Those that go down, the lowest first, then those that go up, the highest first: neighbours do not cross then. */
static int by_place(const void *a, const void *b)
{
    const struct ptog_route *x = a, *y = b;
    bool x_down = x->y2 > x->y1, y_down = y->y2 > y->y1;
    if (x_down != y_down)
        return x_down ? -1 : 1;
    if (x->y1 != y->y1)
        return (x->y1 > y->y1) == x_down ? -1 : 1;
    return (x->y2 > y->y2) == x_down ? -1 : 1;
}

void ptog_routes_order(struct ptog_route *routes, size_t count, int x)
{
    qsort(routes, count, sizeof *routes, by_place);
    for (size_t i = 0; i < count; i++)
        routes[i].track = x + 2 * (int)i;
}

void ptog_routes_put(struct ptog_canvas *canvas, const struct ptog_route *routes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct ptog_route *route = &routes[i];
        for (int x = route->x1; x < route->track; x++)
            ptog_canvas_put(canvas, x, route->y1, '-', route->state);
        for (int x = route->track + 1; x < route->x2; x++)
            ptog_canvas_put(canvas, x, route->y2, '-', route->state);
        ptog_canvas_put(canvas, route->x2, route->y2, '>', route->state);
    }
    for (size_t i = 0; i < count; i++) {
        const struct ptog_route *route = &routes[i];
        bool down = route->y2 > route->y1;
        const char *start = char_of(canvas, route->track, route->y1);
        bool goes_on = start && *start == '-'; /* to another track */
        for (int y = down ? route->y1 : route->y2; y < (down ? route->y2 : route->y1); y++)
            ptog_canvas_put(canvas, route->track, y, '|', route->state);
        char turn = down ? '.' : '\'';
        ptog_canvas_put(canvas, route->track, route->y1, goes_on ? '+' : turn, route->state);
        ptog_canvas_put(canvas, route->track, route->y2, down ? '\'' : '.', route->state);
    }
}
