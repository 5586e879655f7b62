/* repair: dcci and dsb that are missing. The machine names the statements and the instruction that they stand before;
 * with the flags of a repair in place, they are lines as those are. */
#include "repair/edits/flush.h"

#include "diag/kind.h"
#include "lower/eval.h"
#include "repair/fix_faults.h"

#define MAX_FLUSH_ROUNDS 32

bool ptog_is_of_cache(const struct ptog_diag *diag)
{
    return diag->kind == PTOG_DIAG_SCALAR_STALE || diag->kind == PTOG_DIAG_SCALAR_UNFLUSHED;
}

enum ptog_fix_kind ptog_single_fix(const struct ptog_sync *sync)
{
    if (sync->part == PTOG_SYNC_FLUSH)
        return PTOG_FIX_FLUSH;
    return sync->part == PTOG_SYNC_FENCE ? PTOG_FIX_FENCE : PTOG_FIX_BARRIER;
}

/* The line of a step; false: it is no statement of the cache, or stands behind its operation. */
static bool line_of_step(const struct ptog_fix *step, struct ptog_sync *line)
{
    *line = (struct ptog_sync){PTOG_ALL, PTOG_ALL, 0, PTOG_SYNC_FLUSH};
    if (step->kind == PTOG_FIX_FENCE)
        line->part = PTOG_SYNC_FENCE;
    return (step->kind == PTOG_FIX_FLUSH || step->kind == PTOG_FIX_FENCE) && step->side == PTOG_FIX_BEFORE;
}

static bool has_line(const struct ptog_lines *lines, const struct ptog_sync *line)
{
    for (uint32_t i = 0; i < lines->count; i++)
        if (lines->of[i].part == line->part)
            return true;
    return false;
}

/* Adds the lines of one fault that are not there yet; *grew is set then. False when out of memory. */
static bool add_fault_lines(struct ptog_tries *tries, const struct ptog_diag *diag, bool *grew)
{
    const struct ptog_op *here = ptog_op_at(&tries->e->program->source, tries->function->region, &diag->where);
    if (!here || !ptog_is_of_cache(diag) || diag->severity < PTOG_ERROR || ptog_is_allowed(tries, diag))
        return true;
    struct ptog_lines *lines = &tries->added->before[here->number];
    for (size_t i = 0; i < diag->fix_count; i++) {
        struct ptog_sync line;
        if (!line_of_step(&diag->fix[i], &line) || has_line(lines, &line))
            continue;
        if (!ptog_lines_add(lines, lines->count, &line, 1))
            return false;
        *grew = true;
    }
    return true;
}

enum ptog_status ptog_add_flushes(struct ptog_tries *tries)
{
    bool grew = true;
    enum ptog_status status = PTOG_OK;
    for (int round = 0; round < MAX_FLUSH_ROUNDS && grew && status == PTOG_OK; round++) {
        struct ptog_trial trial = {0};
        ptog_diags *report = ptog_diags_new();
        const struct ptog_diag *diag;
        size_t faults;
        grew = false;
        status = report ? ptog_try(tries, &trial, report, &faults) : PTOG_NO_MEMORY;
        for (size_t i = 0; status == PTOG_OK && (diag = ptog_diags_at(report, i)) != NULL; i++)
            if (!add_fault_lines(tries, diag, &grew))
                status = PTOG_NO_MEMORY;
        ptog_diags_free(report);
    }
    return status;
}
