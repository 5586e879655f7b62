/* base: the author's own line behind a line of a generated program. */
#include "base/origin.h"

#include <string.h>

#include "base/pick.h"

const struct ptog_where *ptog_headline(const struct ptog_where *where)
{
    if (where && where->origin)
        return where->origin;
    return where;
}

/* A copy of a place with its texts, without its origin; NULL when out of memory. */
static struct ptog_where *copy_one(struct ptog_arena *arena, const struct ptog_where *from)
{
    struct ptog_where *copy = ptog_arena_alloc(arena, sizeof *copy);
    const char *file = ptog_or(from->file, "-");
    if (!copy)
        return NULL;
    *copy = *from;
    copy->origin = NULL;
    copy->file = ptog_arena_copy(arena, file, strlen(file));
    if (from->text)
        copy->text = ptog_arena_copy(arena, from->text, strlen(from->text));
    if (!copy->file || (from->text && !copy->text))
        return NULL;
    return copy;
}

bool ptog_origin_copy(struct ptog_arena *arena, const struct ptog_where **origin)
{
    const struct ptog_where *from = *origin, **next = origin;
    *origin = NULL;
    for (int i = 0; from && i <= PTOG_MAX_CALLERS; i++, from = from->origin) {
        struct ptog_where *copy = copy_one(arena, from);
        if (!copy)
            return false;
        *next = copy;
        next = &copy->origin;
    }
    return true;
}

void ptog_text_add_line(struct ptog_text *text, const struct ptog_where *place, const struct ptog_where *beside)
{
    const struct ptog_where *here = ptog_headline(place), *there = ptog_headline(beside);
    if (here->line == 0)
        return;
    bool named = (place->origin || (beside && beside->origin)) && here->file &&
                 (!there || !there->file || strcmp(here->file, there->file) != 0);
    if (named)
        ptog_text_addf(text, " at %.200s:%u", here->file, (unsigned)here->line);
    else
        ptog_text_addf(text, " at line %u", (unsigned)here->line);
}
