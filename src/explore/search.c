/* explore: which points are tried, in this order: the one to begin with; every value of each variable alone; points
 * that make comparisons come out otherwise, found by changing one variable and assuming that the difference of the
 * operands grows evenly; then combinations, first of values that have shown something new, then of all. */
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"

#define MAX_STEPS_AWAY INT64_C(1000000) /* of a variable from the value it had */
#define MAX_PRODUCT UINT64_C(1000000)   /* combinations; of more, some are drawn */

static struct ptog_point first_point(const struct ptog_proof *proof)
{
    struct ptog_point point = {{0}};
    for (size_t i = 0; i < proof->variable_count; i++)
        point.of[i] = proof->variables[i].values[0];
    return point;
}

/* ---- one variable ---- */

static void try_each_value(struct ptog_proof *proof)
{
    struct ptog_point point = first_point(proof);
    ptog_try_point(proof, &point);
    for (size_t k = 1; k < MAX_VALUES; k++)
        for (size_t i = 0; i < proof->variable_count && !ptog_search_is_over(proof); i++) {
            point = first_point(proof);
            if (k < proof->variables[i].count) {
                point.of[i] = proof->variables[i].values[k];
                ptog_try_point(proof, &point);
            }
        }
}

/* ---- comparisons ---- */

/* Tries the values with which the difference becomes -1, 0 and 1, when `step` more of the variable make it grow by
 * `growth`. */
static void aim_at(struct ptog_proof *proof, const struct ptog_point *from, size_t variable, int64_t difference,
                   int64_t growth, int64_t step)
{
    for (int64_t wanted = -1; wanted <= 1; wanted++) {
        struct ptog_point point = *from;
        int64_t away = (wanted - difference) * step / growth;
        if (away == 0 || away > MAX_STEPS_AWAY || away < -MAX_STEPS_AWAY)
            continue;
        point.of[variable] = from->of[variable] + away;
        ptog_try_point(proof, &point);
    }
}

static bool is_far_from_overflow(int64_t number)
{
    return number > -INT64_C(1000000000000) && number < INT64_C(1000000000000);
}

/* Changes one variable of a point, and aims at the comparisons whose differences that changes. `was` has those of the
 * point itself. */
static void aim_variable(struct ptog_proof *proof, const struct ptog_point *from, size_t variable, const int64_t *was,
                         int64_t step)
{
    struct ptog_point next = *from;
    int64_t *now = malloc((proof->op_count + 1) * sizeof *now);
    proof->no_memory = proof->no_memory || !now;
    next.of[variable] += step;
    if (now && (ptog_try_point(proof, &next) || ptog_run_point_again(proof, &next))) {
        for (size_t op = 0; op < proof->op_count; op++)
            now[op] = proof->last.compared[op] ? proof->last.difference[op] : AS_GENERATED;
        for (size_t op = 0; op < proof->op_count && !ptog_search_is_over(proof); op++)
            if (was[op] != now[op] && is_far_from_overflow(was[op]) && is_far_from_overflow(now[op]) &&
                proof->covers[op].signs != 7)
                aim_at(proof, from, variable, was[op], now[op] - was[op], step);
    }
    free(now);
}

static bool can_be_changed(const struct ptog_proof *proof, const struct ptog_point *point, size_t variable)
{
    const struct ptog_variable *one = &proof->variables[variable];
    return one->kind != PTOG_VARIABLE_BLOCKS && !one->is_bit && one->launch == PTOG_NOT_OF_LAUNCH &&
           point->of[variable] != AS_GENERATED;
}

/* Runs a point again for its differences, and aims from there. */
static void aim_from(struct ptog_proof *proof, const struct ptog_point *from)
{
    static const int64_t steps[] = {1, 64}; /* a quotient does not change with every step */
    int64_t *was = malloc((proof->op_count + 1) * sizeof *was);
    proof->no_memory = proof->no_memory || !was;
    if (was && ptog_run_point_again(proof, from)) {
        for (size_t op = 0; op < proof->op_count; op++)
            was[op] = proof->last.compared[op] ? proof->last.difference[op] : AS_GENERATED;
        for (size_t i = 0; i < proof->variable_count; i++)
            for (size_t k = 0; k < sizeof steps / sizeof steps[0] && can_be_changed(proof, from, i); k++)
                aim_variable(proof, from, i, was, steps[k]);
    }
    free(was);
}

static bool has_open_comparison(const struct ptog_proof *proof)
{
    for (size_t op = 0; op < proof->op_count; op++)
        if (proof->covers[op].signs != 0 && proof->covers[op].signs != 7)
            return true;
    return false;
}

static void aim_at_comparisons(struct ptog_proof *proof)
{
    for (size_t i = 0; i < proof->corpus_count && has_open_comparison(proof) && !ptog_search_is_over(proof); i++) {
        struct ptog_point from = proof->corpus[i];
        aim_from(proof, &from);
    }
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

/* The values that points have which covered something new. */
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

static void combine_all(struct ptog_proof *proof)
{
    struct value_choice choices[MAX_VARIABLES];
    for (size_t i = 0; i < proof->variable_count; i++)
        choices[i] = (struct value_choice){proof->variables[i].values, proof->variables[i].count};
    proof->all_candidates = try_combinations(proof, choices);
}

void ptog_search_points(struct ptog_proof *proof)
{
    try_each_value(proof);
    ptog_search_turns(proof);
    aim_at_comparisons(proof);
    combine_news(proof);
    combine_all(proof);
}
