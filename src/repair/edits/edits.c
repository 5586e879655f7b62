/* repair: mistakes in the flags that a text has. From the faults of a report follow the statements that may be wrong,
 * and what they may have been meant to be:
 *
 *     set_flag(MTE3, V, 1)      <- pipes swapped: the wait below is for a flag that nobody sets
 *     wait_flag(V, MTE3, 1)
 *     tstore
 *
 * Ways that take few runs are gone first: a replacement, a move to the accesses of a race, a removal that leaves the
 * other machine clean, too; then the missing half of a pair, a half on another pipe, a move to any place near, a
 * removal that is right on this machine, and that of a pair. The first change that leaves no fault is taken. If there
 * is none, the one that leaves the fewest is, and the rest is looked for in the same way. */
#include "repair/edits/edits.h"

#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "lower/eval.h"
#include "repair/edits/edit_search.h"
#include "repair/fix_faults.h"
#include "repair/halves.h"
#include "repair/inserted.h"

#define MAX_CHANGES 4u /* of one text */

/* ---- one change */

/* A wait that holds its pipe back forever, or past what was issued later. */
static bool is_held(const ptog_diags *report)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(report, i)) != NULL; i++)
        if (diag->kind == PTOG_DIAG_FLAG_NEVER_SET || diag->kind == PTOG_DIAG_ORDER_REVERSED)
            return true;
    return false;
}

/* Whether a list has an error that the report has not. */
static bool has_new_fault(const ptog_diags *left, const ptog_diags *report)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(left, i)) != NULL; i++)
        if (diag->severity == PTOG_ERROR && !ptog_has_fault(report, diag))
            return true;
    return false;
}

/* Is the rest smaller than what there was? Some of it may not have shown: races, and flags that are set in each turn of
 * a loop. */
static bool is_better(const struct ptog_edit_search *s, const ptog_diags *left, size_t faults)
{
    const struct ptog_diag *diag;
    if (!s->hides)
        return faults < s->faults && !has_new_fault(left, s->report);
    for (size_t i = 0; (diag = ptog_diags_at(left, i)) != NULL; i++)
        if (ptog_is_of_flags(diag) && !ptog_is_of_order(diag) && diag->kind != PTOG_DIAG_FLAG_DOUBLE_SET &&
            !ptog_has_fault(s->report, diag))
            return false;
    return !is_held(left);
}

/* Runs on the other machine with a change: *good, whether it leaves no more than it may. */
static enum ptog_status try_other_target(struct ptog_edit_search *s, const struct ptog_change *change,
                                         enum ptog_leaves leaves, bool *good)
{
    struct ptog_trial trial = leaves == PTOG_LEAVES_NOTHING ? ptog_trial_below(s->tries, 1) : (struct ptog_trial){0};
    ptog_diags *left = ptog_diags_new();
    size_t faults = 0;
    enum ptog_status status = left ? ptog_try_other_target(s->tries, &trial, left, &faults) : PTOG_NO_MEMORY;
    if (status == PTOG_OK && faults > 0 && leaves == PTOG_LEAVES_NOTHING_NEW && !s->other) {
        ptog_change_take_back(s->tries->added, change);
        s->other = ptog_diags_new();
        status = s->other ? ptog_try_other_target(s->tries, &trial, s->other, &(size_t){0}) : PTOG_NO_MEMORY;
        if (!ptog_change_make(s->tries->added, change))
            status = PTOG_NO_MEMORY;
    }
    *good = status == PTOG_OK && (faults == 0 || (s->other && !has_new_fault(left, s->other)));
    ptog_diags_free(left);
    return status;
}

/* A run has no fault: have those on random data none, and what about the other machine? */
static enum ptog_status confirm(struct ptog_edit_search *s, const struct ptog_change *change, enum ptog_leaves leaves,
                                bool *good)
{
    enum ptog_status status = ptog_reference_look(s->tries->reference, good);
    if (status == PTOG_OK && *good && leaves != PTOG_LEAVES_LESS)
        status = try_other_target(s, change, leaves, good);
    return status;
}

/* How many faults a change must stay below to be of any use. */
static size_t most_faults(const struct ptog_edit_search *s, enum ptog_leaves leaves)
{
    if (leaves != PTOG_LEAVES_LESS)
        return 1;
    return s->hides ? s->best_faults : ptog_min(s->best_faults, s->faults);
}

enum ptog_status ptog_try_change(struct ptog_edit_search *s, const struct ptog_change *change, enum ptog_leaves leaves)
{
    struct ptog_trial trial = ptog_trial_below(s->tries, most_faults(s, leaves));
    size_t faults = 0;
    bool good = false;
    if (s->done || ptog_tries_are_used_up(s->tries))
        return PTOG_OK;
    if (!ptog_change_make(s->tries->added, change))
        return PTOG_NO_MEMORY;
    ptog_diags *left = ptog_diags_new();
    enum ptog_status status = left ? ptog_try(s->tries, &trial, left, &faults) : PTOG_NO_MEMORY;
    if (status == PTOG_OK && faults == 0)
        status = confirm(s, change, leaves, &good);
    s->done = status == PTOG_OK && good;
    if (!s->done)
        ptog_change_take_back(s->tries->added, change);
    if (!s->done && status == PTOG_OK && leaves == PTOG_LEAVES_LESS && faults > 0 && faults < s->best_faults &&
        is_better(s, left, faults)) {
        s->best = *change;
        s->best_faults = faults;
    }
    ptog_diags_free(left);
    return status;
}

/* Adds the missing half of a pair that the other machine needs as well, if that is all that is missing; then the
 * search is done. */
static enum ptog_status complete_half(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    struct ptog_half half = {0};
    if (diag != ptog_diags_at(s->report, 0) || !ptog_halves_are_missing(s->report))
        return PTOG_OK; /* this looks at the whole report */
    enum ptog_status status = ptog_half_find(s->tries, s->report, &half);
    if (status == PTOG_NO_MEMORY || !half.everywhere)
        return status == PTOG_NO_MEMORY ? status : PTOG_OK;
    struct ptog_lines *lines = ptog_lines_at(s->tries->added, &(struct ptog_flag_place){half.op, half.after});
    s->done = ptog_lines_add(lines, lines->count, &half.sync, 1);
    return s->done ? PTOG_OK : PTOG_NO_MEMORY;
}

/* ---- all of it */

/* Tries every kind of edit for every fault of the report, until one solves it; else makes the best one that was found.
 * PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status search_edits(struct ptog_edit_search *s)
{
    static enum ptog_status (*const ways[])(struct ptog_edit_search *, const struct ptog_diag *) = {
        ptog_replace_one, ptog_move_to_race, ptog_remove_surely, complete_half,
        ptog_pair_anew,   ptog_move_one,     ptog_remove_here,   ptog_remove_pair};
    enum ptog_status status = PTOG_OK;
    const struct ptog_diag *diag;
    for (size_t way = 0; way < sizeof ways / sizeof *ways && !s->done; way++)
        for (size_t i = 0; status == PTOG_OK && !s->done && (diag = ptog_diags_at(s->report, i)) != NULL; i++)
            if (!ptog_is_allowed(s->tries, diag))
                status = ways[way](s, diag);
    if (status == PTOG_OK && !s->done && s->best.count > 0 && !ptog_change_make(s->tries->added, &s->best))
        status = PTOG_NO_MEMORY;
    return status;
}

/* Makes the first change of flags that leaves no fault, which sets *done, or else the best one. *changed: there was
 * one. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status change_one(struct ptog_tries *tries, bool *changed, bool *done)
{
    struct ptog_edit_search s = {.tries = tries, .report = ptog_diags_new(), .best_faults = SIZE_MAX};
    struct ptog_trial trial = {0};
    bool listed = ptog_text_flags_list(&s.flags, tries) && ptog_flag_places_list(&s.places, tries);
    enum ptog_status status = listed && s.report ? PTOG_OK : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = ptog_try(tries, &trial, s.report, &s.faults);
    s.hides = status == PTOG_OK && is_held(s.report);
    if (status == PTOG_OK && s.faults > 0)
        status = search_edits(&s);
    *changed = s.done || s.best.count > 0;
    *done = s.done;
    ptog_diags_free(s.report);
    ptog_diags_free(s.other);
    free(s.flags.of);
    free(s.places.of);
    return status;
}

enum ptog_status ptog_edit_flags(struct ptog_tries *tries, uint32_t *count, bool *done)
{
    enum ptog_status status = PTOG_OK;
    bool changed = true;
    *done = false;
    for (*count = 0; *count < MAX_CHANGES && changed && !*done && status == PTOG_OK; *count += changed)
        status = change_one(tries, &changed, done);
    return status;
}
