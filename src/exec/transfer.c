/* exec: TLOAD and TSTORE. Whole rows move at once when they are contiguous on both sides and inside the buffers. */
#include <string.h>

#include "base/arith.h"
#include "exec/once.h"
#include "model/transfer.h"
#include "ref/ref.h"

/* Rows of bytes on both sides; false when the reference loop has to look at every element. */
struct rows {
    int64_t count;
    size_t bytes, tile_step, view_step;
};

static bool rows_of(const struct ptog_transfer *op, size_t tile_bytes, size_t view_bytes, struct rows *rows)
{
    size_t size = ptog_dtype_size(op->tile.dtype);
    uint64_t last = 0, reach;
    if (op->view.layout != PTOG_ND || ptog_tile_order(&op->tile) != PTOG_ORDER_ROW || op->tile.pad != PTOG_PAD_NULL)
        return false;
    *rows = (struct rows){op->tile.valid_row, (size_t)op->tile.valid_col * size, (size_t)op->tile.cols * size,
                          (size_t)op->view.stride[3] * size};
    return ptog_mul_add_u64((uint64_t)(rows->count - 1), rows->view_step, &last) &&
           ptog_add_u64(last, rows->bytes, &reach) && reach <= view_bytes &&
           tile_bytes >= (uint64_t)ptog_tile_bytes(&op->tile);
}

enum ptog_status ptog_exec_load(const struct ptog_transfer *op, struct ptog_buf tile, struct ptog_cbuf view,
                                struct ptog_fault *fault)
{
    struct rows rows;
    if (!rows_of(op, tile.bytes, view.bytes, &rows))
        return ptog_ref_load(op, tile, view, fault);
    for (int64_t r = 0; r < rows.count; r++)
        memcpy((char *)tile.data + (size_t)r * rows.tile_step, (const char *)view.data + (size_t)r * rows.view_step,
               rows.bytes);
    return PTOG_OK;
}

enum ptog_status ptog_exec_store(const struct ptog_transfer *op, struct ptog_cbuf tile, struct ptog_buf view,
                                 struct ptog_fault *fault)
{
    struct rows rows;
    if (!rows_of(op, tile.bytes, view.bytes, &rows))
        return ptog_ref_store(op, tile, view, fault);
    for (int64_t r = 0; r < rows.count; r++)
        memcpy((char *)view.data + (size_t)r * rows.view_step, (const char *)tile.data + (size_t)r * rows.tile_step,
               rows.bytes);
    return PTOG_OK;
}
