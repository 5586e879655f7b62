/* asm: which location a byte of a program has. */
#include <stdlib.h>

#include "asm/loc.h"
#include "base/array.h"
#include "base/pick.h"

/* An operation or argument: its bytes, its location if it has one, and the number, from 1, of the entry around it. */
struct ptog_loc_entry {
    uint32_t at, end, around;
    ptog_symbol loc;
};

/* Adds an operation's bytes with its location; false when out of memory. */
static bool add_entry(struct ptog_loc_map *map, struct ptog_span span, ptog_symbol loc)
{
    if (!ptog_array_reserve(&map->of, map->count + 1, &map->room))
        return false;
    map->of[map->count++] = (struct ptog_loc_entry){span.at, span.at + span.length, 0, loc};
    return true;
}

/* Regions lie in regions only as deep as the parser goes. */
static bool add_region(struct ptog_loc_map *map, const struct ptog_region *region)
{
    bool good = true;
    for (uint32_t i = 0; good && i < region->arg_count; i++)
        if (region->args[i].loc)
            good = add_entry(map, region->args[i].span, region->args[i].loc);
    for (const struct ptog_op *op = region->first; good && op; op = op->next) {
        good = add_entry(map, op->span, op->loc);
        for (uint32_t i = 0; good && i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                good = add_region(map, op->parts[i].region);
    }
    return good;
}

/* What is around something comes first. */
static int by_start(const void *a, const void *b)
{
    const struct ptog_loc_entry *x = a, *y = b;
    if (x->at != y->at)
        return ptog_order(x->at, y->at);
    return ptog_order(y->end, x->end);
}

bool ptog_loc_map_open(struct ptog_loc_map *map, const struct ptog_tree *tree)
{
    *map = (struct ptog_loc_map){0};
    if (!tree || !tree->has_locs)
        return true;
    if (!add_region(map, &tree->root))
        return false;
    if (map->count > 1)
        qsort(map->of, map->count, sizeof *map->of, by_start);
    uint32_t around = 0;
    for (uint32_t i = 0; i < map->count; i++) {
        while (around > 0 && map->of[around - 1].end <= map->of[i].at)
            around = map->of[around - 1].around;
        map->of[i].around = around;
        around = i + 1;
    }
    return true;
}

void ptog_loc_map_close(struct ptog_loc_map *map)
{
    free(map->of);
    *map = (struct ptog_loc_map){0};
}

/* The location of the operation or argument at a span; NULL: none is written there. */
ptog_symbol ptog_loc_map_find(const struct ptog_loc_map *map, uint32_t at)
{
    uint32_t low = 0, high = map->count; /* entries before `low` start at or before `at` */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->of[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 0 && map->of[low - 1].end <= at)
        low = map->of[low - 1].around;
    return low > 0 ? map->of[low - 1].loc : 0;
}

/* ---- diagnostics with the author's own lines */

struct tree_locs {
    const struct ptog_tree *tree;
    struct ptog_loc_map map;
};

static bool find_origin(const void *user, uint32_t at, struct ptog_arena *arena, const struct ptog_where **origin)
{
    const struct tree_locs *locs = user;
    return ptog_loc_origin(locs->tree, ptog_loc_map_find(&locs->map, at), arena, origin);
}

bool ptog_loc_give(struct ptog_diag_list *list, const struct ptog_tree *tree, ptog_diags *diags)
{
    struct tree_locs locs = {.tree = tree};
    const struct ptog_origin_lookup origins = {&locs, find_origin};
    bool opened = !diags || list->count == 0 || ptog_loc_map_open(&locs.map, tree);
    bool given = ptog_diag_list_give(list, &origins, diags);
    ptog_loc_map_close(&locs.map);
    return opened && given;
}
