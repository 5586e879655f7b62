/* draw: which rows, or columns, of an operand are drawn. */
#include "draw/draw.h"

#include <stdlib.h>

/* Adds a row or column to those that should be shown, while there is room. */
void ptog_wants_add(struct ptog_wants *wants, int64_t at)
{
    for (size_t i = 0; i < wants->count; i++)
        if (wants->of[i] == at)
            return;
    if (wants->count < PTOG_MAX_WANTS)
        wants->of[wants->count++] = at;
}

static bool is_in(const struct ptog_shown *shown, int64_t at)
{
    for (size_t i = 0; i < shown->count; i++)
        if (shown->at[i] == at)
            return true;
    return false;
}

/* Adds a row or column to those that are shown, each once and while there is room. */
static void add_shown(struct ptog_shown *shown, int64_t at, int64_t total, size_t most)
{
    if (at >= 0 && at < total && shown->count < most && !is_in(shown, at))
        shown->at[shown->count++] = at;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* A gap where something is missing; a gap of one would take as much room as that one. */
static void add_gaps(struct ptog_shown *shown)
{
    struct ptog_shown all = {.count = 0};
    for (size_t i = 0; i < shown->count; i++) {
        int64_t missing = i > 0 ? shown->at[i] - shown->at[i - 1] - 1 : 0;
        if (missing > 0)
            all.at[all.count++] = missing == 1 ? shown->at[i] - 1 : PTOG_DRAWN_GAP;
        all.at[all.count++] = shown->at[i];
    }
    *shown = all;
}

void ptog_shown_choose(struct ptog_shown *shown, int64_t total, const struct ptog_wants *wants, size_t least,
                       size_t most)
{
    shown->count = 0;
    if (total <= (int64_t)most)
        least = most;
    add_shown(shown, 0, total, most);
    add_shown(shown, total - 1, total, most);
    for (size_t i = 0; i < wants->count; i++)
        add_shown(shown, wants->of[i], total, most);
    for (int64_t at = 0; shown->count < least && at < total; at++)
        add_shown(shown, at, total, least);
    qsort(shown->at, shown->count, sizeof shown->at[0], by_number);
    add_gaps(shown);
}

int ptog_shown_slot(const struct ptog_shown *shown, int64_t at)
{
    for (size_t i = 0; i < shown->count; i++) {
        if (shown->at[i] == at)
            return (int)i;
        if (shown->at[i] > at)
            return (int)i - 1; /* the gap before it */
    }
    return (int)shown->count - 1;
}

bool ptog_shown_has(const struct ptog_shown *shown, int64_t at)
{
    return at >= 0 && is_in(shown, at);
}
