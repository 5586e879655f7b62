/* tool: a command that mpirun started several times. MPI is loaded then, and only then. */
#ifndef TOOL_RANKS_H
#define TOOL_RANKS_H

#include <ptog/mpi_world.h>

#include "tool.h"

struct tool_ranks {
    struct ptog_mpi_world world;
    void *library;
    FILE *said;  /* what this rank says on stderr until the ranks have agreed; NULL: nothing is held back */
    int visible; /* the real stderr */
};

/* How many times mpirun started this command, as it says in the environment; 0: not by mpirun, or once. */
int tool_ranks_count(void);

/* Loads the library, without starting MPI. False with a reason. */
bool tool_ranks_load(struct tool_ranks *ranks, struct tool_why *why);

/* Starts MPI. From now on what a rank but the first says on stderr waits for tool_ranks_agree. False after a message.
 */
bool tool_ranks_start(struct tool_ranks *ranks, const char *command);

/* Whether all ranks have TOOL_OK. Otherwise the worst status becomes that of all, and the first rank that has it says
 * what it had to say; nobody else does. */
int tool_ranks_agree(struct tool_ranks *ranks, int result);

/* Ends MPI, when it was started. */
void tool_ranks_end(struct tool_ranks *ranks);

#endif
