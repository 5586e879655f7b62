/* report: the diagnostics of several programs as one sequence. */
#include "report/checked.h"

#include <string.h>

#include "base/reserved.h"

#define MOST_COMPARED 4096

const struct ptog_diag *ptog_walk_next(struct ptog_walk *walk)
{
    for (; walk->program < walk->count; walk->program++, walk->diag = 0) {
        const struct ptog_diag *diag = ptog_diags_at(walk->list[walk->program].diags, walk->diag);
        if (!diag)
            continue;
        walk->diag++;
        walk->seen++;
        return diag;
    }
    return NULL;
}

static bool is_same(const struct ptog_diag *a, const struct ptog_diag *b)
{
    return a->where.line == b->where.line && a->where.column == b->where.column && a->where.file && b->where.file &&
           strcmp(a->where.file, b->where.file) == 0 && strcmp(a->id, b->id) == 0 &&
           strcmp(a->message, b->message) == 0;
}

/* Whether the one that `walk` gave last was given before. */
static bool is_repeated(const struct ptog_walk *walk, const struct ptog_diag *diag)
{
    struct ptog_walk earlier = {walk->list, walk->count, 0, 0, 0};
    if (walk->seen > MOST_COMPARED)
        return false;
    while (earlier.seen + 1 < walk->seen)
        if (is_same(ptog_walk_next(&earlier), diag))
            return true;
    return false;
}

const struct ptog_diag *ptog_walk_next_new(struct ptog_walk *walk)
{
    const struct ptog_diag *diag;
    do {
        diag = ptog_walk_next(walk);
    } while (diag && is_repeated(walk, diag));
    return diag;
}

bool ptog_report_is_possible(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink)
{
    for (size_t i = 0; checked && i < count; i++)
        if (!ptog_is_unreserved(&checked[i]))
            return false;
    return ptog_sink_is_usable(sink) && (checked || count == 0);
}
