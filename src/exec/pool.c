/* exec: threads that are kept between runs, for callers who make a pool of them. A helper that is still asleep when the
 * work is done is not waited for: on a busy machine that would take longer than the work. */
#include <stdlib.h>

#include "exec/threads.h"

#define MAX_THREADS 4096

#if PTOG_THREADS

struct ptog_pool {
    pthread_mutex_t lock; /* of everything below but the last two */
    pthread_cond_t work_came, work_left;
    struct ptog_parts *parts; /* the work of the run that has the pool */
    bool is_taken;            /* a run has the pool */
    bool is_ending;
    int wanted;  /* helpers that may still join the work */
    int helping; /* helpers that did, and are not back yet */
    int count;   /* threads */
    pthread_t threads[];
};

/* What a thread of a pool does until that ends: waits for work, and takes parts of it. */
static void *help_often(void *data)
{
    ptog_pool *pool = data;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->wanted == 0 && !pool->is_ending)
            pthread_cond_wait(&pool->work_came, &pool->lock);
        if (pool->is_ending)
            break;
        struct ptog_parts *parts = pool->parts;
        pool->wanted--;
        pool->helping++;
        pthread_mutex_unlock(&pool->lock);
        ptog_parts_take(parts);
        pthread_mutex_lock(&pool->lock);
        if (--pool->helping == 0)
            pthread_cond_signal(&pool->work_left);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Gives the helpers their work; false when another run has them. */
static bool take_pool(ptog_pool *pool, struct ptog_parts *parts, int wanted)
{
    pthread_mutex_lock(&pool->lock);
    bool is_free = !pool->is_taken;
    if (is_free) {
        pool->is_taken = true;
        pool->parts = parts;
        pool->wanted = wanted;
        pthread_cond_broadcast(&pool->work_came);
    }
    pthread_mutex_unlock(&pool->lock);
    return is_free;
}

/* Nobody joins any more; those who did are waited for. */
static void leave_pool(ptog_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->wanted = 0;
    while (pool->helping > 0)
        pthread_cond_wait(&pool->work_left, &pool->lock);
    pool->is_taken = false;
    pthread_mutex_unlock(&pool->lock);
}

void ptog_pool_help(ptog_pool *pool, struct ptog_parts *parts, int wanted)
{
    bool has_pool = take_pool(pool, parts, wanted);
    ptog_parts_take(parts);
    if (has_pool)
        leave_pool(pool);
}

enum ptog_status ptog_pool_new(ptog_pool **pool, int threads)
{
    if (!pool || threads < 1 || threads > MAX_THREADS)
        return PTOG_BAD_ARGUMENT;
    *pool = NULL;
    ptog_pool *made = calloc(1, sizeof *made + (size_t)(threads - 1) * sizeof made->threads[0]);
    if (!made)
        return PTOG_NO_MEMORY;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->work_came, NULL);
    pthread_cond_init(&made->work_left, NULL);
    made->count = ptog_threads_start(made->threads, threads - 1, help_often, made);
    *pool = made;
    return PTOG_OK;
}

void ptog_pool_free(ptog_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->is_ending = true;
    pthread_cond_broadcast(&pool->work_came);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->work_left);
    pthread_cond_destroy(&pool->work_came);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

int ptog_pool_threads(const ptog_pool *pool)
{
    if (pool)
        return pool->count + 1;
    return 1;
}

#else

struct ptog_pool {
    char nobody;
};

enum ptog_status ptog_pool_new(ptog_pool **pool, int threads)
{
    if (!pool || threads < 1 || threads > MAX_THREADS)
        return PTOG_BAD_ARGUMENT;
    *pool = calloc(1, sizeof **pool);
    if (*pool)
        return PTOG_OK;
    return PTOG_NO_MEMORY;
}

void ptog_pool_free(ptog_pool *pool)
{
    free(pool);
}

int ptog_pool_threads(const ptog_pool *pool)
{
    (void)pool;
    return 1;
}

#endif
