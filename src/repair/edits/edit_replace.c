/* repair: statements that may have been meant as something else. */
#include "repair/edits/edit_search.h"

#include "lower/eval.h"
#include "repair/fix_faults.h"

/* ---- what a fault speaks of */

/* Statement `i` of those at the places of a fault; NULL: no more. */
const struct ptog_text_flag *ptog_named_flag(const struct ptog_edit_search *s, const struct ptog_diag *diag, size_t i)
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

/* The flag, or the barrier, that would order the two accesses of a race. */
bool ptog_race_needs(const struct ptog_diag *diag, enum ptog_fix_kind kind, struct ptog_sync *sync)
{
    if (!ptog_is_race(diag) || diag->fix_count == 0 || diag->fix[0].kind != kind || diag->related_count == 0)
        return false;
    *sync = (struct ptog_sync){(uint8_t)diag->fix[0].src, (uint8_t)diag->fix[0].dst, 0, PTOG_SYNC_WHOLE};
    return true;
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

/* Tries the program with a flag or barrier replaced, unless it was replaced before. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status try_replacement(struct ptog_edit_search *s, const struct ptog_text_flag *flag,
                                        const struct ptog_sync *with)
{
    struct ptog_change change = {0};
    if (flag->changed)
        return PTOG_OK;
    ptog_change_replace(&change, flag, with);
    return ptog_try_change(s, &change, PTOG_LEAVES_LESS);
}

/* How many statements name this id, between whatever pipes. */
static uint32_t count_id(const struct ptog_edit_search *s, uint8_t id)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->flags.count; i++)
        count += !ptog_sync_is_barrier(&s->flags.of[i].sync) && s->flags.of[i].sync.id == id;
    return count;
}

/* Tries to make half a pair and another statement one pair, by changing either. Two halves without a partner may
 * differ in everything; of others only a usual slip is tried. Of two ids the one that is used more is tried first. */
static enum ptog_status try_as_pair(struct ptog_edit_search *s, const struct ptog_text_flag *half,
                                    const struct ptog_text_flag *other, bool alone)
{
    const struct ptog_sync *a = &half->sync, *b = &other->sync;
    if (ptog_sync_is_barrier(b) || a->part == b->part || ptog_is_same_flag(a, b) ||
        ptog_is_alone(&s->flags, b) != alone)
        return PTOG_OK;
    if (!alone && !is_swapped(a, b) && !has_other_id(a, b))
        return PTOG_OK;
    bool keeps = count_id(s, a->id) >= count_id(s, b->id);
    enum ptog_status status = keeps ? try_replacement(s, other, a) : try_replacement(s, half, b);
    if (status == PTOG_OK)
        status = keeps ? try_replacement(s, half, b) : try_replacement(s, other, a);
    return status;
}

/* Tries to make a pair of each flag that a fault names and another flag, first of those that have no partner. */
static enum ptog_status pair_up(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *half;
    enum ptog_status status = PTOG_OK;
    for (size_t n = 0; status == PTOG_OK && (half = ptog_named_flag(s, diag, n)) != NULL; n++)
        for (int alone = 1; alone >= 0; alone--)
            for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++)
                if (!ptog_sync_is_barrier(&half->sync))
                    status = try_as_pair(s, half, &s->flags.of[i], alone);
    return status;
}

/* The set and the wait of a flag; false: there are none, or more. */
bool ptog_find_pair(const struct ptog_edit_search *s, const struct ptog_sync *flag,
                    const struct ptog_text_flag *pair[2])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->flags.count; i++)
        if (ptog_is_same_flag(&s->flags.of[i].sync, flag) && !ptog_sync_is_barrier(flag) && count++ < 2)
            pair[count - 1] = &s->flags.of[i];
    return count == 2 && pair[0]->sync.part != pair[1]->sync.part && !pair[0]->changed && !pair[1]->changed;
}

/* Both halves of a pair are another flag. */
static enum ptog_status try_both(struct ptog_edit_search *s, const struct ptog_text_flag *pair[2],
                                 const struct ptog_sync *with)
{
    struct ptog_change change = {0};
    ptog_change_replace(&change, pair[0], with);
    ptog_change_replace(&change, pair[1], with);
    return ptog_try_change(s, &change, PTOG_LEAVES_LESS);
}

/* Half a pair on a wrong pipe whose other half is missing: what is it for? Without it a race shows, at whose accesses
 * the two halves would stand. */
static enum ptog_status try_for_race(struct ptog_edit_search *s, const struct ptog_text_flag *half,
                                     const struct ptog_diag *race)
{
    const struct ptog_source *source = &s->tries->e->program->source;
    const struct ptog_region *region = s->tries->function->region;
    bool waits = half->sync.part == PTOG_SYNC_WAIT;
    struct ptog_change change = {0};
    struct ptog_sync other;
    if (!ptog_race_needs(race, PTOG_FIX_SET, &other))
        return PTOG_OK;
    const struct ptog_op *here = ptog_op_at(source, region, &race->where);
    const struct ptog_op *there = ptog_op_at(source, region, &race->related[0].where);
    bool one_pipe = (other.dst == half->sync.dst) == waits && (other.src == half->sync.src) == !waits;
    if (!here || !there || !one_pipe || !ptog_op_follows(region, there->number, half->op->number) ||
        !ptog_op_follows(region, half->op->number, here->number))
        return PTOG_OK;
    other.id = ptog_free_id(s->tries, other.src, other.dst);
    if (other.id == 0)
        return PTOG_OK;
    ptog_change_replace(&change, half, &other);
    other.part = waits ? PTOG_SYNC_SET : PTOG_SYNC_WAIT;
    ptog_change_insert(&change, &other, waits ? there->number : here->number, waits);
    return ptog_try_change(s, &change, PTOG_LEAVES_LESS);
}

enum ptog_status ptog_pair_anew(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *half = ptog_named_flag(s, diag, 0);
    struct ptog_trial trial = {0};
    struct ptog_change without = {0};
    const struct ptog_diag *race;
    size_t faults;
    if (!half || half->changed || !half->has_line || ptog_sync_is_barrier(&half->sync) || s->done ||
        !ptog_is_alone(&s->flags, &half->sync) || ptog_tries_are_used_up(s->tries))
        return PTOG_OK;
    ptog_change_remove(&without, half);
    ptog_diags *report = ptog_diags_new();
    ptog_change_make(s->tries->added, &without); /* a removal needs no memory */
    enum ptog_status status = report ? ptog_try(s->tries, &trial, report, &faults) : PTOG_NO_MEMORY;
    ptog_change_take_back(s->tries->added, &without);
    for (size_t i = 0; status == PTOG_OK && (race = ptog_diags_at(report, i)) != NULL; i++)
        status = try_for_race(s, half, race);
    ptog_diags_free(report);
    return status;
}

/* Whether a statement could order the accesses of a race: when those follow each other in one region, it stands between
 * them. */
static bool may_order(const struct ptog_edit_search *s, const struct ptog_diag *race, const struct ptog_text_flag *flag)
{
    const struct ptog_source *source = &s->tries->e->program->source;
    const struct ptog_region *region = s->tries->function->region;
    const struct ptog_op *here = ptog_op_at(source, region, &race->where);
    const struct ptog_op *there = ptog_op_at(source, region, &race->related[0].where);
    if (!here || !there || !ptog_op_follows(region, there->number, here->number))
        return true;
    return there->number < flag->op->number && flag->op->number < here->number;
}

/* Against a race, tries to turn round a pair of flags that goes in the other direction. */
static enum ptog_status turn_round(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *pair[2];
    enum ptog_status status = PTOG_OK;
    struct ptog_sync way;
    if (!ptog_race_needs(diag, PTOG_FIX_SET, &way))
        return PTOG_OK;
    for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++) {
        const struct ptog_sync *set = &s->flags.of[i].sync;
        way.id = set->id;
        if (set->part == PTOG_SYNC_SET && is_swapped(set, &way) && ptog_find_pair(s, set, pair) &&
            may_order(s, diag, pair[0]) && may_order(s, diag, pair[1]))
            status = try_both(s, pair, &way);
    }
    return status;
}

/* Against a race on one pipe, tries to give a barrier on another pipe the pipe that needs it. */
static enum ptog_status change_barrier(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    enum ptog_status status = PTOG_OK;
    struct ptog_sync barrier;
    if (!ptog_race_needs(diag, PTOG_FIX_BARRIER, &barrier) || barrier.src == PTOG_ALL)
        return PTOG_OK;
    for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++) {
        const struct ptog_text_flag *flag = &s->flags.of[i];
        if (ptog_sync_is_barrier(&flag->sync) && flag->sync.src != PTOG_ALL && flag->sync.src != barrier.src &&
            may_order(s, diag, flag))
            status = try_replacement(s, flag, &barrier);
    }
    return status;
}

/* Tries another id for a flag of the program that an instruction uses for itself. */
static enum ptog_status change_id(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *pair[2], *flag = ptog_named_flag(s, diag, 0);
    if (!flag || diag->kind != PTOG_DIAG_FLAG_ID_CLASH || !ptog_find_pair(s, &flag->sync, pair))
        return PTOG_OK;
    struct ptog_sync with = flag->sync;
    with.id = ptog_free_id(s->tries, with.src, with.dst);
    return with.id > 0 ? try_both(s, pair, &with) : PTOG_OK;
}

enum ptog_status ptog_replace_one(struct ptog_edit_search *s, const struct ptog_diag *diag)
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
