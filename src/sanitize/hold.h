/* sanitize: races of held entries. A held entry stands in its queue behind a wait, while entries of other pipes, issued
 * after it, are executed before it. The shadow knows only the last entries of a byte: by the time the held entry
 * starts, it may know those later ones, and not what was there before them. A race is told in the order of issue, so
 * whatever a held entry could meet is written down in time:
 *
 *     when it is issued         its suspects: the entries that the shadow knows of its bytes
 *     while it is held          every entry that passes: that is executed before it
 *     when it starts at last    its clock says which of all these are complete; the others are races. One that is
 *                               complete although it was issued later is an order that flags have reversed */
#ifndef PTOG_SANITIZE_HOLD_H
#define PTOG_SANITIZE_HOLD_H

#include "sanitize/stretches.h"

#define PTOG_MAX_PASSED ((size_t)1 << 16)     /* entries that pass by held ones; with more, a race with a held entry */
#define PTOG_MAX_STRETCHES ((size_t)1 << 20)  /* is reported as if it had been issued when it executed */
#define PTOG_MAX_COMPARED ((uint64_t)1 << 28) /* pairs of entries compared: about a second */

/* An entry that was executed while others were held. */
struct ptog_passed {
    enum ptog_pipe pipe;
    uint32_t site, step, entry;
    uint64_t insn;
    struct ptog_stretches stretches;
};

/* An entry that the shadow knew when the held one was issued. */
struct ptog_suspect {
    enum ptog_pipe pipe;
    bool writes;
    uint32_t site, entry;
    size_t access; /* of the held one */
    uint64_t from, to;
};

/* A wait that was issued before its set, and whose set has fired. */
struct ptog_late_set {
    struct ptog_clock clock; /* what is complete when the set fires */
    uint64_t insn;           /* the instruction of the set */
    uint32_t set_site, wait_site;
    uint32_t wait_entry; /* the number of the wait in the queue of `dst` */
    uint8_t src, dst, id;
};

struct ptog_held_entry {
    struct ptog_suspect *suspects;
    size_t count, room;
    size_t since; /* the first of the entries that passed it, in ptog_hold.passed */
};

struct ptog_held_queue {
    struct ptog_held_entry *of;
    size_t first, count, room;
};

struct ptog_hold {
    struct ptog_held_queue queues[PTOG_PIPES];
    size_t held; /* in all queues */
    struct ptog_passed *passed;
    size_t count, room, stretches;
    struct ptog_late_set *late_sets;
    size_t late_count, late_room;
    uint64_t compared;
    bool cut;    /* more entries passed than are written down: from here on the shadow alone judges */
    bool failed; /* out of memory */
};

void ptog_hold_free(struct ptog_hold *hold);

/* A wait was executed, `token` being the set that it takes: written down if it was issued before that. */
struct ptog_pending_set;
void ptog_hold_wait(struct ptog_hold *hold, const struct ptog_event *wait, const struct ptog_pending_set *token,
                    uint32_t wait_entry);

/* Are races of the next entry of a pipe judged here, and not by the shadow alone? */
static inline bool ptog_hold_judges(const struct ptog_hold *hold, enum ptog_pipe pipe)
{
    return hold->queues[pipe].count > 0 && !hold->cut && !hold->failed;
}

#endif
