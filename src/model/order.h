/* model: happens-before. A clock says of each pipe up to which of its entries everything is complete. A pipe's own
 * clock grows by the issue of an entry, by waits and by barriers; a set hands on the clock of its pipe with everything
 * before it. These rules alone say what is ordered: for the judge of a run, for what a run would be without a pair of
 * flags, and for who looks for the flags that are missing.
 *
 * Entries of a pipe are numbered upwards, not one by one: the number also tells the instruction (ptog_step_of). */
#ifndef PTOG_MODEL_ORDER_H
#define PTOG_MODEL_ORDER_H

#include "model/events.h"

#define PTOG_EVENT_IDS 8
#define PTOG_MAX_TOKENS 1024 /* sets of one flag that are kept apart; later ones count as the last */
#define PTOG_ENTRIES 16      /* numbers of one instruction in one queue; it makes about ten at most */

struct ptog_pending_set {
    struct ptog_clock clock;
    uint32_t site;
    uint64_t insn, times;
    bool own;
    struct ptog_operand_at after; /* the last work on its pipe before it */
};

/* One flag: a triple (src, dst, id). */
struct ptog_flag {
    struct ptog_pending_set *tokens; /* set and not yet waited for, oldest first */
    uint32_t first, count, room;
    bool was_set, waited; /* ever; whether the wait of the last set was seen */
    uint32_t wait_entry;  /* the number of that wait in dst's queue */
    struct ptog_pending_set last;
};

/* The clocks of a core. */
struct ptog_clocks {
    struct ptog_clock known[PTOG_PIPES]; /* complete before the next entry of a pipe starts; S: before the next issue */
    uint32_t entries[PTOG_PIPES];        /* the last of each queue; S: of scalar stores */
    uint32_t turns;                      /* how often S's clock has changed: when an entry was issued */
};

/* What each entry does to the clocks. It takes the next number in its queue that fits the instruction `step` (0: the
 * next one); `issued` is the clock of S when the entry was issued. */
void ptog_clocks_work(struct ptog_clocks *clocks, enum ptog_pipe pipe, uint32_t step, const struct ptog_clock *issued,
                      bool stores);
void ptog_clocks_barrier(struct ptog_clocks *clocks, enum ptog_pipe pipe, uint32_t step,
                         const struct ptog_clock *issued);

/* Returns what the set of a flag from `pipe` hands on. */
struct ptog_clock ptog_clocks_set(struct ptog_clocks *clocks, enum ptog_pipe pipe, uint32_t step,
                                  const struct ptog_clock *issued);

/* `handed_on`: by the set; NULL: there was none. */
void ptog_clocks_wait(struct ptog_clocks *clocks, enum ptog_pipe pipe, uint32_t step, const struct ptog_clock *issued,
                      const struct ptog_clock *handed_on);

/* A pipe, or S, has waited for another core. `issued`: the clock of S when the wait was issued; NULL: it is S itself. */
void ptog_clocks_hear(struct ptog_clocks *clocks, enum ptog_pipe pipe, const struct ptog_clock *issued);

/* The clocks, and the flags between the pipes. */
struct ptog_order {
    struct ptog_clocks clocks;
    struct ptog_flag *flags[PTOG_PIPES][PTOG_PIPES]; /* by event id; NULL: none of the pair was set yet */
    struct ptog_operand_at
        last[PTOG_PIPES]; /* work of each pipe, for messages: ptog_order_set copies it into the set */
    bool failed;          /* out of memory: a set is lost */
};

/* An order that is all zero is one in which nothing has happened. Frees its flags. */
void ptog_order_close(struct ptog_order *order);

/* Forgets everything that has happened, but keeps the memory of the flags for what comes next. */
void ptog_order_start_anew(struct ptog_order *order);

/* A flag that is to be changed: the pair gets its flags if it has none. NULL, and order->failed, when out of memory. */
struct ptog_flag *ptog_order_flag(struct ptog_order *order, unsigned src, unsigned dst, unsigned id);

/* A flag as it is: all zero when it was never set. */
static inline const struct ptog_flag *ptog_order_look(const struct ptog_order *order, unsigned src, unsigned dst,
                                                      unsigned id)
{
    static const struct ptog_flag never_set;
    const struct ptog_flag *pair = order->flags[src][dst];
    return pair ? &pair[id] : &never_set;
}

/* Puts what the set hands on into token->clock. False: the set before it is not over when this one fires, and *before
 * is that one; else *before is not written. Two sets that both belong to instructions are not compared. */
bool ptog_order_set(struct ptog_order *order, const struct ptog_event *event, const struct ptog_clock *issued,
                    struct ptog_pending_set *token, struct ptog_pending_set *before);

/* False: nothing was set (out of memory lost it). */
bool ptog_order_wait(struct ptog_order *order, const struct ptog_event *event, const struct ptog_clock *issued,
                     struct ptog_pending_set *token);

/* The entry takes its number, and orders nothing: a set or wait that is left out. */
void ptog_order_skip(struct ptog_order *order, const struct ptog_event *event);

/* What a set at this point would hand on. */
struct ptog_clock ptog_order_so_far(const struct ptog_order *order, enum ptog_pipe pipe);

/* The flag as one that was never set, with its memory. */
static inline void ptog_flag_start_anew(struct ptog_flag *flag)
{
    flag->first = flag->count = flag->wait_entry = 0;
    flag->was_set = flag->waited = flag->last.own = false;
}

/* The flag's queue of sets. False when out of memory. */
bool ptog_flag_push(struct ptog_flag *flag, const struct ptog_pending_set *token);
void ptog_flag_pop(struct ptog_flag *flag, struct ptog_pending_set *token);

/* The instruction of the core that made an entry. */
static inline uint32_t ptog_step_of(uint32_t entry)
{
    return entry / PTOG_ENTRIES;
}

/* Every entry joins clocks, several times: without loops that takes half the instructions. */
#if defined __GNUC__ && !defined __clang__
#define PTOG_UNROLL_PIPES _Pragma("GCC unroll 8")
#else
#define PTOG_UNROLL_PIPES
#endif

/* Makes a clock know what another one knows, too. */
static inline void ptog_clock_join(struct ptog_clock *clock, const struct ptog_clock *other)
{
    PTOG_UNROLL_PIPES
    for (int p = 0; p < PTOG_PIPES; p++)
        if (other->of[p] > clock->of[p])
            clock->of[p] = other->of[p];
    if (!other->hears)
        return;
    for (int p = 0; p < PTOG_PIPES; p++)
        if (other->heard[p] > clock->heard[p])
            clock->heard[p] = other->heard[p];
    clock->hears = 1;
}

static inline bool ptog_clock_covers(const struct ptog_clock *clock, const struct ptog_clock *other)
{
    PTOG_UNROLL_PIPES
    for (int p = 0; p < PTOG_PIPES; p++)
        if (other->of[p] > clock->of[p])
            return false;
    return true;
}

#endif
