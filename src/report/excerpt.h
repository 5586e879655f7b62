/* report: a line of the source, and what is underlined in it. */
#ifndef PTOG_REPORT_EXCERPT_H
#define PTOG_REPORT_EXCERPT_H

#include <ptog/report.h>

/* How a place is marked: "^~~~", or "---- message". */
struct ptog_mark {
    char first, rest;
    const char *message; /* NULL: none */
    const char *colour;
};

/* "  14 |     text" and "     |     ^~~~", the number in `digits` columns. Only the second when `same_line` says that
 * the line was shown just now. A line too long for the screen is cut around the place. `where->text` is not NULL. */
void ptog_excerpt(const struct ptog_sink *sink, const struct ptog_where *where, struct ptog_mark mark, int digits,
                  bool same_line);

/* Whether the place lies in the text that comes with it: of a very long line there may be a part only. */
bool ptog_excerpt_holds(const struct ptog_where *where);

/* Whether the line is shown whole. */
bool ptog_excerpt_fits(const struct ptog_where *where);

#endif
