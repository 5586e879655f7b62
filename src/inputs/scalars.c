/* inputs: scalar arguments. They are extents, counts, offsets: small numbers are tried first, then the constants of the
 * program, one argument at a time, then mixtures. */
#include <string.h>

#include "base/pick.h"
#include "inputs/choose.h"

#define MAX_CONSTANTS 12                  /* of the program */
#define MAX_MIXTURES 32                   /* of all values */
#define MAX_TRIAL_STEPS UINT64_C(1000000) /* operations in a trial; what is chosen may take more */

static const int64_t common[] = {OPEN_EXTENT, 1, 0, 8, 64, 256, 1024};
#define SMALL_COUNT 4 /* of them are drawn in every other mixture */
#define COMMON_COUNT (sizeof common / sizeof common[0])

/* The attempts in their order: all arguments have a common value; one has a constant, and the others are 1; each has
 * any value. */
struct attempts {
    int64_t constants[MAX_CONSTANTS];
    size_t constant_count, argument_count, count;
};

static bool is_choice(const struct ptog_slot *slot)
{
    return slot->kind == PTOG_SLOT_NUMBER && slot->dtype == PTOG_DTYPE_NONE && slot->width != 1 &&
           !strstr(slot->name, "block_idx") && !strstr(slot->name, "block_num");
}

static void plan_attempts(struct attempts *attempts, const struct ptog_trial_run *trial)
{
    const struct ptog_inputs *inputs = trial->inputs;
    *attempts = (struct attempts){.argument_count = 0};
    attempts->constant_count =
        ptog_function_constants(trial->program, trial->execution.function, attempts->constants, MAX_CONSTANTS);
    for (size_t i = 0; i < inputs->count; i++)
        attempts->argument_count += is_choice(&inputs->of[i].slot);
    attempts->count = COMMON_COUNT + attempts->constant_count * attempts->argument_count + MAX_MIXTURES;
}

/* Argument `number` of those that have a choice. */
static int64_t choice_of(const struct attempts *attempts, size_t attempt, size_t number, uint64_t *state)
{
    size_t singles = attempts->constant_count * attempts->argument_count;
    if (attempt < COMMON_COUNT)
        return common[attempt];
    attempt -= COMMON_COUNT;
    if (attempt < singles)
        return attempt % attempts->argument_count == number ? attempts->constants[attempt / attempts->argument_count]
                                                            : 1;
    size_t values = attempt % 2 == 0 ? SMALL_COUNT : COMMON_COUNT + attempts->constant_count;
    size_t any = (ptog_next_random(state) >> 16) % values;
    return any < COMMON_COUNT ? common[any] : attempts->constants[any - COMMON_COUNT];
}

/* The block is the first of one. Floating-point arguments, which have an element type, are 1; i1 is true or false. */
static int64_t fixed_value(const struct ptog_slot *slot, size_t attempt)
{
    if (strstr(slot->name, "block_idx"))
        return 0;
    return slot->width != 1 || attempt % 2 == 0;
}

/* Whether the values of an attempt differ from those before. */
static bool set_scalars(struct ptog_inputs *inputs, const struct attempts *attempts, size_t attempt)
{
    uint64_t state = (attempt + 7) * UINT64_C(0x9E3779B97F4A7C15);
    bool changed = false;
    size_t number = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        struct ptog_generated *generated = &inputs->of[i];
        if (generated->slot.kind != PTOG_SLOT_NUMBER)
            continue;
        int64_t value = is_choice(&generated->slot) ? choice_of(attempts, attempt, number++, &state)
                                                    : fixed_value(&generated->slot, attempt);
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
        for (int d = 0; sized && d < slot->rank && bytes < MAX_INPUT_BYTES; d++)
            bytes *= (size_t)(slot->shape[d] > 0 ? slot->shape[d] : OPEN_EXTENT);
        generated->dtype = slot->dtype;
        generated->need = sized ? (size_t)ptog_min(bytes, MAX_INPUT_BYTES) : 0;
        generated->scalar = false;
        generated->rank = 0;
        generated->loaded = slot->kind == PTOG_SLOT_TILE && !slot->written;
    }
}

static bool try_attempt(struct ptog_trial_run *trial, uint64_t max_steps, struct ptog_trial_score *score)
{
    forget_needs(trial->inputs);
    return ptog_try_values(trial, max_steps, score);
}

/* A trial that ends early costs little: an endless loop is left for other values. */
static bool try_briefly(struct ptog_trial_run *trial, struct ptog_trial_score *score)
{
    uint64_t steps = trial->max_steps ? ptog_min(trial->max_steps, MAX_TRIAL_STEPS) : MAX_TRIAL_STEPS;
    uint64_t work = trial->execution.max_work;
    trial->execution.max_work = work ? ptog_min(work, MAX_WORK) : MAX_WORK;
    bool good = try_attempt(trial, steps, score);
    trial->execution.max_work = work;
    return good;
}

/* Whether attempt `i` is worth its time. While nothing ran to its end, the common values are tried in any case. */
static bool is_worth_trying(const struct ptog_trial_run *trial, const struct ptog_trial_score *best, size_t i)
{
    return !ptog_score_is_perfect(*best) && (trial->work < MAX_WORK || (best->stopped && i < COMMON_COUNT));
}

bool ptog_choose_scalars(struct ptog_trial_run *trial, struct ptog_trial_score *best)
{
    struct attempts attempts;
    struct ptog_trial_score score;
    size_t chosen = 0, last = 0;
    plan_attempts(&attempts, trial);
    set_scalars(trial->inputs, &attempts, 0);
    if (!try_briefly(trial, best))
        return false;
    for (size_t i = 1; i < attempts.count && is_worth_trying(trial, best, i); i++) {
        if (!set_scalars(trial->inputs, &attempts, i))
            continue;
        if (!try_briefly(trial, &score))
            return false;
        last = i;
        if (ptog_score_is_better(score, *best)) {
            *best = score;
            chosen = i;
        }
    }
    if (chosen == last && !best->stopped)
        return true;
    set_scalars(trial->inputs, &attempts, chosen);
    return try_attempt(trial, trial->max_steps, best);
}
