/* Unit tests of ptog/prove.h: findings with inputs that show them, and coverage that is that of the runs. */
#include <ptog/prove.h>

#include "unit/test_program_tools.h"

#define TILE "!pto.tile_buf<vec, 16x64xf32>"
#define PART "!pto.partition_tensor_view<16x64xf32>"

/* The store waits for the load unless n is 42; the loop has m turns. */
static const char text[] = "func.func @f(%n: index, %m: index, %src: " PART ", %dst: " PART ") {\n"
                           "  %c0 = arith.constant 0 : index\n"
                           "  %c1 = arith.constant 1 : index\n"
                           "  %k = arith.constant 42 : index\n"
                           "  %t = pto.alloc_tile : " TILE "\n"
                           "  %is = arith.cmpi ne, %n, %k : index\n"
                           "  pto.tload ins(%src : " PART ") outs(%t : " TILE ")\n"
                           "  scf.if %is {\n"
                           "    pto.barrier <PIPE_ALL>\n"
                           "  }\n"
                           "  scf.for %i = %c0 to %m step %c1 {\n"
                           "    pto.barrier <PIPE_V>\n"
                           "  }\n"
                           "  pto.tstore ins(%t : " TILE ") outs(%dst : " PART ")\n"
                           "  return\n}";

static const struct ptog_target *a2a3(void)
{
    return ptog_target_find("a2a3");
}

static void test_finding_with_inputs(void **state)
{
    (void)state;
    ptog_program *program = parsed(text);
    ptog_diags *diags = ptog_diags_new();
    struct ptog_execution how = {.target = a2a3()};
    struct ptog_proof_case one;
    struct ptog_proof_summary summary;
    ptog_proof *proof = NULL;
    assert_int_equal(ptog_program_prove(&proof, program, &how, NULL, diags), PTOG_FAULT);
    assert_true(ptog_proof_case_at(proof, 0, &one));
    assert_string_equal(ptog_diags_at(diags, one.diag)->id, "race-raw");
    assert_int_equal(one.number_count, 2);
    assert_string_equal(one.numbers[0].name, "n");
    assert_int_equal(one.numbers[0].number, 42);
    assert_false(ptog_proof_case_at(proof, ptog_diags_count(diags), &one));
    assert_true(ptog_proof_summary(proof, &summary));
    assert_true(summary.all_branches);
    assert_false(summary.all_inputs);
    assert_int_equal(summary.not_reached, 0);
    ptog_proof_free(proof);
    ptog_diags_free(diags);
    ptog_program_free(program);
}

/* ---- coverage against a run that counts for itself ---- */

struct own_cover {
    bool reached[64], was_true[64], was_false[64];
    int64_t turns[64];
};

static void count_flow(void *user, const struct ptog_flow_seen *seen)
{
    struct own_cover *own = user;
    assert_true(seen->op < 64);
    own->reached[seen->op] = true;
    own->was_true[seen->op] |= seen->kind == PTOG_FLOW_BRANCH && seen->value != 0;
    own->was_false[seen->op] |= seen->kind == PTOG_FLOW_BRANCH && seen->value == 0;
    if (seen->kind == PTOG_FLOW_LOOP)
        own->turns[seen->op] = seen->value;
}

static void test_coverage(void **state)
{
    (void)state;
    ptog_program *program = parsed(text);
    struct own_cover own = {.reached = {false}};
    struct ptog_binding numbers[] = {{.name = "n", .is_number = true, .number = 42},
                                     {.name = "m", .is_number = true, .number = 3}};
    struct ptog_progress progress = {.flow = count_flow, .user = &own};
    struct ptog_execution how = {.target = a2a3(), .bindings = numbers, .binding_count = 2};
    ptog_inputs *inputs = NULL;
    ptog_proof *proof = NULL;
    struct ptog_covered covered;
    size_t loops = 0, missed = 0;
    assert_int_equal(ptog_program_prove(&proof, program, &how, NULL, NULL), PTOG_FAULT);
    assert_int_equal(ptog_inputs_generate(&inputs, program, &how, NULL, NULL), PTOG_OK);
    how.bindings = ptog_inputs_bindings(inputs, &how.binding_count);
    how.progress = &progress;
    assert_int_equal(ptog_program_run(program, &how, NULL, NULL), PTOG_FAULT);
    for (size_t i = 1; ptog_proof_covered_at(proof, i, &covered); i++) { /* 0 is the function */
        assert_int_equal(covered.reached, own.reached[i]);
        assert_int_equal(covered.was_true, own.was_true[i]);
        assert_int_equal(covered.was_false, own.was_false[i]);
        missed += !covered.reached;
        if (covered.kind != PTOG_COVERED_LOOP)
            continue;
        loops++;
        assert_int_equal(covered.turn_count, 1);
        assert_int_equal(covered.turns[0], own.turns[i]);
    }
    assert_int_equal(loops, 1);
    assert_int_equal(missed, 1); /* the barrier of the branch that n = 42 does not take */
    ptog_inputs_free(inputs);
    ptog_proof_free(proof);
    ptog_program_free(program);
}

/* ---- any number of turns ---- */

#define VIEW "!pto.tensor_view<?x?xf32>"
#define ROW "!pto.partition_tensor_view<1x64xf32>"
#define LINE "!pto.tile_buf<vec, 1x64xf32>"
#define FLAG(what, from, to, id) "    pto." what "_flag[<PIPE_" from ">, <PIPE_" to ">, <EVENT_ID" id ">]\n"

/* Rows of a table are copied through one tile. `inside` is what else a turn does. */
#define COPY_ROWS(inside)                                                                                              \
    "func.func @f(%n: index, %src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) {\n"                                            \
    "  %c0 = arith.constant 0 : index\n"                                                                               \
    "  %c1 = arith.constant 1 : index\n"                                                                               \
    "  %c3 = arith.constant 3 : index\n"                                                                               \
    "  %c64 = arith.constant 64 : index\n"                                                                             \
    "  %sv = pto.make_tensor_view %src, shape = [%n, %c64], strides = [%c64, %c1] : " VIEW "\n"                        \
    "  %dv = pto.make_tensor_view %dst, shape = [%n, %c64], strides = [%c64, %c1] : " VIEW "\n"                        \
    "  %t = pto.alloc_tile : " LINE                                                                                    \
    "\n" FLAG("set", "MTE3", "MTE2",                                                                                   \
              "0") "  scf.for %i = %c0 to %n step %c1 {\n"                                                             \
                   "    %sp = pto.partition_view %sv, offsets = [%i, %c0], sizes = [%c1, %c64] : " VIEW " -> " ROW     \
                   "\n"                                                                                                \
                   "    %dp = pto.partition_view %dv, offsets = [%i, %c0], sizes = [%c1, %c64] : " VIEW " -> " ROW     \
                   "\n" inside FLAG("wait", "MTE3", "MTE2",                                                            \
                                    "0") "    pto.tload ins(%sp : " ROW ") outs(%t : " LINE ")\n" FLAG("set", "MTE2",  \
                                                                                                       "MTE3", "0")    \
                       FLAG("wait", "MTE2", "MTE3", "0") "    pto.tstore ins(%t : " LINE ") outs(%dp : " ROW           \
                                                         ")\n" FLAG("set", "MTE3", "MTE2", "0") "  }\n" FLAG(          \
                                                             "wait", "MTE3", "MTE2", "0") "  return\n}"

/* The period that a proof has for the loop, which must be that of its text; 0: order is judged only for some turns. */
static uint64_t period_of(const char *program_text)
{
    ptog_program *program = parsed(program_text);
    struct ptog_execution how = {.target = a2a3()};
    struct ptog_proof_summary summary;
    struct ptog_covered covered;
    ptog_proof *proof = NULL;
    uint64_t period = 0;
    assert_int_equal(ptog_program_prove(&proof, program, &how, NULL, NULL), PTOG_OK);
    for (size_t i = 0; ptog_proof_covered_at(proof, i, &covered); i++)
        if (covered.kind == PTOG_COVERED_LOOP)
            period = covered.period;
    assert_true(ptog_proof_summary(proof, &summary));
    assert_int_equal(summary.all_inputs, period > 0);
    ptog_proof_free(proof);
    ptog_program_free(program);
    return period;
}

static void test_any_number_of_turns(void **state)
{
    (void)state;
    assert_int_equal(period_of(COPY_ROWS("")), 1);
    assert_int_equal(period_of(COPY_ROWS("    %r = arith.remsi %i, %c3 : index\n"
                                         "    %is = arith.cmpi eq, %r, %c0 : index\n"
                                         "    scf.if %is {\n      pto.barrier <PIPE_MTE2>\n    }\n")),
                     3);
    assert_int_equal(period_of(COPY_ROWS("    %r = arith.andi %i, %c1 : index\n"
                                         "    %is = arith.cmpi eq, %r, %c0 : index\n"
                                         "    scf.if %is {\n      pto.barrier <PIPE_MTE2>\n    }\n")),
                     2);
    /* nothing is claimed where a turn is like no other, another number decides, or memory that is stored to is read */
    assert_int_equal(period_of(COPY_ROWS("    %is = arith.cmpi eq, %i, %c3 : index\n"
                                         "    scf.if %is {\n      pto.barrier <PIPE_MTE2>\n    }\n")),
                     0);
    assert_int_equal(period_of(COPY_ROWS("    %is = arith.cmpi sgt, %n, %c3 : index\n"
                                         "    scf.if %is {\n      pto.barrier <PIPE_MTE2>\n    }\n")),
                     0);
    assert_int_equal(period_of(COPY_ROWS("    pto.barrier <PIPE_ALL>\n"
                                         "    pto.tload ins(%dp : " ROW ") outs(%t : " LINE ")\n"
                                         "    pto.barrier <PIPE_ALL>\n")),
                     0);
}

/* ---- limits ---- */

static bool count_runs(void *user, uint64_t runs)
{
    uint64_t *calls = user;
    (void)runs;
    return ++*calls <= 3;
}

static void test_limits(void **state)
{
    (void)state;
    ptog_program *program = parsed(text);
    uint64_t calls = 0;
    struct ptog_prove_options options = {.go_on = count_runs, .user = &calls};
    struct ptog_execution how = {.target = a2a3()};
    struct ptog_proof_summary summary;
    ptog_proof *proof = NULL;
    assert_int_equal(ptog_program_prove(&proof, program, &how, &options, NULL), PTOG_OK);
    assert_true(ptog_proof_summary(proof, &summary));
    assert_true(summary.runs <= 3);
    assert_false(summary.all_candidates);
    ptog_proof_free(proof);
    options = (struct ptog_prove_options){.max_runs = 1};
    assert_int_equal(ptog_program_prove(&proof, program, &how, &options, NULL), PTOG_OK);
    assert_true(ptog_proof_summary(proof, &summary));
    assert_int_equal(summary.runs, 1);
    ptog_proof_free(proof);
    options = (struct ptog_prove_options){.reserved = {1}};
    assert_int_equal(ptog_program_prove(&proof, program, &how, &options, NULL), PTOG_BAD_ARGUMENT);
    assert_null(proof);
    ptog_program_free(program);
}

#define LONG_LOOP                                                                                                      \
    "func.func @f(%n: index, %src: " PART ") {\n"                                                                      \
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"                                             \
    "  %all = arith.constant 4000 : index\n"                                                                           \
    "  %t = pto.alloc_tile : " TILE "\n"                                                                               \
    "  pto.tload ins(%src : " PART ") outs(%t : " TILE ")\n"

struct stopped_at {
    uint64_t most, calls; /* most: questions that are answered with yes */
};

static bool stop_after(void *user, uint64_t runs)
{
    struct stopped_at *stopped = user;
    (void)runs;
    return stopped->calls++ < stopped->most;
}

/* Proves a program, and ends the search at the question after `most`: at most one run is not judged. */
static struct ptog_proof_summary stopped_summary(const char *source, struct stopped_at *stopped, ptog_diags *diags)
{
    ptog_program *program = parsed(source);
    struct ptog_prove_options options = {.go_on = stop_after, .user = stopped};
    struct ptog_execution how = {.target = a2a3()};
    struct ptog_proof_summary summary;
    ptog_proof *proof = NULL;
    ptog_program_prove(&proof, program, &how, &options, diags);
    assert_true(ptog_proof_summary(proof, &summary));
    assert_int_equal(stopped->calls, stopped->most + 1); /* a no is never followed by another question */
    ptog_proof_free(proof);
    ptog_program_free(program);
    return summary;
}

/* A run of 4,000 turns ends when the search does, while it goes on or while its inputs are chosen. */
static void test_long_run_ends(void **state)
{
    (void)state;
    static const char always[] = LONG_LOOP "  pto.barrier <PIPE_ALL>\n  scf.for %i = %c0 to %all step %c1 {\n"
                                           "    pto.barrier <PIPE_V>\n  }\n  return\n}";
    ptog_diags *diags = ptog_diags_new();
    struct stopped_at stopped = {.most = 2};
    struct ptog_proof_summary summary = stopped_summary(always, &stopped, diags);
    assert_false(summary.all_inputs);
    assert_int_equal(ptog_diags_count(diags), 1);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "limit-steps");
    ptog_diags_free(diags);

    diags = ptog_diags_new();
    static const char racy[] =
        LONG_LOOP "  scf.for %i = %c0 to %all step %c1 {\n    %half = arith.addi %i, %n : index\n"
                  "    pto.tadd ins(%t, %t : " TILE ", " TILE ") outs(%t : " TILE ")\n"
                  "    pto.barrier <PIPE_V>\n  }\n  return\n}";
    bool found = false;
    for (stopped = (struct stopped_at){.most = 20}; !found && stopped.most < 2000; stopped.most += 20) {
        stopped.calls = 0;
        summary = stopped_summary(racy, &stopped, diags);
        for (size_t i = 0; i < ptog_diags_count(diags); i++)
            found = found || strcmp(ptog_diags_at(diags, i)->id, "race-raw") == 0;
    }
    assert_true(found);
    assert_int_equal(summary.runs, 1);
    assert_false(summary.all_inputs); /* the run that showed it did not come to its end */
    ptog_diags_free(diags);
}

/* ---- with a solver ---- */

/* The store waits for the load unless n * n is 9006001. */
static const char square[] = "func.func @f(%n: index, %src: " PART ", %dst: " PART ") {\n"
                             "  %k = arith.constant 9006001 : index\n"
                             "  %t = pto.alloc_tile : " TILE "\n"
                             "  %s = arith.muli %n, %n : index\n"
                             "  %is = arith.cmpi ne, %s, %k : index\n"
                             "  pto.tload ins(%src : " PART ") outs(%t : " TILE ")\n"
                             "  scf.if %is {\n"
                             "    pto.barrier <PIPE_ALL>\n"
                             "  }\n"
                             "  pto.tstore ins(%t : " TILE ") outs(%dst : " PART ")\n"
                             "  return\n}";

/* Knows the root, which is the first argument of the script. */
static const char *solve_square(void *user, const char *script)
{
    int *questions = user;
    assert_non_null(strstr(script, "bvmul v2 v2"));
    ++*questions;
    return "sat\n((v2 #x0000000000000bb9))";
}

static const char *deny(void *user, const char *script)
{
    const char *condition = strstr(script, "(assert (= ");
    (void)user;
    return condition && !strstr(script, "(assert (distinct ") ? "unsat" : "sat\n((v2 #x0000000000000001))";
}

static const char *stay_silent(void *user, const char *script)
{
    (void)script;
    ++*(int *)user;
    return NULL;
}

/* Proves `square` with a solver: its first finding, with n alone, and its branch. */
static enum ptog_status prove_square(const char *(*solve)(void *, const char *), void *user,
                                     struct ptog_proof_case *first, struct ptog_covered *branch)
{
    static struct ptog_binding n; /* outlives the proof */
    ptog_program *program = parsed(square);
    struct ptog_execution how = {.target = a2a3()};
    struct ptog_prove_options options = {.max_runs = 200, .solve = solve, .solve_user = user};
    ptog_proof *proof = NULL;
    enum ptog_status status = ptog_program_prove(&proof, program, &how, &options, NULL);
    if (ptog_proof_case_at(proof, 0, first)) {
        n = first->numbers[0];
        first->numbers = &n;
    }
    for (size_t i = 0; ptog_proof_covered_at(proof, i, branch) && branch->kind != PTOG_COVERED_BRANCH;)
        i++;
    ptog_proof_free(proof);
    ptog_program_free(program);
    return status;
}

static void test_solver(void **state)
{
    (void)state;
    struct ptog_proof_case first;
    struct ptog_covered branch;
    int questions = 0;
    assert_int_equal(prove_square(NULL, NULL, &first, &branch), PTOG_OK);
    assert_false(branch.was_false);
    assert_false(branch.never);
    assert_int_equal(prove_square(solve_square, &questions, &first, &branch), PTOG_FAULT);
    assert_true(questions > 0);
    assert_int_equal(first.numbers[0].number, 3001);
    assert_true(branch.was_false);
    assert_int_equal(prove_square(deny, NULL, &first, &branch), PTOG_OK);
    assert_true(branch.never);
    questions = 0;
    assert_int_equal(prove_square(stay_silent, &questions, &first, &branch), PTOG_OK);
    assert_false(branch.never);
    assert_true(questions > 0 && questions < 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finding_with_inputs), cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_any_number_of_turns), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_long_run_ends),       cmocka_unit_test(test_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
