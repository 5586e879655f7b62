/* interp: one run of a function, in the steps that repair takes: prepare, start, every block. What happened is told by
 * whoever asked for the run. */
#ifndef PTOG_INTERP_RUN_H
#define PTOG_INTERP_RUN_H

#include "lower/eval.h"

/* What is wrong with an execution of a caller, in words that follow its name; NULL: nothing. */
const char *ptog_run_problem(const struct ptog_execution *execution);

/* What an execution asks for; the function is NULL, and that is said, when there is none. */
const struct ptog_target *ptog_run_target(const struct ptog_program *program, const struct ptog_execution *execution);
const struct ptog_function *ptog_run_function(const struct ptog_program *program,
                                              const struct ptog_execution *execution, struct ptog_diag_list *diags);

/* Says something about the program as a whole. */
void ptog_run_say(struct ptog_diag_list *diags, const char *id, const char *message);

/* Checks the function with what is bound, and gives everything its place: PTOG_OK, PTOG_ILLEGAL or PTOG_NO_MEMORY. */
enum ptog_status ptog_run_prepare(struct ptog_eval *e, const struct ptog_execution *execution,
                                  const struct ptog_function *function);

/* From now on numbers are known, and on a target with pipes there is a device. PTOG_OK or PTOG_NO_MEMORY. */
enum ptog_status ptog_run_start(struct ptog_eval *e, const struct ptog_execution *execution);

/* Every block. `keep`: what the last one leaves in UB will be asked for. */
void ptog_run_blocks(struct ptog_eval *e, const struct ptog_function *function, bool keep);

/* The three of them. */
enum ptog_status ptog_run_once(struct ptog_eval *e, const struct ptog_execution *execution,
                               const struct ptog_function *function);

/* Closes the device, then everything else that a run has. */
void ptog_run_close(struct ptog_eval *e);

#endif
