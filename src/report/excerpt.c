/* report: the line of the source that a message is about, with its number before it and a mark below:
 *
 *     14 |     pto.mgather ins(%table, %idx) outs(%dst)
 *        |     ^~~~~~~~~~~
 *
 * Tabs and wide characters are counted as a terminal shows them, and of a very long line only a window is shown. */
#include "report/excerpt.h"

#include <stdio.h>

#include "base/pick.h"
#include "report/put.h"

#define TAB 4        /* columns that a tab is shown as */
#define MAX_WIDE 120 /* columns of a line that are shown */
#define BEFORE 32    /* of those before the place, when the line is cut */

/* Positions are columns of the screen, from 0. */
struct extent {
    size_t start, end; /* of the place */
    size_t width;      /* of the line, blanks at its end excluded */
};

static int width_of(struct ptog_char c)
{
    if (c.code == '\t' && c.whole)
        return TAB;
    return ptog_char_width(c);
}

/* A place without a column is the whole line. */
static struct extent measure_caret(const struct ptog_where *where)
{
    struct extent extent = {0, 0, 0};
    bool started = false, whole = where->column == 0;
    uint32_t column = 1;
    size_t x = 0;
    for (const char *at = where->text; *at;) {
        struct ptog_char c = ptog_char_at(at);
        size_t width = (size_t)width_of(c);
        bool blank = c.code == ' ' || c.code == '\t';
        if (column >= where->column && !started && !(whole && blank)) {
            extent.start = x;
            started = true;
        }
        x += width;
        if (column < where->end_column)
            extent.end = x;
        if (!blank)
            extent.width = x;
        column += ((unsigned char)*at & 0xc0) != 0x80; /* a line that starts amid a character has no column for it */
        at += c.bytes;
    }
    if (!started)
        extent.start = x;
    if (whole)
        extent.end = extent.width;
    if (extent.end <= extent.start)
        extent.end = extent.start + 1;
    return extent;
}

static void put_repeated(const struct ptog_sink *sink, char c, size_t times)
{
    char piece[32];
    memset(piece, c, sizeof piece);
    for (size_t n; times > 0; times -= n) {
        n = ptog_min(times, sizeof piece);
        sink->write(sink->user, piece, n);
    }
}

/* The characters that lie wholly in columns [from, to). */
static void put_window(const struct ptog_sink *sink, const char *text, size_t from, size_t to)
{
    size_t at = 0;
    while (*text && at < to) {
        struct ptog_char c = ptog_char_at(text);
        size_t width = (size_t)width_of(c);
        if (at >= from && at + width <= to) {
            if (c.whole && c.code == '\t')
                put_repeated(sink, ' ', TAB);
            else if (ptog_char_shows(c))
                sink->write(sink->user, text, c.bytes);
            else
                ptog_put(sink, "\xef\xbf\xbd");
        } else if (at < from && at + width > from) { /* cut in half: keep the columns */
            put_repeated(sink, ' ', at + width - from);
        }
        at += width;
        text += c.bytes;
    }
}

/* Writes the margin of an excerpt: the line's number, or, for 0, space as wide. */
static void put_gutter(const struct ptog_sink *sink, int digits, uint32_t line)
{
    char text[32];
    if (line > 0)
        snprintf(text, sizeof text, "  %*u |", digits, (unsigned)line);
    else
        snprintf(text, sizeof text, "  %*s |", digits, "");
    ptog_put(sink, text);
}

/* Writes a caret and its tail below a piece of source, with the message behind it. */
static void put_mark(const struct ptog_sink *sink, struct ptog_mark mark, size_t length)
{
    if (sink->colour)
        ptog_put(sink, mark.colour);
    put_repeated(sink, mark.first, 1);
    put_repeated(sink, mark.rest, length - 1);
    if (mark.message) {
        ptog_put(sink, " ");
        ptog_put_clean(sink, mark.message);
    }
    if (sink->colour)
        ptog_put(sink, "\033[0m");
    ptog_put(sink, "\n");
}

bool ptog_excerpt_holds(const struct ptog_where *where)
{
    uint32_t column = 1;
    for (const char *at = where->text; *at && column < where->column; at++)
        column += ((unsigned char)*at & 0xc0) != 0x80;
    return column >= where->column;
}

bool ptog_excerpt_fits(const struct ptog_where *where)
{
    return measure_caret(where).width <= MAX_WIDE;
}

void ptog_excerpt(const struct ptog_sink *sink, const struct ptog_where *where, struct ptog_mark mark, int digits,
                  bool same_line)
{
    static const char cut[] = "...";
    struct extent extent = measure_caret(where);
    size_t from = 0, to = extent.width;
    if (extent.width > MAX_WIDE) {
        size_t last = extent.width - MAX_WIDE;
        from = ptog_left(extent.start, BEFORE);
        if (from >= last)
            from = last;
        to = from + MAX_WIDE;
    }
    size_t lead = from > 0 ? sizeof cut - 1 : 0;
    if (!same_line) {
        put_gutter(sink, digits, where->line);
        ptog_put(sink, ptog_when(extent.width > 0, " "));
        ptog_put(sink, ptog_when(from > 0, cut));
        put_window(sink, where->text, from, to);
        ptog_put(sink, ptog_when(to < extent.width, cut));
        ptog_put(sink, "\n");
    }
    put_gutter(sink, digits, 0);
    put_repeated(sink, ' ', 1 + lead + extent.start - from);
    size_t end = ptog_min(extent.end, from + MAX_WIDE);
    put_mark(sink, mark, end > extent.start ? end - extent.start : 1);
}
