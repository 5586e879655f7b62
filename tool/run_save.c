/* tool: the data that ptog run takes from a program. Every file is written before the first one gets its name. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "io/array.h"
#include "io/pick.h"

/* How many elements a shape has; -1: too many, or a negative extent. */
static int64_t elements_in(const int64_t *shape, int rank)
{
    int64_t count = 1;
    for (int d = 0; d < rank; d++) {
        if (shape[d] < 0 || (shape[d] > 0 && count > INT64_MAX / shape[d]))
            return -1;
        count *= shape[d];
    }
    return count;
}

/* What is written. Raw bytes came without a shape: it is the program's when that has as many elements, else a list. */
static struct tool_elements elements_of(const struct run_item *item)
{
    struct tool_elements elements = {
        .dtype = item->dtype, .rank = item->rank, .data = item->data, .bytes = item->bytes};
    memcpy(elements.shape, item->shape, sizeof elements.shape);
    if (item->kind != RUN_INOUT || !tool_is_raw(item->from) || tool_is_raw(item->to))
        return elements;
    int64_t count = (int64_t)(item->bytes / ptog_dtype_size(item->dtype));
    if (item->slot.rank > 0 && elements_in(item->slot.shape, item->slot.rank) == count) {
        elements.rank = item->slot.rank;
        memcpy(elements.shape, item->slot.shape, sizeof elements.shape);
    } else {
        elements.rank = 1;
        elements.shape[0] = count;
    }
    elements.bytes = (size_t)count * ptog_dtype_size(item->dtype);
    return elements;
}

const struct run_item *run_bound_item(const struct run_items *items, const char *name)
{
    for (size_t i = 0; i < items->count; i++)
        if (!run_is_taken(&items->list[i]) && strcmp(items->list[i].name, name) == 0)
            return &items->list[i];
    return NULL;
}

bool run_copy_tile(struct run_item *item, const ptog_result *result, const char *verb)
{
    struct ptog_result_tile tile;
    if (ptog_result_tile(result, item->name, &tile) != PTOG_OK)
        return tool_fail("run", "there is no %%%s to %s", item->name, verb), false;
    item->dtype = tile.dtype;
    item->rank = 2;
    item->shape[0] = tile.rows;
    item->shape[1] = tile.cols;
    item->bytes = (size_t)tile.rows * (size_t)tile.cols * ptog_dtype_size(tile.dtype);
    item->file = item->data = malloc(tool_max(item->bytes, 1));
    enum ptog_status status =
        item->data ? ptog_result_copy(result, item->name, item->data, item->bytes) : PTOG_NO_MEMORY;
    if (status != PTOG_OK)
        return tool_fail("run", "%%%s: %s", item->name, ptog_status_text(status)), false;
    return true;
}

/* What --dump NAME writes: an argument, whose bytes stay where they are, or a tile. */
static bool take_dump(struct run_item *item, const struct run_items *items, const ptog_result *result)
{
    const struct run_item *bound = run_bound_item(items, item->name);
    struct ptog_result_tile tile;
    bool is_tile = ptog_result_tile(result, item->name, &tile) == PTOG_OK; /* one that was bound may have changed */
    if (is_tile || !bound || bound->kind == RUN_SET)
        return run_copy_tile(item, result, "dump");
    item->dtype = bound->dtype == PTOG_DTYPE_NONE ? PTOG_U8 : bound->dtype;
    item->rank = bound->rank;
    memcpy(item->shape, bound->shape, sizeof item->shape);
    item->data = bound->data;
    item->bytes = bound->bytes;
    int64_t count = (int64_t)(bound->bytes / ptog_dtype_size(item->dtype));
    if (item->rank == 0 || elements_in(item->shape, item->rank) != count) { /* raw bytes have no shape */
        item->rank = 1;
        item->shape[0] = count;
    }
    return true;
}

/* Writes an output into a file that was started; false with a message. */
static bool write_item(const struct run_item *item, struct tool_file *file)
{
    struct tool_why why;
    struct tool_elements elements = elements_of(item);
    if (tool_array_write(file, item->to, &elements, &why))
        return true;
    return tool_fail("run", "%s: %s", item->to, why.text), false;
}

static bool keep_item(const struct run_item *item, struct tool_file *file)
{
    struct tool_why why;
    if (tool_file_keep(file, &why))
        return true;
    return tool_fail("run", "%s: %s", item->to, why.text), false;
}

/* Files first: standard output cannot be taken back. */
static bool write_all(const struct run_items *items, struct tool_file *files)
{
    bool done = true;
    for (int streams = 0; streams < 2; streams++)
        for (size_t i = 0; done && i < items->count; i++) {
            const char *to = items->list[i].to;
            if (to && items->list[i].kind != RUN_SHOW && (strcmp(to, "-") == 0) == streams)
                done = write_item(&items->list[i], &files[i]);
        }
    return done;
}

bool run_save(struct run_items *items, const ptog_result *result)
{
    struct tool_file *files = calloc(items->count + 1, sizeof *files);
    if (!files)
        return tool_fail("run", "out of memory"), false;
    bool done = true;
    for (size_t i = 0; i < items->count; i++) {
        files[i].fd = -1;
        if (done && items->list[i].kind == RUN_DUMP)
            done = take_dump(&items->list[i], items, result);
    }
    done = done && write_all(items, files);
    for (size_t i = 0; i < items->count; i++) {
        if (!done)
            tool_file_drop(&files[i]);
        else if (files[i].fd >= 0)
            done = keep_item(&items->list[i], &files[i]);
    }
    free(files);
    return done && run_show(items, result);
}
