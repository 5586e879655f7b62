/* sanitize: the tape of a core: what is needed to judge the order of its run again, and no more. Of work, up to which
 * entry of each pipe it must come after; of a caller's flag, the statement. A few bytes per event, whatever the event
 * moves. It starts with the first flag of the caller: without one there is none.
 *
 *     words:  | clocks | flags that instructions have set so far | event | event | ...
 *             `---- what was ordered when it started -----------'
 *
 * Cores that run alike have the same words, and a device keeps them once: a kernel that is launched a million times
 * needs no more memory than the first launch. All tapes of a device have one limit: beyond it they are thrown away. */
#ifndef PTOG_SANITIZE_TAPE_H
#define PTOG_SANITIZE_TAPE_H

#include "model/order.h"
#include "sanitize/names.h"

#define PTOG_MOST_TAPE ((size_t)16 << 20) /* words of a device: 64 MiB, about five million events */

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

struct ptog_tape {
    uint32_t *words;
    size_t count, room; /* count 0: it has not started */
    uint64_t times;     /* of one that is kept: so many cores ran just so */
    uint32_t step;      /* of the last event */
    uint32_t turns;     /* how often S's clock changed */
    bool held;          /* a queue stood still: entries were seen after others that were issued later */
};

/* The tapes of a device. */
struct ptog_tapes {
    struct ptog_tape *of; /* of closed cores, no two alike */
    size_t count, room;
    struct ptog_index index; /* by their words */
    size_t words;            /* of all, open ones too */
    struct ptog_flag_ends ends;
    bool lost;   /* too long, or out of memory: there is no whole tape */
    bool failed; /* out of memory */
    bool dead;   /* a core did not run to its end, or has a race: nothing is to be judged */
};

void ptog_tapes_free(struct ptog_tapes *tapes);

/* A flag of the caller comes: the tape starts here, unless it runs already. */
void ptog_tape_start(struct ptog_tapes *tapes, struct ptog_tape *tape, const struct ptog_order *order);
void ptog_tape_free(struct ptog_tape *tape);

/* Adds an event, after the order has taken it in. `need`: the entries it must come after; 0: of that pipe none. */
void ptog_tape_add(struct ptog_tapes *tapes, struct ptog_tape *tape, const struct ptog_event *event,
                   const struct ptog_names *names, uint32_t turns, const struct ptog_clock *need);

/* A core is closed: its tape is kept, or freed when the core has not come to a good end, or ran as another one did. */
void ptog_tapes_keep(struct ptog_tapes *tapes, struct ptog_tape *tape, bool good);

/* One event of a tape; `site` is the number of the end, 0 for an instruction's own. */
struct ptog_taped {
    struct ptog_event event;
    bool held, stores;
    uint32_t turn; /* when it was issued, of an event that was held */
    struct ptog_clock need;
};

/* What was ordered when the tape started, in *order; returns the word of the first event. */
size_t ptog_tape_open(const struct ptog_tape *tape, struct ptog_order *order);

/* Reads the event at word *at and moves on; false at the end. `taped` is the one before, or zero. */
bool ptog_tape_read(const struct ptog_tape *tape, size_t *at, struct ptog_taped *taped);

#endif
