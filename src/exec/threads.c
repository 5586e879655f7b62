/* exec: work in parts. Parts are whole ranges of items, so that what is written does not depend on who does them. */
#define _POSIX_C_SOURCE 200809L /* pthread_sigmask */
#include "exec/threads.h"

#if PTOG_THREADS

#include <signal.h>

#include "base/pick.h"

#define MAX_HELPERS 255 /* of a call without a pool */
#define PARTS_EACH 4    /* for every thread: those that start early do more of them */

/* Bytes touched from which helpers are worth their start, or their waking. Measured:
 * docs/explanation/performance-method.md. */
#define WORTH_STARTING ((uint64_t)8 << 20)
#define WORTH_WAKING ((uint64_t)2 << 20)

/* Where part p begins. */
static int64_t begin_of(const struct ptog_parts *parts, int p)
{
    int64_t each = parts->items->count / parts->parts, more = parts->items->count % parts->parts;
    return each * p + ptog_min(p, more);
}

/* Does parts of the work, as other threads do, until none is left or one gives up. */
void ptog_parts_take(struct ptog_parts *parts)
{
    const struct ptog_items *items = parts->items;
    while (!atomic_load_explicit(&parts->gave_up, memory_order_relaxed)) {
        int p = atomic_fetch_add_explicit(&parts->next, 1, memory_order_relaxed);
        if (p >= parts->parts)
            return;
        if (!items->part(items->work, begin_of(parts, p), begin_of(parts, p + 1)))
            atomic_store_explicit(&parts->gave_up, true, memory_order_relaxed);
    }
}

/* Blocks all signals for the threads to be started but those that a thread causes itself; *before is the mask to
 * restore. */
static void block_signals(sigset_t *before)
{
    static const int caused[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS};
    sigset_t sent;
    sigfillset(&sent);
    for (size_t i = 0; i < sizeof caused / sizeof caused[0]; i++)
        sigdelset(&sent, caused[i]);
    pthread_sigmask(SIG_BLOCK, &sent, before);
}

int ptog_threads_start(pthread_t *threads, int wanted, void *(*body)(void *), void *data)
{
    sigset_t before;
    int started = 0;
    block_signals(&before);
    while (started < wanted && pthread_create(&threads[started], NULL, body, data) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* What a helping thread does: takes parts until none is left. */
static void *help_once(void *parts)
{
    ptog_parts_take(parts);
    return NULL;
}

/* Starts threads for the parts of one run, takes part itself, and returns when all are done. */
static void help_without_pool(struct ptog_parts *parts, int wanted)
{
    pthread_t helpers[MAX_HELPERS];
    int started = ptog_threads_start(helpers, wanted, help_once, parts);
    ptog_parts_take(parts);
    for (int i = 0; i < started; i++)
        pthread_join(helpers[i], NULL);
}

/* How many threads besides this one are worth it. */
static int helpers_for(const struct ptog_items *items, int threads, const ptog_pool *pool)
{
    int most = pool ? ptog_pool_threads(pool) - 1 : MAX_HELPERS;
    if (items->bytes < (pool ? WORTH_WAKING : WORTH_STARTING))
        return 0;
    if (pool && threads == 0)
        return most;
    return ptog_min_int(threads - 1, most);
}

bool ptog_in_parts(const struct ptog_items *items, int threads, ptog_pool *pool)
{
    int cancellable, helpers = helpers_for(items, threads, pool);
    if (helpers < 1)
        return items->part(items->work, 0, items->count);
    struct ptog_parts parts = {.items = items, .parts = (helpers + 1) * PARTS_EACH};
    if (parts.parts > items->count)
        parts.parts = (int)items->count;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellable); /* the helpers use this thread's stack */
    if (pool)
        ptog_pool_help(pool, &parts, helpers);
    else
        help_without_pool(&parts, helpers);
    pthread_setcancelstate(cancellable, NULL);
    return !parts.gave_up;
}

#else

bool ptog_in_parts(const struct ptog_items *items, int threads, ptog_pool *pool)
{
    (void)threads, (void)pool;
    return items->part(items->work, 0, items->count);
}

#endif
