/* unit: how much is simulated for one report. Advice and witnesses of a program with many races are bounded by
 * operations, so that a report takes seconds; the program here has a loop, and a progress function counts its turns in
 * all runs together. */
#include "unit/test_program_tools.h"

#include "repair/tries.h"

#define PAIRS 150 /* of a load and an instruction that races with it, in each turn */
#define TURNS 20
#define OPERATIONS (2 * PAIRS + 2) /* of a turn */

static char text[PAIRS * 400 + 4000];

static void add(const char *line)
{
    assert_true(strlen(text) + strlen(line) < sizeof text);
    strcat(text, line);
}

static const char *racy_loop(void)
{
    text[0] = '\0';
    add("func.func @f(%p: !pto.partition_tensor_view<1x8xf32>) {\n  %a = arith.constant 0 : index\n"
        "  %b = arith.constant 20 : index\n  %c = arith.constant 1 : index\n"
        "  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n  %d = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n"
        "  pto.barrier <PIPE_ALL>\n  scf.for %i = %a to %b step %c {\n");
    for (int i = 0; i < PAIRS; i++)
        add("    pto.tload ins(%p : !pto.partition_tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)\n"
            "    pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) "
            "outs(%d : !pto.tile_buf<vec, 1x8xf32>)\n");
    add("  }\n  return\n}\n");
    return text;
}

static uint64_t count_turn(void *user, uint64_t done, uint64_t most, uint32_t line)
{
    (void)done, (void)most, (void)line;
    ++*(uint64_t *)user;
    return 1;
}

static void a_report_is_bounded(void **state)
{
    float data[8] = {0};
    uint64_t turns = 0;
    struct ptog_progress progress = {.at = count_turn, .user = &turns};
    struct ptog_binding binding = {.name = "p", .data = {data, sizeof data}};
    struct ptog_execution execution = {
        .target = ptog_target_find("a5"), .bindings = &binding, .binding_count = 1, .progress = &progress};
    ptog_program *program = parsed(racy_loop());
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    assert_int_equal(ptog_program_run(program, &execution, diags, NULL), PTOG_FAULT);
    assert_true(ptog_diags_count(diags) > 2 * PAIRS);
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        assert_true(ptog_diags_at(diags, i)->fix_count > 0);
    assert_true(turns > 2 * TURNS); /* something was tried */
    /* the advice, the witnesses, and a run of each that goes over its bound */
    assert_true(turns * OPERATIONS < 2 * PTOG_MOST_TRIED + UINT64_C(4) * TURNS * OPERATIONS);
    ptog_diags_free(diags);
    ptog_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_report_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
