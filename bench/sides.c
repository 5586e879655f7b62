/* bench: one job, the ways of doing it that are C, each repeated so often inside C that a call from Python costs
 * nothing. bench/gather.py loads this library together with those of bench/plain.c. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <ptog/ptog.h>

#define EXPORT __attribute__((visibility("default")))

/* The buffers of a job; every side uses the same ones. */
struct job {
    void *dst;
    const void *src, *idx;
    size_t dst_bytes, src_bytes, idx_bytes;
    int64_t lanes, width; /* elements of a row; 1: elem */
    int threads;
};

static clockid_t clock_used = CLOCK_THREAD_CPUTIME_ID;

/* What time is: that of the processor, which other programs do not disturb, or that of the day, which several threads
 * need. */
EXPORT void side_clock(int of_day)
{
    clock_used = CLOCK_THREAD_CPUTIME_ID;
    if (of_day)
        clock_used = CLOCK_MONOTONIC;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(clock_used, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

EXPORT ptog_plan *side_plan_row(int64_t table_rows, int64_t width, int64_t lanes, int index_type, int oob)
{
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, lanes, width),
                              .table = ptog_tensor_2d(PTOG_F32, table_rows, width),
                              .idx = ptog_tile_vec((enum ptog_dtype)index_type, 1, lanes),
                              .coalesce = PTOG_ROW,
                              .oob = (enum ptog_oob)oob};
    ptog_plan *plan = NULL;
    ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL);
    return plan;
}

EXPORT ptog_plan *side_plan_elem(int64_t table_elements, int64_t lanes, int index_type, int oob)
{
    struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, 1, lanes),
                              .table = ptog_tensor_2d(PTOG_F32, 1, table_elements),
                              .idx = ptog_tile_vec((enum ptog_dtype)index_type, 1, lanes),
                              .coalesce = PTOG_ELEM,
                              .oob = (enum ptog_oob)oob};
    ptog_plan *plan = NULL;
    ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL);
    return plan;
}

EXPORT ptog_plan *side_plan_tile(int type, int64_t rows, int64_t cols)
{
    struct ptog_tgather op = {.form = PTOG_BY_INDEX,
                              .dst = ptog_tile_vec((enum ptog_dtype)type, rows, cols),
                              .src = ptog_tile_vec((enum ptog_dtype)type, rows, cols),
                              .idx = ptog_tile_vec(PTOG_I32, rows, cols)};
    ptog_plan *plan = NULL;
    ptog_plan_tgather(&plan, ptog_target_find("host"), &op, NULL);
    return plan;
}

EXPORT ptog_plan *side_plan_mask(int type, int64_t rows, int64_t cols, int pattern, int64_t kept_cols)
{
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_vec((enum ptog_dtype)type, rows, kept_cols),
                              .src = ptog_tile_vec((enum ptog_dtype)type, rows, cols),
                              .pattern = (enum ptog_pattern)pattern};
    ptog_plan *plan = NULL;
    ptog_plan_tgather(&plan, ptog_target_find("host"), &op, NULL);
    return plan;
}

/* The sides. Each returns nanoseconds for one job; a negative number: it failed. */
EXPORT double side_ptog(const ptog_plan *plan, const struct job *job, int64_t times)
{
    struct ptog_run run = {.dst = {job->dst, job->dst_bytes},
                           .src = {job->src, job->src_bytes},
                           .idx = {job->idx, job->idx_bytes},
                           .threads = job->threads};
    if (job->threads > 1 && ptog_pool_new(&run.pool, job->threads) != PTOG_OK)
        return -1;
    enum ptog_status status = PTOG_OK;
    double start = now();
    for (int64_t n = 0; n < times && status == PTOG_OK; n++)
        status = ptog_plan_run(plan, &run, NULL);
    double spent = now() - start;
    ptog_pool_free(run.pool);
    return status == PTOG_OK ? spent / (double)times : -1;
}

/* Any function of bench/plain.c, as its first four or five arguments fit all of them. */
typedef void plain_fn(void *dst, const void *src, const void *idx, int64_t lanes, int64_t width);
EXPORT double side_plain(plain_fn *plain, const struct job *job, int64_t times)
{
    double start = now();
    for (int64_t n = 0; n < times; n++)
        plain(job->dst, job->src, job->idx, job->lanes, job->width);
    return (now() - start) / (double)times;
}

typedef int64_t mask_fn(void *dst, const void *src, int64_t count, unsigned pattern);
EXPORT double side_mask(mask_fn *plain, const struct job *job, unsigned pattern, int64_t times)
{
    double start = now();
    for (int64_t n = 0; n < times; n++)
        plain(job->dst, job->src, job->lanes, pattern);
    return (now() - start) / (double)times;
}

/* A copy of `bytes` bytes from the start of the table: the bytes that a gather moves, in the best order there is. */
struct half {
    unsigned char *dst;
    const unsigned char *src;
    size_t bytes;
};

static void *copy_half(void *arg)
{
    struct half *half = arg;
    memcpy(half->dst, half->src, half->bytes);
    return NULL;
}

EXPORT double side_memcpy(const struct job *job, size_t bytes, int64_t times)
{
    void *(*volatile copy)(void *) = copy_half; /* not to be merged into one */
    size_t first = job->threads > 1 ? bytes / 2 : bytes;
    struct half halves[2] = {
        {job->dst, job->src, first},
        {(unsigned char *)job->dst + first, (const unsigned char *)job->src + first, bytes - first}};
    double start = now();
    for (int64_t n = 0; n < times; n++) {
        pthread_t thread;
        bool split = job->threads > 1 && pthread_create(&thread, NULL, copy, &halves[1]) == 0;
        copy(&halves[0]);
        if (split)
            pthread_join(thread, NULL);
        else if (job->threads > 1)
            return -1;
    }
    return (now() - start) / (double)times;
}

EXPORT const char *side_kernel(const ptog_plan *plan)
{
    return ptog_plan_kernel(plan);
}
