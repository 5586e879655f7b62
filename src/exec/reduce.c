/* exec: reductions. On host and cpu f32 goes by loops that are independent of each other, eight rows or many columns at
 * a time. Each of them folds one element after the other, in f64 or f32, as the reference loop, which does everything
 * else: also what has a NaN, where the target folds in f32. */
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
static inline void put_result(const struct f32_job *job, int64_t n, double value)
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

/* The same as a target does it that folds in f32, and compares. */
static inline float plus_f32(float a, float b)
{
    return a + b;
}

static inline float times_f32(float a, float b)
{
    return a * b;
}

static inline float larger_f32(float a, float b)
{
    return a < b ? b : a;
}

static inline float smaller_f32(float a, float b)
{
    return -larger_f32(-a, -b);
}

#define STAMP(name, real, op, start)                                                                                   \
    static void rows_by_##name(const struct f32_job *job)                                                              \
    {                                                                                                                  \
        for (int64_t r = 0; r < job->rows; r += ROWS_AT_ONCE) {                                                        \
            int count = (int)ptog_min(job->rows - r, ROWS_AT_ONCE);                                                    \
            real all[ROWS_AT_ONCE];                                                                                    \
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
            real all[COLS_AT_ONCE];                                                                                    \
            for (int i = 0; i < count; i++)                                                                            \
                all[i] = start;                                                                                        \
            for (int64_t r = 0; r < job->rows; r++)                                                                    \
                for (int i = 0; i < count; i++)                                                                        \
                    all[i] = op(all[i], job->src[r * job->pitch + c + i]);                                             \
            for (int i = 0; i < count; i++)                                                                            \
                put_result(job, c + i, all[i]);                                                                        \
        }                                                                                                              \
    }
STAMP(add, double, plus, 0.0)
STAMP(mul, double, times, 1.0)
STAMP(max, double, larger, -INFINITY)
STAMP(min, double, smaller, INFINITY)
STAMP(add_f32, float, plus_f32, 0.0f)
STAMP(mul_f32, float, times_f32, 1.0f)
STAMP(max_f32, float, larger_f32, -INFINITY)
STAMP(min_f32, float, smaller_f32, INFINITY)
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

/* Whether one of the elements, which are all there, is NaN. */
static bool has_nan(const struct f32_job *job)
{
    bool found = false;
    for (int64_t r = 0; r < job->rows && !found; r++)
        for (int64_t c = 0; c < job->cols; c++)
            found |= isnan(job->src[r * job->pitch + c]);
    return found;
}

/* Whether a target folds f32 one after the other: in f64, or in f32 from 0, 1, or the first element. */
static bool is_in_turn(const struct ptog_reduce *r)
{
    bool sums = r->lane == PTOG_LANE_add || r->lane == PTOG_LANE_mul;
    return r->order == PTOG_FOLD_EXACT || (r->order == PTOG_FOLD_IN_TURN && r->target->max_compares && r->count > 0 &&
                                           (r->from_start || !sums));
}

/* Whether a reduction is one of row-major f32 tiles in the order of host or cpu. */
static bool is_easy(const struct ptog_known_insn *known, const struct ptog_reduce *r, const struct ptog_run *run)
{
    const struct ptog_tile *dst = &known->insn.of[PTOG_REDUCE_DST].tile, *src = &known->insn.of[PTOG_REDUCE_SRC].tile;
    enum ptog_tile_order order = ptog_tile_order(dst);
    if (!is_in_turn(r) || r->dtype != PTOG_F32 || ptog_tile_order(src) != PTOG_ORDER_ROW ||
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
    static void (*const loops[PTOG_LANES][2][2])(const struct f32_job *) = {
        [PTOG_LANE_add] = {{cols_by_add, rows_by_add}, {cols_by_add_f32, rows_by_add_f32}},
        [PTOG_LANE_mul] = {{cols_by_mul, rows_by_mul}, {cols_by_mul_f32, rows_by_mul_f32}},
        [PTOG_LANE_max] = {{cols_by_max, rows_by_max}, {cols_by_max_f32, rows_by_max_f32}},
        [PTOG_LANE_min] = {{cols_by_min, rows_by_min}, {cols_by_min_f32, rows_by_min_f32}},
    };
    const struct ptog_insn *insn = &x->known->insn;
    struct ptog_reduce r;
    ptog_reduce_start(&r, x->known);
    bool in_f32 = r.order != PTOG_FOLD_EXACT;
    if (!loops[r.lane][in_f32][r.by_row] || !is_easy(x->known, &r, run))
        return false;
    struct f32_job job = {.src = run->src.data,
                          .dst = run->dst.data,
                          .rows = insn->of[PTOG_REDUCE_SRC].tile.valid_row,
                          .cols = insn->of[PTOG_REDUCE_SRC].tile.valid_col,
                          .pitch = insn->of[PTOG_REDUCE_SRC].tile.cols,
                          .step = ptog_reduce_to(&r, &insn->of[PTOG_REDUCE_DST].tile, 1)};
    if (in_f32 && has_nan(&job))
        return false;
    loops[r.lane][in_f32][r.by_row](&job);
    return true;
}

/* Runs the reference loop. */
static enum ptog_status reduce_checked(const struct ptog_exec *x, const struct ptog_run *run, struct ptog_fault *fault)
{
    return ptog_ref_insn(x->known, run, fault);
}

const struct ptog_exec_family ptog_exec_reduce = {ptog_exec_no_kernel, ptog_exec_nothing_ready, reduce_fast,
                                                  reduce_checked};
