/* ref: elementwise instructions.   dst[r,c] = lane(a, b) over the valid region of dst, where a and b are elements of
 * the sources at the same place, of a column or row that stands for all of them, or a scalar */
#include "model/elementwise.h"

#include "model/buffers.h"
#include "model/fault.h"
#include "model/tile.h"
#include "ref/lane.h"
#include "ref/ref.h"

/* The element of operand `i` for (r, c), in dst's type; false when its buffer ends before. */
static bool read_input(const struct ptog_elementwise *e, const struct ptog_run *run, int i, int64_t r, int64_t c,
                       uint64_t *bits)
{
    const struct ptog_operand *operand = &e->insn->of[i];
    struct ptog_spot from = ptog_elementwise_spot(e, i, r, c);
    struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(e->insn->opcode)->of[i]);
    size_t size = ptog_elementwise_size(e, i);
    bool read = true;
    *bits = 0;
    if (operand->kind == PTOG_IS_TILE) {
        read = ptog_lane_read((struct ptog_cbuf){buffer.data, buffer.bytes},
                              (uint64_t)ptog_tile_offset(&operand->tile, from.r, from.c) >> e->packs, size, bits);
    } else {
        *bits = operand->bits;
        if (buffer.data && buffer.bytes >= size) /* a run may have another scalar than the plan */
            memcpy(bits, buffer.data, size);
    }
    *bits = ptog_elementwise_input(e->insn, i, *bits);
    return read;
}

/* Everything that goes into element (r, c); false when something cannot be read. */
static bool read_inputs(const struct ptog_elementwise *e, const struct ptog_run *run, int64_t r, int64_t c,
                        uint64_t in[PTOG_LANE_INPUTS])
{
    bool read = true;
    for (int i = 1; i <= e->inputs; i++)
        if (ptog_elementwise_has(e, i, r, c))
            read = read_input(e, run, i, r, c, &in[i - 1]) && read;
    if (e->reads_dst)
        read = read_input(e, run, 0, r, c, &in[2]) && read;
    return read;
}

/* Computes element (r, c) of dst; what cannot be read or is not defined is noted in *fault. */
static void compute_element(const struct ptog_elementwise *e, const struct ptog_run *run, int64_t r, int64_t c,
                            struct ptog_fault *fault)
{
    uint64_t in[PTOG_LANE_INPUTS] = {0}, number;
    enum ptog_dtype dtype = e->dst->dtype;
    enum ptog_fault_kind kind;
    bool read = read_inputs(e, run, r, c, in);
    uint64_t bits = ptog_elementwise_compute(e, in, r, c);
    if (!read)
        memset(&bits, PTOG_NO_DATA, sizeof bits);
    else if (ptog_lane_faults(e->lane, dtype, in[0], in[1], &kind, &number))
        ptog_fault_note(fault, kind, 1, r, c, number);
    size_t size = ptog_dtype_size(dtype);
    if (!ptog_lane_write(run->dst, (uint64_t)ptog_elementwise_place(e, r, c), size, &bits) || !read)
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
}

/* A row of the small source that has more than one element, and not the same one everywhere. */
static void note_block(const struct ptog_elementwise *e, const struct ptog_run *run, int64_t r,
                       struct ptog_fault *fault)
{
    uint64_t first, other;
    for (int64_t c = 1; c < ptog_broadcast_block(&e->broadcast, e->dst); c++)
        if (read_input(e, run, e->broadcast.small, r, 0, &first) &&
            read_input(e, run, e->broadcast.small, r, c, &other) && first != other) {
            ptog_fault_note(fault, PTOG_FAULT_EXPAND_BLOCK, 1, r, c, (uint64_t)c);
            return;
        }
}

/* The meaning of an elementwise instruction: one element after another, into the run's buffers. */
enum ptog_status ptog_ref_elementwise(const struct ptog_known_insn *known, const struct ptog_run *run,
                                      struct ptog_fault *fault)
{
    struct ptog_elementwise e;
    ptog_elementwise_start(&e, known, run->dst.data == run->src.data);
    fault->index_signed = ptog_dtype_is_signed(e.dst->dtype);
    for (int64_t r = 0; r < e.rows; r++)
        note_block(&e, run, r, fault);
    for (int64_t r = 0; r < e.rows; r++)
        for (int64_t c = 0; c < ptog_elementwise_cols(&e, r); c++)
            compute_element(&e, run, r, c, fault);
    return ptog_fault_sum(fault);
}
