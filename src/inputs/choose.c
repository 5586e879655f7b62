/* inputs: values are chosen by trial: scalar arguments first (scalars.c), then single elements that the program reads,
 * then data. The first ones count with which the program runs without an error; where none does, those with the fewest.
 */
#include "inputs/choose.h"

#include "base/pick.h"

#define MAX_GROWTH 4                 /* trials until no argument needs more than was filled */
#define MAX_HANDY ((size_t)64 << 20) /* bytes of all arguments; more take long to fill and to copy */

/* ---- scores ---- */

/* A run that stops says less than one in which nothing happens: most often the values contradict each other. */
static int rank_of(struct ptog_trial_score score)
{
    if (score.stopped)
        return 2;
    return score.idle;
}

/* Whether values with score `a` are a better choice than those with `b`: fewer errors, then fewer faults, but not
 * because less is done. */
bool ptog_score_is_better(struct ptog_trial_score a, struct ptog_trial_score b)
{
    if (rank_of(a) != rank_of(b))
        return rank_of(a) < rank_of(b);
    if (a.errors != b.errors)
        return a.errors < b.errors;
    if (a.faults != b.faults)
        return a.faults < b.faults &&
               a.instructions >= b.instructions; /* values with which less is done are no answer */
    return !a.large && b.large;
}

bool ptog_score_is_perfect(struct ptog_trial_score score)
{
    return !score.idle && !score.stopped && !score.large && score.errors == 0 && score.faults == 0;
}

/* Whether the arguments take much memory. */
static bool is_large(const struct ptog_inputs *inputs)
{
    size_t bytes = 0;
    for (size_t i = 0; i < inputs->count; i++)
        bytes += inputs->of[i].need;
    return bytes > MAX_HANDY;
}

bool ptog_try_values(struct ptog_trial_run *trial, uint64_t max_steps, struct ptog_trial_score *score)
{
    bool good = ptog_trial_execute(trial, max_steps);
    for (int i = 1; good && trial->grew && i < MAX_GROWTH; i++)
        good = ptog_trial_execute(trial, max_steps);
    *score = (struct ptog_trial_score){.idle = trial->instructions == 0,
                                       .stopped = trial->stopped,
                                       .errors = trial->errors + trial->grew,
                                       .instructions = trial->instructions,
                                       .accesses = trial->accesses,
                                       .large = is_large(trial->inputs)};
    return good;
}

/* ---- what the arguments need ---- */

/* Values decide how far the program reaches: each set starts with what is needed in any case. */
static void keep_needs(struct ptog_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        inputs->of[i].kept_need = inputs->of[i].need;
}

/* Gives the arguments the sizes that were kept. */
static void restore_needs(struct ptog_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        inputs->of[i].need = inputs->of[i].kept_need;
}

/* ---- single elements ---- */

/* Whether the contents of an argument may be chosen. */
static bool is_free(const struct ptog_generated *generated)
{
    return generated->slot.kind != PTOG_SLOT_NUMBER && !generated->recipe && !generated->slot.written &&
           !generated->signal;
}

/* Whether the contents of an argument may be chosen, and are read as scalars. */
static bool is_scalar_memory(const struct ptog_generated *generated)
{
    return is_free(generated) && generated->scalar;
}

/* Whether the contents of an argument may be chosen, and are read by instructions. */
static bool is_data(const struct ptog_generated *generated)
{
    return is_free(generated) && !generated->scalar;
}

/* What they are tried with: they are row numbers, positions, divisors, or say that there is nothing. Distinct numbers
 * are taken unless zeros, which scalar arguments were chosen with, are better. */
static const struct {
    enum ptog_input_kind kind;
    int64_t value;
} elements[] = {{PTOG_INPUT_ZEROS, 0},
                {PTOG_INPUT_COUNTING, 1},
                {PTOG_INPUT_SAME, 1},
                {PTOG_INPUT_COUNTING, 1024},
                {PTOG_INPUT_SAME, -1}};
#define ELEMENT_COUNT (sizeof elements / sizeof elements[0])

/* Goes back to what is needed in any case, and gives every memory that holds one scalar the values of row `set` of
 * `elements`. False when there is no such memory. */
static bool set_elements(struct ptog_inputs *inputs, size_t set)
{
    bool any = false;
    restore_needs(inputs);
    for (size_t i = 0; i < inputs->count; i++)
        if (is_scalar_memory(&inputs->of[i])) {
            inputs->of[i].kind = elements[set].kind;
            inputs->of[i].value = elements[set].value;
            any = true;
        }
    return any;
}

/* Tries element types for arguments that leave them open, and leaves the best ones; *best is how good they are. False
 * when out of memory. */
static bool choose_elements(struct ptog_trial_run *trial, struct ptog_trial_score *best)
{
    struct ptog_trial_score score;
    size_t chosen = 0, last = 0;
    keep_needs(trial->inputs);
    for (size_t set = 1; set < ELEMENT_COUNT && trial->work < MAX_WORK; set++) {
        bool is_good = !best->stopped && !best->idle && best->errors == 0;
        if ((set > 1 && is_good) || !set_elements(trial->inputs, set))
            break;
        if (!ptog_try_values(trial, trial->max_steps, &score))
            return false;
        last = set;
        if (ptog_score_is_better(score, *best) || (set == 1 && !ptog_score_is_better(*best, score))) {
            *best = score;
            chosen = set;
        }
    }
    if (chosen == last)
        return true;
    set_elements(trial->inputs, chosen);
    return ptog_try_values(trial, trial->max_steps, &score);
}

/* ---- data ---- */

/* Whether an argument may hold indices. */
static bool has_candidates(const struct ptog_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (ptog_may_be_indices(&inputs->of[i]))
            return true;
    return false;
}

/* Finds out which arguments hold indices, by a run on marked data. What else the program does with marks is not meant:
 * needs stay as they are. False when out of memory. */
static bool find_indices(struct ptog_trial_run *trial)
{
    struct ptog_inputs *inputs = trial->inputs;
    if (!has_candidates(inputs))
        return true;
    keep_needs(inputs);
    trial->marked = true;
    bool good = ptog_trial_execute(trial, trial->max_steps);
    trial->marked = false;
    restore_needs(inputs);
    return good;
}

/* The ranges of integers, in the order in which they are tried. Indices stay in the range of what they index; in the
 * last one everything is zero. */
static const struct {
    uint64_t low, limit;
} ranges[] = {{0, 100}, {1, 8}, {1, 2}, {0, 1}};
#define RANGE_COUNT (sizeof ranges / sizeof ranges[0])

/* Makes all data that may be chosen numbers of a range, indices below their table's capacity in all but the last. */
static void set_range(struct ptog_inputs *inputs, size_t range)
{
    restore_needs(inputs);
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

/* Tries ranges of numbers, and leaves the best; false when out of memory. */
static bool choose_data(struct ptog_trial_run *trial, struct ptog_trial_score best)
{
    struct ptog_inputs *inputs = trial->inputs;
    struct ptog_trial_score score, least = {.idle = true, .stopped = true, .errors = SIZE_MAX};
    size_t chosen = 0, last = 0;
    keep_needs(inputs);
    set_range(inputs, 0);
    if (!has_candidates(inputs))
        return true;
    for (size_t range = 0; range < RANGE_COUNT && trial->work < MAX_WORK; range++) {
        set_range(inputs, range);
        if (!ptog_try_values(trial, trial->max_steps, &score))
            return false;
        last = range;
        if (ptog_score_is_better(score, least)) {
            least = score;
            chosen = range;
        }
        if (!ptog_score_is_better(best, least))
            break;
    }
    if (chosen == last)
        return true;
    set_range(inputs, chosen);
    return ptog_try_values(trial, trial->max_steps, &score);
}

bool ptog_choose_values(struct ptog_trial_run *trial)
{
    struct ptog_trial_score best;
    return ptog_choose_scalars(trial, &best) && choose_elements(trial, &best) && find_indices(trial) &&
           choose_data(trial, best);
}
