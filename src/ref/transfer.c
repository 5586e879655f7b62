/* ref: TLOAD and TSTORE.   tile[r,c] = view[r,c] over the valid region, the padding filled as the tile says; and back
 */
#include "model/transfer.h"

#include "model/fault.h"
#include "ref/lane.h"
#include "ref/ref.h"

static void fill_padding(const struct ptog_tile *tile, struct ptog_buf buf)
{
    uint64_t bits = ptog_pad_bits(tile->dtype, tile->pad);
    for (int64_t r = 0; r < tile->rows; r++)
        for (int64_t c = r < tile->valid_row ? tile->valid_col : 0; c < tile->cols; c++)
            ptog_lane_write(buf, (uint64_t)ptog_tile_offset(tile, r, c), ptog_dtype_size(tile->dtype), &bits);
}

static void load(const struct ptog_insn *op, struct ptog_buf tile, struct ptog_cbuf view, struct ptog_fault *fault)
{
    size_t size = ptog_dtype_size(ptog_transfer_tile(op)->dtype);
    for (int64_t r = 0; r < ptog_transfer_tile(op)->valid_row; r++)
        for (int64_t c = 0; c < ptog_transfer_tile(op)->valid_col; c++) {
            uint64_t bits;
            memset(&bits, PTOG_NO_DATA, sizeof bits);
            if (!ptog_lane_read(view, ptog_view_place(ptog_transfer_view(op), r, c), size, &bits))
                ptog_fault_note(fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, 1, r, c,
                                ptog_view_place(ptog_transfer_view(op), r, c));
            if (!ptog_lane_write(tile, (uint64_t)ptog_tile_offset(ptog_transfer_tile(op), r, c), size, &bits))
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
        }
    if (ptog_transfer_tile(op)->pad != PTOG_PAD_NULL)
        fill_padding(ptog_transfer_tile(op), tile);
}

static void store(const struct ptog_insn *op, struct ptog_cbuf tile, struct ptog_buf view, struct ptog_fault *fault)
{
    size_t size = ptog_dtype_size(ptog_transfer_tile(op)->dtype);
    for (int64_t r = 0; r < ptog_transfer_tile(op)->valid_row; r++)
        for (int64_t c = 0; c < ptog_transfer_tile(op)->valid_col; c++) {
            uint64_t bits, place = ptog_view_place(ptog_transfer_view(op), r, c);
            if (!ptog_lane_read(tile, (uint64_t)ptog_tile_offset(ptog_transfer_tile(op), r, c), size, &bits))
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
            else if (!ptog_lane_write(view, place, size, &bits))
                ptog_fault_note(fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, 1, r, c, place);
        }
}

enum ptog_status ptog_ref_transfer(const struct ptog_known_insn *known, const struct ptog_run *run,
                                   struct ptog_fault *fault)
{
    if (known->form == PTOG_FORM_LOAD)
        load(&known->insn, run->dst, run->src, fault);
    else
        store(&known->insn, run->src, run->dst, fault);
    return ptog_fault_sum(fault);
}
