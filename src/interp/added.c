/* interp: lines that are not in the text: lists of them, by operation. */
#include "interp/added.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool ptog_lines_add(struct ptog_lines *lines, uint32_t at, const struct ptog_sync *syncs, uint32_t count)
{
    if (!ptog_array_reserve(&lines->of, (size_t)lines->count + count, &lines->room))
        return false;
    struct ptog_sync *of = lines->of;
    memmove(&of[at + count], &of[at], (lines->count - at) * sizeof *of);
    memcpy(&of[at], syncs, count * sizeof *of);
    lines->count += count;
    return true;
}

void ptog_lines_drop(struct ptog_lines *lines, uint32_t at)
{
    lines->count--;
    memmove(&lines->of[at], &lines->of[at + 1], (lines->count - at) * sizeof *lines->of);
}

bool ptog_added_open(struct ptog_added *added, uint32_t op_count)
{
    *added = (struct ptog_added){.op_count = op_count};
    added->before = calloc((size_t)op_count + 1, sizeof *added->before);
    added->after = calloc((size_t)op_count + 1, sizeof *added->after);
    added->edits = calloc((size_t)op_count + 1, sizeof *added->edits);
    return added->before && added->after && added->edits;
}

/* Frees the lines of so many operations. */
static void free_lines(struct ptog_lines *lines, uint32_t count)
{
    for (uint32_t i = 0; lines && i < count; i++)
        free(lines[i].of);
    free(lines);
}

void ptog_added_close(struct ptog_added *added)
{
    free_lines(added->before, added->op_count);
    free_lines(added->after, added->op_count);
    free(added->edits);
    added->before = added->after = NULL;
    added->edits = NULL;
}
