/* repair: mistakes in the flags that a text has. From the faults of a report follow the statements that may be wrong,
 * and what they may have been meant to be:
 *
 *     set_flag(MTE3, V, 1)      <- pipes swapped: the wait below is for a flag that nobody sets
 *     wait_flag(V, MTE3, 1)
 *     tstore
 *
 * Ways that take few runs are gone first: a replacement, a move to the accesses of a race, a removal that leaves the
 * other machine clean, too; then the missing half of a pair, a move to any place near, a removal that is right on this
 * machine, and that of a pair. The first change that leaves no fault is taken. If there is none, the one that leaves the fewest is, and the
 * rest is looked for in the same way. */
#include "repair/edits.h"

#include <stdlib.h>
#include <string.h>

#include "program/eval.h"
#include "repair/change.h"
#include "repair/halves.h"
#include "repair/inserted.h"
#include "repair/mend.h"
#include "repair/places.h"
#include "repair/reference.h"

#define MAX_CHANGES 4u   /* of one text */
#define MAX_PLACES 12u   /* on each side, that a flag is moved to */
#define MAX_LATE 4u      /* instructions between a flag and where it should stand: more is no slip */

/* ---- one round */

struct edit_search {
    struct ptog_tries *tries;
    struct ptog_text_flags flags;
    struct ptog_flag_places places;
    ptog_diags *report; /* of the text with the changes so far */
    ptog_diags *other;  /* the same on the other machine; NULL: nobody has asked */
    size_t faults;
    bool hides; /* something is held back, so that other faults may not show */
    struct ptog_change best;
    size_t best_faults;
    bool done; /* a change was made that leaves no fault */
};

/* What a change may leave: fewer faults; none, also on the other machine; none, and there none that it did not have. */
enum leaves { LEAVES_LESS, LEAVES_NOTHING, LEAVES_NOTHING_NEW };

static bool is_id(const struct ptog_diag *diag, const char *id)
{
    return strcmp(diag->id, id) == 0;
}

/* A wait that holds its pipe back for ever, or past what was issued later. */
static bool is_held(const ptog_diags *report)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(report, i)) != NULL; i++)
        if (is_id(diag, "flag-never-set") || is_id(diag, "order-reversed"))
            return true;
    return false;
}

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
static bool is_better(const struct edit_search *s, const ptog_diags *left, size_t faults)
{
    const struct ptog_diag *diag;
    if (!s->hides)
        return faults < s->faults && !has_new_fault(left, s->report);
    for (size_t i = 0; (diag = ptog_diags_at(left, i)) != NULL; i++)
        if (ptog_is_of_flags(diag) && !ptog_is_of_order(diag) && !is_id(diag, "flag-double-set") &&
            !ptog_has_fault(s->report, diag))
            return false;
    return !is_held(left);
}

/* Runs on the other machine with a change: *good, whether it leaves no more than it may. */
static enum ptog_status look_elsewhere(struct edit_search *s, const struct ptog_change *change, enum leaves leaves,
                                       bool *good)
{
    struct ptog_trial trial = {0};
    ptog_diags *left = ptog_diags_new();
    size_t faults = 0;
    enum ptog_status status = left ? ptog_try_elsewhere(s->tries, &trial, left, &faults) : PTOG_NO_MEMORY;
    if (status == PTOG_OK && faults > 0 && leaves == LEAVES_NOTHING_NEW && !s->other) {
        ptog_change_take_back(s->tries->added, change);
        s->other = ptog_diags_new();
        status = s->other ? ptog_try_elsewhere(s->tries, &trial, s->other, &(size_t){0}) : PTOG_NO_MEMORY;
        if (!ptog_change_make(s->tries->added, change))
            status = PTOG_NO_MEMORY;
    }
    *good = status == PTOG_OK && (faults == 0 || (s->other && !has_new_fault(left, s->other)));
    ptog_diags_free(left);
    return status;
}

/* A run has no fault: have those on random data none, and what about the other machine? */
static enum ptog_status confirm(struct edit_search *s, const struct ptog_change *change, enum leaves leaves, bool *good)
{
    enum ptog_status status = ptog_reference_look(s->tries->reference, good);
    if (status == PTOG_OK && *good && leaves != LEAVES_LESS)
        status = look_elsewhere(s, change, leaves, good);
    return status;
}

static enum ptog_status try_change(struct edit_search *s, const struct ptog_change *change, enum leaves leaves)
{
    struct ptog_trial trial = {0};
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
    if (!s->done && status == PTOG_OK && leaves == LEAVES_LESS && faults > 0 && faults < s->best_faults &&
        is_better(s, left, faults)) {
        s->best = *change;
        s->best_faults = faults;
    }
    ptog_diags_free(left);
    return status;
}

/* ---- what a fault speaks of */

/* Statement `i` of those at the places of a fault; NULL: no more. */
static const struct ptog_text_flag *named_flag(const struct edit_search *s, const struct ptog_diag *diag, size_t i)
{
    const struct ptog_source *source = &s->tries->e->program->source;
    for (size_t k = 0; k <= diag->related_count; k++) {
        const struct ptog_where *where = k == 0 ? &diag->where : &diag->related[k - 1].where;
        const struct ptog_text_flag *flag = ptog_text_flag_at(&s->flags, source, where);
        if (flag && i-- == 0)
            return flag;
    }
    return NULL;
}

static const struct ptog_op *op_at(const struct edit_search *s, const struct ptog_where *where)
{
    return ptog_op_at(&s->tries->e->program->source, s->tries->function->region, where);
}

/* The flag, or the barrier, that would order the two accesses of a race. */
static bool proposed(const struct ptog_diag *diag, enum ptog_fix_kind kind, struct ptog_sync *sync)
{
    if (!ptog_is_race(diag) || diag->fix_count == 0 || diag->fix[0].kind != kind || diag->related_count == 0)
        return false;
    *sync = (struct ptog_sync){(uint8_t)diag->fix[0].src, (uint8_t)diag->fix[0].dst, 0, PTOG_SYNC_WHOLE};
    return true;
}

static bool is_between(const struct ptog_text_flag *flag, const struct ptog_sync *pipes, enum ptog_sync_part part)
{
    return flag->sync.part == part && flag->sync.src == pipes->src && flag->sync.dst == pipes->dst;
}

/* ---- replacements */

static bool is_swapped(const struct ptog_sync *a, const struct ptog_sync *b)
{
    return a->src == b->dst && a->dst == b->src && a->id == b->id;
}

static bool has_other_id(const struct ptog_sync *a, const struct ptog_sync *b)
{
    return a->src == b->src && a->dst == b->dst && a->id != b->id;
}

static enum ptog_status try_replacement(struct edit_search *s, const struct ptog_text_flag *flag,
                                        const struct ptog_sync *with)
{
    struct ptog_change change = {0};
    if (flag->changed)
        return PTOG_OK;
    ptog_change_replace(&change, flag, with);
    return try_change(s, &change, LEAVES_LESS);
}

/* How many statements name this id, between whatever pipes. */
static uint32_t count_id(const struct edit_search *s, uint8_t id)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->flags.count; i++)
        count += !ptog_sync_is_barrier(&s->flags.of[i].sync) && s->flags.of[i].sync.id == id;
    return count;
}

/* Half a pair, and another statement that may have been meant as its other half. Two halves without a partner may
 * differ in everything; of others only a usual slip is tried. Of two ids the one that is used more is the right one. */
static enum ptog_status try_as_pair(struct edit_search *s, const struct ptog_text_flag *half,
                                    const struct ptog_text_flag *other, bool alone)
{
    const struct ptog_sync *a = &half->sync, *b = &other->sync;
    if (ptog_sync_is_barrier(b) || a->part == b->part || ptog_is_same_flag(a, b) || ptog_is_alone(&s->flags, b) != alone)
        return PTOG_OK;
    if (!alone && !is_swapped(a, b) && !has_other_id(a, b))
        return PTOG_OK;
    bool keeps = count_id(s, a->id) >= count_id(s, b->id);
    enum ptog_status status = keeps ? try_replacement(s, other, a) : try_replacement(s, half, b);
    if (status == PTOG_OK)
        status = keeps ? try_replacement(s, half, b) : try_replacement(s, other, a);
    return status;
}

static enum ptog_status pair_up(struct edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *half;
    enum ptog_status status = PTOG_OK;
    for (size_t n = 0; status == PTOG_OK && (half = named_flag(s, diag, n)) != NULL; n++)
        for (int alone = 1; alone >= 0; alone--)
            for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++)
                if (!ptog_sync_is_barrier(&half->sync))
                    status = try_as_pair(s, half, &s->flags.of[i], alone);
    return status;
}

/* The set and the wait of a flag; false: there are none, or more. */
static bool find_pair(const struct edit_search *s, const struct ptog_sync *flag, const struct ptog_text_flag *pair[2])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->flags.count; i++)
        if (ptog_is_same_flag(&s->flags.of[i].sync, flag) && !ptog_sync_is_barrier(flag) && count++ < 2)
            pair[count - 1] = &s->flags.of[i];
    return count == 2 && pair[0]->sync.part != pair[1]->sync.part && !pair[0]->changed && !pair[1]->changed;
}

/* Both halves of a pair are another flag. */
static enum ptog_status try_both(struct edit_search *s, const struct ptog_text_flag *pair[2],
                                 const struct ptog_sync *with)
{
    struct ptog_change change = {0};
    ptog_change_replace(&change, pair[0], with);
    ptog_change_replace(&change, pair[1], with);
    return try_change(s, &change, LEAVES_LESS);
}

/* A race, and a pair in the other direction. */
static enum ptog_status turn_round(struct edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *pair[2];
    enum ptog_status status = PTOG_OK;
    struct ptog_sync way;
    if (!proposed(diag, PTOG_FIX_SET, &way))
        return PTOG_OK;
    for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++) {
        const struct ptog_sync *set = &s->flags.of[i].sync;
        way.id = set->id;
        if (set->part == PTOG_SYNC_SET && is_swapped(set, &way) && find_pair(s, set, pair))
            status = try_both(s, pair, &way);
    }
    return status;
}

/* A barrier on another pipe than the one that needs it. */
static enum ptog_status change_barrier(struct edit_search *s, const struct ptog_diag *diag)
{
    enum ptog_status status = PTOG_OK;
    struct ptog_sync barrier;
    if (!proposed(diag, PTOG_FIX_BARRIER, &barrier) || barrier.src == PTOG_ALL)
        return PTOG_OK;
    for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++) {
        const struct ptog_text_flag *flag = &s->flags.of[i];
        if (ptog_sync_is_barrier(&flag->sync) && flag->sync.src != PTOG_ALL && flag->sync.src != barrier.src)
            status = try_replacement(s, flag, &barrier);
    }
    return status;
}

/* A flag of the program that an instruction uses for itself gets another id. */
static enum ptog_status change_id(struct edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *pair[2], *flag = named_flag(s, diag, 0);
    if (!flag || !is_id(diag, "flag-id-clash") || !find_pair(s, &flag->sync, pair))
        return PTOG_OK;
    struct ptog_sync with = flag->sync;
    with.id = ptog_free_id(s->tries, with.src, with.dst);
    return with.id > 0 ? try_both(s, pair, &with) : PTOG_OK;
}

static enum ptog_status replace_one(struct edit_search *s, const struct ptog_diag *diag)
{
    enum ptog_status status = pair_up(s, diag);
    if (status == PTOG_OK)
        status = turn_round(s, diag);
    if (status == PTOG_OK)
        status = change_barrier(s, diag);
    if (status == PTOG_OK)
        status = change_id(s, diag);
    return status;
}

/* ---- moves */

/* Whether a flag stands in the region of an operation, later or earlier than it, but not by much. */
static bool is_near(const struct ptog_text_flag *flag, const struct ptog_op *op, bool later)
{
    const struct ptog_op *first = later ? op : flag->op, *last = later ? flag->op : op;
    uint32_t between = 0;
    if (first->number >= last->number)
        return false;
    for (const struct ptog_op *at = flag->region->first; at && at != last; at = at->next)
        if (at->number > first->number)
            between += at->result_count == 0 && !ptog_op_is_flag(at);
    const struct ptog_op *at = flag->region->first;
    while (at && at != op)
        at = at->next;
    return at == op && between < MAX_LATE;
}

/* A set stays before its wait, or comes there if that was what was wrong: when the flag is at operation `to`. */
static bool keeps_order(const struct edit_search *s, const struct ptog_text_flag *flag, uint32_t to)
{
    for (uint32_t i = 0; i < s->flags.count; i++) {
        const struct ptog_text_flag *other = &s->flags.of[i];
        bool sets = flag->sync.part == PTOG_SYNC_SET, was = flag->op->number < other->op->number;
        if (ptog_are_partners(&flag->sync, &other->sync) && flag->region == other->region && (was == sets || s->hides) &&
            (to < other->op->number) != sets)
            return false;
    }
    return true;
}

/* A wait after the access that needs it, or a set before the access that it announces; or both of one flag. */
static enum ptog_status move_to_race(struct edit_search *s, const struct ptog_diag *diag)
{
    enum ptog_status status = PTOG_OK;
    struct ptog_sync way;
    if (!proposed(diag, PTOG_FIX_SET, &way))
        return PTOG_OK;
    const struct ptog_op *here = op_at(s, &diag->where), *there = op_at(s, &diag->related[0].where);
    for (uint32_t i = 0; here && there && i < s->flags.count && status == PTOG_OK; i++) {
        const struct ptog_text_flag *flag = &s->flags.of[i], *pair[2];
        bool waits = is_between(flag, &way, PTOG_SYNC_WAIT), sets = is_between(flag, &way, PTOG_SYNC_SET);
        struct ptog_change change = {0};
        if (flag->changed || !flag->has_line || (!waits && !sets))
            continue;
        if (!is_near(flag, waits ? here : there, waits))
            continue;
        ptog_change_move(&change, flag, waits ? here->number : there->number, sets);
        if (keeps_order(s, flag, change.of[0].edit.to))
            status = try_change(s, &change, LEAVES_LESS);
        if (status != PTOG_OK || !find_pair(s, &flag->sync, pair))
            continue;
        const struct ptog_text_flag *other = pair[pair[0] == flag];
        if (!other->has_line || !ptog_op_follows(s->tries->function->region, there->number, here->number))
            continue;
        ptog_change_move(&change, other, waits ? there->number : here->number, waits);
        status = try_change(s, &change, LEAVES_LESS);
    }
    return status;
}

static enum ptog_status try_place(struct edit_search *s, const struct ptog_text_flag *flag, uint32_t place)
{
    struct ptog_change change = {0};
    const struct ptog_flag_place *to = &s->places.of[place];
    if (to->op == flag->op || !keeps_order(s, flag, to->op->number))
        return PTOG_OK;
    ptog_change_move(&change, flag, to->op->number, to->after);
    return try_change(s, &change, LEAVES_LESS);
}

/* The nearest places first. */
static enum ptog_status move_anywhere(struct edit_search *s, const struct ptog_text_flag *flag)
{
    enum ptog_status status = PTOG_OK;
    uint32_t at = 0;
    while (at < s->places.count && s->places.of[at].op->number < flag->op->number)
        at++;
    for (uint32_t i = 1; i <= MAX_PLACES && status == PTOG_OK && flag->has_line && !flag->changed; i++) {
        if (at + i < s->places.count)
            status = try_place(s, flag, at + i);
        if (status == PTOG_OK && at >= i)
            status = try_place(s, flag, at - i);
    }
    return status;
}

/* A flag that is not used as it should be: its statements stand in the wrong order. */
static enum ptog_status move_one(struct edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *flag;
    enum ptog_status status = PTOG_OK;
    bool of_flag = is_id(diag, "order-reversed") || strncmp(diag->id, "flag-", 5) == 0;
    for (size_t n = 0; of_flag && status == PTOG_OK && (flag = named_flag(s, diag, n)) != NULL; n++)
        for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++)
            if (!ptog_sync_is_barrier(&flag->sync) && ptog_is_same_flag(&flag->sync, &s->flags.of[i].sync) &&
                !ptog_is_alone(&s->flags, &flag->sync))
                status = move_anywhere(s, &s->flags.of[i]);
    return status;
}

/* ---- removals */

/* A statement without which nothing is wrong: nobody needs what it waits for. */
static enum ptog_status remove_one(struct edit_search *s, const struct ptog_diag *diag, enum leaves leaves)
{
    const struct ptog_text_flag *flag;
    enum ptog_status status = PTOG_OK;
    for (size_t n = 0; status == PTOG_OK && (flag = named_flag(s, diag, n)) != NULL; n++) {
        struct ptog_change change = {0};
        if (!flag->has_line || flag->changed || ptog_sync_is_barrier(&flag->sync))
            continue;
        ptog_change_remove(&change, flag);
        status = try_change(s, &change, leaves);
    }
    return status;
}

static enum ptog_status remove_surely(struct edit_search *s, const struct ptog_diag *diag)
{
    return remove_one(s, diag, LEAVES_NOTHING);
}

static enum ptog_status remove_here(struct edit_search *s, const struct ptog_diag *diag)
{
    return remove_one(s, diag, LEAVES_NOTHING_NEW);
}

/* The same with a set and a wait. */
static enum ptog_status remove_pair(struct edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *flag;
    enum ptog_status status = PTOG_OK;
    for (size_t n = 0; status == PTOG_OK && (flag = named_flag(s, diag, n)) != NULL; n++)
        for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++) {
            const struct ptog_text_flag *other = &s->flags.of[i];
            struct ptog_change change = {0};
            if (!ptog_are_partners(&flag->sync, &other->sync) || !flag->has_line || !other->has_line || flag->changed ||
                other->changed)
                continue;
            ptog_change_remove(&change, flag);
            ptog_change_remove(&change, other);
            status = try_change(s, &change, LEAVES_NOTHING_NEW);
        }
    return status;
}

/* A statement that is needed on the other machine gets its other half, if that is all that is missing. */
static enum ptog_status complete_half(struct edit_search *s, const struct ptog_diag *diag)
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

static enum ptog_status search(struct edit_search *s)
{
    static enum ptog_status (*const ways[])(struct edit_search *, const struct ptog_diag *) = {
        replace_one, move_to_race, remove_surely, complete_half, move_one, remove_here, remove_pair};
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

/* One change, if any is good; *done: it leaves no fault. */
static enum ptog_status change_one(struct ptog_tries *tries, bool *changed, bool *done)
{
    struct edit_search s = {.tries = tries, .report = ptog_diags_new(), .best_faults = SIZE_MAX};
    struct ptog_trial trial = {0};
    bool listed = ptog_text_flags_list(&s.flags, tries) && ptog_flag_places_list(&s.places, tries);
    enum ptog_status status = listed && s.report ? PTOG_OK : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = ptog_try(tries, &trial, s.report, &s.faults);
    s.hides = status == PTOG_OK && is_held(s.report);
    if (status == PTOG_OK && s.faults > 0)
        status = search(&s);
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
