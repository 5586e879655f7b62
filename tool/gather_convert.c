/* tool: arrays of ptog gather in another order than memory: big-endian elements and Fortran order. One process converts
 * a copy; ranks map the files, and cannot. */
#include "gather.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/memory.h"
#include "io/pick.h"

static bool is_plain(const struct tool_npy *array)
{
    return !array->big_endian && !array->fortran;
}

/* "has big-endian elements", "is in Fortran order", or both. */
static void order_name(char text[64], const struct tool_npy *array)
{
    snprintf(text, 64, "%s%s%s", tool_when(array->big_endian, "has big-endian elements"),
             tool_when(array->big_endian && array->fortran, " and "), tool_when(array->fortran, "is in Fortran order"));
}

bool gather_convert(struct gather_source *source)
{
    struct tool_npy *array = &source->array;
    char order[64];
    if (is_plain(array))
        return true;
    order_name(order, array);
    source->owned = array->bytes < tool_memory_left() ? malloc(tool_max(array->bytes, 1)) : NULL;
    if (!source->owned) {
        tool_fail(source->command,
                  "%s: %s, and its %" PRIu64 " bytes do not fit in memory to be converted; "
                  "save numpy.ascontiguousarray(table, table.dtype.newbyteorder('<'))",
                  source->path, order, (uint64_t)array->bytes);
        return false;
    }
    tool_npy_to_plain(array, source->owned);
    array->data = source->owned;
    source->was_big_endian = array->big_endian;
    source->was_fortran = array->fortran;
    array->big_endian = array->fortran = false;
    tool_map_close(&source->map);
    return true;
}

bool gather_table_is_plain(const struct gather_table *table)
{
    char order[64];
    for (size_t i = 0; i < table->count; i++) {
        const struct gather_part *part = &table->parts[i];
        if (is_plain(&part->source.array))
            continue;
        order_name(order, &part->source.array);
        tool_fail(table->command,
                  "%s: %s; ranks read the file itself, little-endian and in C order: "
                  "save numpy.ascontiguousarray(table, table.dtype.newbyteorder('<'))",
                  part->path, order);
        return false;
    }
    return true;
}
