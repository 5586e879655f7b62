/* core: automatic mode: an instruction gets the flags and barriers that it needs, right before it. */
#ifndef PTOG_CORE_AUTOMATIC_H
#define PTOG_CORE_AUTOMATIC_H

#include <ptog/core.h>

#include "auto/room.h"
#include "auto/sync.h"

struct ptog_effects;
struct ptog_access;

/* Of a core. All zero: off. */
struct ptog_automatic {
    bool on;
    bool leaves_held; /* while a pipe stands still at a wait, nothing is put in: what stands behind it is not known */
    uint8_t avoid[PTOG_PIPES][PTOG_PIPES];                      /* ids that the program uses, as bits */
    bool (*inserted)(void *user, const struct ptog_sync *sync); /* told of each; false: out of memory. May be NULL */
    void *user;
    uint64_t count;        /* inserted so far */
    uint64_t left_out;     /* this one, from 1, is not inserted: to show that it is needed */
    struct ptog_room rooms[PTOG_LOCS]; /* of tiles that the core places, by memory */
};

/* From now on, with what is given in `how`. */
void ptog_core_automatic(ptog_core *core, const struct ptog_automatic *how);

/* Before the current instruction, whose accesses are in the core's log. */
void ptog_core_order(ptog_core *core, const struct ptog_effects *effects);

/* Before one access on a pipe: that of a scalar, or of a FIFO that gives a tile back. */
void ptog_core_order_access(ptog_core *core, enum ptog_pipe pipe, const struct ptog_access *access);

/* Before a set_flag of the program. */
void ptog_core_order_set(ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst, int id);

#endif
