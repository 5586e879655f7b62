/* core: signals: integers in global memory that a core gives after all of its work, and that another one waits for.
 * What the giver had done is complete for whoever has seen the value. */
#ifndef PTOG_CORE_SIGNAL_H
#define PTOG_CORE_SIGNAL_H

#include <ptog/core.h>

#include "sanitize/links.h"

/* What the value of a signal stands for, in a linked device. */
struct ptog_signal_edge {
    int gm;
    uint64_t offset;
    double time;
    struct ptog_cores_seen seen;
};

struct ptog_signals {
    struct ptog_signal_edge *of;
    uint32_t count;
    size_t room;
};

void ptog_signals_free(struct ptog_signals *signals);

/* Waits for all pipes, then writes or adds to the i32 at `offset` of a buffer, past the data cache. */
enum ptog_status ptog_core_notify(ptog_core *core, int gm, uint64_t offset, int32_t value, bool adds);

/* A wait for signals begins. */
enum ptog_status ptog_core_begin_signal(ptog_core *core);

/* The i32 at `offset`, as it is after what all cores have issued so far. False: it lies outside its buffer, which is
 * reported. */
bool ptog_core_signal(ptog_core *core, int gm, uint64_t offset, int32_t *value);

/* S has seen the value that it waited for. */
void ptog_core_heard_signal(ptog_core *core, int gm, uint64_t offset);

/* A flag of an instruction's own: pipe `dst` goes on after what `src` has been given. */
enum ptog_status ptog_core_own_flag(ptog_core *core, enum ptog_pipe src, enum ptog_pipe dst, int id);

#endif
