/* program: the races that are left when a program has been completed. An instruction that a wait holds back meets what
 * was issued after it, which is not known while lines are looked for; but the machine reports it. So these races are
 * mended from the report, one after the other. */
#include "program/remedy.h"

#include "program/eval.h"

#define MOST_MENDED 64              /* races */
#define MOST_WORK UINT64_C(1000000) /* operations of all runs together */

/* The operation that a report speaks of; NULL: none of the region. */
static const struct ptog_op *op_at(const struct ptog_source *source, const struct ptog_region *region,
                                   const struct ptog_where *where)
{
    const struct ptog_op *found = NULL;
    for (const struct ptog_op *op = region->first; op && !found; op = op->next) {
        struct ptog_place place = ptog_source_place(source, op->name_span);
        if (place.line == where->line && place.column == where->column)
            found = op;
        for (uint32_t i = 0; i < op->part_count && !found; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                found = op_at(source, op->parts[i].region, where);
    }
    return found;
}

/* Adds lines that mend this race; PTOG_ILLEGAL: there are none. */
static enum ptog_status mend_one(struct ptog_search *search, const ptog_diags *report, const struct ptog_diag *diag,
                                 uint64_t most)
{
    const struct ptog_source *source = &search->e->program->source;
    const struct ptog_region *region = search->function->region;
    const struct ptog_op *here = op_at(source, region, &diag->where);
    const struct ptog_op *there = diag->related_count > 0 ? op_at(source, region, &diag->related[0].where) : NULL;
    struct ptog_remedy remedy;
    if (!ptog_is_race(diag) || !here || !there)
        return PTOG_ILLEGAL;
    enum ptog_status status =
        ptog_remedy_find(search, report, diag, here->number, there->number, most, &remedy, &search->accepted);
    if (status == PTOG_OK && !ptog_remedy_add(search->completion, &remedy, here->number, there->number))
        status = PTOG_NO_MEMORY;
    return status;
}

/* Runs, and mends the first race of the report that can be; PTOG_ILLEGAL: none can. */
static enum ptog_status mend_any(struct ptog_search *search, uint64_t most)
{
    struct ptog_trial trial = {0};
    ptog_diags *report = ptog_diags_new();
    const struct ptog_diag *diag;
    enum ptog_status status = report ? ptog_search_run(search, &trial, report, &search->accepted) : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = PTOG_ILLEGAL;
    for (size_t i = 0; status == PTOG_ILLEGAL && (diag = ptog_diags_at(report, i)) != NULL; i++)
        status = mend_one(search, report, diag, most);
    ptog_diags_free(report);
    return status;
}

enum ptog_status ptog_mend(struct ptog_search *search)
{
    uint64_t most = search->work + MOST_WORK;
    enum ptog_status status = PTOG_OK;
    for (int i = 0; status == PTOG_OK && i < MOST_MENDED; i++)
        status = mend_any(search, most);
    return status == PTOG_ILLEGAL ? PTOG_OK : status;
}
