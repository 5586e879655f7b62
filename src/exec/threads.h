/* exec: work in parts, on several threads where there are any and the caller allows it.
 *
 *   caller    takes a part, and the next that nobody has, ...  waits for those who took one, returns
 *   helper 1       takes the next that nobody has, ...  ends, or sleeps in its pool
 *   helper 2            takes the next that nobody has, ...
 *
 * Whoever is free takes the next part: a helper that starts late, or not at all, costs nothing but its help. Helpers
 * come from the caller's pool, or live for one call. A library without PTOG_THREADS (CMake sets it where the system has
 * them) has no helpers. */
#ifndef PTOG_EXEC_THREADS_H
#define PTOG_EXEC_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include <ptog/pool.h>

/* Does items first..last-1; false when it gives up. */
typedef bool ptog_part_fn(const void *work, int64_t first, int64_t last);

/* Items to be done. `bytes` of memory are touched: too few are not worth waking anybody. */
struct ptog_items {
    ptog_part_fn *part;
    const void *work;
    int64_t count;
    uint64_t bytes;
};

/* All items, on at most `threads` threads: 0 and 1 are this one, and with a pool 0 is as many as it has. False when a
 * part gave up; then some items may not have been done. */
bool ptog_in_parts(const struct ptog_items *items, int threads, ptog_pool *pool);

#if PTOG_THREADS

#include <pthread.h>
#include <stdatomic.h>

/* What the caller shares with its helpers. */
struct ptog_parts {
    const struct ptog_items *items;
    int parts;
    atomic_int next;     /* the first part that nobody has taken */
    atomic_bool gave_up; /* a part did: no other needs to start */
};

/* Does parts until none is left. */
void ptog_parts_take(struct ptog_parts *parts);

/* Starts up to `wanted` threads, as many as the system gives; returns how many. The signals that are sent to the
 * process, rather than caused by an instruction, are left to the threads of the caller's program. */
int ptog_threads_start(pthread_t *threads, int wanted, void *(*body)(void *), void *data);

/* Does the parts with up to `wanted` helpers of a pool. */
void ptog_pool_help(ptog_pool *pool, struct ptog_parts *parts, int wanted);

#endif

#endif
