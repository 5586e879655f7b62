/* ref: TGATHER by mask.   The elements (axis row) or rows (axis col) of src that the pattern keeps, one after another
 */
#include "model/fault.h"
#include "model/tgather.h"
#include "ref/lane.h"
#include "ref/ref.h"

/* dst storage element `to` = src[r,c]; past the end of dst nothing is written. */
static void ref_move_element(const struct ptog_insn *op, const struct ptog_run *run, int64_t r, int64_t c, int64_t to,
                             struct ptog_fault *fault)
{
    size_t size = ptog_dtype_size(ptog_tgather_dst(op)->dtype);
    uint64_t bits;
    if (to >= ptog_tgather_dst(op)->rows * ptog_tgather_dst(op)->cols) {
        ptog_fault_note(fault, PTOG_FAULT_TILE_OVERRUN, 1, r, c, (uint64_t)to);
        return;
    }
    memset(&bits, PTOG_NO_DATA, sizeof bits);
    bool had = ptog_lane_read(run->src, (uint64_t)(r * ptog_tgather_src(op)->cols + c), size, &bits);
    if (!ptog_lane_write(run->dst, (uint64_t)to, size, &bits) || !had)
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
}

/* Performs TGATHER by mask on the buffers of a run, by the obvious loop; returns PTOG_FAULT when lanes were noted. */
void ptog_ref_by_mask(const struct ptog_target *target, const struct ptog_insn *op, const struct ptog_run *run,
                      struct ptog_fault *fault)
{
    const struct ptog_tile *src = ptog_tgather_src(op);
    struct ptog_kept kept = {0, 1};
    ptog_pattern_kept(ptog_tgather_pattern(op), &kept);
    if (ptog_tgather_axis(op) == PTOG_AXIS_COL) {
        for (int64_t r = kept.first, k = 0; r < src->valid_row; r += kept.step, k++)
            for (int64_t c = 0; c < src->valid_col; c++)
                ref_move_element(op, run, r, c, k * ptog_tgather_dst(op)->cols + c, fault);
        return;
    }
    for (int64_t r = 0; r < src->valid_row; r++) {
        int64_t to = ptog_mask_row_start(target, op, r);
        for (int64_t c = kept.first; c < src->valid_col; c += kept.step)
            ref_move_element(op, run, r, c, to++, fault);
    }
}
