/* sanitize: entries that a wait holds back. They are carried out after entries that were issued later, but a race is
 * told in the order of issue. So what a held entry can meet is written down: when it is issued, the entries that the
 * shadow knows of its bytes; from then on, every entry that is carried out before it. When it starts at last, its clock
 * says which of them are complete. */
#ifndef PTOG_SANITIZE_LATE_H
#define PTOG_SANITIZE_LATE_H

#include "model/events.h"

#define PTOG_MOST_PASSED ((size_t)1 << 16)    /* entries that pass by held ones; with more, a race with a held entry */
#define PTOG_MOST_STRETCHES ((size_t)1 << 20) /* is told as if it had been issued when it was carried out */

/* Bytes [from, to) of one memory. */
struct ptog_stretch {
    uint64_t from, to;
    int32_t memory; /* a buffer; -1: UB */
    uint8_t operand;
    bool writes;
};

struct ptog_stretches {
    struct ptog_stretch *of; /* by memory and address */
    size_t count;
    uint64_t longest;
};

/* An entry that was carried out while others were held. */
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

struct ptog_held_entry {
    struct ptog_suspect *suspects;
    size_t count, room;
    size_t since; /* the first of those that pass */
};

struct ptog_held_queue {
    struct ptog_held_entry *of;
    size_t first, count, room;
};

struct ptog_late {
    struct ptog_held_queue queues[PTOG_PIPES];
    size_t held; /* in all queues */
    struct ptog_passed *passed;
    size_t count, room, stretches;
    bool cut;    /* too many passed */
    bool failed; /* out of memory */
};

void ptog_late_free(struct ptog_late *late);

/* Are races of the next entry of a pipe judged here, and not by the shadow alone? */
static inline bool ptog_late_judges(const struct ptog_late *late, enum ptog_pipe pipe)
{
    return late->queues[pipe].count > 0 && !late->cut && !late->failed;
}

#endif
