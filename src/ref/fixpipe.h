/* ref: the scale of a column of an accumulator on its way out. */
#ifndef PTOG_REF_FIXPIPE_H
#define PTOG_REF_FIXPIPE_H

#include "model/buffers.h"
#include "model/cube/fixpipe.h"
#include "model/fault.h"
#include "model/tile.h"
#include "ref/lane.h"

/* 0 without one. */
static inline uint64_t ptog_ref_scale(const struct ptog_known_insn *known, const struct ptog_run *run,
                                      const struct ptog_fixpipe *f, int64_t col, struct ptog_fault *fault)
{
    uint64_t bits = 0;
    if (f->scale < 0)
        return 0;
    const struct ptog_operand *scale = &known->insn.of[f->scale];
    struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(known->insn.opcode)->of[f->scale]);
    uint64_t at = f->per_column ? (uint64_t)ptog_tile_offset(&scale->tile, 0, col) : 0;
    if (!buffer.data && !f->per_column)
        return scale->bits;
    if (!ptog_lane_read((struct ptog_cbuf){buffer.data, buffer.bytes}, at, ptog_dtype_size(scale->tile.dtype), &bits))
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, 0, col, 0);
    return bits;
}

#endif
