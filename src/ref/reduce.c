/* ref: reductions.   dst[i,0] = src[i,0] . src[i,1] . ...   or   dst[0,j] = src[0,j] . src[1,j] . ...;   or the first
 * position of the largest or smallest, with val[i,0] or val[0,j] = that element */
#include "model/reduce.h"

#include "model/buffers.h"
#include "model/fault.h"
#include "model/reduction_tmp.h"
#include "model/tile.h"
#include "ref/lane.h"
#include "ref/ref.h"

/* The elements of one result, in the source's buffer. */
struct buffer_elements {
    const struct ptog_reduce *r;
    const struct ptog_insn *insn;
    struct ptog_cbuf src;
    int64_t result;
};

/* Element k of a line that is reduced, read from the source's buffer; bytes of no data outside it. */
static uint64_t ref_element(const void *where, int64_t k)
{
    const struct buffer_elements *e = where;
    uint64_t bits = 0;
    if (!ptog_lane_read(e->src, (uint64_t)ptog_reduce_from(e->r, e->insn, e->result, k), ptog_dtype_size(e->r->dtype),
                        &bits))
        memset(&bits, PTOG_NO_DATA, ptog_dtype_size(e->r->dtype));
    return bits;
}

/* All of them lie in the buffer. */
static bool are_there(const struct buffer_elements *e)
{
    for (int64_t k = 0; k < e->r->count; k++)
        if (!ptog_lane_fits(e->src.bytes, (uint64_t)ptog_reduce_from(e->r, e->insn, e->result, k),
                            ptog_dtype_size(e->r->dtype)))
            return false;
    return true;
}

/* The rest of the last 32-byte block comes from the first row of the source. In pairs it comes from tmp, whose bytes
 * mean nothing: then it stays. */
static void fill_block_rest(const struct ptog_reduce *r, const struct ptog_known_insn *known,
                            const struct ptog_run *run)
{
    size_t size = ptog_dtype_size(r->dtype);
    int64_t bytes = ptog_reduction_fills(known->target, &known->insn);
    bool from_tmp = r->order == PTOG_FOLD_PAIRS && r->count > 1;
    for (int64_t n = r->results; n < r->results + bytes / (int64_t)size && !from_tmp; n++) {
        struct buffer_elements e = {r, &known->insn, run->src, n};
        uint64_t bits = ref_element(&e, 0);
        ptog_lane_write(run->dst, (uint64_t)ptog_reduce_to(r, &known->insn.of[PTOG_REDUCE_DST].tile, n), size, &bits);
    }
}

/* One element of dst or val; false when its buffer ends before. */
static bool write_result(const struct ptog_reduce *r, const struct ptog_known_insn *known, const struct ptog_run *run,
                         int operand, int64_t n, uint64_t bits)
{
    const struct ptog_tile *tile = &known->insn.of[operand].tile;
    struct ptog_buf buffer = ptog_run_buffer(run, &ptog_insn_row(known->insn.opcode)->of[operand]);
    return ptog_lane_write(buffer, (uint64_t)ptog_reduce_to(r, tile, n), ptog_dtype_size(tile->dtype), &bits);
}

/* Folds line n and writes its results; NaN and missing buffers are noted in *fault. */
static void reduce_line(const struct ptog_reduce *r, const struct ptog_known_insn *known, const struct ptog_run *run,
                        int64_t n, struct ptog_fault *fault)
{
    struct buffer_elements e = {r, &known->insn, run->src, n};
    const struct ptog_line line = {ref_element, &e};
    uint64_t result, value = 0;
    bool good = are_there(&e);
    memset(&result, PTOG_NO_DATA, sizeof result);
    if (good) {
        int64_t nan = ptog_reduce_nan(r, &line);
        if (nan >= 0)
            ptog_fault_note(fault, PTOG_FAULT_NAN_ORDER, 1, r->by_row * n, !r->by_row * n, (uint64_t)nan);
        result = ptog_reduce_fold(r, &line);
        if (ptog_reduce_gives_value(known->form))
            value = ref_element(&e, ptog_reduce_find(r, &line));
    }
    good = write_result(r, known, run, PTOG_REDUCE_DST, n, result) && good;
    if (ptog_reduce_gives_value(known->form))
        good = write_result(r, known, run, PTOG_REDUCE_VAL, n, value) && good;
    if (!good)
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r->by_row * n, !r->by_row * n, 0);
}

/* The meaning of a reduction: one line after another, in the order in which the target folds. */
enum ptog_status ptog_ref_reduce(const struct ptog_known_insn *known, const struct ptog_run *run,
                                 struct ptog_fault *fault)
{
    struct ptog_reduce r;
    ptog_reduce_start(&r, known);
    if (ptog_reduction_is_idle(known->target, &known->insn))
        return PTOG_OK;
    for (int64_t n = 0; n < r.results; n++)
        reduce_line(&r, known, run, n, fault);
    fill_block_rest(&r, known, run);
    return ptog_fault_sum(fault);
}
