/* exec: PTOG_PLAN_MEASURE: the candidates of a plan take turns on memory of its own, with random indices, and the one
 * whose best turn was fastest is put first. */
#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "exec/candidates.h"

#define MAX_TABLE ((uint64_t)64 << 20) /* bytes; of a larger table this much is measured */
#define ROUNDS 7
#define TURN 20000.0 /* nanoseconds of a turn, at least */
#define MAX_CALLS 65536

/* The memory of a measurement, and what a call of a kernel does with it. */
struct bench {
    const struct ptog_ready *ready;
    unsigned char *dst, *src, *idx;
    int64_t lanes;
};

/* Runs a candidate once on the benchmark's memory. */
static void call_candidate(const struct bench *b, const struct ptog_kernel *kernel, const struct ptog_job *job)
{
    if (kernel->compact)
        kernel->compact(b->dst, b->src, b->ready->kept);
    else
        kernel->gather(job, b->dst, b->src, b->idx, b->lanes);
}

/* Calls a candidate `calls` times, and returns how many nanoseconds that took. */
static double take_turn(const struct bench *b, int candidate, int calls, const struct ptog_stopwatch *clock)
{
    const struct ptog_job job = ptog_candidate_job(b->ready, candidate);
    const struct ptog_kernel *kernel = b->ready->candidates.of[candidate].kernel;
    uint64_t start = clock->now(clock->data);
    for (int i = 0; i < calls; i++)
        call_candidate(b, kernel, &job);
    return (double)(clock->now(clock->data) - start);
}

/* Indices of lanes within the table's first bytes, wherever a lane's index is. */
static void fill_indices(const struct bench *b, const struct ptog_kernel *kernel, uint64_t table)
{
    const struct ptog_job *job = &b->ready->job;
    bool rows = kernel->kind == PTOG_KERNEL_WHOLE_ROW;
    uint64_t step = rows ? (uint64_t)job->src_step : (uint64_t)kernel->part, random = 88172645463325252u;
    uint64_t used = rows ? (uint64_t)job->tail : step;
    uint64_t below = ptog_min(step > 0 && table >= used ? (table - used) / step + 1 : 1, b->ready->capacity);
    for (int64_t k = 0; k < b->lanes; k++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        uint64_t i = random % below;
        memcpy(b->idx + k * job->idx_step, &i, (size_t)kernel->index_size);
    }
}

/* The number of the candidate that is the fastest in turns of all of them. */
static int find_fastest(const struct bench *b, const struct ptog_stopwatch *clock)
{
    double best[PTOG_MAX_CANDIDATES];
    const int count = b->ready->candidates.count;
    int calls = 1, fastest = 0;
    while (calls < MAX_CALLS && take_turn(b, 0, calls, clock) < TURN)
        calls *= 2;
    for (int round = 0; round < ROUNDS; round++)
        for (int c = 0; c < count; c++) {
            double taken = take_turn(b, c, calls, clock);
            best[c] = round == 0 ? taken : ptog_min(best[c], taken);
        }
    for (int c = 1; c < count; c++)
        if (best[c] < best[fastest])
            fastest = c;
    return best[fastest] < 0.97 * best[0] ? fastest : 0;
}

/* Makes a candidate the first one of the plan, and its kernel the plan's. */
static void put_first(ptog_plan *plan, int candidate)
{
    struct ptog_candidate *of = plan->ready.candidates.of, fastest = of[candidate];
    memmove(of + 1, of, (size_t)candidate * sizeof *of);
    of[0] = fastest;
    plan->exec.kernel = fastest.kernel;
    plan->ready.job = ptog_candidate_job(&plan->ready, 0);
}

void ptog_plan_measure(ptog_plan *plan, const struct ptog_stopwatch *clock)
{
    struct ptog_ready *ready = &plan->ready;
    const struct ptog_kernel *kernel = plan->exec.kernel;
    if (ready->candidates.count < 2 || ready->touched >= PTOG_LONG_RUN) /* which chooses while it runs */
        return;
    uint64_t table = ptog_min(ready->src_bytes, MAX_TABLE);
    struct bench b = {.ready = ready,
                      .dst = malloc(ready->dst_bytes),
                      .src = malloc(table),
                      .idx = malloc(ready->idx_bytes + 8),
                      .lanes = ready->rows > 0 ? ptog_min(ready->piece, ready->cols) : ready->lanes};
    if (b.dst && b.src && b.idx) {
        memset(b.dst, 1, ready->dst_bytes);
        memset(b.src, 1, table);
        if (kernel->gather)
            fill_indices(&b, kernel, table);
        put_first(plan, find_fastest(&b, clock));
    }
    free(b.dst), free(b.src), free(b.idx);
}
