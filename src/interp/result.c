/* interp: what a run left behind: tiles, the device, the lines that were added. */
#include "interp/result.h"
#include "lower/place.h"

#include <stdlib.h>
#include <string.h>

#include "core/inside.h"
#include "model/tile.h"

/* ---- making one */

/* Appends a tile to what the run left. False when out of memory. */
static bool keep_tile(ptog_result *result, const char *name, const struct ptog_tile *tile)
{
    char *copy = malloc(strlen(name) + 1);
    if (!copy)
        return false;
    result->names[result->count] = strcpy(copy, name);
    result->tiles[result->count++] = *tile;
    return true;
}

/* A tile that had its place at the end, and whose bytes no other tile has got since. */
static bool is_there(const struct ptog_eval *e, const struct ptog_tile_value *last)
{
    return last->tile.dtype != PTOG_DTYPE_NONE && last->tile.loc == PTOG_VEC && last->tile.placed && ptog_place_is_kept(e, last);
}

/* Moves the places of tiles from the evaluator to the result: those that are needed, in the order of the text. */
static void keep_places(ptog_result *result, struct ptog_eval *e)
{
    ptog_places_sort(e->places, e->place_count);
    result->places = e->places;
    result->shared = e->shared;
    for (uint32_t i = 0; i < e->place_count; i++)
        if (e->places[i].needed)
            result->places[result->place_count++] = e->places[i];
    e->places = NULL;
}

ptog_result *ptog_result_new(struct ptog_eval *e, struct ptog_added *added)
{
    ptog_result *result = calloc(1, sizeof *result);
    size_t symbols = e->last_tiles ? (size_t)e->tree->symbols.count + 1 : 0, tiles = 0;
    if (!result)
        return NULL;
    for (size_t i = 1; i <= symbols; i++)
        tiles += is_there(e, &e->last_tiles[i]);
    result->names = calloc(tiles + 1, sizeof *result->names);
    result->tiles = calloc(tiles + 1, sizeof *result->tiles);
    bool good = result->names && result->tiles;
    for (size_t i = 1; good && i <= symbols; i++)
        if (is_there(e, &e->last_tiles[i]))
            good = keep_tile(result, ptog_tree_text(e->tree, (ptog_symbol)i), &e->last_tiles[i].tile);
    if (!good) {
        ptog_result_free(result);
        return NULL;
    }
    result->ub = e->machine.ub;
    result->ub_bytes = e->machine.ub_bytes;
    e->machine.ub = NULL;
    if (e->machine.pipes) {
        result->device = e->machine.device;
        e->machine.device = NULL;
        ptog_device_share_legality(result->device, NULL);
    }
    result->program = e->program;
    result->added = *added;
    *added = (struct ptog_added){0};
    keep_places(result, e);
    result->modes = e->modes;
    e->modes = NULL;
    return result;
}

void ptog_result_free(ptog_result *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < result->count; i++)
        free(result->names[i]);
    free(result->names);
    free(result->tiles);
    free(result->places);
    free(result->modes);
    ptog_added_close(&result->added);
    free(result->ub);
    ptog_device_close(result->device);
    free(result);
}

const struct ptog_tile *ptog_result_find(const ptog_result *result, const char *name)
{
    for (size_t i = 0; result && name && i < result->count; i++)
        if (strcmp(result->names[i], name) == 0)
            return &result->tiles[i];
    return NULL;
}
