/* model: what a run on the machine emits. Instructions turn into entries of the pipes' queues; an entry is work with
 * its accesses, or a set, a wait or a barrier. Entries are seen in an order in which every set comes before its wait,
 * which is the order of issue but for queues that a wait holds back. Events are streamed to observers, never kept. */
#ifndef PTOG_MODEL_EVENTS_H
#define PTOG_MODEL_EVENTS_H

#include <ptog/core.h>

#include "model/insn.h"

/* The rows of spec/machine_faults.def by name. */
enum ptog_machine_fault_kind {
#define MACHINE_FAULT(name, ...) PTOG_MACHINE_##name,
#include "spec/machine_faults.def"
#undef MACHINE_FAULT
    PTOG_MACHINE_FAULTS
};

enum ptog_space {
    PTOG_IN_UB, /* memory of the core itself: UB, or those of a cube core */
    PTOG_IN_GM,
    PTOG_IN_PEER, /* memory of another core of the block: enum ptog_peer */
};
enum ptog_peer { PTOG_PEER_VEC0, PTOG_PEER_VEC1, PTOG_PEER_CUBE, PTOG_PEERS };

enum ptog_access_kind {
    PTOG_READS,
    PTOG_WRITES,
    PTOG_WRITES_PADDING, /* the rest of a short burst's last block: bytes nobody specifies */
    PTOG_ADDS,           /* to what global memory holds: two of them never race */
    PTOG_SCRATCHES,      /* scratch memory of the target's library: written over, and read by the instruction itself */
    PTOG_WRITES_ATOMIC,  /* by the lanes of A5: as a write, but two cores that do it never race */
    PTOG_ADDS_IN_STEPS,  /* by S, which loads, adds and stores: another core may come between */
    PTOG_OVERRUNS,       /* past a tile by the instruction's own walk: moved, but definedness is not judged */
};

/* `count` pieces of `bytes` bytes, `pitch` bytes from start to start. */
struct ptog_access {
    uint8_t kind, space, operand, phase;
    bool writes;     /* of PTOG_OVERRUNS: a write; else as `kind` says */
    bool same;       /* of a scatter's write: memory held these bytes already */
    bool hasty;      /* of M: a product this small may begin before the one before it has ended: ptog_product_is_hasty */
    uint8_t element; /* bytes of an element */
    int32_t buffer;  /* of PTOG_IN_GM; of PTOG_IN_PEER: enum ptog_peer */
    uint32_t tile;   /* of memory of a core: number of the tile, 0 when there is none */
    uint64_t at, bytes, count, pitch;
};

/* What is complete for whoever holds it: of each pipe (S stands for scalar stores) the first so many entries. */
struct ptog_clock {
    uint32_t of[PTOG_PIPES];
    uint32_t heard[PTOG_PIPES]; /* how often each pipe, S included, has waited for another core by then */
    uint32_t hears;             /* 0: `heard` is all zero, as on every core that works alone */
};

/* When an entry was issued, as the observer sees it. */
struct ptog_stamp {
    struct ptog_clock issued;
    uint32_t turn; /* after so many changes of S's clock */
};

enum ptog_event_kind {
    PTOG_EVENT_WORK,
    PTOG_EVENT_SET,
    PTOG_EVENT_WAIT,
    PTOG_EVENT_BARRIER,
    PTOG_EVENT_CROSS_SET, /* tells other cores that everything before it on its pipe is complete */
    PTOG_EVENT_CROSS_WAIT, /* the pipe waits for a set of another core, which has fired */
};

struct ptog_event {
    enum ptog_event_kind kind;
    enum ptog_pipe pipe;     /* whose queue it is in; PTOG_ALL for such a barrier */
    enum ptog_pipe src, dst; /* of a flag */
    int id;
    uint8_t mode;  /* of a set for other cores: whom it tells */
    double fired;  /* of a wait for another core: the cycle of its set */
    bool own;      /* belongs to an instruction's own chain */
    uint32_t site; /* number of the place and instruction it comes from */
    uint64_t insn; /* number of the instruction in the run */
    uint32_t step; /* ... in its core, from 1 */
    struct ptog_stamp stamp;
    const struct ptog_access *accesses; /* of work */
    size_t count;
    const struct ptog_access *possible; /* of work: what it could touch with other data, where that depends on data */
    size_t possible_count;
};

/* An operand of the instruction at a site. Site 0: there is none. */
struct ptog_operand_at {
    uint32_t site;
    uint8_t operand; /* enum ptog_operand_name; PTOG_AT_COUNT: none */
};

/* The operand by which a message names some work: what it writes, else the first that it accesses, in UB if there is
 * one. */
struct ptog_operand_at ptog_event_operand(const struct ptog_event *event);

/* A queue that stands still: its head waits for a flag. */
struct ptog_blocked {
    enum ptog_pipe pipe, src, dst;
    int id;
    uint32_t site;
    bool own;                    /* the wait belongs to an instruction's own chain */
    struct ptog_operand_at next; /* the first work behind the wait, if it was issued */
};

struct ptog_observer {
    void *user;
    struct ptog_stamp (*stamp)(void *user);
    void (*event)(void *user, const struct ptog_event *event);
    /* An entry was issued, and a wait holds it: it is told as an event later. */
    void (*held)(void *user, const struct ptog_event *event);
    /* The core can not go on: the heads of the queues that stand still, the one to blame first. `stop`: what S can not
     * issue, a barrier on all pipes; NULL: S waits itself, or the program is at its end. */
    void (*deadlock)(void *user, const struct ptog_blocked *heads, size_t count, const struct ptog_event *stop);
    /* The core is ended: `event` is one more than a queue that stands still can hold. */
    void (*full)(void *user, const struct ptog_event *event);
};

/* Counters between cores: the numbers that programs give. Those above are of syncall and others. */
#define PTOG_CROSS_IDS 16

/* ---- simulated time: what somebody who draws a timeline is told, as it happens */

enum ptog_period_kind {
    PTOG_PERIOD_ISSUE,         /* S issues an instruction */
    PTOG_PERIOD_WORK,          /* a phase of it, or one of its DMAs */
    PTOG_PERIOD_SET,           /* takes no time of its pipe */
    PTOG_PERIOD_WAIT,          /* from when the pipe comes to it until the flag is there */
    PTOG_PERIOD_BARRIER,       /* until everything before it is complete */
    PTOG_PERIOD_STALL,         /* S waits for room in the queues */
    PTOG_PERIOD_BLOCKED,       /* a wait that nothing will end */
    PTOG_PERIOD_LEFT,          /* a flag that nobody waited for, at the end */
    PTOG_PERIOD_CROSS_SET,     /* a counter between cores is set; takes no time of its pipe */
    PTOG_PERIOD_CROSS_WAIT,    /* a pipe, or S and with it the core, until the counter is up */
    PTOG_PERIOD_CROSS_BLOCKED, /* likewise, and nothing will set it */
};

/* Why a pipe is busy or waits: the instruction, and what it touches meanwhile. */
/* What a DMA or a launch is made of, for who looks at its box in a timeline. */
struct ptog_box {
    uint64_t bursts, burst_bytes;                         /* of a DMA; 0: none */
    int64_t gm_gap, ub_gap;                               /* from tail to head: in bytes, and in 32-byte blocks */
    uint64_t warps, row_warps, warps_per_row, idle_lanes; /* of a launch; 0: none; Elem has no warps of rows */
    uint64_t transactions, transaction_bytes; /* of a launch: 128 bytes each, and how many of them it uses */
};

struct ptog_cause {
    uint32_t site;                      /* as in struct ptog_event */
    bool own;                           /* belongs to an instruction's own chain */
    const struct ptog_access *accesses; /* of work; valid during the call */
    size_t count;
    const struct ptog_box *box; /* likewise; NULL: nothing is known */
};

/* From cycle `from` to cycle `to` of a core. On one pipe periods are told in the order of its queue. */
struct ptog_period {
    enum ptog_period_kind kind;
    enum ptog_pipe pipe;     /* PTOG_S for a barrier of all pipes */
    enum ptog_pipe src, dst; /* of a flag */
    int id;                  /* of a flag, or of a counter */
    struct ptog_cause cause;
    double from, to;
    uint64_t flow; /* a set and its wait have the same; 0: none */
    double fired;  /* of a wait: when its set fired */
};

struct ptog_watcher {
    void *user;
    void (*period)(void *user, const struct ptog_period *period);
    void (*moved)(void *user, double time); /* bytes have arrived in memory */
};

static inline bool ptog_access_writes(const struct ptog_access *access)
{
    return access->kind == PTOG_WRITES || access->kind == PTOG_WRITES_PADDING || access->kind == PTOG_SCRATCHES ||
           access->kind == PTOG_ADDS || access->kind == PTOG_WRITES_ATOMIC || access->kind == PTOG_ADDS_IN_STEPS ||
           access->writes;
}

/* Whether work writes, or could with other data: then it has a number among the stores of S. */
static inline bool ptog_event_stores(const struct ptog_event *event)
{
    for (size_t i = 0; i < event->count; i++)
        if (ptog_access_writes(&event->accesses[i]))
            return true;
    for (size_t i = 0; i < event->possible_count; i++)
        if (ptog_access_writes(&event->possible[i]))
            return true;
    return false;
}

#endif
