/* lower: places for the tiles that have none, memory by memory. They lie side by side as long as there is room: tiles
 * that have the same bytes wait for each other. Where there is none, those that are never alive together get the same
 * bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "auto/share.h"
#include "base/pick.h"
#include "base/text.h"
#include "lower/place.h"
#include "model/cube/memories.h"

#define MAX_NAMED 6 /* tiles in a message */

/* The bytes of a memory that the text gives to tiles; *count says how many ranges. */
static const struct ptog_range *taken_by_text(const struct ptog_eval *e, enum ptog_loc loc, size_t *count)
{
    *count = e->ranges[loc].used / sizeof(struct ptog_range);
    return (const struct ptog_range *)(const void *)e->ranges[loc].data;
}

/* Whether a tile needs a place in this memory. */
static bool is_placed_in(const struct ptog_tile_place *place, enum ptog_loc loc)
{
    return place->needed && place->loc == loc;
}

/* Notes that tiles of a memory reach up to `end`; UB's is reported. */
static void count_need(struct ptog_eval *e, enum ptog_loc loc, uint64_t end)
{
    if (loc == PTOG_VEC)
        e->ub_need = ptog_max(end, e->ub_need);
}

/* Gives every tile of a memory bytes of its own, between those that the text gives addresses; false when they do not
 * fit. */
static bool place_side_by_side(struct ptog_eval *e, enum ptog_loc loc, uint64_t limit)
{
    struct ptog_room room;
    size_t count;
    struct ptog_range *taken = (struct ptog_range *)(uintptr_t)taken_by_text(e, loc, &count);
    uint64_t need = 0;
    ptog_room_open(&room, taken, count, limit);
    for (uint32_t i = 0; i < e->place_count; i++) {
        struct ptog_tile_place *place = &e->places[i];
        if (!is_placed_in(place, loc))
            continue;
        if (!ptog_room_take(&room, place->bytes, &place->addr))
            return false;
        need = ptog_max(room.at, need);
    }
    count_need(e, loc, need);
    return true;
}

/* ---- where there is no room */

/* The tiles that are alive when range `worst` begins to be. */
static void name_living(const struct ptog_eval *e, const struct ptog_live_range *of, const uint32_t *numbers,
                        size_t count, size_t worst, char *text, size_t size)
{
    size_t named = 0, used = 0;
    char size_text[PTOG_GROUPED];
    text[0] = 0;
    for (size_t i = 0; i < count && used < size; i++) {
        const struct ptog_tile_place *place = &e->places[numbers[i]];
        if (of[worst].first < of[i].first || of[worst].first > of[i].last)
            continue;
        if (named++ == MAX_NAMED) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%%%.40s (%s bytes)", ptog_when(named > 1, ", "),
                                 ptog_tree_text(e->tree, place->name), ptog_grouped(place->bytes, size_text));
    }
}

/* Reports that the tiles of a memory do not fit, at the tile where most bytes are alive. */
static void say_full(struct ptog_eval *e, enum ptog_loc loc, const struct ptog_live_range *of, const uint32_t *numbers,
                     size_t count)
{
    uint64_t limit = ptog_memory_limit(e->target, loc), bytes, fixed = 0;
    size_t worst = ptog_share_worst(of, count, &bytes), ranges;
    const struct ptog_tile_place *place = &e->places[numbers[worst]];
    const struct ptog_range *taken = taken_by_text(e, loc, &ranges);
    char names[400], others[80] = "";
    for (size_t i = 0; i < ranges; i++) /* sorted; they may lie over each other */
        fixed += taken[i].to - taken[i].from;
    if (fixed > 0)
        snprintf(others, sizeof others, ", besides tiles with explicit addresses");
    name_living(e, of, numbers, count, worst, names, sizeof names);
    char need[PTOG_GROUPED], room[PTOG_GROUPED];
    struct ptog_diag_entry *found = ptog_diag_emit(
        e->diags, ptog_overflow_id(loc), place->life.begin ? place->life.begin->name_span : place->span,
        "the tiles that are live here need %s bytes, but %s has %s bytes of %s%s: %s", ptog_grouped(bytes, need),
        e->target->name, ptog_grouped(limit, room), ptog_memory_name(loc), others, names);
    if (place->life.begin && place->life.begin->number != place->op)
        ptog_diag_relate(found, place->span, "defined here");
    ptog_diag_add_fix(e->diags, found, "use smaller tiles, or fewer at the same time");
}

/* What is to be placed: range k is the tile of place numbers[k]. */
struct ranges {
    struct ptog_live_range *of;
    uint32_t *numbers;
    size_t count;
};

/* The range of a place; NULL when it has none. */
static struct ptog_live_range *live_range_of(const struct ranges *ranges, uint32_t number)
{
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < ranges->count && ranges->numbers[low] == number)
        return &ranges->of[low];
    return NULL;
}

/* Destinations take over the places of inputs that die with their first write: the input lives on as the destination,
 * whose own range is empty. In the order of the text, so that chains come together. */
static void merge_heirs(struct ptog_eval *e, struct ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++) {
        struct ptog_tile_place *place = &e->places[ranges->numbers[i]];
        uint32_t root = place->heir_of;
        struct ptog_live_range *input = root ? live_range_of(ranges, root - 1) : NULL, *mine = &ranges->of[i];
        if (!input || input->last != mine->first || e->places[root - 1].bytes != place->bytes)
            continue;
        place->inherits = true;
        while (e->places[root - 1].inherits)
            root = e->places[root - 1].heir_of;
        live_range_of(ranges, root - 1)->last = mine->last;
        input->last = mine->last;
        mine->bytes = 0;
    }
}

/* The address of range `i`: its own, or that of the one whose bytes it inherits. */
static uint64_t addr_of(const struct ptog_eval *e, const struct ranges *ranges, size_t i)
{
    uint32_t number = ranges->numbers[i];
    while (e->places[number].inherits)
        number = e->places[number].heir_of - 1;
    return live_range_of(ranges, number)->addr;
}

/* Gives the tiles the addresses that were found for their ranges. */
static void take_places(struct ptog_eval *e, enum ptog_loc loc, const struct ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++) {
        struct ptog_tile_place *place = &e->places[ranges->numbers[i]];
        place->addr = addr_of(e, ranges, i);
        count_need(e, loc, place->addr + place->bytes);
    }
    e->shared = true;
}

/* Lists from when to when the tiles of a memory are used; false when out of memory. The caller frees both arrays. */
static bool list_live_ranges(const struct ptog_eval *e, enum ptog_loc loc, struct ranges *ranges)
{
    ranges->of = calloc((size_t)e->place_count + 1, sizeof *ranges->of);
    ranges->numbers = calloc((size_t)e->place_count + 1, sizeof *ranges->numbers);
    ranges->count = 0;
    for (uint32_t i = 0; ranges->of && ranges->numbers && i < e->place_count; i++) {
        struct ptog_live_range *range = &ranges->of[ranges->count];
        if (!is_placed_in(&e->places[i], loc))
            continue;
        range->bytes = e->places[i].bytes;
        ptog_life_span(e, &e->places[i].life, &range->first, &range->last);
        ranges->numbers[ranges->count++] = i;
    }
    return ranges->of && ranges->numbers;
}

/* Places the tiles of a memory so that those never alive together share bytes, and reports where they do not fit even
 * so. */
static void place_in_turn(struct ptog_eval *e, enum ptog_loc loc, uint64_t limit)
{
    struct ranges ranges;
    size_t taken_count;
    const struct ptog_range *taken = taken_by_text(e, loc, &taken_count);
    enum ptog_status status = PTOG_NO_MEMORY;
    if (list_live_ranges(e, loc, &ranges)) {
        status = ptog_share(ranges.of, ranges.count, taken, taken_count, limit);
        if (status == PTOG_NO_ROOM) {
            merge_heirs(e, &ranges);
            status = ptog_share(ranges.of, ranges.count, taken, taken_count, limit);
        }
    }
    if (status == PTOG_OK)
        take_places(e, loc, &ranges);
    e->no_memory = e->no_memory || status == PTOG_NO_MEMORY;
    if (status == PTOG_NO_ROOM)
        say_full(e, loc, ranges.of, ranges.numbers, ranges.count);
    free(ranges.of);
    free(ranges.numbers);
}

/* Gives every tile that needs one an address: side by side while they fit, else those that do not live at the same
 * time share. After the function was walked. */
void ptog_place_all(struct ptog_eval *e)
{
    for (int loc = PTOG_VEC; loc < PTOG_LOCS; loc++) {
        uint64_t limit = ptog_memory_limit(e->target, (enum ptog_loc)loc);
        if (!place_side_by_side(e, (enum ptog_loc)loc, limit))
            place_in_turn(e, (enum ptog_loc)loc, limit);
    }
    e->ub_need = ptog_min(e->ub_need, ptog_memory_limit(e->target, PTOG_VEC));
}
