/* inputs: values are chosen by trial: scalar arguments first, then single elements that the program reads, then data.
 * The first ones count with which the program runs without an error; where none does, those with the fewest. */
#include <string.h>

#include "base/pick.h"
#include "inputs/inputs.h"

#define MAX_TRIALS 40                     /* of scalar arguments */
#define MAX_TRIAL_STEPS UINT64_C(1000000) /* operations in a trial of other scalar arguments than the first */
#define MAX_GROWTH 4                      /* trials until no argument needs more than was filled */
#define MAX_WORK (UINT64_C(1) << 30)      /* bytes; after so many no further values are tried */

/* How good a set of values is: smaller is better. */
struct trial_score {
    bool idle; /* no instruction ran */
    size_t errors;
};

static bool is_better(struct trial_score a, struct trial_score b)
{
    return a.idle != b.idle ? b.idle : a.errors < b.errors;
}

static bool is_perfect(struct trial_score score)
{
    return !score.idle && score.errors == 0;
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
            bytes *= (size_t)(slot->shape[d] > 0 ? slot->shape[d] : 16);
        generated->dtype = slot->dtype;
        generated->need = sized ? (size_t)ptog_min(bytes, MAX_INPUT_BYTES) : 0;
        generated->scalar = false;
        generated->rank = 0;
        generated->loaded = slot->kind == PTOG_SLOT_TILE && !slot->written;
    }
}

/* Repeats the trial while what it reaches is not filled yet. False when out of memory. */
static bool try_values(struct ptog_trial_run *trial, uint64_t max_steps, struct trial_score *score)
{
    bool good = ptog_trial_execute(trial, max_steps);
    for (int i = 1; good && trial->grew && i < MAX_GROWTH; i++)
        good = ptog_trial_execute(trial, max_steps);
    *score = (struct trial_score){trial->instructions == 0, trial->errors + trial->grew};
    return good;
}

/* ---- scalar arguments ---- */

/* In trial 0 to 4 all of them have the same value, then each another one. The block is the first of one; floating-point
 * arguments, which have an element type, and i1 are 1. */
static int64_t scalar_value(const struct ptog_slot *slot, int attempt, uint64_t *state)
{
    static const int64_t values[] = {16, 1, 0, 8, 64};
    const int count = sizeof values / sizeof values[0];
    if (strstr(slot->name, "block_idx"))
        return 0;
    if (slot->width == 1 || slot->dtype != PTOG_DTYPE_NONE || strstr(slot->name, "block_num"))
        return 1;
    if (attempt < count)
        return values[attempt];
    return values[ptog_next_random(state) % (uint64_t)count];
}

static bool set_scalars(struct ptog_inputs *inputs, int attempt)
{
    uint64_t state = ((uint64_t)attempt + 7) * UINT64_C(0x9E3779B97F4A7C15);
    bool any = false;
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->of[i].slot.kind == PTOG_SLOT_NUMBER) {
            inputs->of[i].number = scalar_value(&inputs->of[i].slot, attempt, &state);
            any = true;
        }
    return any;
}

static bool choose_scalars(struct ptog_trial_run *trial, struct trial_score *best)
{
    struct trial_score score;
    int chosen = 0, attempt = 0;
    uint64_t steps = trial->max_steps;
    bool any;
    do {
        forget_needs(trial->inputs);
        any = set_scalars(trial->inputs, attempt);
        if (!try_values(trial, steps, &score))
            return false;
        if (attempt == 0 || is_better(score, *best)) {
            *best = score;
            chosen = attempt;
        }
        steps = trial->max_steps ? ptog_min(trial->max_steps, MAX_TRIAL_STEPS) : MAX_TRIAL_STEPS;
        attempt++;
    } while (any && !is_perfect(*best) && attempt < MAX_TRIALS && trial->work < MAX_WORK);
    if (chosen == attempt - 1)
        return true;
    forget_needs(trial->inputs);
    set_scalars(trial->inputs, chosen);
    return try_values(trial, trial->max_steps, &score);
}

/* ---- memory ---- */

/* Sets the kind of the arguments that `fits` chooses; whether there are any. */
static bool set_kind(struct ptog_inputs *inputs, bool (*fits)(const struct ptog_generated *), enum ptog_input_kind kind)
{
    bool any = false;
    for (size_t i = 0; i < inputs->count; i++)
        if (fits(&inputs->of[i])) {
            inputs->of[i].kind = kind;
            any = true;
        }
    return any;
}

static bool is_free(const struct ptog_generated *generated)
{
    return generated->slot.kind != PTOG_SLOT_NUMBER && !generated->recipe && !generated->slot.written;
}

static bool is_scalar_memory(const struct ptog_generated *generated)
{
    return is_free(generated) && generated->scalar;
}

static bool is_data(const struct ptog_generated *generated)
{
    return is_free(generated) && !generated->scalar;
}

/* Single elements are bounds, divisors or row numbers: distinct and not zero, if the program runs with that. */
static bool choose_elements(struct ptog_trial_run *trial, struct trial_score *best)
{
    struct trial_score score;
    if (trial->work >= MAX_WORK || !set_kind(trial->inputs, is_scalar_memory, PTOG_INPUT_COUNTING))
        return true;
    if (!try_values(trial, trial->max_steps, &score))
        return false;
    if (!is_better(*best, score)) {
        *best = score;
        return true;
    }
    set_kind(trial->inputs, is_scalar_memory, PTOG_INPUT_ZEROS);
    return true;
}

static bool has_candidates(const struct ptog_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (ptog_may_be_indices(&inputs->of[i]))
            return true;
    return false;
}

/* Finds out which arguments hold indices. What else the program does with marks is not meant: needs stay as they are.
 */
static bool find_indices(struct ptog_trial_run *trial)
{
    struct ptog_inputs *inputs = trial->inputs;
    if (!has_candidates(inputs))
        return true;
    trial->marked = true;
    bool good = ptog_trial_execute(trial, trial->max_steps);
    trial->marked = false;
    for (size_t i = 0; i < inputs->count; i++)
        inputs->of[i].need = inputs->of[i].filled;
    return good;
}

/* The ranges of integers, in the order in which they are tried. Indices stay in the range of what they index; in the
 * last one everything is zero. */
static const struct {
    uint64_t low, limit;
} ranges[] = {{0, 100}, {1, 8}, {1, 2}, {0, 1}};
#define RANGE_COUNT (sizeof ranges / sizeof ranges[0])

static void set_range(struct ptog_inputs *inputs, size_t range)
{
    for (size_t i = 0; i < inputs->count; i++) {
        struct ptog_generated *generated = &inputs->of[i];
        bool integer = ptog_is_integer(generated->dtype);
        bool indices = integer && generated->capacity > 0 && range < RANGE_COUNT - 1;
        generated->low = indices ? 0 : ranges[range].low;
        generated->limit = indices ? generated->capacity : ranges[range].limit;
        if (!integer)
            generated->limit = 0;
        if (is_data(generated))
            generated->kind = indices ? PTOG_INPUT_INDICES : PTOG_INPUT_RANDOM;
    }
}

static bool choose_data(struct ptog_trial_run *trial, struct trial_score best)
{
    struct ptog_inputs *inputs = trial->inputs;
    struct trial_score score, least = {true, SIZE_MAX};
    size_t chosen = 0;
    bool matters = has_candidates(inputs);
    for (size_t range = 0; matters && range < RANGE_COUNT && trial->work < MAX_WORK; range++) {
        set_range(inputs, range);
        if (!try_values(trial, trial->max_steps, &score))
            return false;
        if (is_better(score, least)) {
            least = score;
            chosen = range;
        }
        if (!is_better(best, least))
            break;
    }
    set_range(inputs, chosen);
    return true;
}

bool ptog_choose_values(struct ptog_trial_run *trial)
{
    struct trial_score best;
    return choose_scalars(trial, &best) && choose_elements(trial, &best) && find_indices(trial) &&
           choose_data(trial, best);
}
