/* exec: MSCATTER where rows or elements lie in plain order: each is copied, or added, to its place. Lanes go in the
 * order of the indices; on several threads each has a part of the table and goes through all indices, so that the
 * result is the same for any number of them. Whatever else there is goes by the reference loop. */
#include "model/mscatter.h"

#include <string.h>

#include "base/arith.h"
#include "base/pick.h"
#include "exec/indexed.h"
#include "exec/threads.h"
#include "model/buffers.h"
#include "model/dtype.h"
#include "model/tile.h"
#include "ref/ref.h"

#define AHEAD 16 /* lanes whose place is fetched before it is needed */
#define MAX_PARTS 64

/* One scatter. Of each lane, `width` bytes go to a place `step` bytes after that of the index before. */
struct plain_scatter {
    unsigned char *table;
    const unsigned char *src, *idx;
    int64_t lanes, width, step, src_step, idx_step;
    uint64_t capacity;
    enum ptog_oob oob;
    enum ptog_dtype added; /* PTOG_DTYPE_NONE: nothing is added */
    bool is_wide;          /* indices have 8 bytes */
    int parts;
};

/* The index of a lane, read from the index tile. */
static inline uint64_t index_at(const struct plain_scatter *s, int64_t lane)
{
    const unsigned char *at = s->idx + lane * s->idx_step;
    uint64_t wide;
    uint32_t narrow;
    if (s->is_wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

/* The row that a lane goes to; the capacity or more: none. */
static inline uint64_t table_row_of(const struct plain_scatter *s, int64_t lane)
{
    uint64_t index = index_at(s, lane);
    if (index < s->capacity || s->oob == PTOG_OOB_ZERO)
        return index;
    return s->oob == PTOG_OOB_CLAMP ? s->capacity - 1 : index % s->capacity;
}

/* ---- lanes */

/* Adds `width` bytes of f32 to those at `to`. */
static void add_floats(unsigned char *to, const unsigned char *from, int64_t width)
{
    for (int64_t i = 0; i < width; i += 4) {
        float a, b;
        memcpy(&a, to + i, 4);
        memcpy(&b, from + i, 4);
        a += b;
        memcpy(to + i, &a, 4);
    }
}

/* Adds `width` bytes of 32-bit integers to those at `to`. */
static void add_words(unsigned char *to, const unsigned char *from, int64_t width)
{
    for (int64_t i = 0; i < width; i += 4) {
        uint32_t a, b;
        memcpy(&a, to + i, 4);
        memcpy(&b, from + i, 4);
        a += b;
        memcpy(to + i, &a, 4);
    }
}

/* All lanes that go to rows first..end-1. The callers know `width` or `added`, and the compiler makes a loop for each.
 */
static inline __attribute__((always_inline)) void scatter_lanes(const struct plain_scatter *s, uint64_t first,
                                                                uint64_t end, int64_t width, enum ptog_dtype added)
{
    for (int64_t i = 0; i < s->lanes; i++) {
        uint64_t row = table_row_of(s, i), next = i + AHEAD < s->lanes ? table_row_of(s, i + AHEAD) : first;
        if (next >= first && next < end) {
            __builtin_prefetch(s->table + (int64_t)next * s->step, 1);
            __builtin_prefetch(s->table + (int64_t)next * s->step + width - 1, 1);
        }
        if (row < first || row >= end)
            continue;
        unsigned char *to = s->table + (int64_t)row * s->step;
        const unsigned char *from = s->src + i * s->src_step;
        if (added == PTOG_F32)
            add_floats(to, from, width);
        else if (added != PTOG_DTYPE_NONE)
            add_words(to, from, width);
        else
            memcpy(to, from, (size_t)width);
    }
}

/* Writes or adds the lanes whose index is in a range of rows. */
static void scatter_range(const struct plain_scatter *s, uint64_t first, uint64_t end)
{
    if (s->added == PTOG_F32)
        scatter_lanes(s, first, end, s->width, PTOG_F32);
    else if (s->added != PTOG_DTYPE_NONE)
        scatter_lanes(s, first, end, s->width, PTOG_I32);
    else if (s->width == 4)
        scatter_lanes(s, first, end, 4, PTOG_DTYPE_NONE);
    else if (s->width == 16)
        scatter_lanes(s, first, end, 16, PTOG_DTYPE_NONE);
    else if (s->width == 64)
        scatter_lanes(s, first, end, 64, PTOG_DTYPE_NONE);
    else if (s->width == 256)
        scatter_lanes(s, first, end, 256, PTOG_DTYPE_NONE);
    else
        scatter_lanes(s, first, end, s->width, PTOG_DTYPE_NONE);
}

/* Parts first..last-1 of the table. */
static bool scatter_parts(const void *work, int64_t first, int64_t last)
{
    const struct plain_scatter *s = work;
    uint64_t share = s->capacity / (uint64_t)s->parts + 1;
    for (int64_t part = first; part < last; part++)
        scatter_range(s, (uint64_t)part * share, ptog_min((uint64_t)(part + 1) * share, s->capacity));
    return true;
}

/* Whether no index is to be reported: without a policy outside the table, or negative where that means something else.
 */
static bool are_indices_good(const struct plain_scatter *s, uint64_t most)
{
    uint64_t largest = 0;
    for (int64_t i = 0; i < s->lanes; i++)
        largest = ptog_max(largest, index_at(s, i));
    return largest <= most;
}

/* ---- the family */

/* Whether elements lie row after row. */
static bool is_plain_tile(const struct ptog_tile *tile)
{
    return ptog_tile_order(tile) == PTOG_ORDER_ROW;
}

/* Whether there is a fast loop for these types, layouts and policies. */
static bool has_loop(const struct ptog_known_insn *known)
{
    enum ptog_dtype dtype = ptog_mscatter_src(&known->insn)->dtype;
    size_t index = ptog_dtype_size(ptog_mgather_idx(&known->insn)->dtype);
    bool adds = ptog_mscatter_atomic(&known->insn) == PTOG_SCATTER_ADD &&
                (dtype == PTOG_F32 || dtype == PTOG_I32 || dtype == PTOG_U32);
    return (adds || ptog_mscatter_atomic(&known->insn) == PTOG_SCATTER_NONE) && (index == 4 || index == 8) &&
           known->target->machine == PTOG_NO_MACHINE && !known->target->signed_index;
}

/* How lanes follow each other in the index tile: along a row, down a column, or as elements without gaps. */
static bool walks_evenly(const struct ptog_known_insn *known, int64_t rows, int64_t cols)
{
    const struct ptog_insn *op = &known->insn;
    const struct ptog_tile *src = ptog_mscatter_src(op), *idx = ptog_mgather_idx(op);
    if (known->form == PTOG_FORM_SCATTER_ROW)
        return rows == 1 || idx->valid_row == 1 || idx->valid_col == 1;
    return rows == 1 || (cols == src->cols && cols == idx->cols);
}

/* What runs of an mscatter need that the instruction decides. */
static struct ptog_ready ready_to_scatter(const struct ptog_known_insn *known)
{
    const struct ptog_insn *op = &known->insn;
    const struct ptog_tile *src = ptog_mscatter_src(op), *idx = ptog_mgather_idx(op);
    const struct ptog_tensor *table = ptog_mgather_table(op);
    int64_t rows = ptog_mgather_rows(known->target, op), cols = ptog_mscatter_cols(known);
    int64_t size = (int64_t)ptog_dtype_size(src->dtype);
    bool is_row = known->form == PTOG_FORM_SCATTER_ROW;
    struct ptog_ready ready = {.src_bytes = (uint64_t)ptog_tile_bytes(src),
                               .idx_bytes = (uint64_t)ptog_tile_bytes(idx),
                               .capacity = ptog_mgather_capacity(known->target, op)};
    ready.src_span = ready.src_bytes;
    ready.job.dst_step = is_row ? ptog_mgather_pitch(known->target, op) * size : size;
    ready.job.tail = is_row ? cols * size : size;
    ready.job.src_step = is_row ? ptog_row_step(src) : size;
    ready.lanes = is_row ? rows : rows * cols;
    if (ready.lanes > 1)
        ready.job.idx_step = is_row ? (ptog_mgather_index_offset(known->target, op, 1, 0) -
                                       ptog_mgather_index_offset(known->target, op, 0, 0)) *
                                          (int64_t)ptog_dtype_size(idx->dtype)
                                    : (int64_t)ptog_dtype_size(idx->dtype);
    uint64_t reach = (uint64_t)ready.job.tail;
    ready.touched = 2 * (uint64_t)ready.job.tail * (uint64_t)ready.lanes;
    ready.fast = has_loop(known) && is_plain_tile(src) && is_plain_tile(idx) && table->layout == PTOG_ND &&
                 table->stride[4] == 1 && ptog_mgather_pitch_fits(known->target, op) && ready.capacity > 0 &&
                 ready.job.dst_step > 0 && walks_evenly(known, rows, cols) &&
                 !ptog_mgather_product_wraps(known->target, op, ready.capacity - 1) &&
                 ptog_mul_add_u64(ready.capacity - 1, (uint64_t)ready.job.dst_step, &reach) && reach <= INT64_MAX;
    ready.dst_bytes = reach;
    return ready;
}

/* Scatters without checks; false, and nothing is done, where a lane may be at fault. */
static bool mscatter_fast(const struct ptog_exec *x, const struct ptog_run *run)
{
    const struct ptog_ready *ready = x->ready;
    const struct ptog_insn *op = &x->known->insn;
    enum ptog_dtype index = ptog_mgather_idx(op)->dtype;
    struct plain_scatter s = {.lanes = ready->lanes,
                              .width = ready->job.tail,
                              .step = ready->job.dst_step,
                              .src_step = ready->job.src_step,
                              .idx_step = ready->job.idx_step,
                              .capacity = ready->capacity,
                              .oob = ptog_mgather_policy(x->known->target, op),
                              .is_wide = ptog_dtype_size(index) == 8,
                              .parts = 1};
    if (!ptog_exec_covers(ready, run))
        return false;
    s.table = run->dst.data;
    s.src = run->src.data;
    s.idx = run->idx.data;
    if (ptog_mscatter_atomic(op) != PTOG_SCATTER_NONE)
        s.added = ptog_mscatter_src(op)->dtype;
    bool sign_matters = s.oob == PTOG_OOB_CLAMP || s.oob == PTOG_OOB_WRAP;
    if (!are_indices_good(&s, ptog_most_index(index, sign_matters, s.oob == PTOG_OOB_UNDEFINED, s.capacity)))
        return false;
    if (run->threads > 1)
        s.parts = run->threads < MAX_PARTS ? run->threads : MAX_PARTS;
    struct ptog_items items = {scatter_parts, &s, s.parts, ready->touched};
    return ptog_in_parts(&items, run->threads, run->pool);
}

/* Runs the reference loop. */
static enum ptog_status mscatter_checked(const struct ptog_exec *x, const struct ptog_run *run,
                                         struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_mscatter = {ptog_exec_no_kernel, ready_to_scatter, mscatter_fast,
                                                    mscatter_checked};
