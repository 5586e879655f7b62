/* Unit tests of ptog/reduce.h: what is left of a program, its finding, its inputs, and wrong arguments. */
#include <ptog/reduce.h>

#include "unit/test_program_tools.h"

#define TILE "!pto.tile_buf<vec, 16x64xf32>"
#define PART "!pto.partition_tensor_view<16x64xf32>"

/* The store waits for the load unless n is 42; the loop has nothing to do with it. */
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

/* Load, a barrier of another pipe, store, and their tile: nothing else is left, and a run shows the finding. */
static void test_smallest_program(void **state)
{
    (void)state;
    ptog_program *program = parsed(text);
    struct ptog_execution how = {.target = a2a3()};
    struct ptog_reduce_options options = {.id = "race-raw"};
    struct ptog_reduced_summary summary;
    ptog_reduced *reduced = NULL;
    assert_int_equal(ptog_program_reduce(&reduced, program, &how, &options, NULL), PTOG_OK);
    assert_true(ptog_reduced_summary(reduced, &summary));
    assert_string_equal(summary.id, "race-raw");
    assert_int_equal(summary.statements_before, 11);
    assert_int_equal(summary.statements, 4);
    assert_int_equal(summary.number_count, 0);
    assert_true(summary.is_smallest);
    assert_non_null(strstr(ptog_reduced_text(reduced), "%t = pto.alloc_tile"));
    ptog_program *small = parsed(ptog_reduced_text(reduced));
    ptog_diags *diags = ptog_diags_new();
    ptog_inputs *inputs = NULL;
    assert_int_equal(ptog_inputs_generate(&inputs, small, &how, NULL, NULL), PTOG_OK);
    how.bindings = ptog_inputs_bindings(inputs, &how.binding_count);
    assert_int_equal(ptog_program_run(small, &how, diags, NULL), PTOG_FAULT);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "race-raw");
    assert_int_equal(ptog_diags_at(diags, 0)->where.line, summary.line);
    ptog_inputs_free(inputs);
    ptog_diags_free(diags);
    ptog_program_free(small);
    ptog_reduced_free(reduced);
    ptog_program_free(program);
}

/* Another finding than the program has: diags say which one it has. */
static void test_no_such_finding(void **state)
{
    (void)state;
    ptog_program *program = parsed(text);
    ptog_diags *diags = ptog_diags_new();
    struct ptog_execution how = {.target = a2a3()};
    struct ptog_reduce_options options = {.id = "race-raw", .line = 3};
    ptog_reduced *reduced = NULL;
    assert_int_equal(ptog_program_reduce(&reduced, program, &how, &options, diags), PTOG_ILLEGAL);
    assert_null(reduced);
    assert_int_equal(ptog_diags_count(diags), 1);
    assert_int_equal(ptog_diags_at(diags, 0)->where.line, 14);
    ptog_diags_free(diags);
    ptog_program_free(program);
}

static bool end_at_once(void *user, uint64_t runs)
{
    (void)user;
    return runs < 60;
}

/* A search that is ended leaves a program with the finding. */
static void test_ended_search(void **state)
{
    (void)state;
    ptog_program *program = parsed(text);
    struct ptog_execution how = {.target = a2a3()};
    struct ptog_reduce_options options = {.max_runs = 3, .go_on = end_at_once};
    struct ptog_reduced_summary summary;
    ptog_reduced *reduced = NULL;
    assert_int_equal(ptog_program_reduce(&reduced, program, &how, &options, NULL), PTOG_OK);
    assert_true(ptog_reduced_summary(reduced, &summary));
    assert_false(summary.is_smallest);
    assert_true(summary.statements > 4);
    assert_int_equal(summary.number_count, 2);
    assert_int_equal(summary.numbers[0].number, 42);
    ptog_reduced_free(reduced);
    ptog_program_free(program);
}

struct questions {
    uint64_t most, asked; /* most: that are answered with yes */
};

static bool answer(void *user, uint64_t runs)
{
    struct questions *questions = user;
    (void)runs;
    return questions->asked++ < questions->most;
}

/* How often a reduction asks whether to go on, when the answer is no from question `most` on. */
static uint64_t count_questions(uint64_t most, bool *is_smallest)
{
    ptog_program *program = parsed(text);
    struct ptog_execution how = {.target = a2a3()};
    struct questions questions = {.most = most};
    struct ptog_reduce_options options = {.go_on = answer, .user = &questions};
    struct ptog_reduced_summary summary;
    ptog_reduced *reduced = NULL;
    assert_int_equal(ptog_program_reduce(&reduced, program, &how, &options, NULL), PTOG_OK);
    assert_true(ptog_reduced_summary(reduced, &summary));
    *is_smallest = summary.is_smallest;
    ptog_reduced_free(reduced);
    ptog_program_free(program);
    return questions.asked;
}

/* A no ends the run at hand and all others: it is the last answer. */
static void test_no_is_the_last_answer(void **state)
{
    bool is_smallest;
    (void)state;
    uint64_t all = count_questions(UINT64_MAX, &is_smallest);
    assert_true(is_smallest);
    assert_int_equal(count_questions(all - 5, &is_smallest), all - 4);
    assert_false(is_smallest);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    ptog_program *program = parsed(text);
    struct ptog_reduced_summary summary;
    struct ptog_reduce_options reserved = {.reserved = {1}};
    ptog_reduced *reduced = NULL;
    assert_int_equal(ptog_program_reduce(NULL, program, NULL, NULL, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_program_reduce(&reduced, NULL, NULL, NULL, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_program_reduce(&reduced, program, NULL, &reserved, NULL), PTOG_BAD_ARGUMENT);
    assert_false(ptog_reduced_summary(NULL, &summary));
    assert_null(ptog_reduced_text(NULL));
    ptog_reduced_free(NULL);
    ptog_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smallest_program),
        cmocka_unit_test(test_no_such_finding),
        cmocka_unit_test(test_ended_search),
        cmocka_unit_test(test_no_is_the_last_answer),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
