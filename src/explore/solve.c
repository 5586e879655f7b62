/* explore: with a solver, finds arguments for each way through the function (paths.h), runs the program with them, and
 * learns which ways no arguments take. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "explore/paths.h"

#define MAX_PATHS 256
#define NEAR_LEAST (-64) /* arguments that are tried first: no run is large then */
#define NEAR_MOST 4096

enum solver_answer { SOLVER_NO, SOLVER_YES, SOLVER_SILENT };

/* Asks about the script with `more` at its end, which is taken off again. The text of the answer is the solver's. */
static enum solver_answer ask(struct ptog_path_walk *walk, const char **words)
{
    const struct ptog_prove_options *options = &walk->proof->options;
    const char *answer = NULL;
    if (!walk->script.no_memory)
        answer = options->solve(options->solve_user, walk->script.text);
    walk->is_silent = walk->is_silent || !answer;
    *words = answer ? answer : "";
    if (strncmp(*words, "unsat", 5) == 0)
        return SOLVER_NO;
    if (strncmp(*words, "sat", 3) == 0)
        return SOLVER_YES;
    return SOLVER_SILENT;
}

/* Whether a condition can come out that way, in doubt yes. Asks the solver; the script is as before. */
static bool is_possible(struct ptog_path_walk *walk, struct ptog_script_value condition, bool is_true)
{
    size_t length = walk->script.length;
    const char *words;
    ptog_script_require(&walk->script, condition, !is_true);
    ptog_script_add(&walk->script, "(check-sat)\n");
    enum solver_answer answer = ask(walk, &words);
    walk->script.length = length;
    walk->script.guesses = walk->script.guesses || answer == SOLVER_SILENT;
    return answer != SOLVER_NO;
}

/* How a condition comes out on this path, by the decisions so far or a new one; the script then requires it. */
bool ptog_path_decide(struct ptog_path_walk *walk, struct ptog_script_value condition)
{
    if (condition.is_number)
        return condition.number != 0;
    if (condition.name == 0) {
        walk->script.guesses = true;
        condition = ptog_script_any(&walk->script, 1);
    }
    if (walk->decided == walk->decision_count) {
        if (walk->decision_count == MAX_DECISIONS || ptog_search_is_over(walk->proof)) {
            walk->gave_up = true;
            return false;
        }
        bool may_hold = is_possible(walk, condition, true), may_fail = is_possible(walk, condition, false);
        walk->decisions[walk->decision_count++] =
            (struct ptog_decision){.taken = may_hold, .is_open = may_hold && may_fail};
    }
    walk->gave_up = walk->gave_up || walk->is_silent;
    if (walk->gave_up)
        return false;
    bool taken = walk->decisions[walk->decided++].taken;
    ptog_script_require(&walk->script, condition, !taken);
    return taken;
}

/* ---- arguments of a way ---- */

/* Hexadecimal digits, as solvers write them. */
static int64_t number_of_digits(const char *digits)
{
    static const char *const known = "0123456789abcdef";
    uint64_t number = 0;
    for (const char *digit; *digits && (digit = strchr(known, *digits)); digits++)
        number = number << 4 | (uint64_t)(digit - known);
    return (int64_t)number;
}

/* The point in a solver's answer, "(v3 #x00000010)" for each argument; others have their first value. */
static struct ptog_point point_of(const struct ptog_path_walk *walk, const char *words)
{
    const struct ptog_proof *proof = walk->proof;
    struct ptog_point point = {{0}};
    for (size_t i = 0; i < proof->variable_count; i++) {
        char name[24];
        struct ptog_text text;
        point.of[i] = proof->variables[i].values[0];
        if (walk->argument_names[i] == 0)
            continue;
        ptog_text_init(&text, name, sizeof name);
        ptog_text_addf(&text, "(v%" PRIu32 " #x", walk->argument_names[i]);
        const char *at = strstr(words, name);
        if (at)
            point.of[i] = number_of_digits(at + strlen(name));
        if (proof->variables[i].is_bit)
            point.of[i] &= 1;
    }
    return point;
}

/* Adds to the script that all numbers are small: such points are easier to read. */
static void require_near(struct ptog_path_walk *walk)
{
    for (size_t i = 0; i < walk->proof->variable_count; i++)
        if (walk->argument_names[i] > 0)
            ptog_script_add(&walk->script,
                            "(assert (and (bvsge v%" PRIu32 " (bvneg (_ bv%d 64))) (bvsle v%" PRIu32
                            " (_ bv%d 64))))\n",
                            walk->argument_names[i], -NEAR_LEAST, walk->argument_names[i], NEAR_MOST);
}

/* Asks the solver for inputs of this path; *point is them, if there are any. The script is as before. */
static enum solver_answer ask_for_point(struct ptog_path_walk *walk, bool is_near, struct ptog_point *point)
{
    size_t length = walk->script.length;
    const char *words;
    if (is_near)
        require_near(walk);
    ptog_script_add(&walk->script, "(check-sat)\n(get-value (");
    for (size_t i = 0; i < walk->proof->variable_count; i++)
        if (walk->argument_names[i] > 0)
            ptog_script_add(&walk->script, "v%" PRIu32 " ", walk->argument_names[i]);
    ptog_script_add(&walk->script, "(_ bv0 1)))\n");
    enum solver_answer answer = ask(walk, &words);
    walk->script.length = length;
    if (answer == SOLVER_YES)
        *point = point_of(walk, words);
    return answer;
}

/* Runs the program with arguments that take the way. */
static void try_way(struct ptog_path_walk *walk)
{
    struct ptog_point point;
    if (ask_for_point(walk, true, &point) == SOLVER_YES || ask_for_point(walk, false, &point) == SOLVER_YES)
        ptog_try_point(walk->proof, &point);
}

/* ---- all ways ---- */

/* The next way: the last decision that is open comes out otherwise. False: there is none. */
static bool turn_back(struct ptog_path_walk *walk)
{
    while (walk->decision_count > 0 && !walk->decisions[walk->decision_count - 1].is_open)
        walk->decision_count--;
    if (walk->decision_count == 0)
        return false;
    struct ptog_decision *last = &walk->decisions[walk->decision_count - 1];
    *last = (struct ptog_decision){.taken = !last->taken};
    return true;
}

/* Follows path after path, and tries a point on each; notes whether all of them could be followed. */
static void follow_all(struct ptog_path_walk *walk)
{
    struct ptog_proof *proof = walk->proof;
    uint64_t ways = 0;
    bool is_whole = true;
    do {
        ptog_path_follow(walk);
        is_whole = is_whole && !walk->gave_up;
        ways++;
        if (!walk->is_silent)
            try_way(walk);
    } while (!walk->is_silent && ways < MAX_PATHS && turn_back(walk) && !ptog_search_is_over(proof));
    proof->is_followed = is_whole && walk->decision_count == 0;
    proof->ways = walk->script.guesses ? 0 : ways;
}

/* The records of the function's scalar operations. */
static void list_scalars(struct ptog_path_walk *walk, const struct ptog_lowered *lowered)
{
    const struct ptog_code_list *list = &lowered->e.code_of[(size_t)(walk->function - walk->proof->program->functions)];
    for (uint32_t i = 0; i < list->count; i++)
        if (list->of[i].kind >= PTOG_CODE_CONSTANT && list->of[i].kind <= PTOG_CODE_BITCAST)
            walk->code[list->of[i].op->number] = &list->of[i];
}

/* Whether some line was not reached, or some branch went one way only. */
static bool is_open(const struct ptog_proof *proof)
{
    struct ptog_covered covered;
    for (size_t i = 0; ptog_proof_covered_at(proof, i, &covered); i++)
        if (!covered.reached || (covered.kind == PTOG_COVERED_BRANCH && covered.was_true != covered.was_false))
            return true;
    return false;
}

void ptog_search_ways(struct ptog_proof *proof)
{
    const ptog_program *program = proof->program;
    const struct ptog_function *function = ptog_function_find(program, proof->execution.function);
    if (!proof->options.solve || !function || !function->op || !function->region || program->tree.has_calls ||
        !(proof->options.solve_always || is_open(proof)) || ptog_search_is_over(proof))
        return;
    const struct ptog_target *target = proof->execution.target;
    if (!target)
        target = ptog_function_target(function);
    struct ptog_path_walk walk = {.proof = proof, .tree = &program->tree, .function = function};
    struct ptog_lowered *lowered = ptog_lowered_get(program, function, target, NULL, NULL);
    walk.code = calloc(proof->op_count + 1, sizeof *walk.code);
    walk.values = calloc((size_t)program->tree.symbols.count + 2, sizeof *walk.values);
    if (lowered && walk.code && walk.values) {
        list_scalars(&walk, lowered);
        follow_all(&walk);
    }
    proof->no_memory = proof->no_memory || !lowered || !walk.code || !walk.values || walk.script.no_memory;
    if (lowered)
        ptog_lowered_release(lowered);
    free(walk.code);
    free(walk.values);
    free(walk.script.text);
}
