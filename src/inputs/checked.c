/* inputs: a run on the machine. Trials are executed without it, and do not see bytes that nobody has written or tiles
 * at addresses that they cannot have; both may be the fault of the values. Races and flags are not: they are for the
 * caller's run to show. */
#include "diag/kind.h"
#include "inputs/inputs.h"
#include "model/target.h"
#include "repair/run.h"

/* Whether a fault of the machine may be due to scalar arguments. */
static bool is_about_sizes(unsigned kind)
{
    return kind == PTOG_DIAG_UNINIT_READ || kind == PTOG_DIAG_PAD_READ || kind == PTOG_DIAG_UB_MISALIGNED ||
           kind == PTOG_DIAG_UB_OVERFLOW || kind == PTOG_DIAG_DMA_MISALIGNED;
}

/* How many errors of a report may be due to scalar arguments. */
static uint64_t count_faults(const ptog_diags *diags)
{
    const struct ptog_diag *diag;
    uint64_t faults = 0;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (diag->severity == PTOG_ERROR && is_about_sizes(diag->kind))
            faults += diag->count > 1 ? diag->count : 1;
    return faults;
}

bool ptog_trial_check(struct ptog_trial_run *trial, uint64_t max_steps, uint64_t *faults)
{
    struct ptog_execution execution = trial->execution;
    struct ptog_progress told = {.at = ptog_trial_at, .user = trial};
    bool good = true;
    *faults = 0;
    execution.max_steps = max_steps;
    execution.progress = &told;
    execution.started = NULL;
    for (size_t t = 0; good && !trial->ended && t < PTOG_TARGETS && trial->targets[t]; t++) {
        if (trial->targets[t]->machine == PTOG_NO_MACHINE)
            continue;
        struct ptog_budget budget = {.most = 0};
        ptog_diags *diags = ptog_diags_new();
        if (!diags)
            return false;
        ptog_trial_bind_exactly(trial);
        execution.target = trial->targets[t];
        good = ptog_run_within(&budget, trial->program, &execution, diags, NULL) != PTOG_NO_MEMORY;
        *faults += count_faults(diags);
        ptog_diags_free(diags);
    }
    return good;
}
