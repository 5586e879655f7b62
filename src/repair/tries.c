/* repair: runs of a program to try something, each from the same memory, which is as before afterwards. */
#include "repair/tries.h"

#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "core/automatic.h"
#include "diag/allow.h"
#include "interp/run.h"
#include "lower/bind.h"
#include "repair/remedies.h"

#define OPS_LOOKED_UP 64u /* of a text, that are looked up in the time of one that is executed */

/* ---- the caller's memory, which every run changes */

/* Whether the program may write to a buffer that is bound. */
static bool is_written(const struct ptog_eval *e, const struct ptog_bound_memory *buffer)
{
    return buffer->slot && e->slots[buffer->slot - 1].written && buffer->data && buffer->bytes > 0;
}

/* Copies the buffers that the program writes, to restore them after each run. False when out of memory. */
static bool keep_memory(struct ptog_tries *tries)
{
    const struct ptog_eval *e = tries->e;
    tries->copies = calloc((size_t)e->memory_count + 1, sizeof *tries->copies);
    bool good = tries->copies != NULL;
    for (uint32_t i = 0; good && i < e->memory_count; i++) {
        const struct ptog_bound_memory *buffer = &e->memories[i];
        if (!is_written(e, buffer))
            continue;
        good = (tries->copies[i] = malloc(buffer->bytes)) != NULL;
        tries->copied += buffer->bytes;
        if (good)
            memcpy(tries->copies[i], buffer->data, buffer->bytes);
    }
    return good;
}

/* Gives all buffers the bytes from before the first trial. */
static void restore_memory(const struct ptog_tries *tries)
{
    tries->budget->used += ptog_cost_of_copy(tries->copied);
    for (uint32_t i = 0; i < tries->e->memory_count; i++)
        if (tries->copies[i])
            memcpy(tries->e->memories[i].data, tries->copies[i], tries->e->memories[i].bytes);
}

/* ---- event ids that are free in every turn of every loop */

/* Ignores a gather: a run that is watched only to be done without a machine. */
static void no_gather(void *user, const struct ptog_gather_seen *seen)
{
    (void)user;
    (void)seen;
}

/* Whether the program computes an event id. */
static bool computes_ids(const struct ptog_eval *e)
{
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            if (e->machine.computes_ids[src][dst])
                return true;
    return false;
}

/* Of a run that did not come to its end nobody knows which ids it would still have computed. */
static void take_all_ids(struct ptog_machine *machine)
{
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            if (machine->computes_ids[src][dst])
                machine->used_ids[src][dst] = 0xff;
}

/* What the next run may cost. */
static uint64_t cost_left(const struct ptog_tries *tries)
{
    return ptog_max(ptog_left(tries->most, tries->budget->used), 1);
}

/* Computed ids are found out by a run without a machine: no wait holds that, so it comes to the end of every loop. */
static enum ptog_status collect_ids(struct ptog_tries *tries)
{
    static const struct ptog_gather_watch watch = {.gathers = no_gather};
    struct ptog_execution execution = tries->execution;
    struct ptog_diag_list diags = {.source = &tries->e->program->source, .off = true};
    struct ptog_eval e;
    if (!computes_ids(tries->e))
        return PTOG_OK;
    execution.watch = &watch;
    enum ptog_status status = ptog_eval_open(&e, tries->e->program, tries->e->target, &diags);
    e.offered = tries->e->lowered;
    e.max_cost = cost_left(tries);
    if (status == PTOG_OK)
        status = ptog_run_once(&e, &execution, tries->function);
    if (status != PTOG_OK || e.stopped)
        take_all_ids(&tries->e->machine);
    for (int src = 0; src < PTOG_PIPES; src++)
        for (int dst = 0; dst < PTOG_PIPES; dst++)
            tries->e->machine.used_ids[src][dst] |= e.machine.used_ids[src][dst];
    tries->budget->used += ptog_cost_of_run(&e);
    ptog_run_close(&e);
    ptog_diag_list_free(&diags);
    restore_memory(tries);
    if (status == PTOG_NO_MEMORY)
        return status;
    return PTOG_OK;
}

/* ---- what the author allows */

bool ptog_is_allowed(const struct ptog_tries *tries, const struct ptog_diag *diag)
{
    struct ptog_allowed allowed = {0};
    return tries->forgives && diag->where.line > 0 &&
           ptog_line_allows(&allowed, &tries->e->program->source, (uint32_t)diag->where.line, diag->id);
}

/* How many faults of order of a run no comment allows. */
static enum ptog_status count_faults(const struct ptog_tries *tries, const ptog_device *device, size_t *faults)
{
    *faults = ptog_device_unordered(device);
    if (!tries->forgives || *faults == 0)
        return PTOG_OK;
    ptog_diags *report = ptog_diags_new();
    const struct ptog_diag *diag;
    enum ptog_status status = report ? ptog_device_report(device, report) : PTOG_NO_MEMORY;
    for (size_t i = 0; status == PTOG_OK && (diag = ptog_diags_at(report, i)) != NULL; i++)
        *faults -= *faults > 0 && ptog_is_of_order(diag) && ptog_is_allowed(tries, diag);
    ptog_diags_free(report);
    return status;
}

struct ptog_trial ptog_trial_below(const struct ptog_tries *tries, size_t faults)
{
    return (struct ptog_trial){.stops = !tries->forgives && faults > 0, .tolerated = faults - 1};
}

/* ---- runs */

/* Prepares runs of the program from the memory as it is now, which is copied, and finds out which event ids it
 * computes. False when out of memory; close it in any case. */
bool ptog_tries_open(struct ptog_tries *tries, struct ptog_added *added, struct ptog_eval *e,
                     const struct ptog_execution *execution, const struct ptog_function *function,
                     struct ptog_budget *budget)
{
    *tries = (struct ptog_tries){
        .added = added, .e = e, .function = function, .execution = *execution, .budget = budget, .most = budget->most};
    tries->execution.no_sanitize = false;
    tries->execution.schedule = PTOG_SCHEDULE_COST;
    tries->execution.trace = NULL;
    tries->execution.watch = NULL;
    tries->look = UINT64_MAX;
    tries->forgives = e->machine.has_sync && ptog_allows_any(&e->program->source);
    return keep_memory(tries) && collect_ids(tries) == PTOG_OK;
}

void ptog_tries_close(struct ptog_tries *tries)
{
    for (uint32_t i = 0; tries->copies && i < tries->e->memory_count; i++)
        free(tries->copies[i]);
    free(tries->copies);
    ptog_try_cache_close(&tries->cache);
}

/* Counts what a run cost. One that showed only the beginning of what it should is as good as none. */
static void count_run(struct ptog_tries *tries, const struct ptog_eval *e, uint64_t most, struct ptog_trial *trial,
                      size_t *faults)
{
    uint64_t cost = e->steps + e->effort;
    bool looked = cost > tries->look;
    trial->cut = !looked && cost > most;
    tries->cut |= looked || trial->cut;
    tries->budget->used += ptog_cost_of_run(e);
    if (trial->cut)
        *faults = SIZE_MAX;
}

enum ptog_status ptog_try_as(struct ptog_tries *tries, const struct ptog_execution *execution, struct ptog_trial *trial,
                             ptog_diags *report, size_t *faults)
{
    const struct ptog_program *program = tries->e->program;
    const struct ptog_target *target = ptog_run_target(program, execution);
    uint64_t most = cost_left(tries);
    struct ptog_diag_list diags = {.source = &program->source, .off = true};
    struct ptog_eval e;
    trial->added = tries->added;
    enum ptog_status status = ptog_eval_open(&e, program, target, &diags);
    e.offered = tries->e->lowered;
    e.machine.trial = trial;
    e.max_cost = ptog_min(most, tries->look);
    memcpy(e.machine.used_ids, tries->e->machine.used_ids, sizeof e.machine.used_ids);
    if (status == PTOG_OK)
        status = ptog_run_once(&e, execution, tries->function);
    *faults = 0;
    if (e.machine.device && count_faults(tries, e.machine.device, faults) != PTOG_OK)
        status = PTOG_NO_MEMORY;
    if (report && !trial->found && e.machine.device && ptog_device_report(e.machine.device, report) != PTOG_OK)
        status = PTOG_NO_MEMORY;
    if (e.machine.device && ptog_device_failed(e.machine.device))
        status = PTOG_NO_MEMORY;
    trial->refused = status != PTOG_OK || e.stopped;
    count_run(tries, &e, most, trial, faults);
    ptog_run_close(&e);
    ptog_diag_list_free(&diags);
    restore_memory(tries);
    if (status == PTOG_NO_MEMORY)
        return status;
    return PTOG_OK;
}

const struct ptog_try_result *ptog_try_known(struct ptog_tries *tries, struct ptog_trial *trial, uint32_t subject)
{
    tries->budget->used += 1 + tries->added->op_count / OPS_LOOKED_UP;
    trial->added = tries->added;
    return ptog_try_cache_find(&tries->cache, trial, subject);
}

/* A run, unless the same one was made before. One that adds lines is always made. */
static enum ptog_status try_on(struct ptog_tries *tries, const struct ptog_execution *execution, uint32_t subject,
                               struct ptog_trial *trial, ptog_diags *report, size_t *faults)
{
    if (trial->discovers)
        return ptog_try_as(tries, execution, trial, report, faults);
    const struct ptog_try_result *known = ptog_try_known(tries, trial, subject);
    bool stops = known && trial->stops && known->faults > trial->tolerated;
    if (known && (known->report || !report || stops)) {
        trial->found = stops;
        trial->refused = known->refused;
        *faults = known->faults;
        return !report || stops || ptog_diags_copy(report, known->report) ? PTOG_OK : PTOG_NO_MEMORY;
    }
    enum ptog_status status = ptog_try_as(tries, execution, trial, report, faults);
    if (status == PTOG_OK && !trial->cut)
        ptog_try_cache_keep(
            &tries->cache,
            &(struct ptog_try_result){.faults = *faults, .found = trial->found, .refused = trial->refused},
            trial->found ? NULL : report);
    return status;
}

enum ptog_status ptog_try(struct ptog_tries *tries, struct ptog_trial *trial, ptog_diags *report, size_t *faults)
{
    return try_on(tries, &tries->execution, PTOG_TRY_HERE, trial, report, faults);
}

enum ptog_status ptog_try_other_target(struct ptog_tries *tries, struct ptog_trial *trial, ptog_diags *report,
                                       size_t *faults)
{
    struct ptog_execution execution = tries->execution;
    execution.target = ptog_other_machine(tries->e->target);
    return try_on(tries, &execution, PTOG_TRY_OTHER_TARGET, trial, report, faults);
}

const struct ptog_target *ptog_other_machine(const struct ptog_target *target)
{
    const struct ptog_target *other;
    for (size_t i = 0; (other = ptog_target_at(i)) != NULL; i++)
        if (other->machine != PTOG_NO_MACHINE && other != target)
            return other;
    return target;
}
