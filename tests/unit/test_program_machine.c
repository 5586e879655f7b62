/* unit: programs on the machine: figures, the map of UB, a deadlock, options, and running out of memory. */
#include "unit/test_program_tools.h"

#define COPY(after_load)                                                                                               \
    "func.func @f(%t: !pto.partition_tensor_view<4x8xf32>, %o: !pto.partition_tensor_view<4x8xf32>) {\n"               \
    "  %d = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n"                                                            \
    "  pto.tload ins(%t : !pto.partition_tensor_view<4x8xf32>) outs(%d : !pto.tile_buf<vec, 4x8xf32>)\n" after_load    \
    "  pto.tstore ins(%d : !pto.tile_buf<vec, 4x8xf32>) outs(%o : !pto.partition_tensor_view<4x8xf32>)\n"              \
    "  return\n}\n"
#define SET "  pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]\n"
#define WAIT "  pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]\n"

static float t[32], o[32];

static struct run_of copied(const char *text, struct ptog_execution execution)
{
    static const struct ptog_binding bindings[] = {BIND_F32("t", t, 4, 8), BIND_F32("o", o, 4, 8)};
    for (int i = 0; i < 32; i++) {
        t[i] = (float)i;
        o[i] = -1;
    }
    execution.bindings = bindings;
    execution.binding_count = 2;
    return run_text(text, execution);
}

static void test_figures(void **state)
{
    static const char *const targets[] = {"a2a3", "a5", "a5-custom"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct ptog_stats stats;
        struct ptog_ub_entry entry;
        struct run_of run = copied(COPY(SET WAIT), (struct ptog_execution){.target = ptog_target_find(targets[i])});
        assert_int_equal(run.status, PTOG_OK);
        assert_string_equal(run.ids, "");
        assert_memory_equal(t, o, sizeof t);
        assert_int_equal(ptog_result_stats(run.result, &stats), PTOG_OK);
        assert_int_equal(stats.gm_read_bytes, sizeof t);
        assert_int_equal(stats.gm_write_bytes, sizeof t);
        assert_int_equal(stats.sets, 1);
        assert_true(stats.cycles > 0);
        assert_true(ptog_result_ub_at(run.result, 0, &entry));
        assert_int_equal(entry.bytes, sizeof t);
        assert_int_equal(entry.first.line, 3);
        assert_int_equal(entry.last.line, 6);
        assert_false(ptog_result_ub_at(run.result, 1, &entry));
        run_done(&run);
    }
}

static void test_no_machine(void **state)
{
    struct ptog_stats stats;
    struct ptog_ub_entry entry;
    struct run_of run = copied(COPY(""), (struct ptog_execution){.target = ptog_target_find("host")});
    (void)state;
    assert_int_equal(run.status, PTOG_OK);
    assert_int_equal(ptog_result_stats(run.result, &stats), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_result_stats(NULL, &stats), PTOG_BAD_ARGUMENT);
    assert_false(ptog_result_ub_at(run.result, 0, &entry));
    run_done(&run);
}

/* Without flags each instruction waits; with a flag of its own a program has what it says, and no more. */
static void test_order(void **state)
{
    static const struct {
        const char *text, *ids;
        enum ptog_status status;
    } cases[] = {
        {COPY(""), "run-auto", PTOG_OK},
        {COPY("  pto.barrier <PIPE_ALL>\n"), "", PTOG_OK},
        {COPY("  pto.barrier <PIPE_MTE2>\n"), "race-raw", PTOG_FAULT},
        {COPY(SET WAIT), "", PTOG_OK},
        {COPY(SET WAIT SET), "flag-double-set flag-left-set", PTOG_FAULT},
        {COPY(WAIT), "flag-never-set", PTOG_FAULT},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int schedule = PTOG_SCHEDULE_COST; schedule <= PTOG_SCHEDULE_RANDOM; schedule++) {
            struct run_of run = copied(cases[i].text, (struct ptog_execution){.target = ptog_target_find("a2a3"),
                                                                              .schedule = (enum ptog_schedule)schedule,
                                                                              .seed = i});
            assert_string_equal(run.ids, cases[i].ids);
            assert_int_equal(run.status, cases[i].status);
            assert_non_null(run.result);
            run_done(&run);
        }
}

static void test_options(void **state)
{
    struct ptog_execution execution = {.target = ptog_target_find("a2a3"), .schedule = (enum ptog_schedule)9};
    (void)state;
    struct run_of run = copied(COPY(""), execution);
    assert_int_equal(run.status, PTOG_BAD_ARGUMENT);
    assert_null(run.result);
    run_done(&run);
    execution = (struct ptog_execution){.target = ptog_target_find("a2a3"), .no_sanitize = true};
    run = copied(COPY("  pto.barrier <PIPE_MTE2>\n"), execution);
    assert_int_equal(run.status, PTOG_OK);
    assert_string_equal(run.ids, "");
    run_done(&run);
}

/* A program without flags is checked even where checks are off, for its flags come from them. That must not depend on
 * its length: from 300,000 operations on flags are also looked for in the run itself. */
static void test_no_checks(void **state)
{
    static const char *const turns[] = {"10", "150000"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(turns); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "func.func @f(%%t: !pto.partition_tensor_view<4x8xf32>, %%o: !pto.partition_tensor_view<4x8xf32>) {\n"
                 "  %%0 = arith.constant 0 : index\n  %%1 = arith.constant 1 : index\n"
                 "  %%n = arith.constant %s : index\n"
                 "  %%a = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n"
                 "  %%b = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n"
                 "  scf.for %%i = %%0 to %%n step %%1 {\n    pto.tadd ins(%%a, %%a) outs(%%b)\n  }\n"
                 "  pto.tload ins(%%t) outs(%%b)\n  pto.tstore ins(%%a) outs(%%o)\n  return\n}\n",
                 turns[i]);
        struct run_of run =
            copied(text, (struct ptog_execution){.target = ptog_target_find("a2a3"), .no_sanitize = true});
        assert_int_equal(run.status, PTOG_FAULT);
        assert_string_equal(run.ids, "run-auto uninit-read");
        run_done(&run);
    }
}

/* The lines of a fix are statements of the text. */
static void test_fix(void **state)
{
    struct run_of run =
        copied(COPY("  pto.barrier <PIPE_MTE2>\n"), (struct ptog_execution){.target = ptog_target_find("a2a3")});
    const struct ptog_diag *diag = ptog_diags_at(run.diags, 0);
    (void)state;
    assert_int_equal(diag->where.line, 5);
    assert_int_equal(diag->related_count, 1);
    assert_int_equal(diag->related[0].where.line, 3);
    assert_non_null(strstr(fix_of(diag), "after line 3  pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID1>]"));
    assert_non_null(strstr(fix_of(diag), "before line 5  pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID1>]"));
    const struct ptog_fix *set = &diag->fix[0];
    assert_int_equal(set->kind, PTOG_FIX_SET);
    assert_int_equal(set->side, PTOG_FIX_AFTER);
    assert_int_equal(set->where.line, 3);
    assert_int_equal(set->src, PTOG_MTE2);
    assert_int_equal(set->dst, PTOG_MTE3);
    assert_int_equal(set->id, 1);
    run_done(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures), cmocka_unit_test(test_no_machine), cmocka_unit_test(test_order),
        cmocka_unit_test(test_options), cmocka_unit_test(test_no_checks),  cmocka_unit_test(test_fix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
