/* tool/io: safetensors files with one tensor, written: what stands before the data. */
#include "safetensors.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pick.h"
#include "utf8.h"

/* A string of JSON: quotes, backslashes and control characters are escaped. 0: it is no UTF-8, or too long. */
static size_t put_string(char *out, size_t room, const char *name)
{
    const char *end = name + strlen(name);
    size_t used = 0;
    while (name < end) {
        size_t length = tool_utf8_length(name, end);
        if (length == 0 || used + 8 > room)
            return 0;
        if (*name == '"' || *name == '\\')
            used += (size_t)snprintf(out + used, room - used, "\\%c", *name);
        else if ((unsigned char)*name < ' ')
            used += (size_t)snprintf(out + used, room - used, "\\u%04x", (unsigned)*name);
        else
            used += (size_t)snprintf(out + used, room - used, "%.*s", (int)length, name);
        name += length;
    }
    return used;
}

/* Writes the header of a file with one tensor, and returns its length; 0: the name or the shape cannot be written. */
size_t tool_safetensors_header(char header[TOOL_TENSOR_HEADER], const char *name, const struct tool_tensor_type *type,
                               int rank, const int64_t *shape)
{
    char quoted[6 * TOOL_TENSOR_NAME + 8];
    uint64_t bytes;
    size_t used = 8;
    if (strlen(name) > TOOL_TENSOR_NAME || !tool_shape_bytes(type->item, rank, shape, &bytes))
        return 0;
    size_t length = put_string(quoted, sizeof quoted, name);
    if (length == 0 && name[0])
        return 0;
    used += (size_t)snprintf(header + used, TOOL_TENSOR_HEADER - used, "{\"%.*s\":{\"dtype\":\"%s\",\"shape\":[",
                             (int)length, quoted, type->name);
    for (int d = 0; d < rank; d++)
        used +=
            (size_t)snprintf(header + used, TOOL_TENSOR_HEADER - used, "%s%" PRId64, tool_when(d > 0, ","), shape[d]);
    used += (size_t)snprintf(header + used, TOOL_TENSOR_HEADER - used, "],\"data_offsets\":[0,%" PRIu64 "]}}", bytes);
    while (used % 8 != 0) /* so that the data is aligned in a mapped file */
        header[used++] = ' ';
    for (int i = 0; i < 8; i++)
        header[i] = (char)((used - 8) >> (8 * i));
    return used;
}
