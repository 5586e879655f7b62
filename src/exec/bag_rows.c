/* exec: the bags of a run, one after the other. A kernel adds the rows of a bag to the sums of up to PTOG_BAG_COLS
 * columns; wider rows go by several times. Rows that are multiplied by something, or left out, are listed before, up to
 * SOME at a time. */
#include <math.h>
#include <string.h>

#include "base/pick.h"
#include "exec/bag.h"
#include "kernel/map.h"

#define SOME 64

/* Indices and factors of some rows, where they are not what the caller gave. */
struct some_rows {
    int64_t idx[SOME];
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
        some->idx[some->count] = index;
        some->factors[some->count++] = ptog_bag_factor(&job->work, i, index);
    }
}

static enum ptog_bag_step step_of(const struct ptog_bag_job *job)
{
    if (job->work.bag->mode == PTOG_BAG_MAX)
        return PTOG_BAG_LARGER;
    return job->work.run->scales.data || job->work.run->weights.data ? PTOG_BAG_SCALED : PTOG_BAG_ADD;
}

/* The first sum of `cols` columns: what a bag without rows has is zero in every mode. */
static void start_sums(double *sums, int cols, double first)
{
    for (int i = 0; i < cols; i++)
        sums[i] = first;
}

/* Rows by the caller's indices from `first` on, as the kernels read them. */
static struct ptog_bag_rows rows_from(const struct ptog_bag_job *job, int64_t first, int64_t count)
{
    const struct ptog_bag_work *work = &job->work;
    return (struct ptog_bag_rows){.table = work->run->table.data,
                                  .step = work->row_step,
                                  .idx = (const unsigned char *)work->run->idx.data + (size_t)first * work->index_size,
                                  .index_size = (int)work->index_size,
                                  .count = count,
                                  .ahead = job->ahead,
                                  .fetched = job->ahead ? work->indices - first : 0,
                                  .row_bytes = (size_t)work->bag->cols * ptog_dtype_size(work->bag->table),
                                  .hint = PTOG_HINT_NEXT};
}

/* Adds up to SOME rows with padding or factors; returns how many there were. */
static int64_t add_some(const struct ptog_bag_job *job, struct ptog_bag_span span, double *sums, int cols, size_t from)
{
    struct some_rows some;
    struct ptog_bag_rows rows = rows_from(job, span.first, 0);
    collect_rows(&some, job, span);
    rows.count = some.count;
    rows.factors = some.factors;
    if (job->work.bag->has_padding) { /* the caller's indices are not those of the rows */
        rows.idx = (const unsigned char *)some.idx;
        rows.index_size = sizeof some.idx[0];
        rows.fetched = 0;
    }
    job->plan->kernel->add[step_of(job)](sums, &rows, from, cols);
    return some.count;
}

/* Adds `cols` elements of the rows of a bag, from byte `from` of each on; returns how many rows there were. */
static int64_t add_rows(const struct ptog_bag_job *job, struct ptog_bag_span span, double *sums, int cols, size_t from)
{
    int64_t count = 0;
    if (step_of(job) == PTOG_BAG_ADD && !job->work.bag->has_padding) {
        struct ptog_bag_rows rows = rows_from(job, span.first, span.last - span.first);
        job->plan->kernel->add[PTOG_BAG_ADD](sums, &rows, from, cols);
        return rows.count;
    }
    for (int64_t i = span.first; i < span.last; i += SOME)
        count += add_some(job, (struct ptog_bag_span){i, ptog_min_i64(i + SOME, span.last)}, sums, cols, from);
    return count;
}

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
static void run_block(const struct ptog_bag_job *job, int64_t b, int64_t col, int cols)
{
    const struct ptog_bag *bag = job->work.bag;
    _Alignas(64) double sums[PTOG_BAG_COLS + PTOG_BAG_LANES];
    start_sums(sums, cols + PTOG_BAG_LANES, bag->mode == PTOG_BAG_MAX ? -(double)INFINITY : 0);
    int64_t count =
        add_rows(job, ptog_bag_span_of(&job->work, b), sums, cols, (size_t)col * ptog_dtype_size(bag->table));
    if (count == 0)
        start_sums(sums, cols, 0);
    if (bag->mode == PTOG_BAG_MEAN && count > 0)
        for (int i = 0; i < cols; i++)
            sums[i] /= (double)count;
    store_sums(job, b, col, sums, cols);
}

bool ptog_bag_part(const void *data, int64_t first, int64_t last)
{
    const struct ptog_bag_job *job = data;
    const int64_t cols = job->work.bag->cols;
    for (int64_t b = first; b < last; b++)
        for (int64_t col = 0; col < cols; col += PTOG_BAG_COLS)
            run_block(job, b, col, (int)ptog_min_i64(cols - col, PTOG_BAG_COLS));
    return true;
}
