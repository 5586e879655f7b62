/* tool: the arrays that ptog run takes from npy files, held against the shapes that the program declares. */
#include "run.h"

#include <inttypes.h>
#include <string.h>

#include "io/array.h"
#include "io/pick.h"

/* "64x?": an extent that the program leaves open is a question mark. */
static void shape_text(char text[TOOL_SHAPE_NAME], int rank, const int64_t *shape)
{
    size_t used = 0;
    for (int d = 0; d < rank && used + 26 < TOOL_SHAPE_NAME; d++) {
        const char *between = tool_when(d > 0, "x");
        if (shape[d] == PTOG_DYN)
            used += (size_t)snprintf(text + used, TOOL_SHAPE_NAME - used, "%s?", between);
        else
            used += (size_t)snprintf(text + used, TOOL_SHAPE_NAME - used, "%s%" PRId64, between, shape[d]);
    }
}

/* The extents are the same from the last one on; those that only one of them has are 1. */
static bool is_same_shape(const struct ptog_slot *slot, int rank, const int64_t *shape)
{
    for (int i = 1; i <= slot->rank || i <= rank; i++) {
        int64_t wanted = i <= slot->rank ? slot->shape[slot->rank - i] : 1;
        int64_t found = i <= rank ? shape[rank - i] : 1;
        if (wanted != PTOG_DYN && wanted != found)
            return false;
    }
    return true;
}

/* The shape that `count` elements have in the slot; one extent at most may be open. False: there is none. */
static bool fill_shape(const struct ptog_slot *slot, int64_t count, int64_t *shape)
{
    int64_t known = 1, *open = NULL;
    memcpy(shape, slot->shape, sizeof slot->shape);
    for (int d = 0; d < slot->rank; d++) {
        if (shape[d] == PTOG_DYN && open)
            return false;
        if (shape[d] == PTOG_DYN)
            open = &shape[d];
        else if (shape[d] <= 0 || known > count / shape[d])
            return false;
        else
            known *= shape[d];
    }
    if (open)
        *open = count / known;
    if (open)
        return count % known == 0;
    return known == count;
}

bool run_shape_fits(struct run_item *item)
{
    const struct ptog_slot *slot = &item->slot;
    char found[TOOL_SHAPE_NAME], wanted[TOOL_SHAPE_NAME] = "";
    int64_t shape[5];
    if (!slot->packed || is_same_shape(slot, item->rank, item->shape))
        return true;
    tool_shape_name(found, item->rank, item->shape);
    shape_text(wanted, slot->rank, slot->shape);
    if (item->rank != 1 || !fill_shape(slot, item->shape[0], shape))
        return tool_fail(item->command, "%s: has the shape %s, but %%%s has %s", item->from, found, item->name, wanted),
               false;
    item->rank = slot->rank;
    memcpy(item->shape, shape, sizeof shape);
    tool_shape_name(wanted, item->rank, item->shape);
    fprintf(stderr, "ptog %s: note: %s: using its %s elements as %s, row by row\n", item->command, item->from, found,
            wanted);
    return true;
}
