/* exec: TLOAD and TSTORE. Whole rows move at once when they are contiguous on both sides and inside the buffers. */
#include <string.h>

#include "base/arith.h"
#include "exec/plan.h"
#include "model/transfer.h"
#include "ref/ref.h"

/* Whether rows move whole: else the reference loop has to look at every element. */
static bool moves_rows(const struct ptog_known_insn *known, size_t tile_bytes, size_t view_bytes)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&known->insn);
    const struct ptog_tensor *view = ptog_transfer_view(&known->insn);
    struct ptog_transfer_region moved = ptog_transfer_moves(&known->insn);
    uint64_t bits, reach;
    if (ptog_transfer_adds(&known->insn) || view->layout != PTOG_ND || view->stride[4] != 1 ||
        ptog_tile_order(tile) != PTOG_ORDER_ROW ||
        (known->form == PTOG_FORM_LOAD && ptog_transfer_pads(known->target, tile, &bits)))
        return false;
    if (moved.rows == 0)
        return true;
    uint64_t last = ptog_view_place(view, moved.rows - 1, 0);
    return ptog_add_u64(last, (uint64_t)moved.cols, &reach) &&
           ptog_mul_u64(reach, ptog_dtype_size(tile->dtype), &reach) && reach <= view_bytes &&
           tile_bytes >= (uint64_t)ptog_tile_bytes(tile);
}

static bool quick(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_insn *op = &x->known->insn;
    bool load = x->known->form == PTOG_FORM_LOAD;
    if (x->known->form == PTOG_FORM_PREFETCH)
        return true; /* without a machine there is nothing to read ahead of */
    size_t tile_bytes = load ? run->dst.bytes : run->src.bytes, view_bytes = load ? run->src.bytes : run->dst.bytes;
    if (!moves_rows(x->known, tile_bytes, view_bytes))
        return false;
    struct ptog_transfer_region moved = ptog_transfer_moves(op);
    size_t size = ptog_dtype_size(ptog_transfer_tile(op)->dtype);
    size_t bytes = (size_t)moved.cols * size, step = (size_t)ptog_transfer_tile(op)->cols * size;
    for (int64_t r = 0; r < moved.rows; r++) {
        size_t in_tile = (size_t)r * step, in_view = (size_t)ptog_view_place(ptog_transfer_view(op), r, 0) * size;
        memcpy((char *)run->dst.data + (load ? in_tile : in_view),
               (const char *)run->src.data + (load ? in_view : in_tile), bytes);
    }
    return true;
}

static enum ptog_status careful(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_transfer = {ptog_exec_no_kernel, ptog_exec_nothing_ready, quick, careful};
