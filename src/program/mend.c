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

/* Adds lines that mend this race and leave fewer faults than before. */
static bool mend_one(struct ptog_search *search, const ptog_diags *report, const struct ptog_diag *diag)
{
    const struct ptog_op *op = op_at(&search->e->program->source, search->function->region, &diag->where);
    struct ptog_remedy remedy;
    size_t faults;
    for (enum ptog_remedy_kind kind = 0; op && kind < PTOG_REMEDIES; kind++)
        if (ptog_remedy_of(search->e, kind, diag, &remedy) && !remedy.spread &&
            ptog_remedy_mends(search, report, diag, &remedy, op->number, 0, &faults) && faults < search->accepted) {
            struct ptog_lines *lines = &search->completion->before[op->number];
            search->accepted = faults;
            return ptog_lines_add(lines, lines->count, remedy.before, remedy.count);
        }
    return false;
}

/* Runs, and mends the first race of the report that can be. */
static enum ptog_status mend_any(struct ptog_search *search, bool *mended)
{
    struct ptog_trial trial = {0};
    ptog_diags *report = ptog_diags_new();
    const struct ptog_diag *diag;
    enum ptog_status status = report ? ptog_search_run(search, &trial, report, &search->accepted) : PTOG_NO_MEMORY;
    *mended = false;
    for (size_t i = 0; status == PTOG_OK && !*mended && (diag = ptog_diags_at(report, i)) != NULL; i++)
        *mended = ptog_is_race(diag) && mend_one(search, report, diag);
    ptog_diags_free(report);
    return status;
}

enum ptog_status ptog_mend(struct ptog_search *search)
{
    uint64_t start = search->work;
    enum ptog_status status = PTOG_OK;
    bool mended = true;
    for (int i = 0; mended && status == PTOG_OK && i < MOST_MENDED && search->work - start < MOST_WORK; i++)
        status = mend_any(search, &mended);
    return status;
}
