/* explore: one run of the program with a point. The inputs are those that `ptog run` makes with the same numbers and
 * recipes, so that whoever types them sees the same. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "explore/explore.h"
#include "repair/run.h"

#define STEPS_BETWEEN 128 /* operations of a run from one look at the time to the next */

/* ---- what is bound ---- */

/* Appends the recipe "repeat:1,2,3,4" of the elements of one argument, of which `variable` is the first. */
static void write_elements(const struct ptog_proof *proof, const struct ptog_point *point, size_t variable,
                           struct ptog_text *text)
{
    const char *name = proof->variables[variable].name;
    ptog_text_add(text, "repeat:");
    for (size_t i = variable; i < proof->variable_count && i < variable + LIST_ELEMENTS; i++) {
        const struct ptog_variable *one = &proof->variables[i];
        if (one->kind != PTOG_VARIABLE_ELEMENT || strcmp(one->name, name) != 0)
            break;
        int64_t value = point->of[i] == AS_GENERATED ? 0 : point->of[i];
        ptog_text_addf(text, "%s%" PRId64, i > variable ? "," : "", value);
    }
}

/* Whether a point has an element of a list, or one behind it, that is not the generated one. */
static bool is_chosen(const struct ptog_proof *proof, const struct ptog_point *point, size_t variable)
{
    const struct ptog_variable *first = &proof->variables[variable];
    for (size_t i = variable; i < proof->variable_count && i < variable + LIST_ELEMENTS; i++)
        if (proof->variables[i].kind == PTOG_VARIABLE_ELEMENT && strcmp(proof->variables[i].name, first->name) == 0 &&
            point->of[i] != AS_GENERATED)
            return true;
    return false;
}

/* Adds the recipe that gives a variable its value at the point, unless that is the generated one. */
static void add_recipe(const struct ptog_proof *proof, const struct ptog_point *point, size_t i,
                       struct ptog_point_inputs *inputs)
{
    const struct ptog_variable *variable = &proof->variables[i];
    bool fill = variable->kind == PTOG_VARIABLE_FILL;
    if (fill ? point->of[i] == AS_GENERATED : variable->element > 0 || !is_chosen(proof, point, i))
        return;
    struct ptog_text text;
    ptog_text_init(&text, inputs->texts[inputs->recipe_count], RECIPE_BYTES);
    if (fill)
        ptog_text_addf(&text, "full:%" PRId64, point->of[i]);
    else
        write_elements(proof, point, i, &text);
    inputs->recipes[inputs->recipe_count] =
        (struct ptog_recipe){.name = variable->name, .text = inputs->texts[inputs->recipe_count]};
    inputs->recipe_count++;
}

/* Fills *inputs with the bindings and recipes of a point. */
void ptog_point_inputs(const struct ptog_proof *proof, const struct ptog_point *point, struct ptog_point_inputs *inputs)
{
    inputs->number_count = inputs->recipe_count = 0;
    inputs->blocks = proof->execution.blocks;
    for (size_t i = 0; i < proof->variable_count; i++) {
        const struct ptog_variable *variable = &proof->variables[i];
        if (variable->kind == PTOG_VARIABLE_BLOCKS)
            inputs->blocks = point->of[i];
        else if (variable->kind != PTOG_VARIABLE_NUMBER)
            add_recipe(proof, point, i, inputs);
        else
            inputs->numbers[inputs->number_count++] =
                (struct ptog_binding){.name = variable->name, .is_number = true, .number = point->of[i]};
    }
}

/* ---- a run ---- */

/* The caller's bindings and those of the point, to be freed; NULL when out of memory. */
static struct ptog_binding *join_bindings(const struct ptog_proof *proof, const struct ptog_point_inputs *inputs)
{
    size_t given = proof->execution.binding_count;
    struct ptog_binding *all = calloc(given + inputs->number_count + 1, sizeof *all);
    if (all && given > 0)
        memcpy(all, proof->execution.bindings, given * sizeof *all);
    if (all && inputs->number_count > 0)
        memcpy(all + given, inputs->numbers, inputs->number_count * sizeof *all);
    return all;
}

/* Generates what a point leaves open, and runs as `how` says. `budget`: what fixes may cost. Inputs whose choice the
 * end of the search cut short are not those of `ptog run`: nothing is run then. */
static enum ptog_status run_with(struct ptog_proof *proof, const struct ptog_point_inputs *inputs,
                                 struct ptog_execution how, struct ptog_budget *budget, ptog_diags *diags)
{
    struct ptog_inputs_options options = {.recipes = inputs->recipes, .recipe_count = inputs->recipe_count};
    struct ptog_binding *bindings = join_bindings(proof, inputs);
    ptog_inputs *generated = NULL;
    how.bindings = bindings;
    how.binding_count += inputs->number_count;
    how.blocks = inputs->blocks;
    enum ptog_status status = PTOG_NO_MEMORY;
    if (bindings)
        status = ptog_inputs_generate(&generated, proof->program, &how, &options, diags);
    if (status == PTOG_OK && proof->is_stopped)
        status = PTOG_ILLEGAL;
    if (status == PTOG_OK) {
        how.bindings = ptog_inputs_bindings(generated, &how.binding_count);
        status = ptog_run_within(budget, proof->program, &how, diags, NULL);
    }
    ptog_inputs_free(generated);
    free(bindings);
    return status;
}

/* Runs the program on inputs, and counts what that covers; notes whether the run started and ended. */
static enum ptog_status run_and_cover(struct ptog_proof *proof, const struct ptog_point_inputs *inputs,
                                      struct ptog_budget *budget, ptog_diags *diags)
{
    struct ptog_progress progress = {.at = ptog_search_at, .flow = ptog_cover_flow, .user = proof};
    struct ptog_execution how = proof->execution;
    how.progress = &progress;
    how.started = &proof->last.started;
    ptog_cover_begin(proof);
    enum ptog_status status = run_with(proof, inputs, how, budget, diags);
    proof->last.ended = proof->last.started && (status == PTOG_OK || status == PTOG_FAULT);
    return status;
}

enum ptog_status ptog_run_point(struct ptog_proof *proof, const struct ptog_point *point, ptog_diags *diags)
{
    struct ptog_point_inputs inputs;
    struct ptog_progress progress = {.at = ptog_search_at, .user = proof};
    struct ptog_budget budget = {.most = PTOG_BUDGET};
    struct ptog_execution how = proof->execution;
    how.progress = &progress;
    ptog_point_inputs(proof, point, &inputs);
    return run_with(proof, &inputs, how, &budget, diags);
}

bool ptog_run_point_again(struct ptog_proof *proof, const struct ptog_point *point)
{
    struct ptog_point_inputs inputs;
    struct ptog_budget budget = {.most = 0};
    if (ptog_search_is_over(proof))
        return false;
    ptog_point_inputs(proof, point, &inputs);
    proof->runs++;
    run_and_cover(proof, &inputs, &budget, NULL);
    return proof->last.started;
}

/* ---- a point of the search ---- */

/* Asks the caller whether to go on, until the answer is no. */
static bool is_stopped(struct ptog_proof *proof)
{
    const struct ptog_prove_options *options = &proof->options;
    if (!proof->is_stopped && options->go_on)
        proof->is_stopped = !options->go_on(options->user, proof->runs);
    return proof->is_stopped;
}

bool ptog_search_is_over(struct ptog_proof *proof)
{
    return proof->no_memory || proof->runs >= proof->options.max_runs || is_stopped(proof);
}

uint64_t ptog_search_at(void *user, uint64_t done, uint64_t most, uint32_t line)
{
    (void)most, (void)line;
    if (done < STEPS_BETWEEN)
        return STEPS_BETWEEN - done;
    if (is_stopped(user))
        return 0;
    return STEPS_BETWEEN;
}

/* A hash of all variables of a point. */
static uint64_t hash_of_point(const struct ptog_proof *proof, const struct ptog_point *point)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < proof->variable_count; i++) {
        hash = (hash ^ (uint64_t)point->of[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* Keeps a point that showed something new, while there is room. */
static void keep_point(struct ptog_proof *proof, const struct ptog_point *point)
{
    if (proof->last.news && proof->corpus_count < MAX_CORPUS)
        proof->corpus[proof->corpus_count++] = *point;
}

/* Whether a launch can have this point: the number of a block is below their count. */
static bool is_launchable(const struct ptog_proof *proof, const struct ptog_point *point)
{
    int64_t number = 0, count = INT64_MAX;
    for (size_t i = 0; i < proof->variable_count; i++) {
        if (proof->variables[i].launch == PTOG_BLOCK_NUMBER)
            number = number > point->of[i] ? number : point->of[i];
        else if (proof->variables[i].launch == PTOG_BLOCK_COUNT)
            count = count < point->of[i] ? count : point->of[i];
    }
    return number < count;
}

bool ptog_try_point(struct ptog_proof *proof, const struct ptog_point *point)
{
    struct ptog_point_inputs inputs;
    struct ptog_budget budget = {.most = proof->completes ? PTOG_BUDGET : 0};
    if (!is_launchable(proof, point) || ptog_search_is_over(proof) ||
        !ptog_hash_add(proof, proof->tried, hash_of_point(proof, point)))
        return false;
    ptog_diags *diags = ptog_diags_new();
    if (!diags) {
        proof->no_memory = true;
        return false;
    }
    size_t known = proof->finding_count;
    ptog_point_inputs(proof, point, &inputs);
    enum ptog_status status = run_and_cover(proof, &inputs, &budget, diags);
    proof->runs++;
    proof->no_memory = proof->no_memory || status == PTOG_NO_MEMORY;
    if (proof->last.started) {
        ptog_cover_end(proof);
        keep_point(proof, point);
    }
    ptog_note_findings(proof, point, diags);
    ptog_diags_free(diags);
    if (!proof->completes) /* else the run itself had fixes */
        ptog_find_fixes(proof, known);
    return true;
}
