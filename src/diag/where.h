/* diag: a span as a place people read. */
#ifndef PTOG_DIAG_WHERE_H
#define PTOG_DIAG_WHERE_H

#include <ptog/diag.h>

#include "base/source.h"

#define PTOG_LINE_SHOWN                                                                                                \
    2000 /* characters of a line that a diagnostic carries; whoever shows it cuts it to a screen                       \
          */

struct ptog_line_text {
    char text[PTOG_LINE_SHOWN * 4 + 1];
};

/* `text` holds the line and must live as long as the place. */
struct ptog_where ptog_where_of(const struct ptog_source *source, struct ptog_span span, struct ptog_line_text *text);

#endif
