/* exec: which kernels a gather may be done by, and how they use the memory. */
#include "exec/candidates.h"

#include "exec/tune.h"

/* Bytes of a destination that its next reader does not find near its core anyway. */
#define LARGE ((uint64_t)16 << 20)

#define WIDEST 65536 /* bytes; no kernel is made for just one width beyond this */

/* Whether two candidates do the same. */
static bool is_same_candidate(const struct ptog_candidate *a, const struct ptog_candidate *b)
{
    bool fetched = a->ahead == b->ahead && (a->ahead == 0 || a->hint == b->hint);
    return a->kernel == b->kernel && fetched && a->stream == b->stream;
}

/* Adds a candidate that is not in the list, while there is room. */
static void add_candidate(struct ptog_candidates *all, struct ptog_candidate more)
{
    for (int i = 0; i < all->count; i++)
        if (is_same_candidate(&all->of[i], &more))
            return;
    if (all->count < PTOG_MAX_CANDIDATES)
        all->of[all->count++] = more;
}

/* A set's kernel for the same work as `like`, with memory used as wanted. Sets that have no such kernel add nothing. */
static void add_set(struct ptog_ready *ready, const struct ptog_kernel *like, const struct ptog_tune *here,
                    enum ptog_isa isa, bool fetched, bool streamed)
{
    struct ptog_candidate more = {.stream = streamed};
    if (!ptog_isa_runs(isa))
        return;
    int part = like->part;
    if (like->kind == PTOG_KERNEL_WHOLE_ROW)
        part = ready->job.tail <= WIDEST ? (int)ready->job.tail : 0; /* any width */
    more.kernel = ptog_kernel_find(isa, like->kind, part, like->index_size, like->how);
    if (fetched)
        ptog_fetch_ahead(&more, like->kind, ready->job.tail, here);
    add_candidate(&ready->candidates, more);
}

void ptog_ready_candidates(struct ptog_ready *ready, const struct ptog_kernel *kernel, const struct ptog_tune *tune,
                           bool measured)
{
    const struct ptog_job *job = &ready->job;
    ready->candidates.count = 1;
    ready->candidates.of[0] = (struct ptog_candidate){kernel, job->ahead, job->hint, job->stream};
    const bool is_small = ready->touched < PTOG_LONG_RUN;
    if (!ready->fast || !kernel || tune->is_forced || !tune->choose || (is_small && !measured))
        return;
    const struct ptog_tune here = ptog_tune_here();
    const bool is_far = ready->src_bytes > (uint64_t)here.near_bytes, is_large = ready->dst_bytes > LARGE;
#define CANDIDATE(KIND, SET, condition, fetched, streamed)                                                             \
    if (kernel->kind == PTOG_KERNEL_##KIND && (condition))                                                             \
        add_set(ready, kernel, &here, PTOG_ISA_##SET, fetched, streamed);
#include "exec/candidates.def"
}

struct ptog_job ptog_candidate_job(const struct ptog_ready *ready, int candidate)
{
    const struct ptog_candidate *c = &ready->candidates.of[candidate];
    struct ptog_job job = ready->job;
    job.ahead = c->ahead;
    job.hint = c->hint;
    job.stream = c->stream;
    return job;
}
