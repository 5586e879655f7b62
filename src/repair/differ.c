/* repair: the first element in which two runs differ. */
#include "repair/differ.h"

#include <stdlib.h>
#include <string.h>

#include "model/tile.h"
#include "interp/result.h"

/* Whether two memories differ; then *found has the first element that does, its type and both its bits. */
bool ptog_bytes_differ(const unsigned char *a, const unsigned char *b, uint64_t bytes, enum ptog_dtype dtype,
                       struct ptog_difference *found)
{
    uint64_t at = 0;
    if (memcmp(a, b, (size_t)bytes) == 0)
        return false;
    while (a[at] == b[at])
        at++;
    size_t size = ptog_dtype_size(dtype);
    if (size == 0 || bytes % size != 0)
        size = 1, dtype = PTOG_DTYPE_NONE;
    *found = (struct ptog_difference){.dtype = dtype, .element = at / size};
    memcpy(&found->bits[0], a + found->element * size, size);
    memcpy(&found->bits[1], b + found->element * size, size);
    return true;
}

bool ptog_result_differs(const ptog_result *a, const ptog_result *b, struct ptog_difference *found)
{
    for (size_t i = 0; a && b && i < a->count; i++) {
        const struct ptog_tile *tile = &a->tiles[i], *other = ptog_result_find(b, a->names[i]);
        struct ptog_result_tile shape;
        if (!other || tile->addr != other->addr || tile->dtype != other->dtype ||
            ptog_tile_bytes(tile) != ptog_tile_bytes(other) || ptog_result_tile(a, a->names[i], &shape) != PTOG_OK)
            continue;
        size_t bytes = (size_t)(shape.rows * shape.cols) * ptog_dtype_size(shape.dtype);
        unsigned char *data[2] = {malloc(bytes + 1), malloc(bytes + 1)};
        bool differs = false;
        if (data[0] && data[1]) {
            ptog_tile_pack(tile, a->ub, a->ub_bytes, data[0]);
            ptog_tile_pack(other, b->ub, b->ub_bytes, data[1]);
            differs = ptog_bytes_differ(data[0], data[1], bytes, shape.dtype, found);
        }
        free(data[0]);
        free(data[1]);
        if (!differs)
            continue;
        found->name = a->names[i];
        found->rank = 2;
        found->shape[0] = shape.rows;
        found->shape[1] = shape.cols;
        return true;
    }
    return false;
}
