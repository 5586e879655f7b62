/* Unit tests of ptog_progress.flow: a run tells of every operation, branch, comparison and loop, with its values. */
#include <inttypes.h>

#include "unit/test_program_tools.h"

static const char text[] = "func.func @f(%n: index, %p: !pto.ptr<f32>) {\n"
                           "  %c0 = arith.constant 0 : index\n"
                           "  %c1 = arith.constant 1 : index\n"
                           "  %x = arith.constant 2.0 : f32\n"
                           "  scf.for %i = %c0 to %n step %c1 {\n"
                           "    %last = arith.cmpi eq, %i, %c1 : index\n"
                           "    scf.if %last {\n"
                           "      pto.store_scalar %x, %p[%i] : !pto.ptr<f32>, f32\n"
                           "    }\n"
                           "  }\n"
                           "  %r = scf.while (%a = %c0) : (index) -> index {\n"
                           "    %more = arith.cmpi slt, %a, %n : index\n"
                           "    scf.condition(%more) %a : index\n"
                           "  } do {\n"
                           "  ^bb0(%b: index):\n"
                           "    %next = arith.addi %b, %c1 : index\n"
                           "    scf.yield %next : index\n"
                           "  }\n"
                           "  return\n}";

/* What a run has told, in words: "line 7 branch 0". */
struct flow_log {
    uint32_t lines[64]; /* by operation */
    size_t op_count, ops;
    char words[2000];
};

static bool list_line(void *user, const struct ptog_op_seen *op)
{
    struct flow_log *log = user;
    log->lines[log->op_count++] = op->line;
    return true;
}

static void log_flow(void *user, const struct ptog_flow_seen *seen)
{
    static const char *const kinds[] = {"op", "branch", "loop", "compare"};
    struct flow_log *log = user;
    size_t used = strlen(log->words);
    assert_true(seen->op < log->op_count);
    assert_int_equal(seen->block, 0);
    log->ops += seen->kind == PTOG_FLOW_OP;
    if (seen->kind != PTOG_FLOW_OP)
        snprintf(log->words + used, sizeof log->words - used, "%u %s %" PRId64 " %" PRId64 "\n",
                 (unsigned)log->lines[seen->op], kinds[seen->kind], seen->value, seen->other);
}

/* Runs `text` with an argument and returns what it told; PTOG_OK is expected. */
static struct flow_log flow_of(int64_t n, const char *target)
{
    static float data[16];
    struct flow_log log = {.op_count = 0};
    ptog_program *program = parsed(text);
    struct ptog_binding bindings[] = {{.name = "n", .is_number = true, .number = n},
                                      {.name = "p", .data = {data, sizeof data}, .dtype = PTOG_F32}};
    struct ptog_progress progress = {.flow = log_flow, .user = &log};
    struct ptog_execution how = {
        .target = ptog_target_find(target), .bindings = bindings, .binding_count = 2, .progress = &progress};
    assert_int_equal(ptog_program_walk(program, list_line, &log), PTOG_OK);
    assert_int_equal(ptog_program_run(program, &how, NULL, NULL), PTOG_OK);
    ptog_program_free(program);
    return log;
}

static void test_steps_with_values(void **state)
{
    (void)state;
    struct flow_log log = flow_of(2, "host");
    assert_string_equal(log.words, "6 compare 0 1\n7 branch 0 0\n6 compare 1 1\n7 branch 1 0\n5 loop 2 0\n"
                                   "12 compare 0 2\n12 compare 1 2\n12 compare 2 2\n11 loop 2 0\n");
    /* three constants, for, two turns of cmpi and if, store_scalar; while, three tests, two bodies; return */
    assert_int_equal(log.ops, 3 + 1 + 2 * 2 + 1 + 1 + 3 * 2 + 2 * 2 + 1);
}

static void test_no_turns(void **state)
{
    (void)state;
    struct flow_log log = flow_of(0, "host");
    assert_string_equal(log.words, "5 loop 0 0\n12 compare 0 0\n11 loop 0 0\n");
}

static void test_machine_tells_the_same(void **state)
{
    (void)state;
    struct flow_log host = flow_of(3, "host"), a5 = flow_of(3, "a5");
    assert_non_null(strstr(a5.words, host.words)); /* runs that look for flags tell, too */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_with_values),
        cmocka_unit_test(test_no_turns),
        cmocka_unit_test(test_machine_tells_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
