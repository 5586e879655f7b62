/* program: one run of a function, as run.c does it and complete.c tries it. */
#ifndef PTOG_PROGRAM_RUN_H
#define PTOG_PROGRAM_RUN_H

#include "program/complete.h"
#include "program/eval.h"

struct ptog_result {
    const struct ptog_program *program;
    char **names;
    struct ptog_tile *tiles;
    size_t count;
    unsigned char *ub; /* what the last block left in UB */
    uint64_t ub_bytes;
    ptog_device *device; /* NULL on a target without pipes */
    struct ptog_completion completion;
    struct ptog_tile_place *places;
    uint32_t place_count;
};

/* What an execution asks for; the function is NULL, and that is said, when there is none. */
const struct ptog_target *ptog_run_target(const struct ptog_program *program, const struct ptog_execution *execution);
const struct ptog_function *ptog_run_function(const struct ptog_program *program,
                                              const struct ptog_execution *execution, struct ptog_finds *finds);

/* Checks the function with what is bound, and gives everything its place: PTOG_OK, PTOG_ILLEGAL or PTOG_NO_MEMORY. */
enum ptog_status ptog_run_prepare(struct ptog_eval *e, const struct ptog_execution *execution,
                                  const struct ptog_function *function);

/* The same, then every block; nothing is said about what happened. */
enum ptog_status ptog_run_once(struct ptog_eval *e, const struct ptog_execution *execution,
                               const struct ptog_function *function);

#endif
