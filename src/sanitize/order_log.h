/* sanitize: the order log of a core: what is needed to judge the order of its run again, and no more. Of work, up to
 * which entry of each pipe it must come after; of a caller's flag, the statement. A few bytes per event, whatever the
 * event moves. It starts with the first flag of the caller: without one there is none.
 *
 *     words:  | clocks | flags that instructions have set so far | event | event | ...
 *             `---- what was ordered when it started -----------'
 *
 * Cores that run alike have the same words, and a device keeps them once: a kernel that is launched a million times
 * needs no more memory than the first launch. All order logs of a device have one limit: beyond it they are thrown
 * away. */
#ifndef PTOG_SANITIZE_ORDER_LOG_H
#define PTOG_SANITIZE_ORDER_LOG_H

#include "model/order.h"
#include "sanitize/names.h"

#define PTOG_MAX_ORDER_LOG ((size_t)16 << 20) /* words of a device: 64 MiB, about five million events */

/* A statement that sets flags, or waits for them. Calls without a place are told apart by the event id too. */
struct ptog_flag_end {
    uint32_t site;
    uint8_t src, dst, id;
    bool waits, placed;
    bool ids;      /* it is used with several ids */
    uint64_t insn; /* the first time */
};

struct ptog_flag_ends {
    struct ptog_flag_end *of; /* numbers start at 1 */
    uint32_t count;
    size_t room;
    struct ptog_index index; /* by statement, pipes and event id */
};

struct ptog_order_log {
    uint32_t *words;
    size_t count, room; /* count 0: it has not started */
    uint64_t times;     /* of one that is kept: so many cores ran just so */
    uint32_t step;      /* of the last event */
    uint32_t turns;     /* how often S's clock changed */
    bool held;          /* a queue stood still: entries were seen after others that were issued later */
};

/* The order logs of a device. */
struct ptog_order_logs {
    struct ptog_order_log *of; /* of closed cores, no two alike */
    size_t count, room;
    struct ptog_index index; /* by their words */
    size_t words;            /* of all, open ones too */
    struct ptog_flag_ends ends;
    bool lost;   /* too long, or out of memory: there is no whole order log */
    bool failed; /* out of memory */
    bool dead;   /* a core did not run to its end, or has a race: nothing is to be judged */
};

void ptog_order_logs_free(struct ptog_order_logs *order_logs);

/* A flag of the caller comes: the order log starts here, unless it runs already. */
void ptog_order_log_start(struct ptog_order_logs *order_logs, struct ptog_order_log *order_log,
                          const struct ptog_order *order);
void ptog_order_log_free(struct ptog_order_log *order_log);

/* Adds an event, after the order has taken it in. `need`: the entries it must come after; 0: of that pipe none. */
void ptog_order_log_add(struct ptog_order_logs *order_logs, struct ptog_order_log *order_log,
                        const struct ptog_event *event, const struct ptog_names *names, uint32_t turns,
                        const struct ptog_clock *need);

/* A core is closed: its order log is kept, or freed when the core has not come to a good end, or ran as another one
 * did. */
void ptog_order_logs_keep(struct ptog_order_logs *order_logs, struct ptog_order_log *order_log, bool good);

/* One event of a order log; `site` is the number of the end, 0 for an instruction's own. */
struct ptog_order_entry {
    struct ptog_event event;
    bool held, stores;
    uint32_t turn; /* when it was issued, of an event that was held */
    struct ptog_clock need;
};

/* What was ordered when the order log started, in *order; returns the word of the first event. */
size_t ptog_order_log_open(const struct ptog_order_log *order_log, struct ptog_order *order);

/* Reads the event at word *at and moves on; false at the end. `logged` is the one before, or zero. */
bool ptog_order_log_read(const struct ptog_order_log *order_log, size_t *at, struct ptog_order_entry *logged);

#endif
