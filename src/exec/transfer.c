/* exec: TLOAD and TSTORE. Whole rows move at once when they are contiguous on both sides and inside the buffers. */
#include <string.h>

#include "base/arith.h"
#include "exec/plan.h"
#include "model/transfer.h"
#include "ref/ref.h"

/* Rows of bytes on both sides; false when the reference loop has to look at every element. */
struct rows {
    int64_t count;
    size_t bytes, tile_step, view_step;
};

static bool rows_of(const struct ptog_insn *op, size_t tile_bytes, size_t view_bytes, struct rows *rows)
{
    const struct ptog_tile *tile = ptog_transfer_tile(op);
    const struct ptog_tensor *view = ptog_transfer_view(op);
    size_t size = ptog_dtype_size(tile->dtype);
    uint64_t last = 0, reach;
    if (view->layout != PTOG_ND || ptog_tile_order(tile) != PTOG_ORDER_ROW || tile->pad != PTOG_PAD_NULL)
        return false;
    *rows = (struct rows){tile->valid_row, (size_t)tile->valid_col * size, (size_t)tile->cols * size,
                          (size_t)view->stride[3] * size};
    return ptog_mul_add_u64((uint64_t)(rows->count - 1), rows->view_step, &last) &&
           ptog_add_u64(last, rows->bytes, &reach) && reach <= view_bytes &&
           tile_bytes >= (uint64_t)ptog_tile_bytes(tile);
}

static bool quick(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_insn *op = &x->known->insn;
    struct rows rows;
    bool load = x->known->form == PTOG_FORM_LOAD;
    size_t tile_bytes = load ? run->dst.bytes : run->src.bytes, view_bytes = load ? run->src.bytes : run->dst.bytes;
    if (!rows_of(op, tile_bytes, view_bytes, &rows))
        return false;
    size_t to = load ? rows.tile_step : rows.view_step, from = load ? rows.view_step : rows.tile_step;
    for (int64_t r = 0; r < rows.count; r++)
        memcpy((char *)run->dst.data + (size_t)r * to, (const char *)run->src.data + (size_t)r * from, rows.bytes);
    return true;
}

static const struct ptog_kernel *choose(const struct ptog_known_insn *known)
{
    (void)known;
    return NULL; /* memcpy is its kernel */
}

static struct ptog_ready get_ready(const struct ptog_known_insn *known)
{
    (void)known;
    return (struct ptog_ready){0};
}

static enum ptog_status careful(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_transfer = {choose, get_ready, quick, careful};
