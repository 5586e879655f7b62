/* unit: programs that nobody would write: every one ends with a diagnostic or a result, never with a crash. */
#include "unit/test_program_tools.h"

static void everywhere(const char *text, const char *ids)
{
    const struct ptog_target *target;
    for (size_t i = 0; (target = ptog_target_at(i)) != NULL; i++) {
        char found[1000];
        ptog_diags *diags = ptog_diags_new();
        ptog_program *program = parsed(text);
        ptog_program_check(program, target, diags);
        ids_of(diags, found, sizeof found);
        if (ids && strcmp(found, ids) != 0)
            fail_msg("%s: '%s' instead of '%s' in\n%s", target->name, found, ids, text);
        ptog_program_free(program);
        ptog_diags_free(diags);
    }
}

static void test_huge(void **state)
{
    (void)state;
    everywhere("%a = arith.constant 1000000000000000000 : index\n%o = arith.constant 1 : index\n"
               "%v = pto.make_tensor_view %p, shape = [%a, %a], strides = [%a, %o] : !pto.tensor_view<?x?xf32>\n"
               "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
               "pto.tload ins(%v : !pto.tensor_view<?x?xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)",
               "tensor-size");
    everywhere("%a = arith.constant 4000000000000000000 : index\n"
               "%q = pto.partition_view %v, offsets = [%a, 0], sizes = [8, 8] : !pto.tensor_view<?x8xf32> -> "
               "!pto.partition_tensor_view<8x8xf32>",
               "text-partition");
    everywhere("%q = pto.partition_view %v, offsets = [0, 0], sizes = [8, 8] : "
               "!pto.tensor_view<9223372036854775807x9223372036854775807xf32> -> !pto.partition_tensor_view<8x8xf32>",
               "text-partition");
    everywhere(
        "%t = pto.alloc_tile : !pto.tile_buf<vec, 2251799813685247x32xi8>\n"
        "%s = pto.subview %t[9223372036854775807, 0] sizes [1, 1] : !pto.tile_buf<vec, 2251799813685247x32xi8>",
        "ub-overflow text-subview");
    everywhere("%d = mgather.elem %t, %i : (!pto.memref<9223372036854775807x9223372036854775807xf32>, "
               "!pto.tile<8x8xi32>) -> !pto.tile<8x8xf32>",
               NULL);
    everywhere(
        "%a = arith.constant 9223372036854775807 : i64\n%t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 8x8xf32>",
        NULL);
    everywhere("%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\npto.tassign %t, @tile(0xffffffffffffffff)",
               "text-operand");
}

static void test_negative(void **state)
{
    (void)state;
    everywhere("%q = pto.partition_view %v, offsets = [-1, 0], sizes = [8, 8] : !pto.tensor_view<8x8xf32> -> "
               "!pto.partition_tensor_view<8x8xf32>",
               "text-partition");
    everywhere("%q = pto.partition_view %v, offsets = [0, 0], sizes = [8, -8] : !pto.tensor_view<8x8xf32>",
               "text-partition");
    everywhere("%v = pto.make_tensor_view %p, shape = [-1], strides = [1] : !pto.tensor_view<?xf32>", "text-view");
    everywhere("%v = pto.make_tensor_view %p, shape = [4], strides = [0] : !pto.tensor_view<?xf32>", "text-view");
    everywhere("%v = pto.make_tensor_view %p, shape = [4, 4], strides = [1] : !pto.tensor_view<?x?xf32>", "text-view");
    everywhere("%v = pto.make_tensor_view %p, shape = [4, 4, 1, 1, 1, 1], strides = [1] : !pto.tensor_view<?x?xf32>",
               "text-view");
    everywhere("%v = pto.make_tensor_view %p : !pto.tensor_view<?x?xf32>", "text-view");
    everywhere("%v = pto.make_tensor_view %p, shape = [], strides = [] : !pto.tensor_view<f32>", "text-view");
    everywhere("%t = pto.alloc_tile : !pto.tile_buf<vec, 0x8xf32>", "text-tile-type");
    everywhere("%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, valid=0x8>", "");
    everywhere("%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, fractal=7>", "text-tile-type");
    everywhere("%t = pto.alloc_tile : !pto.tile_buf<vec, ?x8xf32>", "text-tile-type");
}

/* Operations without what they need, in every position. */
static void test_bare(void **state)
{
    static const char *const names[] = {
        "arith.addi",        "arith.constant",       "arith.cmpi",         "arith.select",
        "arith.index_cast",  "pto.make_tensor_view", "pto.partition_view", "pto.alloc_tile",
        "pto.subview",       "pto.set_validshape",   "pto.tassign",        "pto.addptr",
        "pto.get_block_idx", "pto.load_scalar",      "pto.store_scalar",   "pto.tload",
        "pto.tstore",        "pto.mgather",          "pto.tgather",        "pto.set_flag",
        "pto.barrier",       "pto.record_event",     "scf.yield",          "return",
        "func.call"};
    static const char *const tails[] = {"",
                                        " %a",
                                        " %a, %a",
                                        " %a, %a, %a",
                                        " %a[%a]",
                                        " 1, 2",
                                        " %a : index",
                                        " %a, %a : f32, !pto.ptr<f32>",
                                        " : !pto.tile_buf<vec, 8x8xf32>",
                                        " %a : !pto.tile<...> -> !pto.tile<...>"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (size_t k = 0; k < COUNT_OF(tails); k++)
            for (int results = 0; results < 3; results++) {
                static const char *const starts[] = {"", "%r = ", "%r, %s = "};
                char text[200];
                ptog_program *program;
                int n = snprintf(text, sizeof text, "%s%s%s\n", starts[results], names[i], tails[k]);
                if (ptog_program_parse(&program, "t", text, (size_t)n, NULL) != PTOG_OK)
                    continue;
                ptog_program_free(program);
                everywhere(text, NULL);
                struct run_of run = run_text(text, (struct ptog_execution){.max_steps = 10});
                run_done(&run);
            }
}

/* A program of %in, %out and %b copies its 8x8 input, whatever %b is. */
static void expect_copy(const char *text)
{
    float in[64], out[64];
    for (int b = 0; b < 2; b++) {
        struct ptog_binding bindings[] = {BIND_F32("in", in, 8, 8), BIND_F32("out", out, 8, 8), BIND_NUMBER("b", b)};
        for (int i = 0; i < 64; i++) {
            in[i] = (float)i;
            out[i] = 0;
        }
        struct run_of run = run_text(text, (struct ptog_execution){.bindings = bindings, .binding_count = 3});
        assert_string_equal(run.ids, "");
        assert_memory_equal(in, out, sizeof in);
        run_done(&run);
    }
}

/* A tile that only one branch rebinds keeps its own place in the other. */
static void test_rebound_in_a_branch(void **state)
{
    static const char text[] =
        "func.func @f(%in: !pto.tensor_view<8x8xf32>, %out: !pto.tensor_view<8x8xf32>, %b: i1) {\n"
        "  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
        "  scf.if %b {\n    pto.tassign %t, @tile(0x1000)\n  }\n"
        "  pto.tload ins(%in : !pto.tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)\n"
        "  pto.tstore ins(%t : !pto.tile_buf<vec, 8x8xf32>) outs(%out : !pto.tensor_view<8x8xf32>)\n  return\n}";
    (void)state;
    expect_copy(text);
}

/* Tiles handed on by branches, loops and select keep their places. */
static void test_handed_on(void **state)
{
#define T "!pto.tile_buf<vec, 8x8xf32>"
    static const char text[] =
        "func.func @f(%in: !pto.tensor_view<8x8xf32>, %out: !pto.tensor_view<8x8xf32>, %b: i1) {\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c3 = arith.constant 3 : index\n"
        "  %x = pto.alloc_tile : " T "\n  %y = pto.alloc_tile : " T "\n"
        "  %t = scf.if %b -> (" T ") {\n    scf.yield %x : " T "\n  } else {\n    scf.yield %y : " T "\n  }\n"
        "  %p:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %t, %w = %y) -> (" T ", " T ") {\n"
        "    scf.yield %w, %u : " T ", " T "\n  }\n"
        "  %q = arith.select %b, %p#0, %p#1 : " T "\n"
        "  pto.tload ins(%in : !pto.tensor_view<8x8xf32>) outs(%q : " T ")\n"
        "  pto.tstore ins(%q : " T ") outs(%out : !pto.tensor_view<8x8xf32>)\n  return\n}";
    (void)state;
    expect_copy(text);
}

static void test_endless(void **state)
{
    (void)state;
    struct run_of run =
        run_text("func.func @f() {\n  return\n}", (struct ptog_execution){.blocks = INT64_MAX, .max_steps = 100});
    assert_string_equal(run.ids, "limit-steps");
    run_done(&run);
    run = run_text("func.func @f() {\n  return\n}", (struct ptog_execution){.blocks = -1});
    assert_int_equal(run.status, PTOG_BAD_ARGUMENT);
    run_done(&run);
}

struct told {
    int times;
    uint64_t last, most;
    uint32_t line;
};

static uint64_t take_progress(void *user, uint64_t done, uint64_t most, uint32_t line)
{
    struct told *told = user;
    assert_true(told->times == 0 || done >= told->last + 1000);
    *told = (struct told){told->times + 1, done, most, line};
    return 1000;
}

/* A loop of 5000 turns of two operations, told every thousand; the limit without a word about it is ten million. */
static void test_progress(void **state)
{
    struct told told = {0};
    struct ptog_progress progress = {.at = take_progress, .user = &told};
    (void)state;
    struct run_of run = run_text("%a = arith.constant 0 : index\n%b = arith.constant 5000 : index\n"
                                 "%c = arith.constant 1 : index\n"
                                 "scf.for %i = %a to %b step %c {\n  %x = arith.addi %i, %c : index\n}",
                                 (struct ptog_execution){.progress = &progress});
    assert_int_equal(run.status, PTOG_OK);
    assert_in_range(told.times, 9, 11);
    assert_int_equal(told.most, 10000000);
    assert_int_equal(told.line, 4);
    run_done(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_huge),     cmocka_unit_test(test_negative),
        cmocka_unit_test(test_bare),     cmocka_unit_test(test_rebound_in_a_branch),
        cmocka_unit_test(test_endless),  cmocka_unit_test(test_handed_on),
        cmocka_unit_test(test_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
