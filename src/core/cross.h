/* core: counters between the cores of a launch. A set that has fired lies in a queue, with what it hands on, until the
 * core that it is for waits; those that need a partner lie in a queue of their setter until the partner has set, too.
 */
#ifndef PTOG_CORE_CROSS_H
#define PTOG_CORE_CROSS_H

#include <ptog/fifo.h>

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

/* The counters of a FIFO: an entry is ready, a slot is free, in either direction. They have no 4 bits to overflow,
 * since slots are few. */
#define PTOG_CHANNELS (PTOG_FIFOS * 4)
#define PTOG_INTRA_IDS 32 /* flags between two cores of a block come behind the channels */
#define PTOG_INTRA_MODE (PTOG_CROSS_MODES + 1)
struct ptog_cross_channels {
    struct ptog_cross_queue ready[PTOG_CHANNELS + PTOG_INTRA_IDS], partial[PTOG_CHANNELS];
};

struct ptog_cross {
    struct ptog_cross_queue ready[PTOG_CROSS_COUNTERS]; /* what waits of this core take: its counters */
    struct ptog_cross_queue partial[PTOG_CROSS_MODES + 1]
                                   [PTOG_CROSS_COUNTERS]; /* by mode; the last: ptog_core_sync_all */
    struct ptog_cross_channels *channels;                 /* NULL: none was used */
    bool waiting;                                         /* S stands still: at this counter, */
    int counter;
    uint32_t site; /* at this instruction */
};

/* A core of a linked device. False when out of memory. */
bool ptog_cross_open(struct ptog_core *core);
void ptog_cross_close(struct ptog_core *core);

/* A channel is set by an entry of `pipe`, as a counter in mode 2; a wait takes one set, for S or a single
 * pipe, or returns PTOG_BLOCKED. Both
 * are part of the instruction at hand. */
void ptog_channel_set(struct ptog_core *core, enum ptog_pipe pipe, uint32_t channel);
enum ptog_status ptog_channel_wait(struct ptog_core *core, enum ptog_pipe pipe, uint32_t channel);

/* Whether the core stands still at that channel already. */
bool ptog_channel_is_waited(const struct ptog_core *core, uint32_t channel);

/* The number of a channel as a counter, and the other way round. */
static inline int ptog_channel_counter(uint32_t channel)
{
    return PTOG_CROSS_COUNTERS + (int)channel;
}

/* What is wrong with a set: the counter of a core has just gone up; the pipe that sets is none of the core. With the
 * call at hand: a counter that both the kernel and syncall use. */
void ptog_cross_judge_count(struct ptog_core *core, int counter, const struct ptog_cross_set *set);
void ptog_cross_say_pipe(struct ptog_core *core, enum ptog_pipe pipe);
void ptog_cross_judge_clash(struct ptog_core *core);

/* The core ends: counters that nobody waited for, and sets that nobody joined. */
void ptog_cross_left(struct ptog_core *core);

#endif
