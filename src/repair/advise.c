/* repair: advice for a report: fixes that were tried. */
#include "repair/advise.h"

#include "program/eval.h"
#include "repair/mend.h"
#include "repair/write.h"

#define MOST_COST_TRIED UINT64_C(200000) /* of a run that is tried again */

/* From now on no other advice names this flag. */
static void name_flag(struct ptog_adviser *p, const struct ptog_sync *sync)
{
    if (!ptog_sync_is_barrier(sync))
        p->tries.named[sync->src][sync->dst] |= 1u << sync->id;
}

/* A single fault needs no repair of the whole: lines that mend it are those of a repair. */
static bool several_faults(const ptog_diags *report)
{
    const struct ptog_diag *diag;
    int count = 0;
    for (size_t i = 0; count < 2 && (diag = ptog_diags_at(report, i)) != NULL; i++)
        count += ptog_is_of_order(diag);
    return count == 2;
}

static bool open_adviser(struct ptog_adviser *p)
{
    if (p->opened)
        return !p->failed;
    p->opened = true;
    p->failed = !ptog_added_open(&p->added, p->e->tree->op_count);
    p->failed = !ptog_tries_open(&p->tries, &p->added, p->e, p->execution, p->function, p->budget) || p->failed;
    if (!p->failed && ptog_halves_are_missing(p->report))
        p->failed = ptog_reference_open(&p->reference, &p->tries) != PTOG_OK;
    p->tries.reference = p->reference.runs ? &p->reference : NULL;
    if (!p->failed && ptog_halves_are_missing(p->report))
        p->failed = ptog_half_find(&p->tries, p->report, &p->half) == PTOG_NO_MEMORY;
    if (!p->failed && !p->half.op && several_faults(p->report))
        p->failed = ptog_insertions_open(&p->insertions, &p->tries, p->report) == PTOG_NO_MEMORY;
    for (uint32_t i = 0; i < p->insertions.count; i++)
        for (uint32_t n = 0; n < p->insertions.of[i].count; n++)
            name_flag(p, &p->insertions.of[i].of[n].sync);
    return !p->failed;
}

void ptog_adviser_close(struct ptog_adviser *p)
{
    if (!p->opened)
        return;
    ptog_diags_free(p->left);
    ptog_elsewhere_close(&p->elsewhere);
    ptog_insertions_close(&p->insertions);
    ptog_reference_close(&p->reference);
    ptog_tries_close(&p->tries);
    ptog_added_close(&p->added);
}

/* ---- steps */

struct steps {
    struct ptog_fix *of;
    size_t count;
};

/* Statements stand before the first character of an operation, or behind its last one and the comment that follows. */
static struct ptog_where place(struct ptog_adviser *p, struct ptog_span whole, enum ptog_fix_side side)
{
    const struct ptog_source *source = &p->e->program->source;
    uint32_t at = side == PTOG_FIX_BEFORE ? whole.at : ptog_end_with_comment(source, whole);
    struct ptog_where where = ptog_where_of(source, (struct ptog_span){at, 0}, &p->lines[side == PTOG_FIX_AFTER]);
    where.end_column = where.column;
    return where;
}

static void add_step(struct ptog_adviser *p, struct steps *steps, enum ptog_fix_side side, struct ptog_span op,
                     const struct ptog_sync *sync, enum ptog_fix_kind kind)
{
    steps->of[steps->count++] = (struct ptog_fix){.kind = ptog_sync_is_barrier(sync) ? PTOG_FIX_BARRIER : kind,
                                                  .side = side,
                                                  .where = place(p, op, side),
                                                  .src = (enum ptog_pipe)sync->src,
                                                  .dst = (enum ptog_pipe)sync->dst,
                                                  .id = sync->id,
                                                  .spelling = PTOG_SPELL_TEXT};
}

/* A pair is two steps, its half or a barrier one. */
static void add_sync(struct ptog_adviser *p, struct steps *steps, enum ptog_fix_side side, struct ptog_span op,
                     const struct ptog_sync *sync)
{
    if (!ptog_sync_is_barrier(sync) && sync->part != PTOG_SYNC_WAIT)
        add_step(p, steps, side, op, sync, PTOG_FIX_SET);
    if (ptog_sync_is_barrier(sync) || sync->part != PTOG_SYNC_SET)
        add_step(p, steps, side, op, sync, PTOG_FIX_WAIT);
}

static void add_remedy(struct ptog_adviser *p, struct steps *steps)
{
    const struct ptog_remedy *remedy = &p->last;
    if (remedy->spread) {
        add_sync(p, steps, PTOG_FIX_AFTER, p->e->machine.places[p->there]->whole, &remedy->after);
        name_flag(p, &remedy->after);
    }
    for (uint32_t i = 0; i < remedy->count; i++) {
        add_sync(p, steps, PTOG_FIX_BEFORE, p->e->machine.places[p->here]->whole, &remedy->before[i]);
        name_flag(p, &remedy->before[i]);
    }
}

/* Lines that mend this fault alone: those of the fault before, if both have one cause, or others that are tried. */
static enum ptog_status advise_alone(struct ptog_adviser *p, const struct ptog_diag *diag, uint32_t here,
                                     uint32_t there, struct steps *steps)
{
    size_t faults = SIZE_MAX;
    if (p->left && p->here == here && !ptog_has_fault(p->left, diag)) {
        add_remedy(p, steps);
        return PTOG_OK;
    }
    ptog_diags_free(p->left);
    p->left = NULL;
    p->here = here;
    p->there = there;
    enum ptog_status status = ptog_mend_one(&p->tries, p->report, diag, here, there, &p->last, &faults, &p->left);
    if (status == PTOG_OK)
        add_remedy(p, steps);
    return status;
}

size_t ptog_advise(struct ptog_adviser *p, const struct ptog_diag *diag, uint32_t here, uint32_t there,
                   struct ptog_fix fix[PTOG_MOST_ADVISED])
{
    struct steps steps = {fix, 0};
    if (ptog_cost_of_run(p->e) > MOST_COST_TRIED || p->e->machine.trial) /* what was completed was tried */
        return 0;
    p->lost = !open_adviser(p);
    if (p->lost)
        return 0;
    if (p->half.op) {
        add_sync(p, &steps, p->half.after ? PTOG_FIX_AFTER : PTOG_FIX_BEFORE, p->half.op->span, &p->half.sync);
        return steps.count;
    }
    const struct ptog_insertion *insertion = ptog_insertion_for(&p->insertions, diag, here);
    for (uint32_t i = 0; insertion && i < insertion->count; i++) {
        const struct ptog_inserted_line *line = &insertion->of[i];
        add_sync(p, &steps, line->after ? PTOG_FIX_AFTER : PTOG_FIX_BEFORE, line->op->span, &line->sync);
    }
    if (!insertion)
        p->lost = advise_alone(p, diag, here, there, &steps) == PTOG_NO_MEMORY;
    return steps.count;
}

/* ---- redundant flags */

void ptog_advise_redundant(struct ptog_adviser *p, const struct ptog_diag *note, char message[PTOG_LONGEST_NOTE],
                           char fix[PTOG_LONGEST_NOTE])
{
    const char *name = p->e->target->name;
    struct ptog_text text;
    if (!p->elsewhere.target) {
        p->elsewhere.target = ptog_other_machine(p->e->target);
        if (ptog_cost_of_run(p->e) <= MOST_COST_TRIED && open_adviser(p))
            p->failed = ptog_elsewhere_open(&p->elsewhere, &p->tries) != PTOG_OK;
    }
    ptog_text_init(&text, message, PTOG_LONGEST_NOTE);
    ptog_text_add_n(&text, note->message, strlen(note->message) - 1); /* goes on before its last bracket */
    bool needed = ptog_elsewhere_say(&p->elsewhere, note, &text);
    ptog_text_add(&text, ")");
    ptog_text_init(&text, fix, PTOG_LONGEST_NOTE);
    ptog_text_add(&text, "remove the set and its wait");
    if (needed)
        ptog_text_addf(&text, ", if the program only runs on %s", name);
}
