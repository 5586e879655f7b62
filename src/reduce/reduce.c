/* reduce: ptog_program_reduce: finds inputs that show the finding, then leaves out of the program what it can. */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/pick.h"
#include "base/reserved.h"
#include "base/text.h"
#include "explore/explore.h"
#include "interp/run.h"
#include "reduce/reduce.h"

#define SHORT_SEARCH 100 /* runs */

/* ---- the finding, and inputs that show it ---- */

static bool is_wanted_finding(const struct ptog_reduce_options *options, const struct ptog_diag *diag)
{
    return diag->severity == PTOG_ERROR && (!options->id || strcmp(options->id, diag->id) == 0) &&
           (options->line == 0 || options->line == diag->where.line);
}

static const char *copy_text(struct ptog_reduced *r, const char *text)
{
    char *copy = ptog_arena_copy(&r->arena, text, strlen(text));
    r->no_memory = r->no_memory || !copy;
    return copy;
}

/* Keeps the inputs of a case, which live as long as its proof, for as long as the reduction. */
static void copy_inputs(struct ptog_reduced *r, const struct ptog_proof_case *one)
{
    struct ptog_reduce_inputs *inputs = &r->inputs;
    inputs->numbers = ptog_arena_alloc(&r->arena, (one->number_count + 1) * sizeof *inputs->numbers);
    inputs->recipes = ptog_arena_alloc(&r->arena, (one->recipe_count + 1) * sizeof *inputs->recipes);
    inputs->blocks = one->blocks;
    r->no_memory = r->no_memory || !inputs->numbers || !inputs->recipes;
    for (size_t i = 0; i < one->number_count && !r->no_memory; i++) {
        inputs->numbers[i] = one->numbers[i];
        inputs->numbers[i].name = copy_text(r, one->numbers[i].name);
        inputs->number_count++;
    }
    for (size_t i = 0; i < one->recipe_count && !r->no_memory; i++) {
        inputs->recipes[i] = (struct ptog_recipe){.name = copy_text(r, one->recipes[i].name),
                                                  .text = copy_text(r, one->recipes[i].text)};
        inputs->recipe_count++;
    }
}

/* Runs the inputs, with few steps if these are enough, and notes the kinds of all errors. False when the finding is not
 * among them. */
static bool note_kinds(struct ptog_reduced *r)
{
    const struct ptog_diag *diag;
    struct ptog_goal *goal = &r->goal;
    ptog_diags *diags = ptog_diags_new();
    bool found = false;
    goal->kind_count = 0;
    r->no_memory = r->no_memory || !diags;
    if (!r->no_memory)
        ptog_reduce_run(r, r->program, &r->inputs, diags, &goal->started);
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        if (diag->severity == PTOG_ERROR && goal->kind_count < MAX_KINDS)
            goal->kinds[goal->kind_count++] = diag->kind;
        found = found || (diag->severity == PTOG_ERROR && diag->kind == goal->kind);
    }
    ptog_diags_free(diags);
    return found;
}

/* Takes the first case of a proof that is wanted. */
static bool take_case(struct ptog_reduced *r, const ptog_proof *proof, const ptog_diags *diags)
{
    struct ptog_proof_case one;
    for (size_t i = 0; ptog_proof_case_at(proof, i, &one); i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, one.diag);
        if (!is_wanted_finding(&r->options, diag))
            continue;
        ptog_goal_set(&r->goal, r->program, diag);
        r->goal.id = copy_text(r, diag->id);
        copy_inputs(r, &one);
        if (r->no_memory)
            return false;
        uint64_t most = r->execution.max_steps;
        r->execution.max_steps = ptog_min(most, MAX_REDUCED_STEPS);
        if (note_kinds(r))
            return true;
        r->execution.max_steps = most;
        return note_kinds(r);
    }
    return false;
}

/* There is no such finding: what was found instead is all there is to say. */
static enum ptog_status report_others(const ptog_diags *found, ptog_diags *diags)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; diags && (diag = ptog_diags_at(found, i)) != NULL; i++)
        if (ptog_diags_append(diags, diag) == PTOG_NO_MEMORY)
            return PTOG_NO_MEMORY;
    return PTOG_ILLEGAL;
}

/* Searches with so many runs. */
static enum ptog_status search_goal(struct ptog_reduced *r, uint64_t max_runs, ptog_diags *diags)
{
    ptog_proof *proof = NULL;
    ptog_diags *found = ptog_diags_new();
    struct ptog_prove_options options = {.max_runs = max_runs, .go_on = r->options.go_on, .user = r->options.user};
    enum ptog_status status = PTOG_NO_MEMORY;
    if (found)
        status = ptog_program_prove(&proof, r->program, &r->execution, &options, found);
    if (proof && take_case(r, proof, found))
        status = PTOG_OK;
    else if (proof)
        status = report_others(found, diags);
    ptog_proof_free(proof);
    ptog_diags_free(found);
    if (r->no_memory)
        return PTOG_NO_MEMORY;
    return status;
}

/* Most findings show early, and a search ends only when all was tried: a short one comes first. */
static enum ptog_status find_goal(struct ptog_reduced *r, ptog_diags *diags)
{
    enum ptog_status status = search_goal(r, SHORT_SEARCH, NULL);
    if (status == PTOG_ILLEGAL)
        status = search_goal(r, PTOG_DEFAULT_MAX_RUNS, diags);
    return status;
}

/* ---- the passes ---- */

/* Tries every kind of change once; true when something became smaller. */
static bool run_passes(struct ptog_reduced *r)
{
    static bool (*const passes[])(struct ptog_reduced *) = {
        ptog_remove_statements, ptog_unwrap_regions,  ptog_remove_pairs,   ptog_remove_parts,     ptog_shrink_inputs,
        ptog_merge_values,      ptog_use_whole_views, ptog_shrink_numbers, ptog_remove_arguments,
    };
    bool smaller = false;
    for (size_t i = 0; i < sizeof passes / sizeof passes[0] && !ptog_reduction_is_over(r); i++)
        smaller |= passes[i](r);
    return smaller;
}

/* Inputs of arguments that are gone are gone, too. */
static void drop_inputs(struct ptog_reduced *r)
{
    struct ptog_slot slot;
    struct ptog_reduce_inputs *inputs = &r->inputs;
    size_t numbers = 0, recipes = 0;
    for (size_t i = 0; i < inputs->number_count; i++)
        if (ptog_program_slot_find(r->program, r->execution.function, inputs->numbers[i].name, &slot))
            inputs->numbers[numbers++] = inputs->numbers[i];
    for (size_t i = 0; i < inputs->recipe_count; i++)
        if (ptog_program_slot_find(r->program, r->execution.function, inputs->recipes[i].name, &slot))
            inputs->recipes[recipes++] = inputs->recipes[i];
    inputs->number_count = numbers;
    inputs->recipe_count = recipes;
}

/* The text in its canonical layout, where that has the finding, too. */
static void lay_out(struct ptog_reduced *r)
{
    struct ptog_output output = {0};
    struct ptog_sink sink = ptog_output_sink(&output);
    if (ptog_program_print(r->program, PTOG_AS_WRITTEN, &sink, NULL) == PTOG_OK && !output.no_memory) {
        r->options.go_on = NULL;
        r->is_stopped = false;
        r->options.max_runs = UINT64_MAX;
        ptog_try_text(r, output.bytes, output.used);
    }
    ptog_output_free(&output);
}

/* Makes the program smaller as long as the finding stays, and keeps its text. */
static enum ptog_status run_reduction(struct ptog_reduced *r, ptog_diags *diags)
{
    enum ptog_status status = find_goal(r, diags);
    if (status != PTOG_OK)
        return status;
    r->statements_before = ptog_statement_count(r);
    ptog_remove_comments(r);
    while (!ptog_reduction_is_over(r) && run_passes(r))
        ;
    r->is_smallest = !ptog_reduction_is_over(r);
    drop_inputs(r);
    lay_out(r);
    r->statements = ptog_statement_count(r);
    r->text = malloc(r->program->source.size + 1);
    if (!r->text || r->no_memory)
        return PTOG_NO_MEMORY;
    memcpy(r->text, r->program->source.bytes, r->program->source.size);
    r->text[r->program->source.size] = '\0';
    return PTOG_OK;
}

/* ---- the call ---- */

/* A run as ptog run has it, with the limits of ptog_program_prove. */
static struct ptog_execution execution_to_reduce(const struct ptog_execution *execution)
{
    struct ptog_execution how = {0};
    if (execution)
        how = *execution;
    how.watch = NULL;
    how.progress = NULL;
    how.trace = NULL;
    how.late = NULL;
    how.late_count = 0;
    how.no_sanitize = false;
    if (how.max_steps == 0)
        how.max_steps = MAX_TRIED_STEPS;
    return how;
}

static const char *bad_options(const struct ptog_reduce_options *options)
{
    if (!ptog_is_unreserved(options))
        return "has a reserved word that is not zero";
    return NULL;
}

/* The program once more, which edits can replace. */
static enum ptog_status copy_program(struct ptog_reduced *r, const ptog_program *program)
{
    enum ptog_status status =
        ptog_program_parse(&r->program, program->name, program->source.bytes, program->source.size, NULL);
    if (status == PTOG_OK)
        ptog_program_be_strict(r->program, program->strict);
    return status;
}

enum ptog_status ptog_program_reduce(ptog_reduced **reduced, const ptog_program *program,
                                     const struct ptog_execution *execution, const struct ptog_reduce_options *options,
                                     ptog_diags *diags)
{
    static const struct ptog_reduce_options defaults;
    const char *call = "ptog_program_reduce";
    options = options ? options : &defaults;
    if (!reduced)
        return ptog_bad_argument(diags, call, "reduced", "is NULL");
    *reduced = NULL;
    if (!program)
        return ptog_bad_argument(diags, call, "program", "is NULL");
    const char *problem = execution ? ptog_run_problem(execution) : NULL;
    if (problem)
        return ptog_bad_argument(diags, call, "execution", problem);
    if (bad_options(options))
        return ptog_bad_argument(diags, call, "options", bad_options(options));
    struct ptog_reduced *r = calloc(1, sizeof *r);
    if (!r)
        return PTOG_NO_MEMORY;
    r->execution = execution_to_reduce(execution);
    r->options = *options;
    if (r->options.max_runs == 0)
        r->options.max_runs = PTOG_DEFAULT_MAX_REDUCE_RUNS;
    enum ptog_status status = copy_program(r, program);
    if (status == PTOG_OK)
        status = run_reduction(r, diags);
    if (status == PTOG_OK)
        *reduced = r;
    else
        ptog_reduced_free(r);
    return status;
}

/* Frees a reduced program; NULL may be given. */
void ptog_reduced_free(ptog_reduced *reduced)
{
    if (!reduced)
        return;
    ptog_program_free(reduced->program);
    ptog_arena_free(&reduced->arena);
    free(reduced->text);
    free(reduced);
}

const char *ptog_reduced_text(const ptog_reduced *reduced)
{
    if (!reduced)
        return NULL;
    return reduced->text;
}

bool ptog_reduced_summary(const ptog_reduced *reduced, struct ptog_reduced_summary *summary)
{
    if (!reduced || !summary)
        return false;
    *summary = (struct ptog_reduced_summary){.id = reduced->goal.id,
                                             .message = reduced->message,
                                             .line = reduced->line,
                                             .statements_before = reduced->statements_before,
                                             .statements = reduced->statements,
                                             .numbers = reduced->inputs.numbers,
                                             .number_count = reduced->inputs.number_count,
                                             .recipes = reduced->inputs.recipes,
                                             .recipe_count = reduced->inputs.recipe_count,
                                             .blocks = reduced->inputs.blocks,
                                             .runs = reduced->runs,
                                             .is_smallest = reduced->is_smallest};
    return true;
}
