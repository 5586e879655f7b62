/* repair: pairs of flags of which one half is missing. Every place of the function is tried: a run says whether the
 * line is right there.
 *
 *     set_flag(V, MTE2, 1)          the report: (V, MTE2, 1) is set and never waited for
 *     for ...
 *                                   <- wait_flag(V, MTE2, 1) was here: the latest place with which the run is clean
 *         tload
 *         ...
 */
#include "repair/halves.h"

#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "diag/kind.h"
#include "repair/edits/places.h"
#include "repair/reference.h"

#define MAX_HALVES 16 /* lines */

/* ---- what is missing */

static bool is_half(const struct ptog_diag *diag)
{
    return diag->kind == PTOG_DIAG_FLAG_NEVER_SET || diag->kind == PTOG_DIAG_FLAG_LEFT_SET;
}

bool ptog_halves_are_missing(const ptog_diags *report)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(report, i)) != NULL; i++)
        if (is_half(diag))
            return true;
    return false;
}

/* Sets *sync to the half that completes the pair of a diagnostic, which its fix names. False: it is not about half a
 * pair. */
static bool half_of(const struct ptog_diag *diag, struct ptog_sync *sync)
{
    const struct ptog_fix *step = diag->fix;
    if (!is_half(diag) || diag->fix_count == 0 || (unsigned)step->src >= PTOG_PIPES ||
        (unsigned)step->dst >= PTOG_PIPES)
        return false;
    *sync = (struct ptog_sync){(uint8_t)step->src, (uint8_t)step->dst, (uint8_t)step->id,
                               step->kind == PTOG_FIX_SET ? PTOG_SYNC_SET : PTOG_SYNC_WAIT};
    return true;
}

/* ---- trying */

/* How far a program is clean that has no fault of order in its run. */
enum half_rank { FAULTY, CLEAN, CLEAN_ON_ALL_DATA, CLEAN_ON_ALL_MACHINES };

struct halves_search {
    struct ptog_tries *tries;
    struct ptog_flag_places places;
    struct ptog_half best;
    size_t best_faults;
    enum half_rank best_rank;
};

/* Is the flag that was incomplete all right now? */
static bool is_whole(const ptog_diags *left, const struct ptog_sync *sync)
{
    const struct ptog_diag *diag;
    struct ptog_sync other;
    for (size_t i = 0; (diag = ptog_diags_at(left, i)) != NULL; i++)
        if (half_of(diag, &other) && other.src == sync->src && other.dst == sync->dst && other.id == sync->id)
            return false;
    return true;
}

/* Runs on random data, and then on the other machine. */
static enum ptog_status rank_line(struct halves_search *s, enum half_rank *rank)
{
    struct ptog_trial trial = ptog_trial_below(s->tries, 1);
    size_t other_target = 1;
    bool same = true;
    enum ptog_status status = s->tries->reference ? ptog_reference_look(s->tries->reference, &same) : PTOG_OK;
    *rank = same ? CLEAN_ON_ALL_DATA : CLEAN;
    if (status == PTOG_OK && same)
        status = ptog_try_other_target(s->tries, &trial, NULL, &other_target);
    if (status == PTOG_OK && other_target == 0)
        *rank = CLEAN_ON_ALL_MACHINES;
    return status;
}

/* Runs with the line that has been put in. */
static enum ptog_status try_line(struct halves_search *s, const struct ptog_flag_place *place,
                                 const struct ptog_sync *sync)
{
    struct ptog_trial trial = ptog_trial_below(s->tries, ptog_max(s->best_faults, 1));
    ptog_diags *left = ptog_diags_new();
    enum half_rank rank = FAULTY;
    size_t faults = 0;
    enum ptog_status status = left ? ptog_try(s->tries, &trial, left, &faults) : PTOG_NO_MEMORY;
    if (status == PTOG_OK && faults == 0)
        status = rank_line(s, &rank);
    if (status == PTOG_OK && (faults < s->best_faults || rank > s->best_rank) && is_whole(left, sync)) {
        s->best = (struct ptog_half){place->op, place->after, *sync, rank == CLEAN_ON_ALL_MACHINES};
        s->best_faults = faults;
        s->best_rank = rank;
    }
    ptog_diags_free(left);
    return status;
}

/* Tries the program with one more line at a place, which is as before afterwards. PTOG_OK, or PTOG_NO_MEMORY. */
static enum ptog_status try_place(struct halves_search *s, const struct ptog_flag_place *place,
                                  const struct ptog_sync *sync)
{
    struct ptog_lines *lines = ptog_lines_at(s->tries->added, place);
    if (!ptog_lines_add(lines, lines->count, sync, 1))
        return PTOG_NO_MEMORY;
    enum ptog_status status = try_line(s, place, sync);
    lines->count--;
    return status;
}

/* A set from the first place on, a wait from the last one. */
static enum ptog_status try_places(struct halves_search *s, const struct ptog_sync *sync)
{
    enum ptog_status status = PTOG_OK;
    uint32_t count = s->places.count;
    for (uint32_t i = 0; i < count && status == PTOG_OK && s->best_rank < CLEAN_ON_ALL_MACHINES; i++) {
        if (ptog_tries_are_used_up(s->tries))
            break;
        status = try_place(s, &s->places.of[sync->part == PTOG_SYNC_SET ? i : count - 1 - i], sync);
    }
    return status;
}

/* The best line for one of the flags that the report names. */
static enum ptog_status find_half(struct halves_search *s, const ptog_diags *report)
{
    enum ptog_status status = ptog_flag_places_list(&s->places, s->tries) ? PTOG_OK : PTOG_NO_MEMORY;
    const struct ptog_diag *diag;
    struct ptog_sync sync;
    s->best_faults = SIZE_MAX;
    for (size_t i = 0; status == PTOG_OK && s->best_faults > 0 && (diag = ptog_diags_at(report, i)) != NULL; i++)
        if (half_of(diag, &sync))
            status = try_places(s, &sync);
    free(s->places.of);
    if (status == PTOG_OK && !s->best.op)
        status = PTOG_ILLEGAL;
    return status;
}

enum ptog_status ptog_half_find(struct ptog_tries *tries, const ptog_diags *report, struct ptog_half *half)
{
    struct halves_search s = {.tries = tries};
    enum ptog_status status = find_half(&s, report);
    if (status == PTOG_OK && s.best_faults > 0)
        status = PTOG_ILLEGAL;
    *half = status == PTOG_OK ? s.best : (struct ptog_half){0};
    return status;
}

/* Adds one missing half to the program, at the best place that was found; PTOG_ILLEGAL: none is missing, or none
 * helps. */
static enum ptog_status add_one(struct ptog_tries *tries)
{
    struct halves_search s = {.tries = tries};
    struct ptog_trial trial = {0};
    ptog_diags *report = ptog_diags_new();
    size_t faults = 0;
    enum ptog_status status = report ? ptog_try(tries, &trial, report, &faults) : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = ptog_halves_are_missing(report) ? find_half(&s, report) : PTOG_ILLEGAL;
    if (status == PTOG_OK) {
        struct ptog_lines *lines = ptog_lines_at(tries->added, &(struct ptog_flag_place){s.best.op, s.best.after});
        status = ptog_lines_add(lines, lines->count, &s.best.sync, 1) ? PTOG_OK : PTOG_NO_MEMORY;
    }
    ptog_diags_free(report);
    return status;
}

enum ptog_status ptog_halves_add(struct ptog_tries *tries)
{
    enum ptog_status status = PTOG_OK;
    for (int i = 0; i < MAX_HALVES && status == PTOG_OK && !ptog_tries_are_used_up(tries); i++)
        status = add_one(tries);
    if (status == PTOG_ILLEGAL)
        return PTOG_OK;
    return status;
}
