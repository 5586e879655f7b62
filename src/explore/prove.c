/* explore: ptog_program_prove: finds the variables, searches, and hands out the findings. */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/reserved.h"
#include "explore/explore.h"
#include "interp/run.h"

/* ---- what was found ---- */

/* Hands out the findings, each with its inputs. */
static void report_findings(struct ptog_proof *proof, ptog_diags *diags)
{
    proof->first_diag = ptog_diags_count(diags);
    proof->cases = calloc(proof->finding_count + 1, sizeof *proof->cases);
    proof->no_memory = proof->no_memory || !proof->cases;
    for (size_t i = 0; i < proof->finding_count && !proof->no_memory; i++) {
        proof->no_memory = ptog_diags_append(diags, ptog_diags_at(proof->findings[i].diags, 0)) == PTOG_NO_MEMORY;
        ptog_point_inputs(proof, &proof->findings[i].point, &proof->cases[i]);
    }
}

/* The caller has ended the search in its first run, or before. */
static enum ptog_status report_stop(const struct ptog_proof *proof, ptog_diags *diags)
{
    const struct ptog_fix fix = ptog_fix_of_words("search longer, with --seconds S (in C: ptog_prove_options.go_on)");
    const struct ptog_diag diag = {.id = "limit-steps",
                                   .severity = PTOG_WARNING,
                                   .unjudged = true,
                                   .message = "the search ended before its first run did",
                                   .where.file = proof->program->source.name,
                                   .fix = &fix,
                                   .fix_count = 1};
    if (!ptog_diags_add(diags, &diag))
        return PTOG_NO_MEMORY;
    return PTOG_ILLEGAL;
}

/* No run came to an end: what the first one says is all there is to say. */
static enum ptog_status report_first(struct ptog_proof *proof, ptog_diags *diags)
{
    struct ptog_point point = {{0}};
    for (size_t i = 0; i < proof->variable_count; i++)
        point.of[i] = proof->variables[i].values[0];
    enum ptog_status status = ptog_run_point(proof, &point, diags);
    return status == PTOG_OK || status == PTOG_FAULT ? PTOG_ILLEGAL : status;
}

/* No run was judged: why. */
static enum ptog_status report_nothing(struct ptog_proof *proof, ptog_diags *diags)
{
    if (proof->is_stopped)
        return report_stop(proof, diags);
    return report_first(proof, diags);
}

/* Reports what was found or could not be judged, and gives the status of the whole. */
static enum ptog_status conclude(struct ptog_proof *proof, ptog_diags *diags)
{
    const struct ptog_diag *diag;
    bool failed = false;
    if (!proof->no_memory && !proof->executed && proof->finding_count == 0)
        return report_nothing(proof, diags);
    if (!proof->no_memory)
        report_findings(proof, diags);
    if (proof->no_memory)
        return PTOG_NO_MEMORY;
    for (size_t i = proof->first_diag; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        failed = failed || !diag->unjudged;
    if (failed)
        return PTOG_FAULT;
    return proof->finding_count > 0 ? PTOG_ILLEGAL : PTOG_OK;
}

/* ---- the call ---- */

/* What a proof needs of the caller's execution. */
static struct ptog_execution execution_of(const struct ptog_execution *execution)
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
    how.started = NULL;
    if (how.max_steps == 0)
        how.max_steps = MAX_TRIED_STEPS;
    return how;
}

static const char *options_problem(const struct ptog_prove_options *options)
{
    if (!ptog_is_unreserved(options))
        return "has a reserved word that is not zero";
    if (options->max_runs > UINT64_C(1) << 24)
        return "has more than 16,777,216 runs";
    return NULL;
}

/* Finds what depends on inputs and what may be chosen, then searches points that show findings. PTOG_OK: the search is
 * over. */
static enum ptog_status search_inputs(struct ptog_proof *proof, ptog_diags *diags)
{
    if (!ptog_cover_open(proof) || !ptog_trust_find(proof))
        return PTOG_NO_MEMORY;
    proof->all_inputs = !ptog_depends_on_inputs(proof);
    if (!ptog_repeats_find(&proof->repeats, proof->program, proof->execution.function))
        return PTOG_NO_MEMORY;
    enum ptog_status status = ptog_variables_find(proof, diags);
    if (status != PTOG_OK)
        return status;
    proof->repeats.possible = proof->repeats.possible && proof->execution.blocks <= 1 && !proof->completes;
    ptog_search_points(proof);
    return conclude(proof, diags);
}

/* Findings are counted in a list, also for a caller who has none. */
static enum ptog_status search_for(struct ptog_proof *proof, ptog_diags *diags)
{
    ptog_diags *own = NULL;
    if (!diags)
        diags = own = ptog_diags_new();
    enum ptog_status status = PTOG_NO_MEMORY;
    if (diags)
        status = search_inputs(proof, diags);
    ptog_diags_free(own);
    return status;
}

enum ptog_status ptog_program_prove(ptog_proof **proof, const ptog_program *program,
                                    const struct ptog_execution *execution, const struct ptog_prove_options *options,
                                    ptog_diags *diags)
{
    static const struct ptog_prove_options defaults;
    if (!options)
        options = &defaults;
    if (!proof)
        return ptog_bad_argument(diags, "ptog_program_prove", "proof", "is NULL");
    *proof = NULL;
    if (!program)
        return ptog_bad_argument(diags, "ptog_program_prove", "program", "is NULL");
    const char *problem = execution ? ptog_run_problem(execution) : NULL;
    if (problem)
        return ptog_bad_argument(diags, "ptog_program_prove", "execution", problem);
    problem = options_problem(options);
    if (problem)
        return ptog_bad_argument(diags, "ptog_program_prove", "options", problem);
    struct ptog_proof *made = calloc(1, sizeof *made);
    if (!made)
        return PTOG_NO_MEMORY;
    made->program = program;
    made->execution = execution_of(execution);
    made->options = *options;
    if (made->options.max_runs == 0)
        made->options.max_runs = PTOG_DEFAULT_MAX_RUNS;
    enum ptog_status status = search_for(made, diags);
    if (status == PTOG_NO_MEMORY)
        ptog_proof_free(made);
    else
        *proof = made;
    return status;
}

/* Frees a proof with all that it found; NULL may be given. */
void ptog_proof_free(ptog_proof *proof)
{
    if (!proof)
        return;
    free(proof->covers);
    free(proof->own_ops);
    free(proof->last.outcome);
    free(proof->last.has_outcome);
    free(proof->tried);
    free(proof->paths);
    free(proof->cases);
    for (size_t i = 0; i < proof->finding_count; i++)
        ptog_diags_free(proof->findings[i].diags);
    free(proof);
}

/* ---- what it says ---- */

bool ptog_proof_case_at(const ptog_proof *proof, size_t i, struct ptog_proof_case *found)
{
    if (!proof || !found || i >= proof->finding_count)
        return false;
    const struct ptog_point_inputs *inputs = &proof->cases[i];
    *found = (struct ptog_proof_case){.diag = proof->first_diag + i,
                                      .numbers = inputs->numbers,
                                      .number_count = inputs->number_count,
                                      .recipes = inputs->recipes,
                                      .recipe_count = inputs->recipe_count,
                                      .blocks = inputs->blocks};
    return true;
}

/* Whether a solver has shown that no inputs do what no run did. */
static bool is_ruled_out(const struct ptog_proof *proof, const struct ptog_op_cover *cover)
{
    const struct ptog_covered *covered = &cover->covered;
    if (!proof->is_followed)
        return false;
    if (!covered->reached)
        return !(cover->possible & PTOG_MAY_BE_REACHED);
    return covered->kind == PTOG_COVERED_BRANCH && covered->was_true != covered->was_false &&
           !(cover->possible & (covered->was_true ? PTOG_MAY_BE_FALSE : PTOG_MAY_BE_TRUE));
}

/* Whether every way through the function was run, and nothing but the way depends on inputs. */
static bool are_all_ways_judged(const struct ptog_proof *proof)
{
    return proof->is_followed && proof->ways > 0 && proof->ways == proof->path_count && !proof->uses_inputs &&
           !proof->was_cut_short && proof->finding_count == 0 && proof->assumption_count == 0;
}

/* Whether the runs stand for any number of turns of the loop, and so for all inputs. */
static bool is_judged_for_any_turns(const struct ptog_proof *proof)
{
    return proof->finding_count == 0 && ptog_repeats_hold(&proof->repeats);
}

bool ptog_proof_covered_at(const ptog_proof *proof, size_t i, struct ptog_covered *covered)
{
    if (!proof || !covered || i >= proof->own_count)
        return false;
    *covered = proof->covers[proof->own_ops[i]].covered;
    covered->never = is_ruled_out(proof, &proof->covers[proof->own_ops[i]]);
    if (proof->own_ops[i] == proof->repeats.loop && is_judged_for_any_turns(proof))
        covered->period = proof->repeats.period;
    return true;
}

bool ptog_proof_summary(const ptog_proof *proof, struct ptog_proof_summary *summary)
{
    if (!proof || !summary)
        return false;
    *summary = (struct ptog_proof_summary){
        .runs = proof->runs,
        .paths = proof->path_count,
        .all_inputs =
            proof->executed && (proof->all_inputs || is_judged_for_any_turns(proof) || are_all_ways_judged(proof)),
        .all_paths = proof->executed && are_all_ways_judged(proof),
        .all_candidates = proof->all_candidates,
        .all_branches = true,
        .assumptions = proof->assumption_count};
    for (size_t i = 0; i < proof->own_count; i++) {
        const struct ptog_covered *covered = &proof->covers[proof->own_ops[i]].covered;
        summary->not_reached += !covered->reached;
        if (covered->kind == PTOG_COVERED_BRANCH && (!covered->was_true || !covered->was_false))
            summary->all_branches = false;
    }
    return true;
}
