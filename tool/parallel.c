/* tool: the same work on many things, in several threads. */
#define _POSIX_C_SOURCE 200809L /* sysconf */
#include "tool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/pick.h"

struct crew {
    atomic_size_t next; /* the first that nobody has taken */
    size_t count;
    void (*work)(void *user, size_t i);
    void *user;
};

/* What each thread does: one piece of work after another, until none is left. */
static void *do_work(void *shared)
{
    struct crew *crew = shared;
    size_t i;
    while ((i = atomic_fetch_add(&crew->next, 1)) < crew->count)
        crew->work(crew->user, i);
    return NULL;
}

/* How many threads work on `count` items: `jobs`, or, for 0, as many as there are processors; never more than items. */
static size_t threads_for(size_t count, size_t jobs)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (jobs == 0)
        jobs = processors > 0 ? (size_t)processors : 1;
    if (jobs > TOOL_MAX_JOBS)
        jobs = TOOL_MAX_JOBS;
    return tool_min(jobs, count);
}

bool tool_take_jobs(const char *command, const char *text, size_t *jobs)
{
    char *end;
    *jobs = 0;
    if (!text)
        return true;
    long number = strtol(text, &end, 10);
    if (*end == '\0' && end != text && number >= 1 && number <= 1024) {
        *jobs = (size_t)number;
        return true;
    }
    tool_usage(command, "--jobs %s: expected a number from 1 to 1024", text);
    return false;
}

void tool_parallel(size_t count, size_t jobs, void (*work)(void *user, size_t i), void *user)
{
    struct crew crew = {.count = count, .work = work, .user = user};
    pthread_t threads[TOOL_MAX_JOBS];
    size_t wanted = threads_for(count, jobs), started = 0;
    while (started + 1 < wanted && pthread_create(&threads[started], NULL, do_work, &crew) == 0)
        started++;
    do_work(&crew);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
