/* examples: what the documents' examples share. Each describes an instruction, names its outcome on some targets, and,
 * where it runs, compares the result with the formula. */
#ifndef PTOG_EXAMPLES_SEED_H
#define PTOG_EXAMPLES_SEED_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <ptog/ptog.h>

static inline void write_stdout(void *user, const char *text, size_t length)
{
    (void)user;
    fwrite(text, 1, length, stdout);
}

/* Prints one line, "a2a3: ok", and below it what the verifier and the run have to say. */
static inline void tell(const char *target, enum ptog_status status, const ptog_diags *diags,
                        const struct ptog_fault *fault)
{
    static const struct ptog_sink sink = {.write = write_stdout};
    printf("%s: %s\n", target, status == PTOG_OK ? "ok" : ptog_status_text(status));
    ptog_report_text(diags, &sink);
    ptog_report_fault(fault, &sink);
}

/* Runs a plan, if there is one, tells what happened and frees it all; returns the status of the last step. */
static inline enum ptog_status run_on(const char *target, enum ptog_status status, ptog_plan *plan, ptog_diags *diags,
                                      const struct ptog_run *run)
{
    struct ptog_fault fault = {0};
    if (status == PTOG_OK)
        status = ptog_plan_run(plan, run, &fault);
    tell(target, status, diags, &fault);
    ptog_plan_free(plan);
    ptog_diags_free(diags);
    return status;
}

static inline enum ptog_status mgather_on(const char *target, const struct ptog_mgather *op, const struct ptog_run *run)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_plan *plan = NULL;
    enum ptog_status status = ptog_plan_mgather(&plan, ptog_target_find(target), op, diags);
    return run_on(target, status, plan, diags, run);
}

static inline enum ptog_status tgather_on(const char *target, const struct ptog_tgather *op, const struct ptog_run *run)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_plan *plan = NULL;
    enum ptog_status status = ptog_plan_tgather(&plan, ptog_target_find(target), op, diags);
    return run_on(target, status, plan, diags, run);
}

/* Ends the program when an example does not give what its document promises. */
static inline void expect(int holds, const char *what)
{
    if (!holds) {
        printf("FAILED: %s\n", what);
        exit(1);
    }
    printf("  %s\n", what);
}

#endif
