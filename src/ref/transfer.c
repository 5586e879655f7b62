/* ref: TLOAD and TSTORE.   tile[r,c] = view[r,c] over what moves, the padding filled as tile and target say; and back,
 * or view[r,c] += tile[r,c] */
#include "model/transfer.h"

#include "model/cube/product.h"
#include "model/fault.h"
#include "ref/fixpipe.h"
#include "ref/lane.h"
#include "ref/ref.h"

/* Fills the elements of a loaded tile around its valid region, where the target pads. */
static void fill_padding(const struct ptog_known_insn *known, struct ptog_buf buf)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&known->insn);
    struct ptog_transfer_region moved = ptog_transfer_moves(&known->insn);
    struct ptog_transfer_region padded = ptog_transfer_padded(known->target, &known->insn);
    uint64_t bits;
    if (!ptog_transfer_pads(known->target, tile, &bits))
        return;
    for (int64_t r = 0; r < padded.rows; r++)
        for (int64_t c = r < moved.rows ? moved.cols : 0; c < padded.cols; c++)
            ptog_lane_write(buf, (uint64_t)ptog_tile_offset(tile, r, c), ptog_dtype_size(tile->dtype), &bits);
}

/* The meaning of tload: each element from global memory to its place in the tile. */
static void ref_load(const struct ptog_known_insn *known, struct ptog_buf to, struct ptog_cbuf from,
                     struct ptog_fault *fault)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&known->insn);
    struct ptog_transfer_region moved = ptog_transfer_moves(&known->insn);
    size_t size = ptog_dtype_size(tile->dtype);
    for (int64_t r = 0; r < moved.rows; r++)
        for (int64_t c = 0; c < moved.cols; c++) {
            uint64_t bits, place = ptog_view_place(ptog_transfer_view(&known->insn), r, c);
            memset(&bits, PTOG_NO_DATA, sizeof bits);
            if (!ptog_lane_read(from, place, size, &bits))
                ptog_fault_note(fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, 1, r, c, place);
            if (!ptog_lane_write(to, (uint64_t)ptog_tile_offset(tile, r, c), size, &bits))
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
        }
    fill_padding(known, to);
}

/* The meaning of tstore, which may add: each element of the tile to its place in global memory. */
static void ref_store(const struct ptog_known_insn *known, struct ptog_cbuf from, struct ptog_buf to,
                      struct ptog_fault *fault)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&known->insn);
    struct ptog_transfer_region moved = ptog_transfer_moves(&known->insn);
    size_t size = ptog_dtype_size(tile->dtype);
    for (int64_t r = 0; r < moved.rows; r++)
        for (int64_t c = 0; c < moved.cols; c++) {
            uint64_t bits = 0, memory = 0, place = ptog_view_place(ptog_transfer_view(&known->insn), r, c);
            bool read = ptog_lane_read(from, (uint64_t)ptog_tile_offset(tile, r, c), size, &bits);
            if (ptog_lane_read((struct ptog_cbuf){to.data, to.bytes}, place, size, &memory))
                bits = ptog_transfer_stored(known, memory, bits);
            if (!read)
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
            else if (!ptog_lane_write(to, place, size, &bits))
                ptog_fault_note(fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, 1, r, c, place);
        }
}

/* TLOAD into L1: the rest of the tile, or of each last 32-byte block, is 0. */
static void load_l1(const struct ptog_known_insn *known, struct ptog_buf to, struct ptog_cbuf from,
                    struct ptog_fault *fault)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&known->insn);
    struct ptog_cube_region moved = ptog_loaded_region(&known->insn);
    size_t size = ptog_dtype_size(tile->dtype);
    for (int64_t r = 0; r < tile->rows; r++)
        for (int64_t c = 0; c < tile->cols; c++) {
            uint64_t bits = 0, place = ptog_view_place(ptog_transfer_view(&known->insn), r, c);
            bool inside = r < moved.rows && c < moved.cols;
            if (inside && !ptog_lane_read(from, place, size, &bits)) {
                memset(&bits, PTOG_NO_DATA, sizeof bits);
                ptog_fault_note(fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, 1, r, c, place);
            }
            if (!ptog_lane_write(to, (uint64_t)ptog_tile_offset(tile, r, c), size, &bits))
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
        }
}

/* TSTORE of an accumulator: converted on the way. */
static void store_acc(const struct ptog_known_insn *known, const struct ptog_run *run, struct ptog_fault *fault)
{
    struct ptog_fixpipe f = ptog_fixpipe_of(known);
    struct ptog_cbuf from = run->src;
    struct ptog_buf to = run->dst;
    const struct ptog_tile *tile = ptog_transfer_tile(&known->insn);
    const struct ptog_tensor *view = ptog_transfer_view(&known->insn);
    struct ptog_cube_region moved = ptog_loaded_region(&known->insn);
    size_t size = ptog_dtype_size(view->dtype);
    for (int64_t r = 0; r < moved.rows; r++)
        for (int64_t c = 0; c < moved.cols; c++) {
            uint64_t bits = 0, memory = 0, place = ptog_view_place(view, r, c);
            if (!ptog_lane_read(from, (uint64_t)ptog_tile_offset(tile, r, c), ptog_dtype_size(tile->dtype), &bits))
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
            ptog_lane_read((struct ptog_cbuf){to.data, to.bytes}, place, size, &memory);
            bits = ptog_fixpipe_convert(&f, bits, ptog_ref_scale(known, run, &f, c, fault));
            bits = ptog_fixpipe_stored(known, memory, bits);
            if (!ptog_lane_write(to, place, size, &bits))
                ptog_fault_note(fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, 1, r, c, place);
        }
}

/* The meaning of a load or store in its form. */
enum ptog_status ptog_ref_transfer(const struct ptog_known_insn *known, const struct ptog_run *run,
                                   struct ptog_fault *fault)
{
    if (known->form == PTOG_FORM_LOAD)
        ref_load(known, run->dst, run->src, fault);
    else if (known->form == PTOG_FORM_STORE) /* TPREFETCH means nothing: it is for the machine */
        ref_store(known, run->src, run->dst, fault);
    else if (known->form == PTOG_FORM_LOAD_L1)
        load_l1(known, run->dst, run->src, fault);
    else if (known->form == PTOG_FORM_STORE_ACC)
        store_acc(known, run, fault);
    return ptog_fault_sum(fault);
}
