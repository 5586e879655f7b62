/* tool/io: arrays in files: npy, or raw little-endian bytes. */
#include "array.h"

#include <stdlib.h>
#include <string.h>

#include "pick.h"

bool tool_is_raw(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".bin") == 0;
}

static bool has_few_dimensions(const struct tool_npy *npy, struct tool_why *why)
{
    return npy->rank <= TOOL_ARRAY_MAX_RANK ||
           tool_why(why, "has %d dimensions; expected at most %d", npy->rank, TOOL_ARRAY_MAX_RANK);
}

/* The elements at the start of `file`, aligned for any of them, whatever the header's length; in the usual order. */
static bool make_plain(struct tool_array *array)
{
    array->bytes = array->npy.bytes;
    if (array->npy.big_endian || array->npy.fortran) {
        array->data = malloc(tool_max(array->bytes, 1));
        if (!array->data)
            return false;
        tool_npy_to_plain(&array->npy, array->data);
        free(array->file);
        array->file = array->data;
    } else {
        memmove(array->data, array->npy.data, array->bytes);
    }
    array->npy.data = array->data;
    return true;
}

/* Reads an npy file, or with another name its bytes as they are; false, with *why, when that fails. The caller frees
 * it. */
bool tool_array_read(struct tool_array *array, const char *path, struct tool_why *why)
{
    size_t size;
    *array = (struct tool_array){0};
    if (!tool_file_read(path, UINT64_MAX, &array->file, &size, why))
        return false;
    array->data = array->file;
    array->bytes = size;
    if (tool_is_raw(path))
        return true;
    if (!tool_npy_parse(&array->npy, array->file, size, why) || !has_few_dimensions(&array->npy, why)) {
        if (size > 0 && !tool_npy_starts(array->file, size))
            tool_why_add(why, " (raw bytes are read from names that end in .bin)");
        free(array->file);
        array->file = NULL;
        return false;
    }
    if (!make_plain(array)) {
        free(array->file);
        array->file = NULL;
        return tool_why(why, "does not fit in memory");
    }
    return true;
}

bool tool_array_write(struct tool_file *file, const char *path, const struct tool_elements *elements,
                      struct tool_why *why)
{
    char header[TOOL_NPY_HEADER];
    if (!tool_file_start(file, path, why))
        return false;
    size_t size = tool_is_raw(path) ? 0 : tool_npy_header(header, elements->dtype, elements->rank, elements->shape);
    if (tool_file_write(file, header, size, why) && tool_file_write(file, elements->data, elements->bytes, why))
        return true;
    tool_file_drop(file);
    return false;
}
