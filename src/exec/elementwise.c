/* exec: elementwise instructions. Rows that lie one after the other in memory are done at once, by a map of
 * kernel/maps.h or by the loops of model/lane.h; other orders, buffers that are too short, and integers that may have
 * no result go by the reference loop. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include "base/pick.h"
#include "exec/indexed.h"
#include "exec/plan.h"
#include "model/buffers.h"
#include "model/dtype.h"
#include "model/elementwise.h"
#include "model/target_quirks.h"
#include "model/tile.h"
#include "ref/ref.h"

#define CAST_STOP 32 /* elements that are done one by one where a cast has stopped */

/* No kernel is chosen ahead: the lane and type say it in a run. */
static const struct ptog_kernel *choose_map(const struct ptog_known_insn *known)
{
    (void)known;
    return NULL;
}

/* A map does what its lane does, but for the maximum of a target that only compares. */
static struct ptog_ready get_ready(const struct ptog_known_insn *known)
{
    enum ptog_lane_id lane = ptog_quirk_lane(known, false);
    bool differs = known->target->max_compares && (lane == PTOG_LANE_max || lane == PTOG_LANE_min);
    struct ptog_ready ready = {0};
    if (known->insn.opcode == PTOG_TCVT)
        ptog_cast_find(ptog_exec_isa(), known->insn.of[1].tile.dtype, known->insn.of[0].tile.dtype, &ready.cast);
    else if (!differs)
        ready.map = ptog_map_find(ptog_exec_isa(), ptog_lane_name(lane), ptog_elementwise_dst(&known->insn)->dtype);
    return ready;
}

/* One source, row by row: a tile's storage, or a scalar in as many elements as a row has. A column of a broadcast is
 * made into such a row each time; a row of a broadcast has no step. */
struct input {
    const char *data;
    int64_t step; /* elements from row to row */
    bool fixed;   /* `row` holds it: a scalar, or `period` elements of a column, again and again */
    int64_t period;
    enum ptog_dtype dtype;
    size_t size;
    char row[PTOG_LANE_ROW * 8];
};

/* Whether a buffer has all bytes of a row-major tile with at least so many rows and columns. */
static bool buffer_covers(struct ptog_buf buffer, const struct ptog_tile *tile, int64_t rows, int64_t cols)
{
    int64_t bytes = ptog_tile_bytes(tile);
    return buffer.data && ptog_tile_order(tile) == PTOG_ORDER_ROW && bytes > 0 && buffer.bytes >= (uint64_t)bytes &&
           tile->rows >= rows && tile->cols >= cols;
}

/* Whether a source may be read while dst is written: it lies apart from dst, or is dst where it may be. */
static bool may_be_read(const struct ptog_elementwise *e, const struct ptog_run *run, int i, struct ptog_buf buffer)
{
    const struct ptog_tile *dst = e->dst, *src = &e->insn->of[i].tile;
    struct ptog_bytes to = {run->dst.data, (uint64_t)ptog_tile_bytes(dst)};
    struct ptog_bytes from = {buffer.data, (uint64_t)ptog_tile_bytes(src)};
    if (!ptog_bytes_overlap(to, from))
        return true;
    if (e->converts)
        return run->dst.data == buffer.data && ptog_conversion_narrows_in_place(dst, src);
    return run->dst.data == buffer.data && src->rows == dst->rows && src->cols == dst->cols &&
           src->dtype == dst->dtype && !ptog_quirk_is_apart(e->target, e->insn, i);
}

/* Fills a row with copies of a scalar, for kernels that read rows. */
static void spread_scalar(struct input *input, const struct ptog_insn *insn, int i, struct ptog_buf buffer)
{
    const struct ptog_operand *operand = &insn->of[i];
    uint64_t bits = operand->bits;
    size_t from = ptog_dtype_size(operand->tile.dtype);
    if (buffer.data && buffer.bytes >= from)
        memcpy(&bits, buffer.data, from);
    bits = ptog_elementwise_input(insn, i, bits);
    input->dtype = ptog_elementwise_dst(insn)->dtype;
    input->size = ptog_dtype_size(input->dtype);
    for (size_t k = 0; k < PTOG_LANE_ROW; k++)
        memcpy(input->row + k * input->size, &bits, input->size);
    input->fixed = true;
    input->period = 0;
}

/* Row `r` of a column, again and again for `count` elements or more; its columns divide PTOG_LANE_ROW. */
static void open_row(struct input *input, int64_t r, int64_t count)
{
    if (input->period == 0)
        return;
    size_t bytes = (size_t)input->period * input->size;
    const char *from = input->data + (size_t)(r * input->step) * input->size;
    size_t end = (size_t)ptog_min(count, PTOG_LANE_ROW) * input->size;
    for (size_t at = 0; at < end; at += bytes)
        memcpy(input->row + at, from, bytes);
}

/* Whether every row of a column of C0 has one element everywhere. */
static bool are_blocks_uniform(const struct input *input, const struct ptog_elementwise *e)
{
    int64_t cols = ptog_broadcast_block(&e->broadcast, e->dst);
    for (int64_t r = 0; cols > 1 && r < e->rows; r++) {
        const char *row = input->data + (size_t)(r * input->step) * input->size;
        if (memcmp(row, row + input->size, (size_t)(cols - 1) * input->size) != 0)
            return false;
    }
    return true;
}

/* Makes *input the small source of a broadcast. False when the reference loop has to do it. */
static bool open_small(struct input *input, const struct ptog_elementwise *e, const struct ptog_tile *tile,
                       struct ptog_buf buffer)
{
    bool upright = ptog_tile_order(tile) == PTOG_ORDER_COL && e->broadcast.period == 1;
    int64_t bytes = ptog_tile_bytes(tile);
    if (e->broadcast.spread == PTOG_SPREAD_ROW) {
        input->step = 0;
        return buffer_covers(buffer, tile, 1, e->cols);
    }
    input->fixed = true;
    input->period = e->broadcast.period;
    if (PTOG_LANE_ROW % input->period != 0)
        return false;
    if (!upright)
        return buffer_covers(buffer, tile, e->rows, input->period) && are_blocks_uniform(input, e);
    input->step = 1;
    return buffer.data && bytes > 0 && buffer.bytes >= (uint64_t)bytes && tile->rows >= e->rows;
}

/* Makes *input source `i` of the instruction, as a run has it. False when the reference loop has to do it. */
static bool open_input(struct input *input, const struct ptog_elementwise *e, const struct ptog_run *run, int i)
{
    const struct ptog_operand *operand = &e->insn->of[i];
    struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(e->insn->opcode)->of[i]);
    if (operand->kind == PTOG_IS_SCALAR) {
        spread_scalar(input, e->insn, i, buffer);
        return true;
    }
    input->dtype = operand->tile.dtype;
    input->size = ptog_dtype_size(input->dtype);
    input->data = buffer.data;
    input->step = operand->tile.cols;
    input->fixed = false;
    input->period = 0;
    if (e->broadcast.spread != PTOG_SPREAD_NONE && i == e->broadcast.small)
        return open_small(input, e, &operand->tile, buffer) && may_be_read(e, run, i, buffer);
    return buffer_covers(buffer, &operand->tile, e->rows, e->cols) && (i == 0 || may_be_read(e, run, i, buffer));
}

/* Where element (r, c) of an input is. */
static const char *input_at(const struct input *input, int64_t r, int64_t c)
{
    if (input->fixed)
        return input->row;
    return input->data + (size_t)(r * input->step + c) * input->size;
}

/* Prepares row r of all inputs, at least `count` elements of it. */
static void open_rows(struct input *in, int inputs, int64_t r, int64_t count)
{
    for (int i = 0; i < inputs; i++)
        open_row(&in[i], r, count);
}

/* Computes dst in pieces of rows by the lane's obvious loop. */
static void compute_rows(const struct ptog_elementwise *e, struct input *in, int inputs, char *dst)
{
    size_t size = ptog_dtype_size(e->dst->dtype);
    struct ptog_lane_row row = {.target = e->target, .lane = e->lane, .dtype = e->dst->dtype, .inputs = inputs};
    for (int i = 0; i < inputs; i++)
        row.dtypes[i] = in[i].dtype;
    for (int64_t r = 0; r < e->rows; r++) {
        open_rows(in, inputs, r, e->cols);
        for (int64_t c = 0; c < e->cols; c += PTOG_LANE_ROW) {
            int64_t left = e->cols - c;
            for (int i = 0; i < inputs; i++)
                row.in[i] = input_at(&in[i], r, c);
            ptog_lane_compute_row(&row, dst + (size_t)ptog_elementwise_place(e, r, c) * size,
                                  (int)ptog_min(left, PTOG_LANE_ROW));
        }
    }
}

/* Copies the source to dst row by row, where nothing is computed: trowexpand, tcolexpand. */
static void copy_rows(const struct ptog_elementwise *e, struct input *in, char *dst)
{
    size_t size = in->size;
    int64_t most = in->fixed ? PTOG_LANE_ROW : e->cols;
    for (int64_t r = 0; r < e->rows; r++) {
        open_row(in, r, e->cols);
        for (int64_t c = 0; c < e->cols; c += most) {
            int64_t left = e->cols - c;
            memcpy(dst + (size_t)ptog_elementwise_place(e, r, c) * size, input_at(in, r, c),
                   (size_t)ptog_min(left, most) * size);
        }
    }
}

/* The rows of all tiles lie one after the other without gaps, so that they are one row. */
static bool is_dense(const struct ptog_elementwise *e, const struct input *in)
{
    for (int i = 0; i < e->inputs; i++)
        if (in[i].period > 0 || (!in[i].fixed && in[i].step != e->cols))
            return false;
    return e->dst->cols == e->cols;
}

/* Computes dst by a vector kernel, all of it at once where the tiles are dense. */
static void run_map(const struct ptog_elementwise *e, const struct ptog_map *map, struct input *in, char *dst)
{
    bool dense = is_dense(e, in);
    const struct input *b = &in[e->inputs - 1]; /* with one source, `b` is not looked at */
    int64_t rows = dense ? 1 : e->rows, cols = dense ? e->rows * e->cols : e->cols;
    size_t size = ptog_dtype_size(e->dst->dtype);
    for (int64_t r = 0; r < rows; r++) {
        open_rows(in, e->inputs, r, PTOG_MAP_STEP / (int64_t)size);
        map->run(&(struct ptog_map_job){.a = (const unsigned char *)input_at(&in[0], r, 0),
                                        .b = (const unsigned char *)input_at(b, r, 0),
                                        .a_is_one = in[0].fixed,
                                        .b_is_one = b->fixed,
                                        .to = (unsigned char *)dst + (size_t)ptog_elementwise_place(e, r, 0) * size,
                                        .count = (size_t)cols});
    }
}

/* A map knows rows and single elements, but no elements that come again. */
static bool may_map(const struct ptog_exec *x, const struct ptog_elementwise *e, const struct input *in)
{
    const struct ptog_map *map = x->ready->map;
    return map && !e->packed && !e->reads_dst && e->lane == ptog_quirk_lane(x->known, false) && e->rows > 0 &&
           in[0].dtype == e->dst->dtype && e->broadcast.period == 1;
}

/* One element after the other. */
static void convert_each(const struct ptog_conversion *conversion, const struct ptog_cast_job *job)
{
    size_t from = ptog_dtype_size(conversion->from), to = ptog_dtype_size(conversion->to);
    for (size_t i = 0; i < job->count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, job->from + i * from, from);
        bits = ptog_convert_element(conversion, bits, 0);
        memcpy(job->to + i * to, &bits, to);
    }
}

/* By the cast, and where it stops, a few elements one by one. */
static void convert_row(const struct ptog_elementwise *e, const struct ptog_cast *cast, struct ptog_cast_job job)
{
    size_t from = ptog_dtype_size(e->conversion.from), to = ptog_dtype_size(e->conversion.to);
    while (job.count > 0) {
        size_t done = ptog_cast_run(cast, &job), left = job.count - done;
        job.from += done * from;
        job.to += done * to;
        job.count = ptog_min(left, CAST_STOP);
        convert_each(&e->conversion, &job);
        job.from += job.count * from;
        job.to += job.count * to;
        job.count = left - job.count;
    }
}

/* Converts the source into dst by a vector kernel, all of it at once where the tiles are dense. */
static void run_cast(const struct ptog_elementwise *e, const struct ptog_cast *cast, const struct input *in, char *dst)
{
    bool dense = is_dense(e, in), casts = (cast->in || cast->out) && !e->conversion.by_cast;
    int64_t rows = dense ? 1 : e->rows, cols = dense ? e->rows * e->cols : e->cols;
    size_t size = ptog_dtype_size(e->dst->dtype);
    for (int64_t r = 0; r < rows; r++) {
        struct ptog_cast_job job = {.from = (const unsigned char *)input_at(in, r, 0),
                                    .to = (unsigned char *)dst + (size_t)ptog_elementwise_place(e, r, 0) * size,
                                    .count = (size_t)cols,
                                    .round = e->conversion.round,
                                    .saturates = e->conversion.saturates};
        if (casts && !e->conversion.through_int32)
            convert_row(e, cast, job);
        else
            convert_each(&e->conversion, &job);
    }
}

/* Runs a vector kernel or the lane's loop over rows; false, and nothing is done, where elements can be at fault or
 * buffers do not fit. */
static bool elementwise_fast(const struct ptog_exec *x, const struct ptog_run *run)
{
    struct ptog_elementwise e;
    struct input in[PTOG_LANE_INPUTS];
    ptog_elementwise_start(&e, x->known, run->dst.data == run->src.data);
    if (e.partial || e.generates || e.packs || e.unpacks || ptog_lane_may_fault(e.lane, e.dst->dtype) ||
        !buffer_covers(run->dst, e.dst, e.rows, e.cols))
        return false;
    for (int i = 0; i < e.inputs; i++)
        if (!open_input(&in[i], &e, run, i + 1))
            return false;
    if (e.reads_dst && !open_input(&in[2], &e, run, 0))
        return false;
    if (e.converts)
        run_cast(&e, &x->ready->cast, in, run->dst.data);
    else if (e.lane == PTOG_LANE_none)
        copy_rows(&e, in, run->dst.data);
    else if (may_map(x, &e, in))
        run_map(&e, x->ready->map, in, run->dst.data);
    else
        compute_rows(&e, in, e.reads_dst ? PTOG_LANE_INPUTS : e.inputs, run->dst.data);
    return true;
}

/* Runs the reference loop. */
static enum ptog_status elementwise_checked(const struct ptog_exec *x, const struct ptog_run *run,
                                            struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_elementwise = {choose_map, get_ready, elementwise_fast, elementwise_checked};
