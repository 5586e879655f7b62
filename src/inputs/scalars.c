/* inputs: scalar arguments, and the extents of memory that its type leaves open. They are extents, counts, offsets:
 * small numbers are tried first, then the constants of the program, one argument at a time, then mixtures. */
#include <string.h>

#include "base/pick.h"
#include "inputs/choose.h"

#define MAX_CONSTANTS 16                  /* of the program */
#define MAX_CHECKS 24                     /* runs on the machine */
#define MAX_CHECKED_STEPS UINT64_C(20000) /* operations of each */
#define MAX_MIXTURES 32                   /* of all values */
#define MAX_TRIAL_STEPS UINT64_C(1000000) /* operations in a trial; what is chosen may take more */

static const int64_t common[] = {OPEN_EXTENT, 1, 0, 8, 64, 256, 1024};
#define SMALL_COUNT 4 /* of them are drawn in every other mixture */
#define COMMON_COUNT (sizeof common / sizeof common[0])

/* The attempts in their order: all arguments have a common value, then all a constant of the program; the same with
 * offsets of 0; one has a constant, and the others are 1; each has any value. */
struct attempts {
    int64_t constants[MAX_CONSTANTS];
    bool has_offsets;
    size_t constant_count, argument_count, count;
    size_t checks; /* runs on the machine that are left */
    bool has_choice;
    bool is_best;   /* the last one is the best so far */
    bool has_first; /* some have first_number */
};

bool ptog_slot_is_block_number(const struct ptog_slot *slot)
{
    return strstr(slot->name, "block_idx") != NULL;
}

bool ptog_slot_is_block_count(const struct ptog_slot *slot)
{
    return strstr(slot->name, "block_num") != NULL;
}

/* An integer of more than one bit, which is not said by the launch; or memory with open extents. */
static bool is_choice(const struct ptog_slot *slot)
{
    if (ptog_has_open_extents(slot))
        return true;
    return slot->kind == PTOG_SLOT_NUMBER && slot->dtype == PTOG_DTYPE_NONE && slot->width != 1 &&
           !ptog_slot_is_block_number(slot) && !ptog_slot_is_block_count(slot);
}

/* Fills the plan of the attempts: the constants of the program, and how many arguments have a choice. */
static void plan_attempts(struct attempts *attempts, const struct ptog_trial_run *trial)
{
    const struct ptog_inputs *inputs = trial->inputs;
    *attempts = (struct attempts){.checks = MAX_CHECKS};
    attempts->constant_count =
        ptog_function_constants(trial->program, &trial->execution, attempts->constants, MAX_CONSTANTS);
    for (size_t i = 0; i < inputs->count; i++) {
        const struct ptog_slot *slot = &inputs->of[i].slot;
        attempts->argument_count += is_choice(slot);
        attempts->has_choice = attempts->has_choice || is_choice(slot) || slot->width == 1;
        attempts->has_offsets = attempts->has_offsets || (is_choice(slot) && inputs->of[i].is_offset);
    }
    size_t values = COMMON_COUNT + attempts->constant_count;
    attempts->count =
        values + attempts->has_offsets * values + attempts->constant_count * attempts->argument_count + MAX_MIXTURES;
}

/* Value `number` of all. */
static int64_t attempt_value(const struct attempts *attempts, size_t number)
{
    return number < COMMON_COUNT ? common[number] : attempts->constants[number - COMMON_COUNT];
}

/* The value that argument `number` of those that have a choice gets in an attempt; late attempts are random, from
 * *state. */
static int64_t choice_of(const struct attempts *attempts, size_t attempt, size_t number, bool is_offset,
                         uint64_t *state)
{
    size_t singles = attempts->constant_count * attempts->argument_count;
    size_t values = COMMON_COUNT + attempts->constant_count;
    if (attempt < values)
        return attempt_value(attempts, attempt);
    attempt -= values;
    if (attempts->has_offsets && attempt < values)
        return is_offset ? 0 : attempt_value(attempts, attempt);
    attempt -= attempts->has_offsets * values;
    if (attempt < singles)
        return attempt % attempts->argument_count == number ? attempts->constants[attempt / attempts->argument_count]
                                                            : 1;
    if (attempt % 2 == 0)
        values = SMALL_COUNT;
    return attempt_value(attempts, (ptog_next_random(state) >> 16) % values);
}

/* No elements show nothing. */
static int64_t value_for(const struct ptog_slot *slot, int64_t value)
{
    if (value == 0 && ptog_has_open_extents(slot))
        return 1;
    return value;
}

/* The block is the first of one. Floating-point arguments, which have an element type, are 1; i1 is true or false. */
static int64_t fixed_value(const struct ptog_slot *slot, size_t attempt)
{
    if (ptog_slot_is_block_number(slot))
        return 0;
    return slot->width != 1 || attempt % 2 == 0;
}

/* Sets the scalar arguments to the values of an attempt; whether any of them changed. */
static bool set_scalars(struct ptog_inputs *inputs, const struct attempts *attempts, size_t attempt)
{
    uint64_t state = (attempt + 7) * UINT64_C(0x9E3779B97F4A7C15);
    bool changed = false;
    size_t number = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        struct ptog_generated *generated = &inputs->of[i];
        if (generated->slot.kind != PTOG_SLOT_NUMBER && !is_choice(&generated->slot))
            continue;
        int64_t value = fixed_value(&generated->slot, attempt);
        if (is_choice(&generated->slot))
            value = value_for(&generated->slot, choice_of(attempts, attempt, number++, generated->is_offset, &state));
        changed = changed || value != generated->number;
        generated->number = value;
    }
    return changed;
}

/* What the arguments need is noted afresh, but for what their types say. */
static void forget_needs(struct ptog_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        struct ptog_generated *generated = &inputs->of[i];
        const struct ptog_slot *slot = &generated->slot;
        bool sized = slot->kind == PTOG_SLOT_TILE || (slot->kind == PTOG_SLOT_MEMORY && slot->rank > 0);
        size_t bytes = ptog_dtype_size(slot->dtype);
        int64_t open = ptog_has_open_extents(slot) ? generated->number : OPEN_EXTENT;
        for (int d = 0; sized && d < slot->rank && bytes < MAX_INPUT_BYTES; d++)
            bytes *= (size_t)(slot->shape[d] > 0 ? slot->shape[d] : open);
        generated->dtype = slot->dtype;
        generated->need = sized ? (size_t)ptog_min(bytes, MAX_INPUT_BYTES) : 0;
        generated->scalar = false;
        generated->rank = 0;
        generated->loaded = slot->kind == PTOG_SLOT_TILE && !slot->written;
    }
}

/* Whether nothing speaks against the values but that the machine was not asked yet. */
static bool is_to_be_checked(const struct attempts *attempts, struct ptog_trial_score score)
{
    return attempts->has_choice && attempts->checks > 0 && ptog_score_is_perfect(score);
}

/* Tries the values at hand in a run that ends early, as an endless loop is left for other values, and sets *score.
 * False when out of memory. */
static bool try_briefly(struct ptog_trial_run *trial, struct attempts *attempts, struct ptog_trial_score *score)
{
    uint64_t steps = trial->max_steps ? ptog_min(trial->max_steps, MAX_TRIAL_STEPS) : MAX_TRIAL_STEPS;
    uint64_t work = trial->execution.max_work;
    trial->execution.max_work = work ? ptog_min(work, MAX_WORK) : MAX_WORK;
    forget_needs(trial->inputs);
    bool good = ptog_try_values(trial, steps, score);
    if (good && is_to_be_checked(attempts, *score)) {
        attempts->checks--;
        good = ptog_trial_check(trial, ptog_min(steps, MAX_CHECKED_STEPS), &score->faults);
    } else if (attempts->has_choice && attempts->checks == 0) {
        score->faults = UINT64_MAX;
    }
    trial->execution.max_work = work;
    return good;
}

/* Whether a run in which nothing happened, or that stopped, came further than another that is as bad. */
static bool is_further(struct ptog_trial_score a, struct ptog_trial_score b)
{
    return (a.idle || a.stopped) && !ptog_score_is_better(b, a) && a.accesses > b.accesses;
}

/* Tries the values as they are, and keeps them if they are better. False when out of memory. */
static bool try_for_best(struct ptog_trial_run *trial, struct attempts *attempts, struct ptog_trial_score *best)
{
    struct ptog_inputs *inputs = trial->inputs;
    struct ptog_trial_score score;
    if (!try_briefly(trial, attempts, &score))
        return false;
    if (score.faults > 0 && !attempts->has_first) {
        attempts->has_first = true;
        for (size_t i = 0; i < inputs->count; i++)
            inputs->of[i].first_number = inputs->of[i].number;
    }
    attempts->is_best = ptog_score_is_better(score, *best) || is_further(score, *best);
    if (!attempts->is_best)
        return true;
    *best = score;
    for (size_t i = 0; i < inputs->count; i++)
        inputs->of[i].best_number = inputs->of[i].number;
    return true;
}

/* Gives the scalar arguments their best values. */
static void take_best(struct ptog_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        inputs->of[i].number = inputs->of[i].best_number;
}

/* Whether attempt `i` is worth its time. While nothing ran to its end, the common values are tried in any case. */
static bool is_worth_trying(const struct ptog_trial_run *trial, const struct ptog_trial_score *best, size_t i)
{
    return !ptog_score_is_perfect(*best) && (trial->work < MAX_WORK || (best->stopped && i < COMMON_COUNT));
}

/* Changes one argument after the other from the best values on, since two extents may have to be right at a time.
 * False when out of memory. */
static bool improve_each(struct ptog_trial_run *trial, struct attempts *attempts, struct ptog_trial_score *best)
{
    struct ptog_inputs *inputs = trial->inputs;
    for (size_t i = 0; i < inputs->count; i++)
        for (size_t k = 0; is_choice(&inputs->of[i].slot) && k < COMMON_COUNT + attempts->constant_count; k++) {
            take_best(inputs);
            if (!is_worth_trying(trial, best, SIZE_MAX))
                return true;
            inputs->of[i].number = value_for(&inputs->of[i].slot, attempt_value(attempts, k));
            if (inputs->of[i].number != inputs->of[i].best_number && !try_for_best(trial, attempts, best))
                return false;
        }
    return true;
}

/* Tries the attempts from `first` to the one before `end`. False when out of memory. */
static bool try_attempts(struct ptog_trial_run *trial, struct attempts *attempts, struct ptog_trial_score *best,
                         size_t first, size_t end)
{
    for (size_t i = first; i < end && is_worth_trying(trial, best, i); i++)
        if (set_scalars(trial->inputs, attempts, i) && !try_for_best(trial, attempts, best))
            return false;
    return true;
}

/* Leaves the best values in the arguments, with a run on them. Where no run on the machine was without a fault, they
 * are not the reason, and the first ones stay. False when out of memory. */
static bool take_chosen(struct ptog_trial_run *trial, const struct attempts *attempts, struct ptog_trial_score *best)
{
    struct ptog_inputs *inputs = trial->inputs;
    if (attempts->is_best && !best->stopped && best->faults == 0)
        return true;
    take_best(inputs);
    for (size_t i = 0; best->faults > 0 && i < inputs->count; i++)
        inputs->of[i].number = inputs->of[i].first_number;
    forget_needs(inputs);
    return ptog_try_values(trial, trial->max_steps, best);
}

bool ptog_choose_scalars(struct ptog_trial_run *trial, struct ptog_trial_score *best)
{
    struct attempts attempts;
    *best = (struct ptog_trial_score){.idle = true, .stopped = true, .errors = SIZE_MAX};
    ptog_inputs_find_offsets(trial->inputs, trial->program, &trial->execution);
    plan_attempts(&attempts, trial);
    size_t values = COMMON_COUNT + attempts.constant_count;
    set_scalars(trial->inputs, &attempts, 0);
    bool good = try_for_best(trial, &attempts, best) && try_attempts(trial, &attempts, best, 1, values);
    if (good && best->faults > 0)
        good = improve_each(trial, &attempts, best);
    good = good && try_attempts(trial, &attempts, best, values, attempts.count);
    if (good && attempts.argument_count > 1)
        good = improve_each(trial, &attempts, best);
    return good && take_chosen(trial, &attempts, best);
}
