/* report: how the states of cells look, for both renderers of drawings. */
#ifndef PTOG_REPORT_DRAWING_LOOK_H
#define PTOG_REPORT_DRAWING_LOOK_H

#include <ptog/drawing.h>

#include "report/put.h"

struct ptog_look {
    const char *words;  /* in the legend */
    char mark;          /* behind a value, where there are no colours */
    const char *colour; /* ANSI */
    /* in a picture: cell and arrow on light ground, the same on dark */
    const char *fill, *line, *dark_fill, *dark_line;
};

/* The look of a state; that of another number is the plain one. */
const struct ptog_look *ptog_look_of(enum ptog_cell_state state);

/* Which states a drawing has, as bits. */
unsigned ptog_drawing_states(const ptog_drawing *drawing);

/* Some element has no value. */
bool ptog_drawing_lacks_data(const ptog_drawing *drawing);
#define PTOG_NO_DATA_WORDS "no value"

/* How much of `text` fits into `most` characters, up to a space if there is one. *next is where the rest begins. */
size_t ptog_drawing_wrap(const char *text, size_t most, const char **next);

#endif
