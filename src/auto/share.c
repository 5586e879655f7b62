/* auto: places in UB for tiles that are not all alive at once. */
#include "auto/share.h"
#include "base/pick.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LIVE_RANGES 16384u /* the time to place them grows with the square: a tenth of a second for so many */

/* Up to the end of a block. */
static uint64_t blocks(uint64_t bytes)
{
    return (bytes + PTOG_UB_BLOCK - 1) / PTOG_UB_BLOCK * PTOG_UB_BLOCK;
}

/* ---- orders */

/* The order of two ranges in the text. */
static int by_text(const struct ptog_live_range *a, const struct ptog_live_range *b)
{
    return (a > b) - (a < b);
}

/* For qsort: ranges by size, the largest first. */
static int largest_first(const void *a, const void *b)
{
    const struct ptog_live_range *x = *(struct ptog_live_range *const *)a, *y = *(struct ptog_live_range *const *)b;
    if (x->bytes != y->bytes)
        return ptog_order(y->bytes, x->bytes);
    return by_text(x, y);
}

/* For qsort: ranges by when they begin. */
static int earliest_first(const void *a, const void *b)
{
    const struct ptog_live_range *x = *(struct ptog_live_range *const *)a, *y = *(struct ptog_live_range *const *)b;
    if (x->first != y->first)
        return ptog_order(x->first, y->first);
    return by_text(x, y);
}

/* ---- placing: those that have their places, in the order of their addresses */

struct allocator {
    struct ptog_live_range **of;
    size_t count;
};

/* Adds a range that has its place, in the order of places. */
static void add_range(struct allocator *allocator, struct ptog_live_range *range)
{
    size_t i = allocator->count++;
    for (; i > 0 && allocator->of[i - 1]->addr > range->addr; i--)
        allocator->of[i] = allocator->of[i - 1];
    allocator->of[i] = range;
}

/* The lowest address that is free as long as the range lives; false when it lies too high. */
static bool find_place(const struct allocator *allocator, struct ptog_live_range *range, uint64_t limit)
{
    uint64_t at = 0;
    for (size_t i = 0; i < allocator->count; i++) {
        const struct ptog_live_range *other = allocator->of[i];
        if (other->addr >= at && other->addr - at >= range->bytes)
            break;
        if (ptog_live_ranges_meet(other, range) && blocks(other->addr + other->bytes) > at)
            at = blocks(other->addr + other->bytes);
    }
    range->addr = at;
    return at <= limit && range->bytes <= limit - at;
}

/* Gives ranges their places in that order; false when one does not fit below the limit. */
static bool place_all(struct ptog_live_range **order, size_t count, struct allocator *allocator, uint64_t limit)
{
    for (size_t i = 0; i < count; i++) {
        if (!find_place(allocator, order[i], limit))
            return false;
        add_range(allocator, order[i]);
    }
    return true;
}

enum ptog_status ptog_share(struct ptog_live_range *of, size_t count, const struct ptog_range *taken,
                            size_t taken_count, uint64_t limit)
{
    static int (*const orders[])(const void *, const void *) = {largest_first, earliest_first};
    enum ptog_status status = PTOG_NO_ROOM;
    if (count > MAX_LIVE_RANGES || taken_count > MAX_LIVE_RANGES)
        return status;
    struct ptog_live_range **order = calloc(count + 1, sizeof(*order));
    struct ptog_live_range *fixed = calloc(taken_count + 1, sizeof *fixed);
    struct allocator allocator = {calloc(count + taken_count + 1, sizeof(*allocator.of)), 0};
    if (!order || !fixed || !allocator.of)
        status = PTOG_NO_MEMORY;
    for (size_t i = 0; status == PTOG_NO_ROOM && i < taken_count; i++)
        fixed[i] = (struct ptog_live_range){taken[i].to - taken[i].from, taken[i].from, 0, UINT32_MAX};
    for (size_t o = 0; status == PTOG_NO_ROOM && o < sizeof orders / sizeof orders[0]; o++) {
        allocator.count = 0;
        for (size_t i = 0; i < taken_count; i++)
            add_range(&allocator, &fixed[i]);
        for (size_t i = 0; i < count; i++)
            order[i] = &of[i];
        qsort(order, count, sizeof(*order), orders[o]);
        if (place_all(order, count, &allocator, limit))
            status = PTOG_OK;
    }
    free(order);
    free(fixed);
    free(allocator.of);
    return status;
}

size_t ptog_share_worst(const struct ptog_live_range *of, size_t count, uint64_t *bytes)
{
    size_t worst = 0;
    *bytes = 0;
    for (size_t i = 0; i < count && i < MAX_LIVE_RANGES; i++) {
        uint64_t sum = 0;
        for (size_t k = 0; k < count && k < MAX_LIVE_RANGES; k++)
            if (of[k].first <= of[i].first && of[i].first <= of[k].last)
                sum += UINT64_MAX - sum > blocks(of[k].bytes) ? blocks(of[k].bytes) : 0;
        if (sum > *bytes) {
            *bytes = sum;
            worst = i;
        }
    }
    return worst;
}
