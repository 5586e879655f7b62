/* sim: the queues of the pipes, and the matching of flags: the k-th wait of a flag takes its k-th set, in issue order.
 * An entry is executed at once, unless its queue stands still at a wait; then it is held until the set comes.
 * Carrying out means telling the observer (races) and the timeline (bytes). */
#ifndef PTOG_SIM_PIPES_H
#define PTOG_SIM_PIPES_H

#include "sim/schedule.h"

/* What an entry does in simulated time: DMAs, which it owns, or a phase of an instruction, which it holds. */
struct ptog_work {
    struct ptog_dma *dmas;
    size_t dma_count;
    struct ptog_issuing issuing; /* of the DMAs */
    struct ptog_box box;
    struct ptog_known_insn *insn;
    int phase;
    double cycles;
};

struct ptog_queue_entry {
    struct ptog_event event; /* accesses are owned while it is held */
    struct ptog_work work;
    double issued;
};

struct ptog_queue {
    struct ptog_queue_entry *entries; /* held ones; the first is a wait */
    size_t first, count, room;
};
#define PTOG_MAX_HELD 65536 /* entries of a queue that stands still: a core that issues more is ended */

struct ptog_pipes {
    struct ptog_queue queues[PTOG_PIPES];
    uint64_t flags[PTOG_PIPES][PTOG_PIPES][8]; /* set and not yet waited for */
    const struct ptog_observer *observer;
    struct ptog_timeline *timeline;
    void (*fire)(void *user, const struct ptog_event *event, double time); /* of a set for other cores: it fires then */
    void *user;
    uint64_t held; /* bytes allocated for accesses of held entries */
    bool dead;     /* a deadlock was found, or a queue is full */
    bool failed;   /* out of memory */
};

/* Issues an entry, which gets its stamp. What `work` owns and holds is taken over; NULL: there is nothing to do in
 * simulated time. Accesses are copied when they must be held. */
void ptog_pipes_issue(struct ptog_pipes *pipes, struct ptog_event *event, struct ptog_work *work);

/* The end of the program: a queue that stands still now does so forever. */
void ptog_pipes_end(struct ptog_pipes *pipes);

void ptog_pipes_close(struct ptog_pipes *pipes);

#endif
