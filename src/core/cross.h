/* core: counters between the cores of a launch. A set that has fired lies in a queue, with what it hands on, until the
 * core that it is for waits; those that need a partner lie in a queue of their setter until the partner has set, too.
 */
#ifndef PTOG_CORE_CROSS_H
#define PTOG_CORE_CROSS_H

#include <ptog/core.h>

#include "model/events.h"
#include "sanitize/links.h"

#define PTOG_CROSS_COUNTERS                                                                                            \
    (PTOG_CROSS_IDS + 3) /* those of ptog_core_sync_all come behind the ids, by enum ptog_all                          \
                          */
#define PTOG_CROSS_MODES 3

struct ptog_device;

/* One that has fired. */
struct ptog_cross_set {
    struct ptog_cores_seen seen; /* what it hands on; empty where nothing is checked */
    double time;
    uint32_t site;
    uint64_t insn;
    uint32_t track; /* of the timeline of the core that set it; 0: none */
    enum ptog_pipe pipe;
};

struct ptog_cross_queue {
    struct ptog_cross_set *of; /* oldest first */
    uint32_t count;
    size_t room;
};

struct ptog_cross {
    struct ptog_cross_queue ready[PTOG_CROSS_COUNTERS]; /* what waits of this core take: its counters */
    struct ptog_cross_queue partial[PTOG_CROSS_MODES + 1]
                                   [PTOG_CROSS_COUNTERS]; /* by mode; the last: ptog_core_sync_all */
    bool waiting;                                         /* S stands still: at this counter, */
    int counter;
    uint32_t site; /* at this instruction */
};

/* A core of a linked device. False when out of memory. */
bool ptog_cross_open(struct ptog_core *core);
void ptog_cross_close(struct ptog_core *core);

/* What is wrong with a set: the counter of a core has just gone up; the pipe that sets is none of the core. With the
 * call at hand: a counter that both the kernel and syncall use. */
void ptog_cross_judge_count(struct ptog_core *core, int counter, const struct ptog_cross_set *set);
void ptog_cross_say_pipe(struct ptog_core *core, enum ptog_pipe pipe);
void ptog_cross_judge_clash(struct ptog_core *core);

/* The core ends: counters that nobody waited for, and sets that nobody joined. */
void ptog_cross_left(struct ptog_core *core);

#endif
