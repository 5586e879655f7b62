/* repair: completing a program: runs that look for lines until none is missing, then runs without one line each. */
#include "repair/complete.h"

#include "core/automatic.h"
#include "lower/eval.h"
#include "repair/fix_faults.h"
#include "repair/halves.h"

#define MAX_ROUNDS 64                   /* each adds a line, of which an operation takes few */
#define MAX_LOOK UINT64_C(300000)       /* cost of a run that looks for lines */
#define MAX_TOLERATED (UINT32_MAX / 2u) /* nothing stops such a run */

/* Runs the program until a run adds no more missing flags to tries->added, or the budget is used up, which sets
 * tries->cut. Returns PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status discover(struct ptog_tries *tries)
{
    enum ptog_status status = PTOG_OK;
    struct ptog_trial trial = {.grew = true};
    for (int round = 0; round < MAX_ROUNDS && trial.grew && status == PTOG_OK && !ptog_tries_are_used_up(tries);
         round++) {
        trial = (struct ptog_trial){.discovers = true, .tolerated = MAX_TOLERATED};
        status = ptog_try(tries, &trial, NULL, &tries->accepted);
    }
    tries->cut |= trial.grew;
    return status;
}

/* Whether the run is as clean without the line; then it is dropped. */
static enum ptog_status try_without(struct ptog_tries *tries, uint32_t op, uint32_t line, bool *dropped)
{
    struct ptog_trial trial = {
        .stops = !tries->forgives, .tolerated = tries->accepted, .without_op = op, .without_line = line + 1};
    size_t faults;
    enum ptog_status status = ptog_try(tries, &trial, NULL, &faults);
    *dropped = status == PTOG_OK && !trial.found && faults <= tries->accepted;
    if (*dropped)
        ptog_lines_drop(&tries->added->before[op], line);
    return status;
}

/* Drops every added line without which a trial run is as good, last line first, until each that is left is needed.
 * *untried counts those for which the budget did not suffice. */
enum ptog_status ptog_leave_out(struct ptog_tries *tries, uint32_t *untried)
{
    const struct ptog_added *added = tries->added;
    enum ptog_status status = PTOG_OK;
    for (bool again = true; again && status == PTOG_OK;) {
        again = false;
        *untried = 0;
        for (uint32_t op = added->op_count; op-- > 0;)
            for (uint32_t line = added->before[op].count; line-- > 0 && status == PTOG_OK;) {
                bool dropped = false;
                if (added->before[op].of[line].part != PTOG_SYNC_WHOLE)
                    continue; /* of a flag of the text */
                if (ptog_tries_are_used_up(tries))
                    (*untried)++;
                else
                    status = try_without(tries, op, line, &dropped);
                again |= dropped;
            }
    }
    return status;
}

void ptog_completion_count(struct ptog_completion *completion)
{
    const struct ptog_added *added = &completion->added;
    completion->pairs = completion->barriers = 0;
    for (uint32_t op = 0; op < added->op_count; op++)
        for (uint32_t i = 0; i < added->before[op].count; i++)
            if (ptog_sync_is_barrier(&added->before[op].of[i]))
                completion->barriers++;
            else
                completion->pairs++;
}

enum ptog_status ptog_find_lines(struct ptog_tries *tries, bool whole, uint32_t *untried)
{
    bool has_sync = tries->e->machine.has_sync;
    enum ptog_status status = whole && has_sync ? ptog_halves_add(tries) : PTOG_OK;
    if (status == PTOG_OK)
        status = discover(tries);
    if (status == PTOG_OK && tries->accepted > 0 && has_sync)
        status = ptog_fix_faults(tries);
    if (status == PTOG_OK)
        status = ptog_leave_out(tries, untried);
    return status;
}

enum ptog_status ptog_complete(struct ptog_completion *completion, struct ptog_eval *e,
                               const struct ptog_execution *execution, const struct ptog_function *function, bool whole,
                               struct ptog_budget *budget, uint64_t most)
{
    struct ptog_tries tries;
    enum ptog_status status =
        ptog_tries_open(&tries, &completion->added, e, execution, function, budget) ? PTOG_OK : PTOG_NO_MEMORY;
    tries.most = most;
    if (!whole)
        tries.look = MAX_LOOK;
    if (status == PTOG_OK)
        status = ptog_find_lines(&tries, whole, &completion->untried);
    completion->cut = tries.cut;
    ptog_tries_close(&tries);
    ptog_completion_count(completion);
    return status;
}
