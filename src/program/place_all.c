/* program: places for the tiles that have none. They lie side by side as long as UB has room: tiles that have the same
 * bytes wait for each other. Where it has not, those that are never alive together get the same bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "auto/share.h"
#include "base/pick.h"
#include "base/text.h"
#include "program/place.h"

#define MOST_NAMED 6 /* tiles in a message */

static const struct ptog_range *taken_by_text(const struct ptog_eval *e, size_t *count)
{
    *count = e->ranges.used / sizeof(struct ptog_range);
    return (const struct ptog_range *)(const void *)e->ranges.data;
}

static bool place_side_by_side(struct ptog_eval *e, uint64_t limit)
{
    struct ptog_room room;
    size_t count;
    struct ptog_range *taken = (struct ptog_range *)(uintptr_t)taken_by_text(e, &count);
    uint64_t need = e->ub_need;
    ptog_room_open(&room, taken, count, limit);
    for (uint32_t i = 0; i < e->place_count; i++) {
        struct ptog_tile_place *place = &e->places[i];
        if (!place->needed)
            continue;
        if (!ptog_room_take(&room, place->bytes, &place->addr))
            return false;
        need = ptog_max(room.at, need);
    }
    e->ub_need = need;
    return true;
}

/* ---- where there is no room */

/* The tiles that are alive when lodger `worst` begins to be. */
static void name_living(const struct ptog_eval *e, const struct ptog_lodger *of, const uint32_t *numbers, size_t count,
                        size_t worst, char *text, size_t size)
{
    size_t named = 0, used = 0;
    char size_text[PTOG_GROUPED];
    text[0] = 0;
    for (size_t i = 0; i < count && used < size; i++) {
        const struct ptog_tile_place *place = &e->places[numbers[i]];
        if (of[worst].first < of[i].first || of[worst].first > of[i].last)
            continue;
        if (named++ == MOST_NAMED) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%%%.40s (%s bytes)", ptog_when(named > 1, ", "),
                                 ptog_tree_text(e->tree, place->name), ptog_grouped(place->bytes, size_text));
    }
}

static void say_full(struct ptog_eval *e, const struct ptog_lodger *of, const uint32_t *numbers, size_t count)
{
    uint64_t limit = ptog_ub_limit(e->target), bytes, fixed = 0;
    size_t worst = ptog_share_worst(of, count, &bytes), ranges;
    const struct ptog_tile_place *place = &e->places[numbers[worst]];
    const struct ptog_range *taken = taken_by_text(e, &ranges);
    char names[400], others[80] = "";
    for (size_t i = 0; i < ranges; i++) /* sorted; they may lie over each other */
        fixed += taken[i].to - taken[i].from;
    if (fixed > 0)
        snprintf(others, sizeof others, ", besides tiles with explicit addresses");
    name_living(e, of, numbers, count, worst, names, sizeof names);
    char need[PTOG_GROUPED], room[PTOG_GROUPED];
    struct ptog_found *found =
        ptog_say(e->finds, "ub-overflow", place->life.begin ? place->life.begin->name_span : place->span,
                 "the tiles that are live here need %s bytes, but %s has %s bytes of UB%s: %s",
                 ptog_grouped(bytes, need), e->target->name, ptog_grouped(limit, room), others, names);
    if (place->life.begin && place->life.begin->number != place->op)
        ptog_say_related(found, place->span, "defined here");
    ptog_say_fix(e->finds, found, "use smaller tiles, or fewer at the same time");
}

/* What is to be placed: lodger k is the tile of place numbers[k]. */
struct lodgers {
    struct ptog_lodger *of;
    uint32_t *numbers;
    size_t count;
};

/* The lodger of a place; NULL when it has none. */
static struct ptog_lodger *lodger_of(const struct lodgers *lodgers, uint32_t number)
{
    size_t low = 0, high = lodgers->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lodgers->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < lodgers->count && lodgers->numbers[low] == number)
        return &lodgers->of[low];
    return NULL;
}

/* Destinations take over the places of inputs that die with their first write: the input lives on as the destination,
 * whose own lodger is empty. In the order of the text, so that chains come together. */
static void merge_heirs(struct ptog_eval *e, struct lodgers *lodgers)
{
    for (size_t i = 0; i < lodgers->count; i++) {
        struct ptog_tile_place *place = &e->places[lodgers->numbers[i]];
        uint32_t root = place->heir_of;
        struct ptog_lodger *input = root ? lodger_of(lodgers, root - 1) : NULL, *mine = &lodgers->of[i];
        if (!input || input->last != mine->first || e->places[root - 1].bytes != place->bytes)
            continue;
        place->inherits = true;
        while (e->places[root - 1].inherits)
            root = e->places[root - 1].heir_of;
        lodger_of(lodgers, root - 1)->last = mine->last;
        input->last = mine->last;
        mine->bytes = 0;
    }
}

static uint64_t addr_of(const struct ptog_eval *e, const struct lodgers *lodgers, size_t i)
{
    uint32_t number = lodgers->numbers[i];
    while (e->places[number].inherits)
        number = e->places[number].heir_of - 1;
    return lodger_of(lodgers, number)->addr;
}

static void take_places(struct ptog_eval *e, const struct lodgers *lodgers)
{
    for (size_t i = 0; i < lodgers->count; i++) {
        struct ptog_tile_place *place = &e->places[lodgers->numbers[i]];
        place->addr = addr_of(e, lodgers, i);
        e->ub_need = ptog_max(place->addr + place->bytes, e->ub_need);
    }
    e->shared = true;
}

static bool list_lodgers(const struct ptog_eval *e, struct lodgers *lodgers)
{
    lodgers->of = calloc((size_t)e->place_count + 1, sizeof *lodgers->of);
    lodgers->numbers = calloc((size_t)e->place_count + 1, sizeof *lodgers->numbers);
    lodgers->count = 0;
    for (uint32_t i = 0; lodgers->of && lodgers->numbers && i < e->place_count; i++) {
        struct ptog_lodger *lodger = &lodgers->of[lodgers->count];
        if (!e->places[i].needed)
            continue;
        lodger->bytes = e->places[i].bytes;
        ptog_life_span(e, &e->places[i].life, &lodger->first, &lodger->last);
        lodgers->numbers[lodgers->count++] = i;
    }
    return lodgers->of && lodgers->numbers;
}

static void place_in_turn(struct ptog_eval *e, uint64_t limit)
{
    struct lodgers lodgers;
    size_t ranges;
    const struct ptog_range *taken = taken_by_text(e, &ranges);
    enum ptog_status status = PTOG_NO_MEMORY;
    if (list_lodgers(e, &lodgers)) {
        status = ptog_share(lodgers.of, lodgers.count, taken, ranges, limit);
        if (status == PTOG_NO_ROOM) {
            merge_heirs(e, &lodgers);
            status = ptog_share(lodgers.of, lodgers.count, taken, ranges, limit);
        }
    }
    if (status == PTOG_OK)
        take_places(e, &lodgers);
    e->no_memory = e->no_memory || status == PTOG_NO_MEMORY;
    if (status == PTOG_NO_ROOM)
        say_full(e, lodgers.of, lodgers.numbers, lodgers.count);
    free(lodgers.of);
    free(lodgers.numbers);
}

void ptog_place_all(struct ptog_eval *e)
{
    uint64_t limit = ptog_ub_limit(e->target);
    if (!place_side_by_side(e, limit))
        place_in_turn(e, limit);
    if (e->ub_need > limit)
        e->ub_need = limit;
}
