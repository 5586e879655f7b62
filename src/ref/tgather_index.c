/* ref: TGATHER by index.   dst[i,j] = flat(src)[idx[i,j]], flat counting storage positions */
#include "model/fault.h"
#include "model/tgather.h"
#include "ref/lane.h"
#include "ref/ref.h"

/* Outside its source an index reads 0, or whatever lies in the on-chip buffer at a uint32 byte offset from src. */
static void read_outside(const struct ptog_target *target, const struct ptog_run *run, uint64_t index, size_t size,
                         uint64_t *bits)
{
    uint32_t start = (uint32_t)(index * size);
    if (target->tile_oob == PTOG_TILE_OOB_ZERO)
        *bits = 0;
    else if (ptog_lane_fits(run->src.bytes, start, 1) && run->src.bytes - start >= size)
        memcpy(bits, (const char *)run->src.data + start, size);
}

/* One lane of tgather by index: its index, and the element of the source that it leads to. Faults are noted. */
static void gather_lane(const struct ptog_target *target, const struct ptog_insn *op, const struct ptog_run *run,
                        int64_t r, int64_t c, struct ptog_fault *fault)
{
    const struct ptog_tile *dst = ptog_tgather_dst(op);
    const struct ptog_tile *src = ptog_tgather_src(op);
    const struct ptog_tile *idx = ptog_tgather_idx(op);
    size_t size = ptog_dtype_size(dst->dtype);
    uint64_t elements = (uint64_t)(src->rows * src->cols), bits, index;
    uint64_t at = (uint64_t)ptog_tile_offset(dst, r, c), from = (uint64_t)ptog_tile_offset(idx, r, c);
    bool extend = target->tile_oob == PTOG_TILE_OOB_ZERO;
    memset(&bits, PTOG_NO_DATA, sizeof bits);
    if (!ptog_lane_fits(run->dst.bytes, at, size) || !ptog_lane_index(run->idx, from, idx->dtype, extend, &index)) {
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
    } else if (index >= elements) {
        read_outside(target, run, index, size, &bits);
        if (target->tile_oob == PTOG_TILE_OOB_READS_UB)
            ptog_fault_note(fault, PTOG_FAULT_UB_OUTSIDE_TILE, 1, r, c, index);
    } else if (!ptog_lane_read(run->src, index, size, &bits)) {
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, index);
    }
    ptog_lane_write(run->dst, at, size, &bits);
}

/* Performs TGATHER by index on the buffers of a run, by the obvious loop; returns PTOG_FAULT when lanes were noted. */
void ptog_ref_by_index(const struct ptog_target *target, const struct ptog_insn *op, const struct ptog_run *run,
                       struct ptog_fault *fault)
{
    const struct ptog_tile *src = ptog_tgather_src(op);
    const struct ptog_tile *dst = ptog_tgather_dst(op);
    fault->capacity = (uint64_t)(src->rows * src->cols);
    for (int64_t r = 0; r < dst->valid_row; r++)
        for (int64_t c = 0; c < dst->valid_col; c++)
            gather_lane(target, op, run, r, c, fault);
}
