/* sim: what an instruction says about itself while it runs in issue order: its accesses, the faults of its lanes, and
 * what it cost. In simulated time there is no log. */
#ifndef PTOG_SIM_LOG_H
#define PTOG_SIM_LOG_H

#include "model/events.h"

/* The lines of GM that a core read last, by number: a line is remembered where its number falls, until another comes.
 */
#define PTOG_MAX_LINES 256
struct ptog_recent {
    uint64_t lines[PTOG_MAX_LINES]; /* a buffer and a line of it; 0: none */
    uint32_t count;                 /* places that are used */
};

struct ptog_log {
    struct ptog_access *accesses;
    size_t count, room;
    bool failed;                        /* out of memory: accesses are missing */
    bool gm_reads;                      /* reads of the buffer matter: someone may store to it */
    bool unread;                        /* nobody looks at accesses: none are kept, only figures and faults */
    uint8_t phase;                      /* of the accesses that follow */
    struct ptog_fault fault;            /* by kind */
    uint64_t misaligned, misaligned_at; /* bursts to such addresses, the first of them */
    uint64_t cut_bursts, wanted_bursts; /* nBurst does not fit its field: what was moved, what was asked for */
    struct ptog_stats stats;
    uint64_t lanes;      /* elements of a vector phase, or of Elem on S; of a launch, lanes that apply the policy */
    uint64_t idle_warps; /* of a launch: warps without an element */
    uint64_t zeros;      /* lanes, or rows, that the policy Zero replaces: they read nothing */
    struct ptog_box box;
    struct ptog_recent *recent; /* of the core; NULL: lines are not counted */
    bool each;                  /* a timeline tells how many bytes are touched: one that is read twice counts twice */
    unsigned char *marks;       /* see ptog_log_mark; all are 0 in between */
    size_t mark_room;
};

/* Empties a log for the next instruction; what it allocated stays, and so do `recent` and the marks. */
void ptog_log_clear(struct ptog_log *log);
void ptog_log_free(struct ptog_log *log);

/* Whether each element has to be told on its own where there are no marks. */
static inline bool ptog_log_wants_each(const struct ptog_log *log)
{
    return log && !log->unread;
}

/* Pieces that continue the last entry are merged with it. `log` may be NULL. */
void ptog_log_add(struct ptog_log *log, const struct ptog_access *access);

/* Elements of one size that are read in any order, some more than once: the caller sets marks[i] of each to 1, and
 * ptog_log_marked adds the marked ones of `count` as few accesses, by address, and takes the marks away. `access` is
 * the element that marks[0] stands for. NULL, and nothing is to be marked: each counts, none is kept, there is no log,
 * or no memory. */
unsigned char *ptog_log_mark(struct ptog_log *log, uint64_t count);
void ptog_log_marked(struct ptog_log *log, struct ptog_access access, uint64_t count);

/* The bytes of a region of a tile that starts at its first element: `rows` x `cols`. */
void ptog_log_region(struct ptog_log *log, struct ptog_access access, const struct ptog_tile *tile, int64_t rows,
                     int64_t cols);

#endif
