/* tool: what the files of ptog prove share. */
#ifndef TOOL_PROVE_H
#define TOOL_PROVE_H

#include "judge.h"
#include "run.h"
#include "solver.h"

struct prove_request {
    const char *target_text, *function, *seconds_text, *paths_text, *steps_text, *blocks_text, *solver_text;
    const char *witness; /* a directory; NULL: none */
    const struct ptog_target *target;
    double seconds;
    int64_t paths, max_steps;     /* max_steps: of one run; 0: the library's limit */
    int64_t blocks;               /* 0: any number */
    struct run_items given;       /* --set: numbers that stay as they are */
    struct ptog_binding *numbers; /* of them */
    size_t number_count;
    struct tool_telling telling;
};

/* prove_case.c: the command that shows a finding again, on stderr:
 * "race-raw at line 27: ptog run k.pto --target a5 --set n=3". */
void prove_print_case(const struct prove_request *request, const char *path, const struct judged *judged,
                      const struct ptog_proof_case *one);

/* Writes the inputs of finding `number`, from 1, and the command that uses them into the directory. False after a
 * message. */
bool prove_write_case(const struct prove_request *request, const char *path, const ptog_program *program,
                      const struct ptog_target *target, const struct ptog_proof_case *one, size_t number);

#endif
