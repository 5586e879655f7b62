/* report: the table of how the states of cells look, and what both renderers ask of a drawing. */
#include "report/drawing/look.h"

static const struct ptog_look looks[PTOG_CELL_STATES] = {
    [PTOG_CELL_PLAIN] = {"", ' ', "", "#ffffff", "#7a8494", "#161b22", "#8b95a5"},
    [PTOG_CELL_READ] = {"read", '*', "\033[34m", "#dbeafe", "#3b6fb6", "#1c3557", "#79aef0"},
    [PTOG_CELL_WRITTEN] = {"written", ' ', "\033[32m", "#dcf3e0", "#2f8a4c", "#16402a", "#62c983"},
    [PTOG_CELL_CLAMPED] = {"clamped", '^', "\033[33m", "#ffe3c2", "#c2620a", "#5a3510", "#f5a04c"},
    [PTOG_CELL_WRAPPED] = {"wrapped", '%', "\033[35m", "#ecdcfb", "#8639c9", "#45285f", "#c490f2"},
    [PTOG_CELL_ZEROED] = {"zeroed", '=', "\033[36m", "#cdeef2", "#0f7f90", "#10414a", "#55c7d8"},
    [PTOG_CELL_OUTSIDE] = {"out of range", '!', "\033[31m", "#fccfcf", "#c62828", "#651f1f", "#ff8a80"},
    [PTOG_CELL_NO_RESULT] = {"no result", '?', "\033[31m", "#fbd3ea", "#b0206f", "#5c1f44", "#f48cc4"},
    [PTOG_CELL_PADDING] = {"padding", '~', "\033[2m", "#eceef1", "#7a8494", "#2a303a", "#8b95a5"},
};

const struct ptog_look *ptog_look_of(enum ptog_cell_state state)
{
    return &looks[(unsigned)state < PTOG_CELL_STATES ? state : PTOG_CELL_PLAIN];
}

unsigned ptog_drawing_states(const ptog_drawing *drawing)
{
    unsigned states = 0;
    for (size_t g = 0; g < drawing->grid_count; g++)
        for (size_t i = 0; i < drawing->grids[g].row_count * drawing->grids[g].col_count; i++)
            states |= 1u << drawing->grids[g].cells[i].state;
    return states;
}

bool ptog_drawing_lacks_data(const ptog_drawing *drawing)
{
    for (size_t g = 0; g < drawing->grid_count; g++)
        for (size_t i = 0; i < drawing->grids[g].row_count * drawing->grids[g].col_count; i++)
            if (strcmp(drawing->grids[g].cells[i].text, "--") == 0)
                return true;
    return false;
}

size_t ptog_drawing_wrap(const char *text, size_t most, const char **next)
{
    size_t length = strlen(text), cut = most;
    if (length <= most) {
        *next = text + length;
        return length;
    }
    while (cut > 0 && text[cut] != ' ')
        cut--;
    if (cut == 0)
        cut = most;
    *next = text + cut + strspn(text + cut, " ");
    return cut;
}
