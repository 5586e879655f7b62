/* exec: TLOAD and TSTORE. Whole rows move at once when they are contiguous on both sides and inside the buffers. */
#include <string.h>

#include "base/arith.h"
#include "exec/plan.h"
#include "model/cube/product.h"
#include "model/tile.h"
#include "model/transfer.h"
#include "ref/ref.h"

/* Whether rows move whole: else the reference loop has to look at every element. */
static bool moves_rows(const struct ptog_known_insn *known, size_t tile_bytes, size_t view_bytes)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&known->insn);
    const struct ptog_tensor *view = ptog_transfer_view(&known->insn);
    struct ptog_transfer_region moved = ptog_transfer_moves(&known->insn);
    uint64_t reach;
    if (ptog_transfer_adds(&known->insn) || view->layout != PTOG_ND || view->stride[4] != 1 ||
        ptog_tile_order(tile) != PTOG_ORDER_ROW || moved.rows > tile->rows || moved.cols > tile->cols)
        return false;
    if (moved.rows == 0)
        return tile_bytes >= (uint64_t)ptog_tile_bytes(tile);
    uint64_t last = ptog_view_place(view, moved.rows - 1, 0);
    return ptog_add_u64(last, (uint64_t)moved.cols, &reach) &&
           ptog_mul_u64(reach, ptog_dtype_size(tile->dtype), &reach) && reach <= view_bytes &&
           tile_bytes >= (uint64_t)ptog_tile_bytes(tile);
}

/* Loads a tile of L1 in blocks of 32 bytes: ND to NZ, or DN to ZN; the rest of the tile is 0. False, and nothing is
 * done: the view has steps, or leaves its buffer. */
static bool load_blocks(const struct ptog_insn *op, const struct ptog_run *run)
{
    const struct ptog_tile *tile = ptog_transfer_tile(op);
    const struct ptog_tensor *view = ptog_transfer_view(op);
    struct ptog_cube_region moved = ptog_loaded_region(op);
    bool down = view->layout == PTOG_DN;
    size_t size = ptog_dtype_size(tile->dtype);
    uint64_t reach;
    if ((view->layout != PTOG_ND && !down) || ptog_tile_order(tile) != (down ? PTOG_ORDER_ZN : PTOG_ORDER_NZ) ||
        view->stride[down ? 3 : 4] != 1 || view->shape[0] > 1 || view->shape[1] > 1 || view->shape[2] > 1 ||
        moved.rows < 1 || moved.cols < 1 || run->dst.bytes < (uint64_t)ptog_tile_bytes(tile) ||
        !ptog_mul_u64(ptog_view_place(view, moved.rows - 1, moved.cols - 1) + 1, size, &reach) ||
        reach > run->src.bytes)
        return false;
    int64_t c0 = ptog_c0(tile->dtype), length = down ? moved.rows : moved.cols, count = down ? moved.cols : moved.rows;
    memset(run->dst.data, 0, (size_t)ptog_tile_bytes(tile));
    for (int64_t i = 0; i < count; i++)
        for (int64_t at = 0; at < length; at += c0) {
            int64_t r = down ? at : i, c = down ? i : at, left = length - at;
            memcpy((char *)run->dst.data + (size_t)ptog_tile_offset(tile, r, c) * size,
                   (const char *)run->src.data + (size_t)ptog_view_place(view, r, c) * size,
                   (size_t)(left < c0 ? left : c0) * size);
        }
    return true;
}

/* Fills what a load leaves free of a row-major tile, where the target does that. */
static void fill_padding(const struct ptog_known_insn *known, const struct ptog_run *run)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&known->insn);
    struct ptog_transfer_region moved = ptog_transfer_moves(&known->insn);
    struct ptog_transfer_region padded = ptog_transfer_padded(known->target, &known->insn);
    size_t size = ptog_dtype_size(tile->dtype);
    uint64_t bits;
    if (!ptog_transfer_pads(known->target, tile, &bits))
        return;
    for (int64_t r = moved.cols < padded.cols ? 0 : moved.rows; r < padded.rows; r++) {
        char *row = (char *)run->dst.data + (size_t)(r * tile->cols) * size;
        for (int64_t c = r < moved.rows ? moved.cols : 0; c < padded.cols; c++)
            memcpy(row + (size_t)c * size, &bits, size);
    }
}

/* Whether the rows of a view that are moved lie one after the other without gaps. */
static bool is_dense(const struct ptog_tensor *view, struct ptog_transfer_region moved)
{
    return view->shape[0] <= 1 && view->shape[1] <= 1 && view->shape[2] <= 1 && view->stride[3] == moved.cols;
}

/* Moves row by row; false, and nothing is done, where buffers do not fit. */
static bool transfer_fast(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_insn *op = &x->known->insn;
    bool load = x->known->form == PTOG_FORM_LOAD;
    if (x->known->form == PTOG_FORM_PREFETCH)
        return true; /* without a machine there is nothing to read ahead of */
    if (ptog_transfer_tile(op)->loc != PTOG_VEC)
        return x->known->form == PTOG_FORM_LOAD_L1 && load_blocks(op, run);
    size_t tile_bytes = load ? run->dst.bytes : run->src.bytes, view_bytes = load ? run->src.bytes : run->dst.bytes;
    if (!moves_rows(x->known, tile_bytes, view_bytes))
        return false;
    struct ptog_transfer_region moved = ptog_transfer_moves(op);
    size_t size = ptog_dtype_size(ptog_transfer_tile(op)->dtype);
    size_t bytes = (size_t)moved.cols * size, step = (size_t)ptog_transfer_tile(op)->cols * size;
    const struct ptog_tensor *view = ptog_transfer_view(op);
    int64_t alike = view->layout == PTOG_ND ? view->shape[3] : 0; /* rows at one distance, before blocks are stacked */
    if (bytes == step && moved.rows > 0 && is_dense(ptog_transfer_view(op), moved)) { /* all rows at once */
        memcpy(run->dst.data, run->src.data, (size_t)moved.rows * bytes);
        moved.rows = 0;
    }
    for (int64_t r = 0; r < moved.rows; r++) {
        uint64_t place = r < alike ? (uint64_t)(r * view->stride[3]) : ptog_view_place(view, r, 0);
        size_t in_tile = (size_t)r * step, in_view = (size_t)place * size;
        memcpy((char *)run->dst.data + (load ? in_tile : in_view),
               (const char *)run->src.data + (load ? in_view : in_tile), bytes);
    }
    if (load)
        fill_padding(x->known, run);
    return true;
}

/* Runs the reference loop. */
static enum ptog_status transfer_checked(const struct ptog_exec *x, const struct ptog_run *run,
                                         struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_transfer = {ptog_exec_no_kernel, ptog_exec_nothing_ready, transfer_fast,
                                                    transfer_checked};
