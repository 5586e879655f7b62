/* ref: elementwise instructions.   dst[r,c] = lane(src0[r,c], src1[r,c]) over the valid region of dst */
#include "model/elementwise.h"

#include "model/fault.h"
#include "model/lane.h"
#include "model/tile.h"
#include "ref/lane.h"
#include "ref/ref.h"

enum ptog_status ptog_ref_elementwise(const struct ptog_known_insn *known, const struct ptog_run *run,
                                      struct ptog_fault *fault)
{
    const struct ptog_tile *dst = ptog_elementwise_dst(&known->insn);
    const struct ptog_tile *src0 = ptog_elementwise_src(&known->insn, 0), *src1 = ptog_elementwise_src(&known->insn, 1);
    enum ptog_lane_id lane = (enum ptog_lane_id)ptog_insn_row(known->insn.opcode)->lane;
    size_t size = ptog_dtype_size(dst->dtype);
    for (int64_t r = 0; r < dst->valid_row; r++)
        for (int64_t c = 0; c < dst->valid_col; c++) {
            uint64_t a = 0, b = 0;
            bool read = ptog_lane_read(run->src, (uint64_t)ptog_tile_offset(src0, r, c), size, &a) &&
                        ptog_lane_read(run->src1, (uint64_t)ptog_tile_offset(src1, r, c), size, &b);
            uint64_t bits = ptog_lane_compute(known->target, lane, dst->dtype, a, b);
            if (!read)
                memset(&bits, PTOG_NO_DATA, sizeof bits);
            if (!ptog_lane_write(run->dst, (uint64_t)ptog_tile_offset(dst, r, c), size, &bits) || !read)
                ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
        }
    return ptog_fault_sum(fault);
}
