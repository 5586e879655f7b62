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
    const unsigned char *const rows = job->work.run->table.data;
    const size_t step = job->work.row_step, index_size = job->work.index_size;
    const unsigned char *const idx = (const unsigned char *)job->work.run->idx.data + (size_t)first * index_size;
    int64_t count = ptog_min_i64(WINDOW, job->work.indices - first);
    window->first = first;
    for (int64_t i = 0; index_size == sizeof(int64_t) && i < count; i++) {
        int64_t index;
        memcpy(&index, idx + i * 8, sizeof index);
        window->at[i] = rows + (size_t)index * step;
    }
    for (int64_t i = 0; index_size == sizeof(int32_t) && i < count; i++) {
        int32_t index;
        memcpy(&index, idx + i * 4, sizeof index);
        window->at[i] = rows + (size_t)index * step;
    }
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

/* Collects the rows, with their factors, that the indices of a span stand for; other indices are left out. */
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

/* Sums in double, or where the job is single in f32. */
union bag_sums {
    double wide[PTOG_BAG_COLS + PTOG_BAG_LANES];
    float single[PTOG_BAG_COLS + PTOG_BAG_SINGLES];
};

/* Columns of a bag that are added at a time. */
struct bag_cols {
    union bag_sums *sums;
    size_t from; /* their first byte in a row */
    int count;
};

/* The first sums of columns: what a bag without rows has is zero in every mode. */
static void start_sums(struct bag_cols cols, const struct ptog_bag_job *job, enum ptog_bag_mode mode)
{
    if (job->is_single)
        memset(cols.sums->single, 0, (size_t)(cols.count + PTOG_BAG_SINGLES) * sizeof cols.sums->single[0]);
    else
        memset(cols.sums->wide, 0, (size_t)(cols.count + PTOG_BAG_LANES) * sizeof cols.sums->wide[0]);
    for (int i = 0; mode == PTOG_BAG_MAX && i < cols.count; i++)
        cols.sums->wide[i] = -(double)INFINITY;
}

/* Adds `rows` to the sums, by the kernel for them. */
static void add_listed(const struct ptog_bag_job *job, const struct ptog_bag_rows *rows, struct bag_cols cols)
{
    enum ptog_bag_step step = step_of(job);
    if (job->is_single)
        job->plan->set->add_single[step](cols.sums->single, rows, cols.from, cols.count);
    else
        job->plan->kernel->add[step](cols.sums->wide, rows, cols.from, cols.count);
}

/* Makes sums of `count` rows the mean. */
static void divide_sums(const struct ptog_bag_job *job, struct bag_cols cols, int64_t count)
{
    for (int i = 0; job->is_single && i < cols.count; i++)
        cols.sums->single[i] /= (float)count;
    for (int i = 0; !job->is_single && i < cols.count; i++)
        cols.sums->wide[i] /= (double)count;
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
    add_listed(job, &rows, cols);
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
            add_listed(job, &rows, cols);
            count += rows.count;
        } else {
            count += add_some(job, window, part, cols);
        }
        i = part.last;
    }
    return count;
}

/* Writes sums of bag `b`, from column `col` on, in the type of the result. */
static void store_sums(const struct ptog_bag_job *job, int64_t b, int64_t col, struct bag_cols cols)
{
    const struct ptog_bag *bag = job->work.bag;
    const struct ptog_bag_set *set = job->plan->set;
    size_t at = (size_t)(b * bag->cols + col) * ptog_dtype_size(bag->dst);
    unsigned char *dst = (unsigned char *)job->work.run->dst.data + at;
    double widened[PTOG_BAG_COLS];
    const double *sums = job->is_single ? widened : cols.sums->wide;
    if (bag->dst == PTOG_F32 && job->is_single) {
        set->store_single(dst, cols.sums->single, cols.count);
        return;
    }
    for (int i = 0; job->is_single && i < cols.count; i++)
        widened[i] = (double)cols.sums->single[i];
    if (bag->dst == PTOG_F16)
        set->store_f16(dst, sums, cols.count);
    else if (bag->dst == PTOG_BF16)
        set->store_bf16(dst, sums, cols.count);
    else
        set->store_f32(dst, sums, cols.count);
}

/* Computes and stores `cols` columns of bag b, from `col` on. */
static void run_block(const struct ptog_bag_job *job, struct row_window *window, int64_t b, int64_t col, int cols)
{
    const struct ptog_bag *bag = job->work.bag;
    _Alignas(64) union bag_sums sums;
    struct bag_cols block = {&sums, (size_t)col * ptog_dtype_size(bag->table), cols};
    start_sums(block, job, bag->mode);
    int64_t count = add_rows(job, window, ptog_bag_span_of(&job->work, b), block);
    if (count == 0)
        start_sums(block, job, PTOG_BAG_SUM);
    if (bag->mode == PTOG_BAG_MEAN && count > 0)
        divide_sums(job, block, count);
    store_sums(job, b, col, block);
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
