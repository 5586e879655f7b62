/* exec: choosing among candidates by timing them while the work is done. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "exec/choice.h"

#include <time.h>

#include "base/pick.h"

#define MAX_LOST 50    /* duels may cost one part of so many */
#define CHECK_EVERY 64 /* pieces from one duel to the next, after the first ones */
#define LEAST_PIECES 8 /* fewer are not worth a duel */
#define WORTH 0.97     /* a rival wins with at most this fraction of the best time; a smaller gain may be noise */

/* The clock that candidates are measured with: processor time of this thread, in nanoseconds. */
static uint64_t system_now(void *data)
{
    struct timespec t;
    (void)data;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0) /* which other programs do not disturb */
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

const struct ptog_stopwatch ptog_system_stopwatch = {system_now, NULL};

/* ---- the hint: the best candidate, the one that is next in a duel, and whether all were tried */

struct choice_state {
    int best, next;
    bool is_complete;
};

/* What earlier runs of the plan have found out. */
static struct choice_state read_hint(ptog_choice_hint *hint)
{
    uint32_t word = atomic_load_explicit(hint, memory_order_relaxed);
    return (struct choice_state){(int)(word & 0xff), (int)(word >> 8 & 0xff), word >> 16 != 0};
}

/* Keeps for later runs what this one has found out. */
static void write_hint(ptog_choice_hint *hint, struct choice_state found)
{
    uint32_t word = (uint32_t)found.best | (uint32_t)found.next << 8 | (uint32_t)found.is_complete << 16;
    atomic_store_explicit(hint, word, memory_order_relaxed);
}

int ptog_choice_best(ptog_choice_hint *hint)
{
    return read_hint(hint).best;
}

/* ---- a run */

struct choice {
    const struct ptog_choice_work *work;
    const struct ptog_stopwatch *clock;
    int64_t first, last; /* what is left */
    struct choice_state found;
    double best_time; /* nanoseconds of a piece, by the faster one of the last duel; 0: there was none */
    double lost;      /* nanoseconds that duels took more than the best would have */
    bool gave_up;
};

/* Does the next items of the run by a candidate. Gives up when the kernel does. */
static void do_items(struct choice *c, int candidate, int64_t count)
{
    if (c->gave_up)
        return;
    c->gave_up = !c->work->part(c->work->work, candidate, c->first, c->first + count);
    c->first += count;
}

/* Does the next piece by a candidate; how long that took. */
static double time_piece(struct choice *c, int candidate)
{
    uint64_t start = c->clock->now(c->clock->data);
    do_items(c, candidate, c->work->piece);
    return (double)(c->clock->now(c->clock->data) - start);
}

/* One piece each; true when the rival was faster by so much that it counts. */
static bool is_faster(struct choice *c, int rival)
{
    double best_time = time_piece(c, c->found.best), rival_time = time_piece(c, rival);
    c->lost += ptog_max(best_time, rival_time) - ptog_min(best_time, rival_time);
    c->best_time = ptog_min(best_time, rival_time);
    return rival_time < WORTH * best_time;
}

/* The best against the next one. A first time can be bad luck, so the other one wins only when it is faster twice. */
static void hold_duel(struct choice *c)
{
    const int rival = c->found.next;
    if (is_faster(c, rival) && is_faster(c, rival))
        c->found.best = rival;
}

/* Whether there is enough work left, and little enough time lost, to compare candidates. */
static bool may_duel(const struct choice *c)
{
    double pieces = (double)c->work->count / (double)c->work->piece;
    return !c->gave_up && c->last - c->first >= LEAST_PIECES * c->work->piece &&
           c->lost * MAX_LOST <= c->best_time * pieces;
}

/* Moves on to the next candidate that is not the best; all were tried when it is the first again. */
static void pass_turn(struct choice_state *found, int candidates)
{
    do {
        found->next = (found->next + 1) % candidates;
        if (found->next == 0)
            found->is_complete = true;
    } while (found->next == found->best);
}

bool ptog_choice_run(const struct ptog_choice_work *work, int64_t first, int64_t last, ptog_choice_hint *hint,
                     const struct ptog_stopwatch *clock)
{
    struct choice c = {.work = work, .clock = clock, .first = first, .last = last, .found = read_hint(hint)};
    if (c.found.next == c.found.best)
        pass_turn(&c.found, work->candidates);
    bool once = c.found.is_complete;
    while (may_duel(&c)) {
        hold_duel(&c);
        pass_turn(&c.found, work->candidates);
        if (once || c.found.is_complete)
            break;
    }
    while (!c.gave_up && c.first < c.last) {
        int64_t stretch = CHECK_EVERY * work->piece, left = c.last - c.first;
        do_items(&c, c.found.best, left < stretch + LEAST_PIECES * work->piece ? left : stretch);
        if (c.first < c.last && may_duel(&c)) {
            hold_duel(&c);
            pass_turn(&c.found, work->candidates);
        }
    }
    write_hint(hint, c.found);
    return !c.gave_up;
}
