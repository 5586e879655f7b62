/* repair: statements that may stand in the wrong place, or should not be there. */
#include "repair/edits/edit_search.h"

#include "lower/eval.h"
#include "repair/fix_faults.h"

#define MAX_PLACES 12u /* on each side, that a flag is moved to */
#define MAX_LATE 4u    /* instructions between a flag and where it should stand: more is no slip */

/* ---- moves */

static const struct ptog_op *op_at(const struct ptog_edit_search *s, const struct ptog_where *where)
{
    return ptog_op_at(&s->tries->e->program->source, s->tries->function->region, where);
}

static bool is_between(const struct ptog_text_flag *flag, const struct ptog_sync *pipes, enum ptog_sync_part part)
{
    return flag->sync.part == part && flag->sync.src == pipes->src && flag->sync.dst == pipes->dst;
}

/* How many instructions are between a flag and an operation of its region that it is later or earlier than; UINT32_MAX:
 * it is not. */
static uint32_t distance_to(const struct ptog_text_flag *flag, const struct ptog_op *op, bool later)
{
    const struct ptog_op *first = later ? op : flag->op, *last = later ? flag->op : op;
    const struct ptog_op *at = flag->region->first;
    uint32_t between = 0;
    while (at && at != first)
        at = at->next;
    for (at = at ? at->next : NULL; at && at != last; at = at->next)
        between += at->result_count == 0 && !ptog_op_is_flag(at);
    return at ? between : UINT32_MAX;
}

/* Whether a flag that is moved before or after operation `to` keeps its set before its wait, or comes there if that
 * was what was wrong. */
static bool keeps_order(const struct ptog_edit_search *s, const struct ptog_text_flag *flag, uint32_t to, bool after)
{
    for (uint32_t i = 0; i < s->flags.count; i++) {
        const struct ptog_text_flag *other = &s->flags.of[i];
        bool sets = flag->sync.part == PTOG_SYNC_SET, was = flag->op->number < other->op->number;
        bool comes = to < other->op->number || (to == other->op->number && !after);
        if (ptog_are_partners(&flag->sync, &other->sync) && flag->region == other->region &&
            (was == sets || s->hides) && comes != sets)
            return false;
    }
    return true;
}

/* The two accesses of a race, the flag that would order them, and how far it may be away. */
struct race_move {
    const struct ptog_op *here, *there;
    struct ptog_sync way;
    uint32_t distance;
    bool paired; /* its other half stands where it should */
};

/* Whether the other half of a flag stands near the access at its end of a race. */
static bool is_paired(const struct ptog_edit_search *s, const struct race_move *race, const struct ptog_text_flag *flag)
{
    for (uint32_t i = 0; i < s->flags.count; i++) {
        const struct ptog_text_flag *other = &s->flags.of[i];
        bool sets = other->sync.part == PTOG_SYNC_SET;
        if (ptog_are_partners(&flag->sync, &other->sync) &&
            distance_to(other, sets ? race->there : race->here, sets) < MAX_LATE)
            return true;
    }
    return false;
}

/* A wait after the access that needs it, or a set before the access that it announces; or both of one flag. */
static enum ptog_status move_flag(struct ptog_edit_search *s, const struct race_move *race,
                                  const struct ptog_text_flag *flag)
{
    const struct ptog_text_flag *pair[2];
    bool waits = is_between(flag, &race->way, PTOG_SYNC_WAIT), sets = is_between(flag, &race->way, PTOG_SYNC_SET);
    uint32_t here = race->here->number, there = race->there->number;
    struct ptog_change change = {0};
    enum ptog_status status = PTOG_OK;
    if (flag->changed || !flag->has_line || (!waits && !sets) ||
        distance_to(flag, waits ? race->here : race->there, waits) != race->distance ||
        is_paired(s, race, flag) != race->paired)
        return PTOG_OK;
    ptog_change_move(&change, flag, waits ? here : there, sets);
    if (keeps_order(s, flag, change.of[0].edit.to, sets))
        status = ptog_try_change(s, &change, PTOG_LEAVES_LESS);
    if (status != PTOG_OK || !ptog_find_pair(s, &flag->sync, pair))
        return status;
    const struct ptog_text_flag *other = pair[pair[0] == flag];
    if (!other->has_line || !ptog_op_follows(s->tries->function->region, there, here))
        return PTOG_OK;
    ptog_change_move(&change, other, waits ? there : here, waits);
    return ptog_try_change(s, &change, PTOG_LEAVES_LESS);
}

/* Tries to move flags to the two accesses of a race: the nearest first, and of those one whose other half is right.
 * The search is done when a run with the move has no fault. */
enum ptog_status ptog_move_to_race(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    enum ptog_status status = PTOG_OK;
    struct race_move race = {0};
    if (!ptog_race_needs(diag, PTOG_FIX_SET, &race.way))
        return PTOG_OK;
    race.here = op_at(s, &diag->where);
    race.there = op_at(s, &diag->related[0].where);
    for (; race.here && race.there && race.distance < MAX_LATE; race.distance++)
        for (int paired = 1; paired >= 0; paired--) {
            race.paired = paired;
            for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++)
                status = move_flag(s, &race, &s->flags.of[i]);
        }
    return status;
}

/* Tries the program with the flag moved to a place, unless that would change the order of its pair. PTOG_OK, or
 * PTOG_NO_MEMORY. */
static enum ptog_status try_place(struct ptog_edit_search *s, const struct ptog_text_flag *flag, uint32_t place)
{
    struct ptog_change change = {0};
    const struct ptog_flag_place *to = &s->places.of[place];
    if (to->op == flag->op || !keeps_order(s, flag, to->op->number, to->after))
        return PTOG_OK;
    ptog_change_move(&change, flag, to->op->number, to->after);
    return ptog_try_change(s, &change, PTOG_LEAVES_LESS);
}

/* Whether moving a half of a pair to this place could help. One that is set again before its wait needs a shorter way
 * from the set to the wait: nothing is gained by moving them apart. */
static bool may_help(const struct ptog_edit_search *s, const struct ptog_diag *diag, const struct ptog_text_flag *flag,
                     const struct ptog_flag_place *to)
{
    const struct ptog_text_flag *pair[2];
    if (diag->kind != PTOG_DIAG_FLAG_DOUBLE_SET || !ptog_find_pair(s, &flag->sync, pair) ||
        pair[0]->region != pair[1]->region || pair[0]->sync.part != PTOG_SYNC_SET)
        return true;
    return pair[0]->op->number < to->op->number && to->op->number <= pair[1]->op->number;
}

/* Tries to move one flag to places near it that may help against the fault, the nearest first. */
static enum ptog_status move_anywhere(struct ptog_edit_search *s, const struct ptog_diag *diag,
                                      const struct ptog_text_flag *flag)
{
    enum ptog_status status = PTOG_OK;
    uint32_t at = 0;
    while (at < s->places.count && s->places.of[at].op->number < flag->op->number)
        at++;
    for (uint32_t i = 1; i <= MAX_PLACES && status == PTOG_OK && flag->has_line && !flag->changed; i++) {
        if (at + i < s->places.count && may_help(s, diag, flag, &s->places.of[at + i]))
            status = try_place(s, flag, at + i);
        if (status == PTOG_OK && at >= i && may_help(s, diag, flag, &s->places.of[at - i]))
            status = try_place(s, flag, at - i);
    }
    return status;
}

/* Tries to move the statements of a flag that a fault names as used wrongly: they stand in the wrong order. */
enum ptog_status ptog_move_one(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *flag;
    enum ptog_status status = PTOG_OK;
    bool of_flag = diag->kind == PTOG_DIAG_ORDER_REVERSED || ptog_kind_is_flag(diag->kind);
    for (size_t n = 0; of_flag && status == PTOG_OK && (flag = ptog_named_flag(s, diag, n)) != NULL; n++)
        for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++)
            if (!ptog_sync_is_barrier(&flag->sync) && ptog_is_same_flag(&flag->sync, &s->flags.of[i].sync) &&
                !ptog_is_alone(&s->flags, &flag->sync))
                status = move_anywhere(s, diag, &s->flags.of[i]);
    return status;
}

/* ---- removals */

/* Tries to remove each statement that a fault names: one is useless when a run without it leaves no more than `leaves`
 * allows. */
static enum ptog_status remove_one(struct ptog_edit_search *s, const struct ptog_diag *diag, enum ptog_leaves leaves)
{
    const struct ptog_text_flag *flag;
    enum ptog_status status = PTOG_OK;
    for (size_t n = 0; status == PTOG_OK && (flag = ptog_named_flag(s, diag, n)) != NULL; n++) {
        struct ptog_change change = {0};
        if (!flag->has_line || flag->changed || ptog_sync_is_barrier(&flag->sync))
            continue;
        ptog_change_remove(&change, flag);
        status = ptog_try_change(s, &change, leaves);
    }
    return status;
}

enum ptog_status ptog_remove_surely(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    return remove_one(s, diag, PTOG_LEAVES_NOTHING);
}

enum ptog_status ptog_remove_here(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    return remove_one(s, diag, PTOG_LEAVES_NOTHING_NEW);
}

/* Tries to remove a set together with its wait, where a fault names one of them. */
enum ptog_status ptog_remove_pair(struct ptog_edit_search *s, const struct ptog_diag *diag)
{
    const struct ptog_text_flag *flag;
    enum ptog_status status = PTOG_OK;
    for (size_t n = 0; status == PTOG_OK && (flag = ptog_named_flag(s, diag, n)) != NULL; n++)
        for (uint32_t i = 0; i < s->flags.count && status == PTOG_OK; i++) {
            const struct ptog_text_flag *other = &s->flags.of[i];
            struct ptog_change change = {0};
            if (!ptog_are_partners(&flag->sync, &other->sync) || !flag->has_line || !other->has_line || flag->changed ||
                other->changed)
                continue;
            ptog_change_remove(&change, flag);
            ptog_change_remove(&change, other);
            status = ptog_try_change(s, &change, PTOG_LEAVES_NOTHING_NEW);
        }
    return status;
}
