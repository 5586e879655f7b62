/* exec: elementwise instructions. Rows that lie one after the other in memory are done at once, by the loops of
 * model/lane.h; other orders, buffers that are too short, and integers that may have no result go by the reference
 * loop. */
#include <string.h>

#include "exec/plan.h"
#include "model/buffers.h"
#include "model/dtype.h"
#include "model/elementwise.h"
#include "model/tile.h"
#include "ref/ref.h"

static const struct ptog_kernel *choose(const struct ptog_known_insn *known)
{
    (void)known;
    return NULL;
}

static struct ptog_ready get_ready(const struct ptog_known_insn *known)
{
    (void)known;
    return (struct ptog_ready){0};
}

/* One source, row by row: a tile's storage, or a scalar in as many elements as a row has. */
struct input {
    const char *data;
    int64_t step; /* elements from row to row; 0: a scalar */
    char scalar[PTOG_LANE_ROW * 8];
};

static bool covers(struct ptog_buf buffer, const struct ptog_tile *tile, int64_t rows, int64_t cols)
{
    int64_t bytes = ptog_tile_bytes(tile);
    return buffer.data && ptog_tile_order(tile) == PTOG_ORDER_ROW && bytes > 0 && buffer.bytes >= (uint64_t)bytes &&
           tile->rows >= rows && tile->cols >= cols;
}

/* A source lies apart from dst, or is dst where it may be. */
static bool may_be_read(const struct ptog_known_insn *known, const struct ptog_run *run, int i, struct ptog_buf buffer)
{
    const struct ptog_tile *dst = &known->insn.of[0].tile, *src = &known->insn.of[i].tile;
    struct ptog_bytes to = {run->dst.data, (uint64_t)ptog_tile_bytes(dst)};
    struct ptog_bytes from = {buffer.data, (uint64_t)ptog_tile_bytes(src)};
    if (!ptog_bytes_overlap(to, from))
        return true;
    return run->dst.data == buffer.data && src->rows == dst->rows && src->cols == dst->cols &&
           !ptog_elementwise_is_apart(known->target, &known->insn);
}

static void spread(struct input *input, const struct ptog_operand *operand, enum ptog_dtype dtype,
                   struct ptog_buf buffer)
{
    uint64_t bits = operand->bits;
    size_t from = ptog_dtype_size(operand->tile.dtype), size = ptog_dtype_size(dtype);
    if (buffer.data && buffer.bytes >= from)
        memcpy(&bits, buffer.data, from);
    bits = ptog_elementwise_scalar(dtype, operand->tile.dtype, bits);
    for (size_t i = 0; i < PTOG_LANE_ROW; i++)
        memcpy(input->scalar + i * size, &bits, size);
    input->data = input->scalar;
    input->step = 0;
}

/* False when the reference loop has to do it. */
static bool open_input(struct input *input, const struct ptog_exec *x, const struct ptog_run *run,
                       const struct ptog_elementwise *e, int i)
{
    const struct ptog_operand *operand = &x->known->insn.of[i];
    struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(x->known->insn.opcode)->of[i]);
    if (operand->kind == PTOG_IS_SCALAR) {
        spread(input, operand, e->dst->dtype, buffer);
        return true;
    }
    input->data = buffer.data;
    input->step = operand->tile.cols;
    return covers(buffer, &operand->tile, e->rows, e->cols) && may_be_read(x->known, run, i, buffer);
}

static const char *at(const struct input *input, size_t size, int64_t r, int64_t c)
{
    return input->step == 0 ? input->data : input->data + (size_t)(r * input->step + c) * size;
}

static void compute(const struct ptog_elementwise *e, const struct input *in, char *dst)
{
    size_t size = ptog_dtype_size(e->dst->dtype);
    const struct input *b = &in[e->inputs - 1]; /* with one source, `b` is not looked at */
    for (int64_t r = 0; r < e->rows; r++)
        for (int64_t c = 0; c < e->cols; c += PTOG_LANE_ROW) {
            int64_t left = e->cols - c;
            char *to = dst + (size_t)ptog_elementwise_place(e, r, c) * size;
            ptog_lane_compute_row(e->target, e->lane, e->dst->dtype, at(&in[0], size, r, c), at(b, size, r, c), to,
                                  (int)(left < PTOG_LANE_ROW ? left : PTOG_LANE_ROW));
        }
}

static bool quick(const struct ptog_exec *x, const struct ptog_run *run)
{
    struct ptog_elementwise e;
    struct input in[PTOG_ELEMENTWISE_INPUTS];
    ptog_elementwise_start(&e, x->known, run->dst.data == run->src.data);
    if (ptog_lane_may_fault(e.lane, e.dst->dtype) || !covers(run->dst, e.dst, e.rows, e.cols))
        return false;
    for (int i = 0; i < e.inputs; i++)
        if (!open_input(&in[i], x, run, &e, i + 1))
            return false;
    compute(&e, in, run->dst.data);
    return true;
}

static enum ptog_status careful(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_elementwise = {choose, get_ready, quick, careful};
