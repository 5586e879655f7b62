/* exec: the bags of a run, one after the other. A kernel adds the rows of a bag to the sums of up to PTOG_BAG_COLS
 * columns; wider rows go by several times. Rows that are multiplied by something, or left out, are listed before, up to
 * SOME at a time. */
#include <math.h>
#include <string.h>

#include "base/pick.h"
#include "exec/bag.h"
#include "kernel/map.h"

#define SOME 64     /* rows */
#define WINDOW 1024 /* rows */
#define MOST 512    /* rows that are added by one call: fewer than the window has, less those that are fetched */

/* Where rows begin, for the indices from `first` on. Behind the last index, the last row is repeated. */
struct row_window {
    int64_t first; /* below zero: nothing is known yet */
    const unsigned char *at[WINDOW];
};

/* Where a row of the table begins. */
static const unsigned char *row_at(const struct ptog_bag_job *job, int64_t index)
{
    return (const unsigned char *)job->work.run->table.data + (size_t)index * job->work.row_step;
}

/* Fills the window with the addresses of the rows from index `first` on. */
static void fill_window(struct row_window *window, const struct ptog_bag_job *job, int64_t first)
{
    const struct ptog_bag_work work = job->work;
    int64_t count = ptog_min_i64(WINDOW, work.indices - first);
    window->first = first;
    for (int64_t i = 0; i < count; i++)
        window->at[i] = row_at(job, ptog_bag_index(&work, work.run->idx, first + i));
    for (int64_t i = count; i < WINDOW; i++)
        window->at[i] = window->at[count - 1];
}

/* Where `count` rows begin, at most MOST, and the job's `ahead` ones behind them. */
static const unsigned char *const *find_rows(struct row_window *window, const struct ptog_bag_job *job, int64_t first,
                                             int64_t count)
{
    if (window->first < 0 || first < window->first || first + count + job->ahead > window->first + WINDOW)
        fill_window(window, job, first);
    return window->at + (first - window->first);
}

/* Some rows that are not those of the caller's indices one by one, or have factors. */
struct some_rows {
    const unsigned char *at[SOME];
    double factors[SOME];
    int64_t count;
};

/* Of the indices first to last - 1, those that stand for rows. */
static void collect_rows(struct some_rows *some, const struct ptog_bag_job *job, struct ptog_bag_span span)
{
    some->count = 0;
    for (int64_t i = span.first; i < span.last; i++) {
        int64_t index = ptog_bag_index(&job->work, job->work.run->idx, i);
        if (!ptog_bag_is_row(&job->work, index))
            continue;
        some->at[some->count] = row_at(job, index);
        some->factors[some->count++] = ptog_bag_factor(&job->work, i, index);
    }
}

/* What is done with each row: added, scaled and added, or compared. */
static enum ptog_bag_step step_of(const struct ptog_bag_job *job)
{
    if (job->work.bag->mode == PTOG_BAG_MAX)
        return PTOG_BAG_LARGER;
    return job->work.run->scales.data || job->work.run->weights.data ? PTOG_BAG_SCALED : PTOG_BAG_ADD;
}

/* Columns of a bag that are added at a time. */
struct bag_cols {
    double *sums;
    size_t from; /* their first byte in a row */
    int count;
};

/* The first sums of columns: what a bag without rows has is zero in every mode. */
static void start_sums(struct bag_cols cols, enum ptog_bag_mode mode)
{
    memset(cols.sums, 0, (size_t)(cols.count + PTOG_BAG_LANES) * sizeof cols.sums[0]);
    for (int i = 0; mode == PTOG_BAG_MAX && i < cols.count; i++)
        cols.sums[i] = -(double)INFINITY;
}

/* Adds rows first to last - 1, with padding or factors; returns how many there were. */
static int64_t add_some(const struct ptog_bag_job *job, struct row_window *window, struct ptog_bag_span span,
                        struct bag_cols cols)
{
    struct some_rows some;
    struct ptog_bag_rows rows = {.factors = some.factors};
    collect_rows(&some, job, span);
    rows.count = some.count;
    rows.at = some.at;
    if (!job->work.bag->has_padding) { /* the rows are those of the indices, and the next ones are known */
        rows.at = find_rows(window, job, span.first, some.count);
        rows.ahead = job->ahead;
        rows.hint = job->hint;
    }
    job->plan->kernel->add[step_of(job)](cols.sums, &rows, cols.from, cols.count);
    return some.count;
}

/* Adds the rows of a bag; returns how many there were. */
static int64_t add_rows(const struct ptog_bag_job *job, struct row_window *window, struct ptog_bag_span span,
                        struct bag_cols cols)
{
    int64_t count = 0;
    bool is_sum = step_of(job) == PTOG_BAG_ADD && !job->work.bag->has_padding;
    for (int64_t i = span.first; i < span.last;) {
        struct ptog_bag_span part = {i, ptog_min_i64(i + (is_sum ? MOST : SOME), span.last)};
        struct ptog_bag_rows rows = {.count = part.last - i, .ahead = job->ahead, .hint = job->hint};
        if (is_sum) {
            rows.at = find_rows(window, job, i, rows.count);
            job->plan->kernel->add[PTOG_BAG_ADD](cols.sums, &rows, cols.from, cols.count);
            count += rows.count;
        } else {
            count += add_some(job, window, part, cols);
        }
        i = part.last;
    }
    return count;
}

/* Writes sums of bag `b`, from column `col` on, in the type of the result. */
static void store_sums(const struct ptog_bag_job *job, int64_t b, int64_t col, const double *sums, int cols)
{
    const struct ptog_bag *bag = job->work.bag;
    const struct ptog_bag_set *set = job->plan->set;
    size_t at = (size_t)(b * bag->cols + col) * ptog_dtype_size(bag->dst);
    unsigned char *dst = (unsigned char *)job->work.run->dst.data + at;
    if (bag->dst == PTOG_F16)
        set->store_f16(dst, sums, cols);
    else if (bag->dst == PTOG_BF16)
        set->store_bf16(dst, sums, cols);
    else
        set->store_f32(dst, sums, cols);
}

/* `cols` columns of bag b, from `col` on. */
static void run_block(const struct ptog_bag_job *job, struct row_window *window, int64_t b, int64_t col, int cols)
{
    const struct ptog_bag *bag = job->work.bag;
    _Alignas(64) double sums[PTOG_BAG_COLS + PTOG_BAG_LANES];
    struct bag_cols block = {sums, (size_t)col * ptog_dtype_size(bag->table), cols};
    start_sums(block, bag->mode);
    int64_t count = add_rows(job, window, ptog_bag_span_of(&job->work, b), block);
    if (count == 0)
        start_sums(block, PTOG_BAG_SUM);
    if (bag->mode == PTOG_BAG_MEAN && count > 0)
        for (int i = 0; i < cols; i++)
            sums[i] /= (double)count;
    store_sums(job, b, col, sums, cols);
}

bool ptog_bag_part(const void *data, int64_t first, int64_t last)
{
    const struct ptog_bag_job *job = data;
    const int64_t cols = job->work.bag->cols;
    struct row_window window;
    window.first = -1;
    for (int64_t b = first; b < last; b++)
        for (int64_t col = 0; col < cols; col += PTOG_BAG_COLS)
            run_block(job, &window, b, col, (int)ptog_min_i64(cols - col, PTOG_BAG_COLS));
    return true;
}
