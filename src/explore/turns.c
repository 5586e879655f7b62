/* explore: what runs show of a loop that may do the same again after some turns (repeats.h), and the search for runs
 * with the numbers of turns that decide. */
#include <string.h>

#include "explore/explore.h"

/* ---- one run ---- */

void ptog_repeats_begin(struct ptog_repeats *repeats)
{
    memset(repeats->left, 0, sizeof repeats->left);
    repeats->turns = 0;
    repeats->runs = 0;
}

/* What is left of flags at the end of a turn, as one number. */
static uint64_t hash_of_left(const struct ptog_repeats *repeats)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < repeats->flag_count; i++)
        hash = (hash ^ (uint64_t)(repeats->left[i] + 1)) * UINT64_C(0x100000001b3);
    return hash;
}

/* A turn begins, or, with the last one, the loop ends: as many flags are left as a period before. */
static void see_turn(struct ptog_repeats *repeats)
{
    uint64_t hash = hash_of_left(repeats), *before = &repeats->before[repeats->turns % repeats->period];
    if (repeats->turns >= repeats->period && *before != hash)
        repeats->contradicted = true;
    *before = hash;
    repeats->turns++;
}

/* Notes that an operation of the loop is executed, in a run whose turns are compared. */
void ptog_repeats_see(struct ptog_repeats *repeats, uint32_t op)
{
    repeats->runs += op == repeats->start;
    if (!repeats->possible || repeats->runs > 1)
        return;
    if (op == repeats->first)
        see_turn(repeats);
    for (size_t i = 0; i < repeats->flag_count; i++) {
        const struct ptog_repeated_flag *flag = &repeats->flags[i];
        if (flag->op != op)
            continue;
        repeats->left[flag->pair] += flag->is_wait ? -1 : 1;
        repeats->contradicted = repeats->contradicted || repeats->left[flag->pair] < 0;
    }
}

void ptog_repeats_end(struct ptog_repeats *repeats)
{
    if (repeats->possible && repeats->turns < 64)
        repeats->turns_seen |= UINT64_C(1) << repeats->turns;
}

/* The numbers of turns that show what every larger number shows, as bits. */
static uint64_t deciding_turns(const struct ptog_repeats *repeats)
{
    return (UINT64_C(1) << (2 * repeats->period + 1)) - 1;
}

bool ptog_repeats_hold(const struct ptog_repeats *repeats)
{
    return repeats->possible && !repeats->contradicted &&
           (repeats->turns_seen & deciding_turns(repeats)) == deciding_turns(repeats);
}

/* ---- the search ---- */

/* The number of turns of a point; false when it did not run. */
static bool turns_of_point(struct ptog_proof *proof, const struct ptog_point *point, int64_t *turns)
{
    bool ran = ptog_try_point(proof, point) || ptog_run_point_again(proof, point);
    *turns = (int64_t)proof->repeats.turns;
    return ran;
}

/* Tries the values of a variable that give the missing numbers of turns, if these grow evenly with it. */
static void aim_turns(struct ptog_proof *proof, size_t variable, int64_t step)
{
    struct ptog_point from = {{0}}, next;
    int64_t turns, more;
    for (size_t i = 0; i < proof->variable_count; i++)
        from.of[i] = proof->variables[i].values[0];
    next = from;
    next.of[variable] += step;
    if (!turns_of_point(proof, &from, &turns) || !turns_of_point(proof, &next, &more) || more == turns)
        return;
    for (int64_t wanted = 0; wanted <= 2 * (int64_t)proof->repeats.period; wanted++) {
        next.of[variable] = from.of[variable] + (wanted - turns) * step / (more - turns);
        if (!(proof->repeats.turns_seen >> wanted & 1))
            ptog_try_point(proof, &next);
    }
}

void ptog_search_turns(struct ptog_proof *proof)
{
    static const int64_t steps[] = {1, 64};
    for (size_t i = 0; proof->repeats.possible && i < proof->variable_count; i++)
        for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
            if (proof->variables[i].kind == PTOG_VARIABLE_NUMBER && !proof->variables[i].is_bit &&
                proof->variables[i].launch == PTOG_NOT_OF_LAUNCH && !ptog_repeats_hold(&proof->repeats) &&
                !ptog_search_is_over(proof))
                aim_turns(proof, i, steps[k]);
}
