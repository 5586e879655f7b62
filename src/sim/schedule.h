/* sim: simulated time. S has a clock; every other pipe starts its entries in order, not before they were issued, not
 * before its waits and barriers. Bytes move when a transfer completes: moves lie in a heap by time, and those that are
 * due are executed before S looks at memory. Nothing here reports anything. */
#ifndef PTOG_SIM_SCHEDULE_H
#define PTOG_SIM_SCHEDULE_H

#include "sim/arriving.h"
#include "sim/cost.h"

/* What moves at a time: a DMA, a phase of an instruction (held), or what a phase has written before (owned). */
struct ptog_move {
    double time;
    uint64_t number;              /* of a place that is free: that of the next one */
    struct ptog_known_insn *insn; /* NULL: the bytes; without any, the DMA */
    int phase;
    struct ptog_arriving *arriving;
    double until; /* the phase reads now, and its bytes arrive then; 0: all at once */
    struct ptog_dma dma;
};

/* When a move is due, and its place among the others: small, as the heap moves it about. */
struct ptog_due {
    double time;
    uint64_t number;
    size_t place;
};

struct ptog_fired {
    double time;   /* when the wait can go on */
    uint64_t flow; /* of the trace; 0: none */
    double since;  /* when the set fired */
    bool tells;    /* scalar stores that are not complete are complete for whoever waited for it */
};

struct ptog_times {
    struct ptog_fired *of; /* of sets that are not yet waited for, oldest first */
    uint32_t first, count, room;
};

struct ptog_scalar_store {
    int buffer;
    uint64_t at;
    size_t bytes;
    unsigned char value[8];
};
#define PTOG_MAX_STORES 1024

struct ptog_timeline {
    const struct ptog_costs *costs;
    struct ptog_memory *memory;
    struct ptog_memory *peers[PTOG_PEERS]; /* of other cores of the block; NULL: there is none */
    enum ptog_schedule schedule;
    uint64_t random;
    double now;   /* of S */
    double began; /* when S began with what it did last */
    struct {
        double next; /* when it can start the next entry */
        double gate; /* after waits and barriers */
        double done; /* when everything so far is complete */
    } pipes[PTOG_PIPES];
    struct ptog_times flags[PTOG_PIPES][PTOG_PIPES][8];
    uint8_t used_pairs[PTOG_PIPES]; /* by src: bit (1 << dst), of pairs with a flag that was looked up */
    struct ptog_due *heap, *queue; /* see heap.c; the queue begins at `first` and ends before `last` */
    size_t heaped, room;
    size_t first, last, queue_room;
    size_t count;              /* of both */
    struct ptog_move *pending; /* the moves, each at its place */
    size_t places, place_room;
    size_t vacant; /* the first of the places that are free again, from 1 on; 0: none */
    uint64_t moves;
    struct ptog_scalar_store *stores; /* issued, not yet complete; room for PTOG_MAX_STORES, made by the first */
    int store_count;
    uint8_t told; /* the pipes that must find those stores, and what is arriving, complete when they go on: bits */
    struct ptog_arriving arriving;   /* stores to UB of a late instruction of S */
    const struct ptog_latency *late; /* of PTOG_SCHEDULE_WITNESS, of all blocks */
    size_t late_count;
    uint32_t block;
    bool barriers[PTOG_PIPES]; /* instructions of the pipe do not wait for each other */
    struct ptog_stats stats;
    const struct ptog_watcher *watcher; /* NULL: nobody watches */
    uint64_t flow;                      /* number of the last one */
    bool failed;
};

/* Starts the timeline of a core, all zeros so far, at cycle 0 with nothing under way. The block seeds its random
 * latencies. Allocates nothing. */
void ptog_timeline_open(struct ptog_timeline *t, const struct ptog_costs *costs, struct ptog_memory *memory,
                        const struct ptog_device_options *options, uint32_t block);
void ptog_timeline_close(struct ptog_timeline *t);

/* S does something that takes so long; then what is due is executed. */
void ptog_timeline_scalar(struct ptog_timeline *t, enum ptog_period_kind kind, double cycles,
                          const struct ptog_cause *cause);

/* A phase on S, now; the stores of a late one arrive later. PTOG_OK or PTOG_NO_MEMORY. */
enum ptog_status ptog_timeline_phase(struct ptog_timeline *t, const struct ptog_sim *sim, int phase, uint32_t step);

/* An entry of another pipe. */
struct ptog_start {
    enum ptog_pipe pipe;
    uint32_t step; /* the instruction of the core */
    double issued;
    const struct ptog_cause *cause;
};
/* DMAs that a loop of S issues: each can start when the loop has come to it, and the loop waits while as many are under
 * way as there may be. */
void ptog_timeline_dmas(struct ptog_timeline *t, const struct ptog_start *at, const struct ptog_issuing *loop,
                        const struct ptog_dma *dmas, size_t count);
void ptog_timeline_insn(struct ptog_timeline *t, const struct ptog_start *at, double cycles,
                        struct ptog_known_insn *insn, int phase);

/* The same for what orders pipes, issued at a time for a cause. */
struct ptog_flag_name {
    enum ptog_pipe src, dst;
    int id;
};
void ptog_timeline_set(struct ptog_timeline *t, struct ptog_flag_name flag, double issued,
                       const struct ptog_cause *cause);
void ptog_timeline_wait(struct ptog_timeline *t, struct ptog_flag_name flag, double issued,
                        const struct ptog_cause *cause);
void ptog_timeline_barrier(struct ptog_timeline *t, enum ptog_pipe pipe, double issued, const struct ptog_cause *cause);

/* For other cores. A set on a pipe: returns when it fires. S waits for one that fired at `fired`; everything of its own
 * core up to then has to be executed first, and ptog_timeline_until does that. */
double ptog_timeline_cross_set(struct ptog_timeline *t, enum ptog_pipe pipe, int id, double issued,
                               const struct ptog_cause *cause);
void ptog_timeline_cross_wait_on(struct ptog_timeline *t, enum ptog_pipe pipe, double fired, double issued,
                                 const struct ptog_cause *cause);
void ptog_timeline_cross_wait(struct ptog_timeline *t, int id, double fired, const struct ptog_cause *cause);
void ptog_timeline_until(struct ptog_timeline *t, double time);

/* Adds a scalar store to GM to those that are pending, or writes all of them, as the schedule says; sets `failed` when
 * out of memory. S itself sees it at once; whoever waits for a later set from S, and whoever is ordered after
 * that wait, when it goes on; everyone after a barrier on all pipes. */
void ptog_timeline_store(struct ptog_timeline *t, const struct ptog_scalar_store *store, uint32_t step);
void ptog_timeline_flush(struct ptog_timeline *t);
void ptog_timeline_load(const struct ptog_timeline *t, int buffer, uint64_t at, void *value, size_t bytes);

/* A wait that no set can satisfy. */
void ptog_timeline_blocked(struct ptog_timeline *t, const struct ptog_blocked *head);

/* Everything is complete. */
void ptog_timeline_drain(struct ptog_timeline *t);

/* Tells the watcher of the flags that nobody waited for. */
void ptog_timeline_left(struct ptog_timeline *t);

#endif
