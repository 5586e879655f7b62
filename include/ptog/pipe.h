/* The pipes of a core: queues that work side by side. S runs the kernel and puts every instruction into the
 * queue of its pipe; from there on each pipe goes through its own queue in order, and two pipes are ordered only by
 * flags and barriers:
 *
 *     MTE2:  tload --- set_flag(MTE2, V, 0)          what MTE2 did before the set is complete ...
 *     V:                    wait_flag(MTE2, V, 0) --- tgather       ... when V goes on behind the wait
 */
#ifndef PTOG_PIPE_H
#define PTOG_PIPE_H

#include <ptog/export.h>

/* The pipes. A vector core has S, V, MTE2 and MTE3; a cube core has S, MTE2, MTE1, M, FIX, and on a2a3 MTE3. A flag
 * with a pipe that the core does not have is refused (`flag-bad-pair`), a barrier on one does nothing; PTOG_ALL is for
 * ptog_core_barrier. */
enum ptog_pipe {
    PTOG_S = 0,    /* scalar; it issues every instruction */
    PTOG_V = 1,    /* vector, and SIMT launches on a5 */
    PTOG_MTE2 = 2, /* GM to UB or L1 */
    PTOG_MTE3 = 3, /* UB to GM */
    PTOG_M = 4,    /* matrix products */
    PTOG_MTE1 = 5, /* L1 to L0A, L0B and the bias table */
    PTOG_FIX = 6,  /* L0C to GM */
    PTOG_ALL = 7,
};
/* For arrays by pipe: enum ptog_pipe below this number. */
#define PTOG_PIPES 7 /* those that do work */

/* "S", "V", "MTE2", ..., as diagnostics and traces write it; "?" for another number. Never NULL. */
PTOG_API const char *ptog_pipe_name(enum ptog_pipe pipe);

#endif
