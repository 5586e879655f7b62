/* exec: reductions. On host f32 goes by loops that are independent of each other, eight rows or many columns at a time:
 * each of them folds in f64 in the order of the reference loop, which does everything else. */
#include <math.h>
#include <string.h>

#include "base/pick.h"
#include "exec/plan.h"
#include "model/reduce.h"
#include "model/tile.h"
#include "ref/ref.h"

#define ROWS_AT_ONCE 8
#define COLS_AT_ONCE 128

/* ---- f32, row-major: `pitch` and `step` are elements from row to row, and from result to result */

struct f32_job {
    const float *src;
    float *dst;
    int64_t rows, cols, pitch, step;
};

/* Writes result n, rounded. */
static void put_result(const struct f32_job *job, int64_t n, double value)
{
    uint32_t bits = (uint32_t)ptog_dtype_from_real(PTOG_F32, value);
    memcpy(job->dst + n * job->step, &bits, sizeof bits);
}

/* The sum. */
static inline double plus(double a, double b)
{
    return a + b;
}

/* The product. */
static inline double times(double a, double b)
{
    return a * b;
}

/* NaN if either is; +0 is larger than -0. */
static inline double larger(double a, double b)
{
    if (a > b || isnan(a))
        return a;
    if (a == b && !signbit(a))
        return a;
    return b;
}

/* The smaller number; NaN if either is. */
static inline double smaller(double a, double b)
{
    return -larger(-a, -b);
}

#define STAMP(name, op, start)                                                                                         \
    static void rows_by_##name(const struct f32_job *job)                                                              \
    {                                                                                                                  \
        for (int64_t r = 0; r < job->rows; r += ROWS_AT_ONCE) {                                                        \
            int count = (int)ptog_min(job->rows - r, ROWS_AT_ONCE);                                                    \
            double all[ROWS_AT_ONCE];                                                                                  \
            for (int i = 0; i < count; i++)                                                                            \
                all[i] = start;                                                                                        \
            for (int64_t c = 0; c < job->cols; c++)                                                                    \
                for (int i = 0; i < count; i++)                                                                        \
                    all[i] = op(all[i], job->src[(r + i) * job->pitch + c]);                                           \
            for (int i = 0; i < count; i++)                                                                            \
                put_result(job, r + i, all[i]);                                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    static void cols_by_##name(const struct f32_job *job)                                                              \
    {                                                                                                                  \
        for (int64_t c = 0; c < job->cols; c += COLS_AT_ONCE) {                                                        \
            int count = (int)ptog_min(job->cols - c, COLS_AT_ONCE);                                                    \
            double all[COLS_AT_ONCE];                                                                                  \
            for (int i = 0; i < count; i++)                                                                            \
                all[i] = start;                                                                                        \
            for (int64_t r = 0; r < job->rows; r++)                                                                    \
                for (int i = 0; i < count; i++)                                                                        \
                    all[i] = op(all[i], job->src[r * job->pitch + c + i]);                                             \
            for (int i = 0; i < count; i++)                                                                            \
                put_result(job, c + i, all[i]);                                                                        \
        }                                                                                                              \
    }
STAMP(add, plus, 0.0)
STAMP(mul, times, 1.0)
STAMP(max, larger, -INFINITY)
STAMP(min, smaller, INFINITY)
#undef STAMP

/* ---- when that may be */

static bool is_aligned(const void *data)
{
    return (uintptr_t)data % sizeof(float) == 0;
}

/* Whether a buffer is there and has all bytes of a tile. */
static bool has_tile_bytes(const void *data, size_t bytes, const struct ptog_tile *tile)
{
    int64_t whole = ptog_tile_bytes(tile);
    return data && is_aligned(data) && whole > 0 && bytes >= (uint64_t)whole;
}

/* Whether a reduction is one of row-major f32 tiles in the order of host. */
static bool is_easy(const struct ptog_known_insn *known, const struct ptog_reduce *r, const struct ptog_run *run)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_REDUCE_DST].tile, *src = &known->insn.of[PTOG_REDUCE_SRC].tile;
    enum ptog_tile_order order = ptog_tile_order(dst);
    if (r->order != PTOG_FOLD_EXACT || r->dtype != PTOG_F32 || ptog_tile_order(src) != PTOG_ORDER_ROW ||
        (order != PTOG_ORDER_ROW && order != PTOG_ORDER_COL))
        return false;
    if (!has_tile_bytes(run->dst.data, run->dst.bytes, dst) || !has_tile_bytes(run->src.data, run->src.bytes, src))
        return false;
    struct ptog_bytes to = {run->dst.data, (uint64_t)ptog_tile_bytes(dst)};
    struct ptog_bytes from = {run->src.data, (uint64_t)ptog_tile_bytes(src)};
    return !ptog_bytes_overlap(to, from);
}

/* Folds with a loop for the lane; false, and nothing is done, where there is none or the reduction is not easy. */
static bool reduce_fast(const struct ptog_exec *x, const struct ptog_run *run)
{
    static void (*const loops[PTOG_LANES][2])(const struct f32_job *) = {
        [PTOG_LANE_add] = {cols_by_add, rows_by_add},
        [PTOG_LANE_mul] = {cols_by_mul, rows_by_mul},
        [PTOG_LANE_max] = {cols_by_max, rows_by_max},
        [PTOG_LANE_min] = {cols_by_min, rows_by_min},
    };
    const struct ptog_insn *insn = &x->known->insn;
    struct ptog_reduce r;
    ptog_reduce_start(&r, x->known);
    if (!loops[r.lane][r.by_row] || !is_easy(x->known, &r, run))
        return false;
    struct f32_job job = {.src = run->src.data,
                          .dst = run->dst.data,
                          .rows = insn->of[PTOG_REDUCE_SRC].tile.valid_row,
                          .cols = insn->of[PTOG_REDUCE_SRC].tile.valid_col,
                          .pitch = insn->of[PTOG_REDUCE_SRC].tile.cols,
                          .step = ptog_reduce_to(&r, &insn->of[PTOG_REDUCE_DST].tile, 1)};
    loops[r.lane][r.by_row](&job);
    return true;
}

/* Runs the reference loop. */
static enum ptog_status reduce_checked(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_reduce = {ptog_exec_no_kernel, ptog_exec_nothing_ready, reduce_fast,
                                                  reduce_checked};
