/* The pipes of a vector core: queues that work side by side. S runs the kernel and puts every instruction into the
 * queue of its pipe; from there on each pipe goes through its own queue in order, and two pipes are ordered only by
 * flags and barriers:
 *
 *     MTE2:  tload --- set_flag(MTE2, V, 0)          what MTE2 did before the set is complete ...
 *     V:                    wait_flag(MTE2, V, 0) --- tgather       ... when V goes on behind the wait
 */
#ifndef PTOG_PIPE_H
#define PTOG_PIPE_H

#include <ptog/export.h>

/* The pipes of a vector core. The last four take no work here: flags on them are refused (`flag-bad-pair`), barriers do
 * nothing; PTOG_ALL is for ptog_core_barrier. */
enum ptog_pipe {
    PTOG_S = 0,    /* scalar; it issues every instruction */
    PTOG_V = 1,    /* vector, and SIMT launches on a5 */
    PTOG_MTE2 = 2, /* GM to UB */
    PTOG_MTE3 = 3, /* UB to GM */
    PTOG_M = 4,
    PTOG_MTE1 = 5,
    PTOG_FIX = 6,
    PTOG_ALL = 7,
};
/* For arrays by pipe: enum ptog_pipe below this number. */
#define PTOG_PIPES 4 /* those that do work */

/* "S", "V", "MTE2", ..., as diagnostics and traces write it; "?" for another number. Never NULL. */
PTOG_API const char *ptog_pipe_name(enum ptog_pipe pipe);

#endif
