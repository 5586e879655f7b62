/* repair: what the machine reports, as findings at the operations of the text. */
#include "repair/report.h"

#include <ptog/rule.h>

#include "base/diag.h"
#include "diag/kind.h"
#include "lower/eval.h"
#include "repair/advise.h"
#include "repair/edits/flush.h"
#include "repair/remedies.h"

/* The operation that a place of a report is; NULL: none. */
static const struct ptog_op_place *place_of(const struct ptog_eval *e, const struct ptog_where *where)
{
    for (uint32_t i = 0; where->line > 0 && i <= e->tree->op_count; i++) {
        const struct ptog_op_place *place = e->machine.places[i];
        if (place && place->kept.where.line == where->line && place->kept.where.column == where->column)
            return place;
    }
    return NULL;
}

/* Whether the verifier's word about the operation was lifted to the text before, there or at one of its operands. */
static bool was_said(const struct ptog_eval *e, const struct ptog_diag *diag)
{
    const struct ptog_op_place *place = place_of(e, &diag->where);
    for (uint32_t i = 0; place && i < e->diags->count; i++) {
        const struct ptog_diag_entry *found = &e->diags->list[i];
        if (found->diag.kind == diag->kind && found->span.at >= place->whole.at &&
            found->span.at - place->whole.at < place->whole.length)
            return true;
    }
    return false;
}

/* Where a tile lies is said where it is made, not again where it is used. */
static bool is_of_tile(const struct ptog_eval *e, const struct ptog_diag *diag)
{
    for (uint32_t i = 0; diag->kind == PTOG_DIAG_UB_MISALIGNED && i < e->diags->count; i++)
        if (e->diags->list[i].diag.kind == diag->kind)
            return true;
    return false;
}

/* What a run that was stopped leaves as it was, and what comes after might need. */
static bool is_left_over(const struct ptog_diag *diag)
{
    return diag->kind == PTOG_DIAG_FLAG_LEFT_SET || diag->kind == PTOG_DIAG_FLAG_REDUNDANT ||
           diag->kind == PTOG_DIAG_XFLAG_LEFT || diag->kind == PTOG_DIAG_XFLAG_REDUCE;
}

static bool is_known(const struct ptog_eval *e, const struct ptog_diag *diag)
{
    return diag->refuses || is_of_tile(e, diag) || (ptog_rule_find(diag->id) && was_said(e, diag)) ||
           (e->stopped && is_left_over(diag));
}

/* ---- findings */

/* Steps that were tried, or what the machine says. */
static void fix_of(struct ptog_adviser *adviser, const struct ptog_diag *diag, struct ptog_diag *said,
                   struct ptog_fix steps[PTOG_MAX_ADVISED])
{
    const struct ptog_eval *e = adviser->e;
    const struct ptog_op_place *here = place_of(e, &diag->where);
    const struct ptog_op_place *there = diag->related_count > 0 ? place_of(e, &diag->related[0].where) : NULL;
    size_t count = here && ptog_is_of_flags(diag) ? ptog_advise(adviser, diag, here, there, steps) : 0;
    if (here && ptog_is_of_cache(diag))
        count = ptog_advise_flush(adviser, diag, here, steps);
    if (count == 0 && adviser->lost) {
        for (; count < diag->fix_count && count + 1 < PTOG_MAX_ADVISED; count++)
            steps[count] = diag->fix[count];
        steps[count++] = ptog_fix_of_words("there was not enough memory to try this fix");
    }
    adviser->lost = false;
    if (count > 0) {
        said->fix = steps;
        said->fix_count = count;
    }
}

/* Adds a fault of the machine to the diagnostics of the run, at its place in the text, with a fix that was tried. */
static void add_machine_diag(struct ptog_adviser *adviser, const struct ptog_diag *diag)
{
    struct ptog_eval *e = adviser->e;
    const struct ptog_op_place *place = place_of(e, &diag->where);
    struct ptog_diag said = *diag;
    struct ptog_fix steps[PTOG_MAX_ADVISED];
    char message[PTOG_MAX_NOTE], words[PTOG_MAX_NOTE];
    said.related = NULL;
    said.related_count = 0;
    fix_of(adviser, diag, &said, steps);
    if (ptog_is_redundant(diag)) {
        ptog_advise_redundant(adviser, diag, message, words);
        steps[0] = ptog_fix_of_words(words);
        said.message = message;
        said.fix = steps;
        said.fix_count = 1;
    }
    struct ptog_diag_entry *found = ptog_diag_emit_copy(e->diags, &said, place ? place->span : (struct ptog_span){0});
    if (!found)
        return;
    found->nowhere = !place;
    found->first = diag->kind == PTOG_DIAG_FLAG_NEVER_SET; /* what waits forever races with what goes on */
    for (size_t i = 0; i < diag->related_count; i++) {
        const struct ptog_op_place *other = place_of(e, &diag->related[i].where);
        if (other)
            ptog_diag_relate(found, other->span, diag->related[i].message);
    }
}

/* ---- what one change fixes */

/* Whether two steps change the same flag in the same way at the same place. */
static bool same_step(const struct ptog_fix *a, const struct ptog_fix *b)
{
    return a->kind != PTOG_FIX_WORDS && a->kind == b->kind && a->side == b->side && a->src == b->src &&
           a->dst == b->dst && a->id == b->id && a->where.line == b->where.line && a->where.column == b->where.column &&
           a->from_line == b->from_line;
}

/* Whether two diagnostics have the same fix. */
static bool same_change(const struct ptog_diag *a, const struct ptog_diag *b)
{
    bool same = a->severity == b->severity && a->fix_count == b->fix_count && a->fix_count > 0;
    for (size_t i = 0; same && i < a->fix_count; i++)
        same = same_step(&a->fix[i], &b->fix[i]);
    return same;
}

/* Of findings that one change fixes, the one that happened first is the cause; in a loop, it may stand below what
 * follows from it in the next iteration. They are listed where the first of them stands, the cause before the others.
 */
static void put_causes_first(struct ptog_diag_list *list, uint32_t from)
{
    for (uint32_t i = from; i < list->count; i++) {
        struct ptog_diag_entry *cause = &list->list[i];
        uint32_t at = cause->span.at;
        bool done = false; /* it is of the group of another one */
        for (uint32_t k = from; k < i && !done; k++)
            done = same_change(&list->list[k].diag, &cause->diag);
        for (uint32_t k = i + 1; k < list->count && !done; k++)
            if (same_change(&list->list[k].diag, &cause->diag) && list->list[k].span.at < at)
                at = list->list[k].span.at;
        for (uint32_t k = i; k < list->count && !done; k++)
            if (same_change(&list->list[k].diag, &cause->diag)) {
                list->list[k].stands_at = at;
                list->list[k].follows = list->list[k].span.at != cause->span.at;
            }
    }
}

ptog_diags *ptog_report_machine(struct ptog_eval *e, const struct ptog_execution *execution,
                                const struct ptog_function *function, struct ptog_budget *budget)
{
    struct ptog_adviser adviser = {.e = e, .execution = execution, .function = function, .budget = budget};
    const struct ptog_diag *diag;
    uint32_t before = e->diags->count;
    if (!e->machine.pipes && !e->machine.linked)
        return NULL;
    ptog_diags *diags = ptog_diags_new();
    adviser.report = diags;
    if (!diags || ptog_device_report(e->machine.device, diags) != PTOG_OK)
        e->no_memory = true;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if ((e->machine.pipes || diag->kind == PTOG_DIAG_DEADLOCK) &&
            !is_known(e, diag)) /* lanes are judged elsewhere */
            add_machine_diag(&adviser, diag);
    put_causes_first(e->diags, before);
    ptog_adviser_close(&adviser);
    return diags;
}
