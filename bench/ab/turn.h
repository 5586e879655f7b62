/* bench/ab: what the measuring programs of bench/ab.py share. Such a program is compiled once with the headers and the
 * library of OLD and once with those of NEW, so it uses only what both have: the public interface.
 *
 *     program                  prints the names of its works, one a line
 *     program WORK MILLISEC    repeats that work for about so long, and prints the nanoseconds of one call
 *     program WORK calls N     N calls in turn_counted, after some others; bench/ab.py counts its instructions
 *
 * The clock is the processor time of the thread, because other work on the machine is not ours to measure. A batch of
 * calls is long enough for that clock; the best batch counts, because noise only ever adds. */
#ifndef BENCH_AB_TURN_H
#define BENCH_AB_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Names are unique. `begin` makes what a call needs, outside the clock, from the work's own description; NULL: it
 * cannot be done. A call returns false when it did not do what it should. `end` frees, and says whether all was well.
 */
struct work {
    const char *name;
    const void *what;
    void *(*begin)(const void *what);
    bool (*call)(void *state);
    bool (*end)(void *state);
};

#define TURN_BATCH_NS 500e3 /* a reading of the clock takes less than 1000 ns: 0.2 % of a batch */
#define TURN_BATCHES 3      /* at least so many, if they fit into three times the budget */

static inline double turn_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds that so many calls take; below 0: one of them failed. */
static inline double turn_batch(const struct work *work, void *state, long calls)
{
    double start = turn_now();
    for (long i = 0; i < calls; i++)
        if (!work->call(state))
            return -1;
    return turn_now() - start;
}

/* The best time of a call. The batches that look for the right length warm everything up. */
static inline double turn_measure(const struct work *work, void *state, double budget_ns)
{
    long calls = 1;
    double start = turn_now(), took = turn_batch(work, state, calls), best = took;
    while (took >= 0 && took < TURN_BATCH_NS) {
        calls *= 2;
        best = took = turn_batch(work, state, calls);
    }
    for (int n = 1; took >= 0; n++) {
        double most = n < TURN_BATCHES ? 3 * budget_ns : budget_ns;
        if (turn_now() - start >= most)
            break;
        took = turn_batch(work, state, calls);
        if (took < best)
            best = took;
    }
    return best / (double)calls;
}

#define TURN_WARM_CALLS 4 /* before turn_counted: what is made at first use is no part of a call */

/* So many calls, whose instructions valgrind counts: so it has this name, and is a function in the program. Below 0: one failed. */
__attribute__((noinline)) static double turn_counted(const struct work *work, void *state, long calls)
{
    return turn_batch(work, state, calls);
}

/* `calls` above 0: so many calls are made for valgrind, and `milliseconds` does not count. */
static inline int turn_one(const struct work *work, double milliseconds, long calls)
{
    void *state = work->begin(work->what);
    if (!state) {
        fprintf(stderr, "%s: cannot begin\n", work->name);
        return 1;
    }
    double took;
    if (calls > 0)
        took = turn_batch(work, state, TURN_WARM_CALLS) < 0 ? -1 : turn_counted(work, state, calls);
    else
        took = turn_measure(work, state, milliseconds * 1e6);
    bool clean = work->end(state);
    if (took < 0 || !clean) {
        fprintf(stderr, "%s: %s\n", work->name, took < 0 ? "a call failed" : "what it left behind is wrong");
        return 1;
    }
    printf("%.3f\n", took);
    return 0;
}

static inline int turn_main(int argc, char **argv, const struct work *works, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (argc == 1)
            puts(works[i].name);
        else if (argc == 3 && strcmp(argv[1], works[i].name) == 0)
            return turn_one(&works[i], atof(argv[2]), 0);
        else if (argc == 4 && strcmp(argv[1], works[i].name) == 0 && strcmp(argv[2], "calls") == 0)
            return turn_one(&works[i], 0, atol(argv[3]));
    }
    if (argc != 1)
        fprintf(stderr, "usage: %s [WORK MILLISECONDS | WORK calls N]\n", argv[0]);
    return argc == 1 ? 0 : 2;
}

/* A number for lane i that looks random and is below `below`, the same on every side and day. */
static inline int32_t turn_index(size_t i, uint32_t below)
{
    uint32_t mixed = (uint32_t)i * 2654435761u;
    return (int32_t)((mixed ^ mixed >> 15) % below);
}

#endif
