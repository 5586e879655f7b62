/* model: the examples of drawings, from spec/drawings.def. */
#include <string.h>

#include <ptog/drawing.h>

static const struct ptog_draw_example examples[] = {
#define DRAWING(id, fault, what, text, inputs) {(id), (fault), (what), (text), (inputs)},
#include "spec/drawings.def"
#undef DRAWING
};

const struct ptog_draw_example *ptog_draw_example_at(size_t i)
{
    if (i < sizeof examples / sizeof examples[0])
        return &examples[i];
    return NULL;
}

const struct ptog_draw_example *ptog_draw_example_find(const char *id)
{
    for (size_t i = 0; id && ptog_draw_example_at(i); i++)
        if (strcmp(examples[i].id, id) == 0)
            return &examples[i];
    return NULL;
}
