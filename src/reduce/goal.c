/* reduce: whether a program still has the finding: it is run once, as ptog run does. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "explore/explore.h"
#include "reduce/reduce.h"
#include "repair/run.h"

#define STEPS_BETWEEN 128 /* operations of a run from one look at the time to the next */

/* ---- which finding ---- */

/* The operation at a place, by its column if one stands there, else the first of its line. */
struct op_at_place {
    uint32_t line, column;
    const char *name;
    bool exact;
};

/* Finds the operation at a line, the one at its column if there is one. */
static bool see_place(void *user, const struct ptog_op_seen *op)
{
    struct op_at_place *place = user;
    if (op->line == place->line && (!place->name || op->column == place->column)) {
        place->name = op->name;
        place->exact = op->column == place->column;
    }
    return !place->exact;
}

/* Writes the name of the operation at a place of the program into `name`; "" when there is none. */
static void write_op_name(const ptog_program *program, const struct ptog_where *where, char name[MAX_NAME])
{
    struct op_at_place place = {.line = where->line, .column = where->column};
    struct ptog_text text;
    ptog_program_walk(program, see_place, &place);
    ptog_text_init(&text, name, MAX_NAME);
    if (place.name)
        ptog_text_add(&text, place.name);
}

/* The names of the instruction of a diagnostic, and of the related one. */
static void write_names(const ptog_program *program, const struct ptog_diag *diag, char name[MAX_NAME],
                        char other[MAX_NAME])
{
    name[0] = other[0] = '\0';
    write_op_name(program, &diag->where, name);
    if (diag->related_count > 0)
        write_op_name(program, &diag->related[0].where, other);
}

void ptog_goal_set(struct ptog_goal *goal, const ptog_program *program, const struct ptog_diag *diag)
{
    goal->kind = diag->kind;
    write_names(program, diag, goal->name, goal->other);
}

static bool is_goal(const struct ptog_goal *goal, const ptog_program *program, const struct ptog_diag *diag)
{
    char name[MAX_NAME], other[MAX_NAME];
    if (diag->kind != goal->kind || diag->severity != PTOG_ERROR)
        return false;
    write_names(program, diag, name, other);
    return strcmp(name, goal->name) == 0 && strcmp(other, goal->other) == 0;
}

static bool is_known_kind(const struct ptog_goal *goal, unsigned kind)
{
    for (size_t i = 0; i < goal->kind_count; i++)
        if (goal->kinds[i] == kind)
            return true;
    return goal->kind_count == 0;
}

/* ---- the end of the search ---- */

/* Asks the caller whether to go on, until the answer is no. */
static bool is_stopped(struct ptog_reduced *r)
{
    if (!r->is_stopped && r->options.go_on)
        r->is_stopped = !r->options.go_on(r->options.user, r->runs);
    return r->is_stopped;
}

/* ptog_progress.at: a run ends when the caller ends the search. */
static uint64_t see_steps(void *user, uint64_t done, uint64_t most, uint32_t line)
{
    (void)most, (void)line;
    if (done < STEPS_BETWEEN)
        return STEPS_BETWEEN - done;
    if (is_stopped(user))
        return 0;
    return STEPS_BETWEEN;
}

/* ---- a run ---- */

static bool find_sync(void *user, const struct ptog_op_seen *op)
{
    bool *found = user;
    *found = *found || ptog_is_sync_name(op->name);
    return !*found;
}

static bool has_slot(const struct ptog_reduced *r, const ptog_program *program, const char *name)
{
    struct ptog_slot slot;
    return ptog_program_slot_find(program, r->execution.function, name, &slot);
}

/* The bindings whose arguments the program still has, to be freed. */
static struct ptog_binding *kept_bindings(const struct ptog_reduced *r, const ptog_program *program,
                                          const struct ptog_reduce_inputs *inputs, size_t *count)
{
    struct ptog_binding *kept = calloc(r->execution.binding_count + inputs->number_count + 1, sizeof *kept);
    *count = 0;
    for (size_t i = 0; kept && i < r->execution.binding_count; i++)
        if (has_slot(r, program, r->execution.bindings[i].name))
            kept[(*count)++] = r->execution.bindings[i];
    for (size_t i = 0; kept && i < inputs->number_count; i++)
        if (has_slot(r, program, inputs->numbers[i].name))
            kept[(*count)++] = inputs->numbers[i];
    return kept;
}

/* The recipes whose arguments the program still has; the caller frees them. NULL when out of memory. */
static struct ptog_recipe *kept_recipes(const struct ptog_reduced *r, const ptog_program *program,
                                        const struct ptog_reduce_inputs *inputs, size_t *count)
{
    struct ptog_recipe *kept = calloc(inputs->recipe_count + 1, sizeof *kept);
    *count = 0;
    for (size_t i = 0; kept && i < inputs->recipe_count; i++)
        if (has_slot(r, program, inputs->recipes[i].name))
            kept[(*count)++] = inputs->recipes[i];
    return kept;
}

/* Generates what is not bound, and runs. A program without flags is completed, as ptog run does. */
static enum ptog_status run_generated(const ptog_program *program, struct ptog_execution *how,
                                      const struct ptog_inputs_options *options, ptog_diags *diags)
{
    bool has_sync = false;
    ptog_inputs *generated = NULL;
    enum ptog_status status = ptog_program_walk(program, find_sync, &has_sync);
    struct ptog_budget budget = {.most = has_sync ? 0 : PTOG_BUDGET};
    if (status == PTOG_OK)
        status = ptog_inputs_generate(&generated, program, how, options, diags);
    if (status == PTOG_OK) {
        how->bindings = ptog_inputs_bindings(generated, &how->binding_count);
        status = ptog_run_within(&budget, program, how, diags, NULL);
    }
    ptog_inputs_free(generated);
    return status;
}

enum ptog_status ptog_reduce_run(struct ptog_reduced *r, const ptog_program *program,
                                 const struct ptog_reduce_inputs *inputs, ptog_diags *diags, bool *started)
{
    struct ptog_progress progress = {.at = see_steps, .user = r};
    struct ptog_execution how = r->execution;
    struct ptog_inputs_options options = {.recipe_count = 0};
    struct ptog_recipe *recipes = kept_recipes(r, program, inputs, &options.recipe_count);
    struct ptog_binding *bindings = kept_bindings(r, program, inputs, &how.binding_count);
    enum ptog_status status = PTOG_NO_MEMORY;
    options.recipes = recipes;
    how.bindings = bindings;
    how.blocks = inputs->blocks;
    how.started = started;
    how.progress = &progress;
    *started = false;
    r->runs++;
    if (bindings && recipes)
        status = run_generated(program, &how, &options, diags);
    r->no_memory = r->no_memory || status == PTOG_NO_MEMORY;
    free(bindings);
    free(recipes);
    return status;
}

/* ---- the question ---- */

bool ptog_reduction_is_over(struct ptog_reduced *r)
{
    return r->no_memory || r->runs >= r->options.max_runs || is_stopped(r);
}

static void keep_message(struct ptog_reduced *r, const struct ptog_diag *diag)
{
    struct ptog_text text;
    ptog_text_init(&text, r->message, sizeof r->message);
    ptog_text_add(&text, diag->message);
    r->line = diag->where.line;
}

bool ptog_has_goal(struct ptog_reduced *r, const ptog_program *program, const struct ptog_reduce_inputs *inputs)
{
    bool started, known = true;
    const struct ptog_diag *diag, *found = NULL;
    ptog_diags *diags = ptog_diags_new();
    r->no_memory = r->no_memory || !diags;
    if (!diags)
        return false;
    ptog_reduce_run(r, program, inputs, diags, &started);
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        if (diag->severity == PTOG_ERROR)
            known = known && is_known_kind(&r->goal, diag->kind);
        if (!found && is_goal(&r->goal, program, diag))
            found = diag;
    }
    bool holds = found && known && started == r->goal.started && !r->no_memory && !r->is_stopped;
    if (holds)
        keep_message(r, found);
    ptog_diags_free(diags);
    return holds;
}
