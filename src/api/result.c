/* api: what a run left behind, for whoever called it: tiles, figures of the machine, the program that was run. */
#include "interp/result.h"

#include "base/diag.h"
#include "base/reserved.h"
#include "core/inside.h"
#include "model/tile.h"
#include "repair/write.h"

enum ptog_status ptog_result_tile(const ptog_result *result, const char *name, struct ptog_result_tile *tile)
{
    const struct ptog_tile *found = ptog_result_find(result, name);
    if (!found || !tile)
        return PTOG_BAD_ARGUMENT;
    tile->dtype = found->dtype;
    tile->rows = found->valid_row > 0 ? found->valid_row : found->rows;
    tile->cols = found->valid_col > 0 ? found->valid_col : found->cols;
    return PTOG_OK;
}

bool ptog_result_tile_at(const ptog_result *result, size_t i, const char **name, struct ptog_tile *tile)
{
    if (!result || !name || !tile || i >= result->count)
        return false;
    *name = result->names[i];
    *tile = result->tiles[i];
    return true;
}

bool ptog_result_placed_at(const ptog_result *result, size_t i, struct ptog_placed *placed)
{
    if (!result || !placed)
        return false;
    if (i >= result->place_count)
        return false;
    const struct ptog_tile_place *place = &result->places[i];
    *placed = (struct ptog_placed){
        .name = ptog_tree_text(&result->program->tree, place->name), .addr = place->addr, .bytes = place->bytes, .loc = (enum ptog_loc)place->loc};
    return true;
}

enum ptog_status ptog_result_copy(const ptog_result *result, const char *name, void *data, size_t bytes)
{
    struct ptog_result_tile tile;
    if (!data || ptog_result_tile(result, name, &tile) != PTOG_OK)
        return PTOG_BAD_ARGUMENT;
    uint64_t size = (uint64_t)tile.rows * (uint64_t)tile.cols * ptog_dtype_size(tile.dtype);
    if (bytes != size)
        return PTOG_BAD_ARGUMENT;
    ptog_tile_pack(ptog_result_find(result, name), result->ub, result->ub_bytes, data);
    return PTOG_OK;
}

enum ptog_status ptog_result_stats(const ptog_result *result, struct ptog_stats *stats)
{
    if (!result || !result->device || !stats)
        return PTOG_BAD_ARGUMENT;
    ptog_device_stats(result->device, stats);
    return PTOG_OK;
}

bool ptog_result_ub_layout(const ptog_result *result, struct ptog_ub_layout *layout)
{
    if (!result || !result->device || !layout)
        return false;
    ptog_device_ub_layout(result->device, layout);
    return true;
}

bool ptog_result_ub_at(const ptog_result *result, size_t i, struct ptog_ub_entry *entry)
{
    return result && result->device && ptog_device_ub_at(result->device, i, entry);
}

enum ptog_status ptog_result_program(const ptog_result *result, const struct ptog_sink *sink, ptog_diags *diags)
{
    if (!result)
        return ptog_bad_argument(diags, "ptog_result_program", "result", "is NULL");
    if (!ptog_sink_is_usable(sink))
        return ptog_bad_argument(diags, "ptog_result_program", "sink", PTOG_NO_SINK);
    struct ptog_diag_list said = {.source = &result->program->source};
    enum ptog_status status = ptog_write_result(result, sink, &said);
    if (!ptog_diag_list_give(&said, NULL, diags))
        status = PTOG_NO_MEMORY;
    ptog_diag_list_free(&said);
    return status;
}
