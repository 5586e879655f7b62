/* explore: which points are tried, in this order: the one to begin with; the first values of each variable alone;
 * points that make comparisons come out otherwise and give loops other numbers of turns, found by changing one variable
 * and assuming that the difference of the operands, or the number, grows evenly; combinations of small numbers; the other
 * values of each variable alone, and points from there; then combinations, first of values that have shown something new, then of all. */
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"

#define MAX_STEPS_AWAY INT64_C(1000000) /* of a variable from the value it had */
#define MAX_PRODUCT UINT64_C(1000000)   /* combinations; of more, some are drawn */
#define FIRST_VALUES 8                  /* of each variable, before others are aimed at */
#define MAX_SMALL 3                     /* numbers that are combined early */

/* The point at which every variable has its first value. */
static struct ptog_point first_point(const struct ptog_proof *proof)
{
    struct ptog_point point = {{0}};
    for (size_t i = 0; i < proof->variable_count; i++)
        point.of[i] = proof->variables[i].values[0];
    return point;
}

/* ---- one variable ---- */

/* Tries the values of each variable from number `from` to the one before `to`, while the others have their first. */
static void try_each_value(struct ptog_proof *proof, size_t from, size_t to)
{
    struct ptog_point point;
    for (size_t k = from; k < to; k++)
        for (size_t i = 0; i < proof->variable_count && !ptog_search_is_over(proof); i++) {
            point = first_point(proof);
            if (k < proof->variables[i].count) {
                point.of[i] = proof->variables[i].values[k];
                ptog_try_point(proof, &point);
            }
        }
}

/* ---- comparisons and loops ---- */

/* The outcomes of an operation that are looked for: differences of the operands of a comparison, turns of a loop. */
struct outcomes {
    int64_t least, most;
};

/* The outcomes that an operation is searched for. */
static struct outcomes wanted_outcomes(const struct ptog_op_cover *cover)
{
    if (cover->covered.kind == PTOG_COVERED_LOOP)
        return (struct outcomes){0, 3};
    return (struct outcomes){-1, 1};
}

/* Whether no run has had it. */
static bool is_missing(const struct ptog_op_cover *cover, int64_t outcome)
{
    if (cover->covered.kind != PTOG_COVERED_LOOP)
        return cover->signs != 7;
    for (uint32_t i = 0; i < cover->covered.turn_count; i++)
        if (cover->covered.turns[i] == (uint64_t)outcome)
            return false;
    return true;
}

/* Whether it was executed, and some outcome is missing. */
static bool has_missing(const struct ptog_op_cover *cover)
{
    struct outcomes wanted = wanted_outcomes(cover);
    if (cover->signs == 0 && cover->covered.turn_count == 0)
        return false;
    for (int64_t outcome = wanted.least; outcome <= wanted.most; outcome++)
        if (is_missing(cover, outcome))
            return true;
    return false;
}

/* Tries the values with which an operation has the missing outcomes, when `step` more of the variable make its outcome
 * `was` grow by `growth`. */
static void aim_at(struct ptog_proof *proof, const struct ptog_point *from, size_t variable, size_t op, int64_t was,
                   int64_t growth, int64_t step)
{
    const struct ptog_op_cover *cover = &proof->covers[op];
    struct outcomes wanted = wanted_outcomes(cover);
    for (int64_t outcome = wanted.least; outcome <= wanted.most; outcome++) {
        struct ptog_point point = *from;
        int64_t away = (outcome - was) * step / growth;
        if (away == 0 || away > MAX_STEPS_AWAY || away < -MAX_STEPS_AWAY || !is_missing(cover, outcome))
            continue;
        point.of[variable] = from->of[variable] + away;
        ptog_try_point(proof, &point);
    }
}

static bool is_far_from_overflow(int64_t number)
{
    return number > -INT64_C(1000000000000) && number < INT64_C(1000000000000);
}

/* The outcomes of the last run by operation; AS_GENERATED where it has none. To be freed; NULL when out of memory. */
static int64_t *copy_outcomes(struct ptog_proof *proof)
{
    int64_t *copy = malloc((proof->op_count + 1) * sizeof *copy);
    proof->no_memory = proof->no_memory || !copy;
    for (size_t op = 0; copy && op < proof->op_count; op++)
        copy[op] = proof->last.has_outcome[op] ? proof->last.outcome[op] : AS_GENERATED;
    return copy;
}

/* Changes one variable of a point, and aims at the missing outcomes of operations where that changes something. `was`
 * has the outcomes of the point itself. */
static void aim_variable(struct ptog_proof *proof, const struct ptog_point *from, size_t variable, const int64_t *was,
                         int64_t step)
{
    struct ptog_point next = *from;
    next.of[variable] += step;
    if (!ptog_try_point(proof, &next) && !ptog_run_point_again(proof, &next))
        return;
    int64_t *now = copy_outcomes(proof);
    for (size_t op = 0; now && op < proof->op_count && !ptog_search_is_over(proof); op++)
        if (was[op] != now[op] && is_far_from_overflow(was[op]) && is_far_from_overflow(now[op]) &&
            has_missing(&proof->covers[op]))
            aim_at(proof, from, variable, op, was[op], now[op] - was[op], step);
    free(now);
}

static bool can_be_changed(const struct ptog_proof *proof, const struct ptog_point *point, size_t variable)
{
    const struct ptog_variable *one = &proof->variables[variable];
    return one->kind != PTOG_VARIABLE_BLOCKS && !one->is_bit && one->launch == PTOG_NOT_OF_LAUNCH &&
           point->of[variable] != AS_GENERATED;
}

/* Runs a point again for its outcomes, and aims from there. */
static void aim_from(struct ptog_proof *proof, const struct ptog_point *from)
{
    static const int64_t steps[] = {1, -1, 64}; /* a quotient does not change with every step */
    if (!ptog_run_point_again(proof, from))
        return;
    int64_t *was = copy_outcomes(proof);
    for (size_t i = 0; was && i < proof->variable_count; i++)
        for (size_t k = 0; k < sizeof steps / sizeof steps[0] && can_be_changed(proof, from, i); k++)
            aim_variable(proof, from, i, was, steps[k]);
    free(was);
}

/* Whether an operation has not shown all outcomes that are wanted of it. */
static bool is_some_missing(const struct ptog_proof *proof)
{
    for (size_t op = 0; op < proof->op_count; op++)
        if (has_missing(&proof->covers[op]))
            return true;
    return false;
}

/* Aims from the points that covered something new, beginning with number `first`. Returns the number of the first one
 * from which it did not. */
static size_t aim_at_outcomes(struct ptog_proof *proof, size_t first)
{
    size_t i = first;
    for (; i < proof->corpus_count && is_some_missing(proof) && !ptog_search_is_over(proof); i++) {
        struct ptog_point from = proof->corpus[i];
        aim_from(proof, &from);
    }
    return i;
}

/* ---- combinations ---- */

/* Values that one variable takes in combinations. */
struct value_choice {
    const int64_t *values;
    size_t count;
};

/* Tries all combinations; of too many, as many as the search has time for, drawn evenly. True: all were tried. */
static bool try_combinations(struct ptog_proof *proof, const struct value_choice *choices)
{
    uint64_t product = 1, stride = 1;
    for (size_t i = 0; i < proof->variable_count; i++)
        product = product <= MAX_PRODUCT ? product * choices[i].count : product;
    if (product > 2)
        stride = (uint64_t)((double)product * 0.6180339887) | 1;
    while (product % 2 == 0 ? false : stride > 2 && product % stride == 0)
        stride += 2;
    for (uint64_t n = 0, at = 0; n < product; n++, at = (at + stride) % product) {
        struct ptog_point point = {{0}};
        uint64_t rest = at;
        for (size_t i = 0; i < proof->variable_count; i++) {
            point.of[i] = choices[i].values[rest % choices[i].count];
            rest /= choices[i].count;
        }
        if (ptog_search_is_over(proof))
            return false;
        ptog_try_point(proof, &point);
    }
    return product <= MAX_PRODUCT;
}

static void add_once(int64_t *values, size_t *count, int64_t value)
{
    for (size_t i = 0; i < *count; i++)
        if (values[i] == value)
            return;
    values[(*count)++] = value;
}

/* Tries combinations of the values that points have which covered something new. */
static void combine_news(struct ptog_proof *proof)
{
    int64_t(*values)[MAX_CORPUS + 1] = calloc(MAX_VARIABLES, sizeof *values);
    struct value_choice choices[MAX_VARIABLES];
    proof->no_memory = proof->no_memory || !values;
    for (size_t i = 0; values && i < proof->variable_count; i++) {
        size_t count = 0;
        add_once(values[i], &count, proof->variables[i].values[0]);
        for (size_t k = 0; k < proof->corpus_count; k++)
            add_once(values[i], &count, proof->corpus[k].of[i]);
        choices[i] = (struct value_choice){values[i], count};
    }
    if (values)
        try_combinations(proof, choices);
    free(values);
}

/* Tries combinations of the smallest numbers: two conditions on the same arguments often hold with some of them, and
 * changing one argument at a time breaks one of the two. */
static void combine_small(struct ptog_proof *proof)
{
    static const int64_t small[] = {0, 1, -1, 2};
    struct value_choice choices[MAX_VARIABLES];
    size_t numbers = 0;
    for (size_t i = 0; i < proof->variable_count; i++) {
        const struct ptog_variable *one = &proof->variables[i];
        bool is_number = one->kind == PTOG_VARIABLE_NUMBER && one->launch == PTOG_NOT_OF_LAUNCH && !one->is_bit;
        numbers += is_number;
        choices[i] = (struct value_choice){one->values, 1};
        if (is_number)
            choices[i] = (struct value_choice){small, sizeof small / sizeof small[0]};
    }
    if (numbers > 1 && numbers <= MAX_SMALL)
        try_combinations(proof, choices);
}

/* Tries all combinations of all values. */
static void combine_all(struct ptog_proof *proof)
{
    struct value_choice choices[MAX_VARIABLES];
    for (size_t i = 0; i < proof->variable_count; i++)
        choices[i] = (struct value_choice){proof->variables[i].values, proof->variables[i].count};
    proof->all_candidates = try_combinations(proof, choices);
}

/* Searches points in stages, from single values to combinations, until the search is over. */
void ptog_search_points(struct ptog_proof *proof)
{
    struct ptog_point point = first_point(proof);
    ptog_try_point(proof, &point);
    try_each_value(proof, 1, FIRST_VALUES);
    ptog_search_turns(proof);
    size_t aimed = aim_at_outcomes(proof, 0);
    combine_small(proof);
    try_each_value(proof, FIRST_VALUES, MAX_VALUES);
    aim_at_outcomes(proof, aimed);
    ptog_search_ways(proof);
    combine_news(proof);
    combine_all(proof);
}
