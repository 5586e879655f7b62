/* repair: fixing the faults of a report: the remedies of each are tried in a run, the lightest first, and the first
 * that helps is taken. An instruction that a wait holds back meets what was issued after it, which is not known while a
 * program is completed; but the machine reports it, so such races are fixed from the report, one after the other. */
#include "repair/fix_faults.h"

#include <string.h>

#include "diag/kind.h"
#include "lower/eval.h"

#define MAX_REPAIRED 64 /* faults */

/* ---- one fault */

static bool same_place(const struct ptog_where *a, const struct ptog_where *b)
{
    return a->line == b->line && a->column == b->column;
}

static bool is_flag_fault(const struct ptog_diag *diag)
{
    return diag->severity == PTOG_ERROR && (ptog_kind_is_flag(diag->kind) || diag->kind == PTOG_DIAG_ORDER_REVERSED);
}

bool ptog_has_fault(const ptog_diags *diags, const struct ptog_diag *wanted)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (diag->kind == wanted->kind && same_place(&diag->where, &wanted->where) &&
            diag->related_count == wanted->related_count &&
            (diag->related_count == 0 || same_place(&diag->related[0].where, &wanted->related[0].where)))
            return true;
    return false;
}

bool ptog_has_new_flag_fault(const ptog_diags *left, const ptog_diags *report)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(left, i)) != NULL; i++)
        if (is_flag_fault(diag) && !ptog_has_fault(report, diag))
            return true;
    return false;
}

/* Runs with the remedy; `left` gets the report, *fixes whether it helps and leaves fewer than `below` faults. The lines
 * are as they were afterwards. */
static enum ptog_status try_one(struct ptog_tries *tries, const ptog_diags *report, const struct ptog_diag *diag,
                                uint32_t here, uint32_t there, const struct ptog_remedy *remedy, ptog_diags *left,
                                size_t below, bool *fixes, size_t *faults)
{
    struct ptog_lines *before = &tries->added->before[here], *after = &tries->added->after[there];
    uint32_t before_count = before->count, after_count = after->count;
    struct ptog_trial trial = ptog_trial_below(tries, below);
    bool good =
        left && ptog_remedy_add(tries->added, remedy, here, there) && ptog_try(tries, &trial, left, faults) == PTOG_OK;
    *fixes = good && *faults < below && !ptog_has_fault(left, diag) && !ptog_has_new_flag_fault(left, report);
    before->count = before_count;
    after->count = after_count;
    if (good)
        return PTOG_OK;
    return PTOG_NO_MEMORY;
}

enum ptog_status ptog_fix_fault(struct ptog_tries *tries, const ptog_diags *report, const struct ptog_diag *diag,
                                uint32_t here, uint32_t there, struct ptog_remedy *remedy, size_t *faults,
                                ptog_diags **left)
{
    enum ptog_status status = PTOG_ILLEGAL;
    for (enum ptog_remedy_kind kind = 0; kind < PTOG_REMEDIES && status == PTOG_ILLEGAL; kind++) {
        size_t count = 0;
        bool fixes = false;
        if (ptog_tries_are_used_up(tries))
            break;
        if (!ptog_remedy_of(tries, kind, diag, here, there, remedy))
            continue;
        ptog_diags *after = ptog_diags_new();
        if (try_one(tries, report, diag, here, there, remedy, after, *faults, &fixes, &count) != PTOG_OK)
            status = PTOG_NO_MEMORY;
        else if (fixes)
            status = PTOG_OK;
        if (status == PTOG_OK)
            *faults = count;
        if (status == PTOG_OK && left)
            *left = after;
        else
            ptog_diags_free(after);
    }
    return status;
}

/* ---- all of them */

/* The columns are counted only for operations of that line: there may be thousands of others. */
static bool is_op_at(const struct ptog_source *source, const struct ptog_op *op, const struct ptog_where *where)
{
    struct ptog_span line = ptog_source_line(source, where->line);
    if (op->name_span.at < line.at || op->name_span.at - line.at > line.length)
        return false;
    struct ptog_place place = ptog_source_place(source, op->name_span);
    return place.line == where->line && place.column == where->column;
}

const struct ptog_op *ptog_op_at(const struct ptog_source *source, const struct ptog_region *region,
                                 const struct ptog_where *where)
{
    const struct ptog_op *found = NULL;
    for (const struct ptog_op *op = region->first; op && !found; op = op->next) {
        if (is_op_at(source, op, where))
            found = op;
        for (uint32_t i = 0; i < op->part_count && !found; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                found = ptog_op_at(source, op->parts[i].region, where);
    }
    return found;
}

/* Adds lines that fix this race, or this flag that is set twice; PTOG_ILLEGAL: there are none. */
static enum ptog_status fix_at(struct ptog_tries *tries, const ptog_diags *report, const struct ptog_diag *diag)
{
    const struct ptog_source *source = &tries->e->program->source;
    const struct ptog_region *region = tries->function->region;
    const struct ptog_op *here = ptog_op_at(source, region, &diag->where);
    const struct ptog_op *there = diag->related_count > 0 ? ptog_op_at(source, region, &diag->related[0].where) : NULL;
    struct ptog_remedy remedy;
    if (!ptog_is_of_order(diag) || ptog_is_allowed(tries, diag) || !here || !there)
        return PTOG_ILLEGAL;
    enum ptog_status status =
        ptog_fix_fault(tries, report, diag, here->number, there->number, &remedy, &tries->accepted, NULL);
    if (status == PTOG_OK && !ptog_remedy_add(tries->added, &remedy, here->number, there->number))
        status = PTOG_NO_MEMORY;
    return status;
}

/* Runs, and fixes the first fault of the report that can be; PTOG_ILLEGAL: none can. */
static enum ptog_status fix_any(struct ptog_tries *tries)
{
    struct ptog_trial trial = {0};
    ptog_diags *report = ptog_diags_new();
    const struct ptog_diag *diag;
    enum ptog_status status = report ? ptog_try(tries, &trial, report, &tries->accepted) : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = PTOG_ILLEGAL;
    for (size_t i = 0; status == PTOG_ILLEGAL && (diag = ptog_diags_at(report, i)) != NULL; i++)
        status = fix_at(tries, report, diag);
    ptog_diags_free(report);
    return status;
}

enum ptog_status ptog_fix_faults(struct ptog_tries *tries)
{
    enum ptog_status status = PTOG_OK;
    for (int i = 0; status == PTOG_OK && i < MAX_REPAIRED && !ptog_tries_are_used_up(tries); i++)
        status = fix_any(tries);
    if (status == PTOG_ILLEGAL)
        return PTOG_OK;
    return status;
}
