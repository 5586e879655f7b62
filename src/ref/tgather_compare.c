/* ref: TGATHER by comparison.   Per row i the positions j with src[i,j] cmp k[i] go to dst row i, their count to
 * cdst[i] */
#include "base/small_float.h"
#include "model/dtype.h"
#include "model/fault.h"
#include "model/tgather.h"
#include "model/tile.h"
#include "ref/lane.h"
#include "ref/ref.h"

struct compare {
    const struct ptog_target *target;
    const struct ptog_insn *op;
    const struct ptog_run *run;
};

/* The sign bit flipped: unsigned order is then the order of the signed type. */
static uint64_t ordered(enum ptog_dtype dtype, uint64_t bits)
{
    return ptog_dtype_is_signed(dtype) ? bits ^ ptog_dtype_sign_bit(dtype) : bits;
}

/* Whether an element is equal to k, or greater, in the way of its type and target. */
static bool compares_true(const struct compare *g, uint64_t a, uint64_t b)
{
    enum ptog_dtype dtype = ptog_tgather_src(g->op)->dtype;
    bool equal = ptog_compares_equal(g->target, g->op);
    if (dtype == PTOG_F32 && g->target->compare_a5) {
        a = (uint32_t)ptog_f32_to_i32(ptog_dtype_to_float(dtype, a));
        b = (uint32_t)ptog_f32_to_i32(ptog_dtype_to_float(dtype, b));
        return equal ? a == b : a > b;
    }
    if (ptog_dtype_is_float(dtype)) {
        float x = ptog_dtype_to_float(dtype, a), y = ptog_dtype_to_float(dtype, b);
        return equal ? x == y : x > y;
    }
    return equal ? a == b : ordered(dtype, a) > ordered(dtype, b);
}

/* k[r]; a single value serves all rows. */
static bool k_of(const struct compare *g, int64_t r, uint64_t *k)
{
    const struct ptog_tile *tile = ptog_tgather_k(g->op);
    *k = 0;
    int64_t i = ptog_tile_is_list(tile, 1) ? 0 : r;
    if (!ptog_lane_read(g->run->k, (uint64_t)ptog_tile_list_offset(tile, i), ptog_dtype_size(tile->dtype), k))
        return false;
    *k = ptog_compare_k(g->op, *k);
    return true;
}

/* Reads element (r, c) of the source; false when it is not in its buffer. */
static bool read_element(const struct compare *g, int64_t r, int64_t c, uint64_t *bits)
{
    const struct ptog_tile *src = ptog_tgather_src(g->op);
    *bits = 0;
    return ptog_lane_read(g->run->src, (uint64_t)(r * src->cols + c), ptog_dtype_size(src->dtype), bits);
}

/* How many elements of row r compare true with its k; 0 when k cannot be read. */
static int64_t matches_in(const struct compare *g, int64_t r)
{
    uint64_t k, bits;
    int64_t count = 0;
    if (!k_of(g, r, &k))
        return 0;
    for (int64_t c = 0; c < ptog_tgather_src(g->op)->valid_col; c++)
        count += read_element(g, r, c, &bits) && compares_true(g, bits, k);
    return count;
}

/* Writes the positions in row r of the elements that compare true, and their count. */
static void gather_row(const struct compare *g, int64_t r, struct ptog_fault *fault)
{
    const struct ptog_insn *op = g->op;
    uint64_t k, bits;
    uint32_t count = 0;
    bool have_k = k_of(g, r, &k);
    if (!have_k)
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, 0, 0);
    for (int64_t c = 0; have_k && c < ptog_tgather_src(op)->valid_col; c++) {
        bool have = read_element(g, r, c, &bits);
        if (have && !compares_true(g, bits, k))
            continue;
        uint32_t position = ptog_compare_position(g->target, op, r, c);
        if (!have || !ptog_lane_write(g->run->dst, (uint64_t)(r * ptog_tgather_dst(op)->cols + count), 4, &position))
            ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, c, 0);
        count += have;
    }
    if (!ptog_lane_write(g->run->cdst, (uint64_t)ptog_tile_list_offset(ptog_tgather_cdst(op), r), 4, &count))
        ptog_fault_note(fault, PTOG_FAULT_SHORT_BUFFER, 1, r, 0, 0);
}

enum ptog_status ptog_ref_by_compare(const struct ptog_target *target, const struct ptog_insn *op,
                                     const struct ptog_run *run, struct ptog_fault *fault)
{
    const struct ptog_tile *src = ptog_tgather_src(op);
    struct compare g = {target, op, run};
    for (int64_t r = 0; r < src->valid_row; r++)
        if (matches_in(&g, r) > ptog_tgather_dst(op)->cols) {
            fault->row = r;
            return PTOG_NO_ROOM;
        }
    for (int64_t r = 0; r < src->valid_row; r++)
        gather_row(&g, r, fault);
    return PTOG_OK;
}
