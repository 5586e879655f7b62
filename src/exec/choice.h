/* exec: choosing among candidates that do the same work with the same result, by timing them while it is done.
 *
 *   | duel | duel | duel |  the rest, by the fastest      | duel |  by the fastest ...
 *
 * A duel does one piece of the work by the best candidate so far and the next piece by another; when the other was
 * faster, both do one more, and it is the best now if it was faster again. Duels stop when they have cost 2 % of the
 * run. What was found is noted in one word, from which the next run starts with a single duel; the word is all that
 * threads share. */
#ifndef PTOG_EXEC_CHOICE_H
#define PTOG_EXEC_CHOICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What time it is, in nanoseconds. */
struct ptog_stopwatch {
    uint64_t (*now)(void *data);
    void *data;
};

/* That of the thread: the time that the processor worked for it. */
extern const struct ptog_stopwatch ptog_system_stopwatch;

/* What earlier runs found: zero is nothing. Written and read relaxed: any value that a thread wrote will do. */
typedef _Atomic uint32_t ptog_choice_hint;

/* The best candidate so far; the first one where nothing was found. */
int ptog_choice_best(ptog_choice_hint *hint);

/* Work in items, which any candidate can do. */
struct ptog_choice_work {
    /* Does items first..last-1; false when it gives up, and then nothing more is done. */
    bool (*part)(const void *work, int candidate, int64_t first, int64_t last);
    const void *work;
    int candidates;
    int64_t count; /* of items in all: of what duels may cost 2 % */
    int64_t piece; /* of items that are enough to be timed */
};

/* Items first..last-1 in order, by the best candidate, and in duels. True when all were done. */
bool ptog_choice_run(const struct ptog_choice_work *work, int64_t first, int64_t last, ptog_choice_hint *hint,
                     const struct ptog_stopwatch *clock);

#endif
