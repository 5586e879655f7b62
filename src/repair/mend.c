/* repair: mending the faults of a report: the remedies of each are tried in a run, the lightest first, and the first
 * that helps is taken. An instruction that a wait holds back meets what was issued after it, which is not known while a
 * program is completed; but the machine reports it, so such races are mended from the report, one after the other. */
#include "repair/mend.h"

#include <string.h>

#include "program/eval.h"

#define MOST_MENDED 64              /* faults */
#define MOST_WORK UINT64_C(1000000) /* operations of all runs together */

/* ---- one fault */

static bool same_place(const struct ptog_where *a, const struct ptog_where *b)
{
    return a->line == b->line && a->column == b->column;
}

static bool is_flag_fault(const struct ptog_diag *diag)
{
    return diag->severity == PTOG_ERROR &&
           (strncmp(diag->id, "flag-", 5) == 0 || strcmp(diag->id, "order-reversed") == 0);
}

bool ptog_has_fault(const ptog_diags *diags, const struct ptog_diag *wanted)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (strcmp(diag->id, wanted->id) == 0 && same_place(&diag->where, &wanted->where) &&
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

/* Runs with the remedy. The lines are as they were afterwards. */
static enum ptog_status try_one(struct ptog_tries *tries, const ptog_diags *report, const struct ptog_diag *diag,
                                uint32_t here, uint32_t there, const struct ptog_remedy *remedy, bool *mends,
                                size_t *faults)
{
    struct ptog_lines *before = &tries->added->before[here], *after = &tries->added->after[there];
    uint32_t before_count = before->count, after_count = after->count;
    struct ptog_trial trial = {0};
    ptog_diags *left = ptog_diags_new();
    bool good =
        left && ptog_remedy_add(tries->added, remedy, here, there) && ptog_try(tries, &trial, left, faults) == PTOG_OK;
    *mends = good && !ptog_has_fault(left, diag) && !ptog_has_new_flag_fault(left, report);
    before->count = before_count;
    after->count = after_count;
    ptog_diags_free(left);
    if (good)
        return PTOG_OK;
    return PTOG_NO_MEMORY;
}

enum ptog_status ptog_mend_one(struct ptog_tries *tries, const ptog_diags *report, const struct ptog_diag *diag,
                               uint32_t here, uint32_t there, uint64_t most, struct ptog_remedy *remedy, size_t *faults)
{
    enum ptog_status status = PTOG_OK;
    for (enum ptog_remedy_kind kind = 0; kind < PTOG_REMEDIES && tries->work <= most; kind++) {
        size_t left = 0;
        bool mends = false;
        if (ptog_remedy_of(tries, kind, diag, here, there, remedy))
            status = try_one(tries, report, diag, here, there, remedy, &mends, &left);
        if (status != PTOG_OK)
            return status;
        if (mends && left < *faults) {
            *faults = left;
            return PTOG_OK;
        }
    }
    return PTOG_ILLEGAL;
}

/* ---- all of them */

const struct ptog_op *ptog_op_at(const struct ptog_source *source, const struct ptog_region *region,
                                 const struct ptog_where *where)
{
    const struct ptog_op *found = NULL;
    for (const struct ptog_op *op = region->first; op && !found; op = op->next) {
        struct ptog_place place = ptog_source_place(source, op->name_span);
        if (place.line == where->line && place.column == where->column)
            found = op;
        for (uint32_t i = 0; i < op->part_count && !found; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                found = ptog_op_at(source, op->parts[i].region, where);
    }
    return found;
}

/* Adds lines that mend this race, or this flag that is set twice; PTOG_ILLEGAL: there are none. */
static enum ptog_status mend_at(struct ptog_tries *tries, const ptog_diags *report, const struct ptog_diag *diag,
                                uint64_t most)
{
    const struct ptog_source *source = &tries->e->program->source;
    const struct ptog_region *region = tries->function->region;
    const struct ptog_op *here = ptog_op_at(source, region, &diag->where);
    const struct ptog_op *there = diag->related_count > 0 ? ptog_op_at(source, region, &diag->related[0].where) : NULL;
    struct ptog_remedy remedy;
    if (!ptog_is_of_order(diag) || ptog_is_allowed(tries, diag) || !here || !there)
        return PTOG_ILLEGAL;
    enum ptog_status status =
        ptog_mend_one(tries, report, diag, here->number, there->number, most, &remedy, &tries->accepted);
    if (status == PTOG_OK && !ptog_remedy_add(tries->added, &remedy, here->number, there->number))
        status = PTOG_NO_MEMORY;
    return status;
}

/* Runs, and mends the first fault of the report that can be; PTOG_ILLEGAL: none can. */
static enum ptog_status mend_any(struct ptog_tries *tries, uint64_t most)
{
    struct ptog_trial trial = {0};
    ptog_diags *report = ptog_diags_new();
    const struct ptog_diag *diag;
    enum ptog_status status = report ? ptog_try(tries, &trial, report, &tries->accepted) : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = PTOG_ILLEGAL;
    for (size_t i = 0; status == PTOG_ILLEGAL && (diag = ptog_diags_at(report, i)) != NULL; i++)
        status = mend_at(tries, report, diag, most);
    ptog_diags_free(report);
    return status;
}

enum ptog_status ptog_mend(struct ptog_tries *tries)
{
    uint64_t most = tries->work + MOST_WORK;
    enum ptog_status status = PTOG_OK;
    for (int i = 0; status == PTOG_OK && i < MOST_MENDED; i++)
        status = mend_any(tries, most);
    if (status == PTOG_ILLEGAL)
        return PTOG_OK;
    return status;
}
