/* tool: Z3, loaded at run time where it is installed. */
#ifndef TOOL_SOLVER_H
#define TOOL_SOLVER_H

#include <stdbool.h>

/* All zero to begin with. */
struct solver {
    void *library, *context;
    bool is_missing; /* the library cannot be loaded */
};

/* Loads the library; false when it is not installed. */
bool solver_open(struct solver *solver);

/* The answer to a script: struct ptog_prove_options.solve, with the solver as its user. Loads the library for the first
 * one. NULL: it is not installed. */
const char *solver_answer(void *user, const char *script);

/* Gives back what the answers took. */
void solver_close(struct solver *solver);

#endif
