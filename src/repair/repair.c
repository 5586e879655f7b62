/* repair: what would make a program right. */
#include "repair/repair.h"

#include "base/pick.h"
#include "repair/complete.h"
#include "repair/decouple.h"
#include "repair/edits/edits.h"
#include "repair/fix_faults.h"
#include "repair/spread.h"

#define KEPT_RUNS (PTOG_REFERENCES + 2)

/* ---- two ways */

/* Nothing would be left of the program. */
static bool removes_all(const struct ptog_added *added)
{
    uint32_t removed = 0;
    for (uint32_t op = 0; op < added->op_count; op++)
        removed += added->edits[op].kind == PTOG_EDIT_REMOVE;
    return removed == added->op_count;
}

/* Decides whether the changes so far are a repair: no fault is left, and the program stores what it does in the order
 * of its text. Sets `clean`, or `stores` when only the latter fails. */
static enum ptog_status accept(struct ptog_repair *r)
{
    bool same = false;
    enum ptog_status status = PTOG_OK;
    if (r->tries.accepted == 0 && !removes_all(&r->added)) {
        uint64_t most = r->tries.most;
        r->tries.most = r->tries.budget->most;
        status = ptog_reference_compare(&r->reference, &same);
        r->tries.most = most;
    }
    r->clean = status == PTOG_OK && same;
    r->stores |= status == PTOG_OK && r->tries.accepted == 0 && !same;
    return status;
}

/* Forgets all changes of the repair. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status start_anew(struct ptog_repair *r)
{
    ptog_added_close(&r->added);
    return ptog_added_open(&r->added, r->tries.e->tree->op_count) ? PTOG_OK : PTOG_NO_MEMORY;
}

/* Lines next to the flags that are there. */
static enum ptog_status complete_flags(struct ptog_repair *r)
{
    uint32_t untried;
    enum ptog_status status = ptog_find_lines(&r->tries, true, &untried);
    if (status == PTOG_OK)
        status = accept(r);
    return status;
}

/* Tries to fix the only fault of the program with the lines that the documents have for its case; sets `clean` when
 * that is a repair. */
static enum ptog_status fix_single(struct ptog_repair *r)
{
    struct ptog_trial trial = {0};
    enum ptog_status status = ptog_try(&r->tries, &trial, NULL, &r->tries.accepted);
    if (status != PTOG_OK || r->tries.accepted != 1)
        return status;
    status = ptog_fix_faults(&r->tries);
    if (status == PTOG_OK)
        status = accept(r);
    return status;
}

/* How many lines of the text the changes would add, replace or remove. */
static uint32_t count_lines(const struct ptog_added *added)
{
    uint32_t count = 0;
    for (uint32_t op = 0; op < added->op_count; op++) {
        const struct ptog_lines *sides[] = {&added->before[op], &added->after[op]};
        enum ptog_edit_kind edit = added->edits[op].kind;
        count += edit == PTOG_EDIT_REPLACE || edit == PTOG_EDIT_REMOVE; /* what is moved is a line of another place */
        for (int side = 0; side < 2; side++)
            for (uint32_t i = 0; i < sides[side]->count; i++) {
                const struct ptog_sync *sync = &sides[side]->of[i];
                count += ptog_sync_is_barrier(sync) || sync->part != PTOG_SYNC_WHOLE ? 1 : 2;
            }
    }
    return count;
}

/* Looks for a repair of new lines alone, after one with edits was found, and keeps the one that changes fewer lines. */
static enum ptog_status compare_with_lines(struct ptog_repair *r)
{
    struct ptog_added edited = r->added;
    r->added = (struct ptog_added){0};
    enum ptog_status status = start_anew(r);
    if (status == PTOG_OK)
        status = complete_flags(r);
    bool fewer = status == PTOG_OK && r->clean && count_lines(&r->added) < count_lines(&edited);
    struct ptog_added worse = fewer ? edited : r->added;
    if (!fewer)
        r->added = edited;
    r->clean = status == PTOG_OK;
    ptog_added_close(&worse);
    return status;
}

/* Tries to replace, move or remove flags of the text, with a quarter of the budget, and completes that with new lines
 * where it helps but does not suffice. Sets `clean`; without success all changes are forgotten. */
static enum ptog_status edit_flags(struct ptog_repair *r)
{
    uint32_t edits = 0;
    bool done = false;
    uint64_t most = r->tries.most;
    r->tries.most =
        r->tries.budget->used + ptog_left(most, r->tries.budget->used) / 4; /* with many faults there is much to try */
    enum ptog_status status = ptog_edit_flags(&r->tries, &edits, &done);
    bool cut = !done && ptog_tries_are_used_up(&r->tries);
    r->tries.most = most;
    if (status == PTOG_OK && cut)
        return start_anew(r);
    if (status == PTOG_OK && !done)
        status = fix_single(r);
    if (status == PTOG_OK && edits > 0 && !r->clean)
        status = complete_flags(r);
    if (status == PTOG_OK && edits > 0 && r->clean && !done)
        return compare_with_lines(r);
    if (status == PTOG_OK && !r->clean)
        status = start_anew(r);
    return status;
}

/* Makes the flags of the text harmless and looks for new ones in their place, then takes back what is not needed. Sets
 * `clean` when that is a repair. */
static enum ptog_status replace_flags(struct ptog_repair *r)
{
    uint32_t untried;
    enum ptog_status status = start_anew(r);
    if (status == PTOG_OK && !ptog_decouple(&r->added, r->reference.flags))
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = ptog_find_lines(&r->tries, true, &untried);
    if (status == PTOG_OK && r->tries.accepted == 0)
        status = ptog_recouple(&r->tries, r->reference.flags);
    if (status == PTOG_OK && r->tries.accepted == 0)
        status = ptog_leave_out(&r->tries, &untried);
    if (status == PTOG_OK)
        status = accept(r);
    return status;
}

/* A run of the program itself, which may cost what it likes. Of the budget, enough is kept for comparing what a repair
 * stores. */
static enum ptog_status try_as_it_is(struct ptog_repair *r)
{
    struct ptog_trial trial = {0};
    uint64_t most = r->tries.most, before = r->tries.budget->used;
    r->tries.most = UINT64_MAX;
    enum ptog_status status = ptog_try(&r->tries, &trial, NULL, &r->tries.accepted);
    r->tries.most = ptog_left(most, KEPT_RUNS * (r->tries.budget->used - before));
    r->clean = status == PTOG_OK && r->tries.accepted == 0;
    return status;
}

/* Looks for changes that leave no fault of order, the smallest first: edits, new flags, other flags in place of all.
 * They are in `added`; `clean` says whether they suffice. In a text with flags that works, sets are then moved up to
 * what they announce. Returns an error only when out of memory. */
static enum ptog_status find_changes(struct ptog_repair *r, bool has_sync)
{
    enum ptog_status status = has_sync ? edit_flags(r) : PTOG_OK;
    if (status == PTOG_OK && !r->clean)
        status = complete_flags(r);
    if (status == PTOG_OK && !r->clean && has_sync)
        status = replace_flags(r);
    if (status == PTOG_OK && r->clean && has_sync)
        status = ptog_spread(&r->tries);
    return status;
}

enum ptog_status ptog_repair_find(struct ptog_repair *r, struct ptog_eval *e, const struct ptog_execution *execution,
                                  const struct ptog_function *function, struct ptog_budget *budget)
{
    bool good = ptog_added_open(&r->added, e->tree->op_count);
    good = ptog_tries_open(&r->tries, &r->added, e, execution, function, budget) && good;
    enum ptog_status status = good ? PTOG_OK : PTOG_NO_MEMORY;
    if (r->most > 0)
        r->tries.most = r->most;
    if (status == PTOG_OK)
        status = try_as_it_is(r);
    if (status != PTOG_OK || r->clean)
        return status;
    status = ptog_reference_open(&r->reference, &r->tries);
    r->tries.reference = &r->reference;
    r->reference.runs = r->reference.runs && !ptog_tries_are_used_up(&r->tries);
    if (status == PTOG_OK && r->reference.runs)
        status = find_changes(r, e->machine.has_sync);
    return status;
}

void ptog_repair_close(struct ptog_repair *r)
{
    ptog_reference_close(&r->reference);
    ptog_tries_close(&r->tries);
    ptog_added_close(&r->added);
}
