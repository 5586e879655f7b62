/* repair: pairs taken apart. What a pair orders shows in a run without it. */
#include "repair/spread.h"

#include "lower/eval.h"
#include "repair/fix_faults.h"
#include "repair/reference.h"

/* The last operation before `here`, in the same region, whose access a race at `here` speaks of. */
static const struct ptog_op *producer_of(const struct ptog_tries *tries, const ptog_diags *report, uint32_t here)
{
    const struct ptog_source *source = &tries->e->program->source;
    const struct ptog_region *region = tries->function->region;
    const struct ptog_op *last = NULL;
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(report, i)) != NULL; i++) {
        if (!ptog_is_race(diag) || diag->related_count == 0)
            continue;
        const struct ptog_op *at = ptog_op_at(source, region, &diag->where);
        const struct ptog_op *there = ptog_op_at(source, region, &diag->related[0].where);
        if (at && there && at->number == here && ptog_op_follows(region, there->number, here) &&
            (!last || there->number > last->number))
            last = there;
    }
    return last;
}

/* A run with the set after `producer`; if something is wrong with it, the pair is as it was. */
static enum ptog_status try_apart(struct ptog_tries *tries, uint32_t op, uint32_t line, const struct ptog_op *producer)
{
    struct ptog_sync *wait = &tries->added->before[op].of[line], set = *wait;
    struct ptog_lines *after = &tries->added->after[producer->number];
    struct ptog_trial trial = ptog_trial_below(tries, 1);
    size_t faults = 1;
    bool same = false;
    set.part = PTOG_SYNC_SET;
    if (!ptog_lines_add(after, after->count, &set, 1))
        return PTOG_NO_MEMORY;
    wait->part = PTOG_SYNC_WAIT;
    enum ptog_status status = ptog_try(tries, &trial, NULL, &faults);
    if (status == PTOG_OK && faults == 0)
        status = ptog_reference_look(tries->reference, &same);
    if (status == PTOG_OK && same)
        return PTOG_OK;
    wait->part = PTOG_SYNC_WHOLE;
    after->count--;
    return status;
}

/* Runs the program without a line to see what it orders; then tries its set directly after the instruction that it
 * announces. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status spread_one(struct ptog_tries *tries, uint32_t op, uint32_t line)
{
    struct ptog_trial trial = {.without_op = op, .without_line = line + 1};
    ptog_diags *report = ptog_diags_new();
    size_t faults;
    enum ptog_status status = report ? ptog_try(tries, &trial, report, &faults) : PTOG_NO_MEMORY;
    const struct ptog_op *producer = status == PTOG_OK ? producer_of(tries, report, op) : NULL;
    ptog_diags_free(report);
    if (producer)
        status = try_apart(tries, op, line, producer);
    return status;
}

enum ptog_status ptog_spread(struct ptog_tries *tries)
{
    const struct ptog_added *added = tries->added;
    enum ptog_status status = PTOG_OK;
    for (uint32_t op = 0; op < added->op_count; op++)
        for (uint32_t line = 0; line < added->before[op].count && status == PTOG_OK; line++) {
            const struct ptog_sync *sync = &added->before[op].of[line];
            if (sync->part == PTOG_SYNC_WHOLE && !ptog_sync_is_barrier(sync) && !ptog_tries_are_used_up(tries))
                status = spread_one(tries, op, line);
        }
    return status;
}
