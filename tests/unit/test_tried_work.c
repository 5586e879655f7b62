/* unit: how much is simulated for one report or repair. Advice, witnesses and repairs are bounded by one count of
 * operations and elements, so that they take seconds; the programs here have a loop, and a progress function counts its
 * turns in all runs together. */
#include "unit/test_program_tools.h"

#include "repair/budget.h"

#define PAIRS 150 /* of a load and an instruction that races with it, in each turn */
#define TURNS 20
#define OPERATIONS (2 * PAIRS + 2) /* of a turn */
#define MAX_RUNS 30                /* for three races: 24 today, 39 when each tries all changes again */

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
    /* the run itself, and what is tried */
    assert_true(turns * OPERATIONS < PTOG_BUDGET + UINT64_C(2) * TURNS * OPERATIONS);
    ptog_diags_free(diags);
    ptog_program_free(program);
}

/* ---- few operations that compute many elements, of a type that is computed element by element */

#define ELEMENTS (64 * 128)
#define COST_OF_TURN (ELEMENTS / 32 + 1)

/* A store that no flag orders after the loop; and, when `races` is more than 1, loads that race with it. */
static const char *heavy_loop(int turns, int races)
{
    char line[160];
    text[0] = '\0';
    add("func.func @f(%p: !pto.partition_tensor_view<64x128xf16>) {\n"
        "  %a = arith.constant 0 : index\n  %c = arith.constant 1 : index\n");
    snprintf(line, sizeof line, "  %%b = arith.constant %d : index\n", turns);
    add(line);
    add("  %t = pto.alloc_tile : !pto.tile_buf<vec, 64x128xf16>\n  %u = pto.alloc_tile : !pto.tile_buf<vec, 64x128xf16>\n"
        "  %r = pto.alloc_tile : !pto.tile_buf<vec, 64x1xf16, blayout=col_major>\n"
        "  pto.tload ins(%p : !pto.partition_tensor_view<64x128xf16>) outs(%t : !pto.tile_buf<vec, 64x128xf16>)\n"
        "  pto.barrier <PIPE_ALL>\n"
        "  pto.trowsum ins(%t, %u : !pto.tile_buf<vec, 64x128xf16>, !pto.tile_buf<vec, 64x128xf16>) "
        "outs(%r : !pto.tile_buf<vec, 64x1xf16, blayout=col_major>)\n"
        "  pto.barrier <PIPE_ALL>\n  scf.for %i = %a to %b step %c {\n"
        "    pto.trowexpand ins(%r : !pto.tile_buf<vec, 64x1xf16, blayout=col_major>) "
        "outs(%t : !pto.tile_buf<vec, 64x128xf16>)\n  }\n");
    for (int i = 0; i < races; i++)
        add("  pto.tstore ins(%t : !pto.tile_buf<vec, 64x128xf16>) outs(%p : !pto.partition_tensor_view<64x128xf16>)\n"
            "  pto.trowexpand ins(%r : !pto.tile_buf<vec, 64x1xf16, blayout=col_major>) "
            "outs(%t : !pto.tile_buf<vec, 64x128xf16>)\n");
    add("  return\n}\n");
    return text;
}

static void drop(void *user, const char *written, size_t length)
{
    (void)written;
    *(size_t *)user += length;
}

/* Runs or repairs it; the turns of all runs. */
static uint64_t turns_of(const char *source, bool repairs, enum ptog_status expected, ptog_diags *diags)
{
    static uint16_t data[ELEMENTS];
    uint64_t turns = 0;
    size_t written = 0;
    struct ptog_progress progress = {.at = count_turn, .user = &turns};
    struct ptog_binding binding = {.name = "p", .data = {data, sizeof data}};
    struct ptog_execution execution = {
        .target = ptog_target_find("a5"), .bindings = &binding, .binding_count = 1, .progress = &progress};
    struct ptog_sink sink = {.write = drop, .user = &written};
    ptog_program *program = parsed(source);
    enum ptog_status status = repairs ? ptog_program_repair(program, &execution, &sink, diags)
                                      : ptog_program_run(program, &execution, diags, NULL);
    assert_int_equal(status, expected);
    assert_int_equal(written > 0, repairs && expected == PTOG_OK);
    ptog_program_free(program);
    return turns;
}

static int races_with_fixes(const ptog_diags *diags)
{
    int count = 0;
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        if (strncmp(ptog_diags_at(diags, i)->id, "race-", 5) == 0) {
            assert_true(ptog_diags_at(diags, i)->fix_count > 0);
            count++;
        }
    return count;
}

/* Many races in a run of which few fit into the budget. */
static void elements_count(void **state)
{
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    uint64_t turns = turns_of(heavy_loop(400, 8), false, PTOG_FAULT, diags);
    assert_true(turns > 2 * 400); /* something was tried */
    assert_true((turns - 400) * COST_OF_TURN < PTOG_BUDGET + UINT64_C(400) * COST_OF_TURN);
    assert_true(races_with_fixes(diags) >= 8);
    ptog_diags_free(diags);
}

/* A run that costs too much to be tried again has the advice of the machine, and three more runs for two witnesses. */
static void long_runs_are_not_tried(void **state)
{
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    assert_true(turns_of(heavy_loop(800, 1), false, PTOG_FAULT, diags) <= 4 * 800);
    assert_int_equal(races_with_fixes(diags), 2);
    ptog_diags_free(diags);
}

static void a_repair_is_bounded(void **state)
{
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    turns_of(heavy_loop(5, 2), true, PTOG_OK, diags);
    uint64_t turns = turns_of(heavy_loop(1000, 2), true, PTOG_ILLEGAL, diags);
    assert_true((turns - 1000) * COST_OF_TURN < PTOG_BUDGET + UINT64_C(1000) * COST_OF_TURN);
    const struct ptog_diag *last = ptog_diags_at(diags, ptog_diags_count(diags) - 1);
    assert_string_equal(last->id, "run-repair");
    assert_string_equal(last->message,
                        "not repaired: no repair was found within the limit of operations and bytes that are tried");
    ptog_diags_free(diags);
}

/* ---- changes that several faults suggest */

/* Loads and instructions that race with them, and between the two a pair of flags in the wrong direction; a loop of one
 * turn comes first. */
static const char *turned_pairs(int count)
{
    char flags[240];
    text[0] = '\0';
    add("func.func @f(%p: !pto.partition_tensor_view<64x128xf16>) {\n"
        "  %a = arith.constant 0 : index\n  %c = arith.constant 1 : index\n"
        "  %t = pto.alloc_tile : !pto.tile_buf<vec, 64x128xf16>\n  %u = pto.alloc_tile : !pto.tile_buf<vec, 64x128xf16>\n"
        "  scf.for %i = %a to %c step %c {\n  }\n");
    for (int id = 1; id <= count; id++) {
        snprintf(flags, sizeof flags,
                 "  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID%d>]\n"
                 "  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID%d>]\n",
                 id, id);
        add("  pto.tload ins(%p : !pto.partition_tensor_view<64x128xf16>) outs(%t : !pto.tile_buf<vec, 64x128xf16>)\n");
        add(flags);
        add("  pto.texp ins(%t : !pto.tile_buf<vec, 64x128xf16>) outs(%u : !pto.tile_buf<vec, 64x128xf16>)\n"
            "  pto.barrier <PIPE_ALL>\n");
    }
    add("  return\n}\n");
    return text;
}

/* The pair between the two accesses of a race is turned round, and no other; what was tried is not tried again. */
static void no_change_is_tried_twice(void **state)
{
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    uint64_t runs = turns_of(turned_pairs(3), false, PTOG_FAULT, diags);
    assert_int_equal(races_with_fixes(diags), 3);
    assert_in_range(runs, 2, MAX_RUNS);
    ptog_diags_free(diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_report_is_bounded), cmocka_unit_test(elements_count),
                                       cmocka_unit_test(long_runs_are_not_tried), cmocka_unit_test(a_repair_is_bounded),
                                       cmocka_unit_test(no_change_is_tried_twice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
