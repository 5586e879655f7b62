/* inputs: ptog/inputs.h: finds the arguments that are not bound, lets trials choose their values, and owns the data. */
#include "inputs/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/pick.h"
#include "base/reserved.h"
#include "base/text.h"
#include "interp/run.h"
#include "lower/program.h"

#define MIN_KEPT_BYTES ((size_t)1 << 24)

/* ---- which arguments ---- */

/* The recipe for an argument; NULL: there is none. */
static const struct ptog_recipe *find_recipe(const struct ptog_inputs_options *options, const char *name)
{
    for (size_t i = 0; i < options->recipe_count; i++)
        if (strcmp(options->recipes[i].name, name) == 0)
            return &options->recipes[i];
    return NULL;
}

/* For qsort and bsearch: names. */
static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names that are bound, sorted, and how many: a program may have tens of thousands. NULL when out of memory; the
 * caller frees it. */
static const char **sorted_names(const struct ptog_execution *execution, size_t *count)
{
    const char **names = calloc(execution->binding_count + 1, sizeof *names);
    *count = 0;
    for (size_t i = 0; names && i < execution->binding_count; i++)
        if (execution->bindings[i].name)
            names[(*count)++] = execution->bindings[i].name + (execution->bindings[i].name[0] == '%');
    if (names)
        qsort(names, *count, sizeof *names, by_name);
    return names;
}

/* Adds an argument to be generated, with memory that it may grow into; false when out of memory. */
static bool add_generated(struct ptog_inputs *inputs, const struct ptog_slot *slot, const struct ptog_recipe *recipe,
                          uint64_t seed)
{
    if (!ptog_array_reserve(&inputs->of, inputs->count + 1, &inputs->room))
        return false;
    struct ptog_generated *generated = &inputs->of[inputs->count];
    size_t length = strlen(slot->name) + 1;
    *generated = (struct ptog_generated){.slot = *slot, .name = malloc(length), .seed = seed + 7 + inputs->count};
    inputs->count++;
    if (!generated->name)
        return false;
    generated->slot.name = memcpy(generated->name, slot->name, length);
    generated->kind = PTOG_INPUT_ZEROS;
    if (recipe) {
        generated->recipe = recipe->text;
        generated->kind = PTOG_INPUT_RECIPE;
    }
    if (slot->kind == PTOG_SLOT_NUMBER) {
        generated->kind = PTOG_INPUT_NUMBER;
        return true;
    }
    generated->space = ptog_space_new();
    return generated->space != NULL;
}

/* A tile without a type cannot be generated: the run says that it is not bound. */
static bool is_untyped(const struct ptog_slot *slot)
{
    return slot->kind == PTOG_SLOT_TILE && (slot->rank == 0 || slot->dtype == PTOG_DTYPE_NONE);
}

/* Lists the arguments that are not bound and have a type; false when out of memory. */
static bool find_arguments(struct ptog_inputs *inputs, const ptog_program *program,
                           const struct ptog_execution *execution, const struct ptog_inputs_options *options)
{
    struct ptog_slot slot;
    size_t count;
    const char **bound = sorted_names(execution, &count);
    bool good = bound != NULL;
    for (size_t i = 0; good && ptog_program_slot_at(program, execution->function, i, &slot); i++) {
        const struct ptog_recipe *recipe = find_recipe(options, slot.name);
        bool is_bound = bsearch(&slot.name, bound, count, sizeof *bound, by_name) != NULL;
        if (!is_bound && !is_untyped(&slot) && (recipe || !options->only_recipes))
            good = add_generated(inputs, &slot, recipe, options->seed);
    }
    free(bound);
    return good;
}

/* ---- what the caller gets ---- */

/* Makes the list of bindings: the given ones, then room for those that are generated. False when out of memory. */
static bool open_bindings(struct ptog_inputs *inputs, const struct ptog_execution *execution)
{
    inputs->given = execution->binding_count;
    inputs->binding_count = inputs->given + inputs->count;
    inputs->bindings = calloc(inputs->binding_count + 1, sizeof *inputs->bindings);
    if (inputs->bindings && inputs->given > 0)
        memcpy(inputs->bindings, execution->bindings, inputs->given * sizeof *inputs->bindings);
    return inputs->bindings != NULL;
}

/* The final bytes of an argument: those of the trials, when there are many and they are as they should be, or new
 * ones. NULL when out of memory. */
static void *finished_data(struct ptog_generated *generated)
{
    struct ptog_fill fill = ptog_fill_of(generated, generated->need);
    if (generated->need > MIN_KEPT_BYTES && ptog_fill_is_same(&fill, &generated->held))
        return generated->space;
    ptog_space_free(generated->space);
    generated->space = NULL;
    generated->data = calloc(ptog_max(generated->need, (size_t)1), 1);
    if (generated->data)
        ptog_fill_values(generated, generated->data, generated->need);
    return generated->data;
}

/* Makes the binding of a generated argument, its data filled. PTOG_ILLEGAL, with a report, when its recipe does not
 * fit. */
static enum ptog_status finish_argument(struct ptog_generated *generated, struct ptog_binding *binding,
                                        ptog_diags *diags)
{
    *binding = (struct ptog_binding){.name = generated->name, .dtype = generated->slot.dtype};
    if (generated->slot.kind == PTOG_SLOT_NUMBER) {
        binding->is_number = true;
        binding->number = generated->number;
        return PTOG_OK;
    }
    ptog_bind_extents(generated, binding);
    if (!ptog_recipe_fits(generated, diags))
        return PTOG_ILLEGAL;
    binding->data = (struct ptog_buf){finished_data(generated), generated->need};
    if (!binding->data.data)
        return PTOG_NO_MEMORY;
    binding->allocated = generated->need;
    return PTOG_OK;
}

/* Reports that generated data takes too much memory; returns PTOG_ILLEGAL. */
static enum ptog_status say_too_large(ptog_diags *diags, const struct ptog_trial_run *trial)
{
    char number[PTOG_GROUPED], message[160];
    snprintf(message, sizeof message, "generated data takes more than %s bytes of memory; nothing was judged",
             ptog_grouped(trial->max_memory, number));
    const struct ptog_fix fix =
        ptog_fix_of_words("bind files with --in NAME=FILE, or, if there is enough memory, raise the limit with "
                          "--max-memory BYTES (in C: ptog_execution.max_memory)");
    const struct ptog_diag diag = {.id = "limit-memory",
                                   .severity = PTOG_WARNING,
                                   .unjudged = true,
                                   .message = message,
                                   .where.file = trial->program->source.name,
                                   .fix = &fix,
                                   .fix_count = 1};
    return ptog_diags_add(diags, &diag) ? PTOG_ILLEGAL : PTOG_NO_MEMORY;
}

/* Finds the arguments that are not bound, chooses values by trials, and makes their bindings. */
static enum ptog_status generate_inputs(struct ptog_inputs *inputs, const ptog_program *program,
                                        const struct ptog_execution *execution,
                                        const struct ptog_inputs_options *options, ptog_diags *diags)
{
    struct ptog_trial_run trial;
    if (!find_arguments(inputs, program, execution, options) || !open_bindings(inputs, execution))
        return PTOG_NO_MEMORY;
    if (inputs->count == 0)
        return PTOG_OK;
    enum ptog_status status = ptog_trials_open(&trial, inputs, program, execution, options);
    if (status == PTOG_OK && !ptog_choose_values(&trial))
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK && trial.too_large)
        status = say_too_large(diags, &trial);
    ptog_trials_close(&trial);
    for (size_t i = 0; status == PTOG_OK && i < inputs->count; i++)
        status = finish_argument(&inputs->of[i], &inputs->bindings[inputs->given + i], diags);
    return status;
}

/* ---- public calls ---- */

/* What is wrong with the caller's options; NULL: nothing. */
static const char *options_problem(const struct ptog_inputs_options *options)
{
    if (!ptog_is_unreserved(options))
        return "has a reserved word that is not zero";
    if (!options->recipes && options->recipe_count > 0)
        return "has recipes that are NULL";
    if (!options->targets && options->target_count > 0)
        return "has targets that are NULL";
    for (size_t i = 0; i < options->target_count; i++)
        if (!options->targets[i])
            return "has a target that is NULL";
    for (size_t i = 0; i < options->recipe_count; i++) {
        if (!options->recipes[i].name || !ptog_recipe_is_valid(options->recipes[i].text))
            return "has a recipe without a name, or with an unknown text";
        if (!ptog_is_unreserved(&options->recipes[i]))
            return "has a recipe with a reserved word that is not zero";
    }
    return NULL;
}

enum ptog_status ptog_inputs_generate(ptog_inputs **inputs, const ptog_program *program,
                                      const struct ptog_execution *execution, const struct ptog_inputs_options *options,
                                      ptog_diags *diags)
{
    static const struct ptog_execution no_execution;
    static const struct ptog_inputs_options no_options;
    const char *call = "ptog_inputs_generate";
    if (!inputs)
        return ptog_bad_argument(diags, call, "inputs", "is NULL");
    *inputs = NULL;
    if (!program)
        return ptog_bad_argument(diags, call, "program", "is NULL");
    execution = execution ? execution : &no_execution;
    options = options ? options : &no_options;
    if (ptog_run_problem(execution))
        return ptog_bad_argument(diags, call, "execution", ptog_run_problem(execution));
    if (options_problem(options))
        return ptog_bad_argument(diags, call, "options", options_problem(options));
    struct ptog_inputs *made = calloc(1, sizeof *made);
    enum ptog_status status = made ? generate_inputs(made, program, execution, options, diags) : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        *inputs = made;
    else
        ptog_inputs_free(made);
    return status;
}

void ptog_inputs_free(ptog_inputs *inputs)
{
    for (size_t i = 0; inputs && i < inputs->count; i++) {
        ptog_space_free(inputs->of[i].space);
        free(inputs->of[i].data);
        free(inputs->of[i].name);
    }
    if (inputs) {
        free(inputs->of);
        free(inputs->bindings);
    }
    free(inputs);
}

/* Whether the memory of an argument has room for a shape. */
static bool holds_shape(const struct ptog_generated *generated, int rank, const int64_t *shape)
{
    uint64_t bytes = ptog_dtype_size(generated->dtype);
    for (int d = 0; d < rank; d++)
        if (shape[d] <= 0 || !ptog_mul_u64(bytes, (uint64_t)shape[d], &bytes))
            return false;
    return rank > 0 && bytes == generated->need;
}

/* The shape that the argument's type gives, or a view of all of it. */
static void set_shape(struct ptog_input *input, const struct ptog_generated *generated)
{
    const struct ptog_slot *slot = &generated->slot;
    const struct ptog_binding *binding = &input->binding;
    if (binding->rank > 0 || holds_shape(generated, slot->rank, slot->shape)) {
        input->rank = slot->rank;
        memcpy(input->shape, binding->rank > 0 ? binding->shape : slot->shape, sizeof input->shape);
    } else if (holds_shape(generated, generated->rank, generated->shape)) {
        input->rank = generated->rank;
        memcpy(input->shape, generated->shape, sizeof input->shape);
    }
}

bool ptog_inputs_at(const ptog_inputs *inputs, size_t i, struct ptog_input *input)
{
    if (!inputs || !input || i >= inputs->count)
        return false;
    const struct ptog_generated *generated = &inputs->of[i];
    *input = (struct ptog_input){.binding = inputs->bindings[inputs->given + i],
                                 .kind = generated->kind,
                                 .limit = generated->limit,
                                 .value = generated->value,
                                 .read = generated->loaded};
    set_shape(input, generated);
    return true;
}

const struct ptog_binding *ptog_inputs_bindings(const ptog_inputs *inputs, size_t *count)
{
    if (count)
        *count = inputs ? inputs->binding_count : 0;
    if (!inputs || !count || inputs->binding_count == 0)
        return NULL;
    return inputs->bindings;
}
