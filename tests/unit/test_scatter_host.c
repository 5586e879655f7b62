/* Scatters on host by their loops: the bytes of the reference loop for every policy and any number of threads. Indices
 * come several times, so the last has to win, and floats are added in the order of the indices. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "unit/check.h"

#include <ptog/ptog.h>

#define ROWS 257
#define COLS 48
#define LANES 6000

static float table[ROWS * COLS], expected[ROWS * COLS], source[LANES * COLS];
static int32_t indices[LANES];

static void fill(uint32_t seed, int32_t low, int32_t high)
{
    for (size_t i = 0; i < LANES * COLS; i++)
        source[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) * 1e-3f - 4000;
    for (size_t i = 0; i < LANES; i++)
        indices[i] = low + (int32_t)((seed = seed * 1664525u + 1013904223u) >> 8) % (high - low);
}

static ptog_plan *plan_of(int oob, int atomic, bool elements)
{
    struct ptog_tile src = ptog_tile_vec(PTOG_F32, LANES, COLS), idx = ptog_tile_vec(PTOG_I32, 1, LANES);
    struct ptog_insn insn;
    ptog_plan *plan = NULL;
    if (elements)
        src = ptog_tile_vec(PTOG_F32, 1, LANES);
    ptog_insn_start(&insn, PTOG_MSCATTER);
    ptog_insn_set_tile(&insn, 0, &src);
    insn.of[1].kind = PTOG_IS_VIEW;
    insn.of[1].view = ptog_tensor_2d(PTOG_F32, ROWS, COLS);
    ptog_insn_set_tile(&insn, 2, &idx);
    insn.attr[PTOG_MSCATTER_COALESCE] = elements ? PTOG_ELEM : PTOG_ROW;
    insn.attr[PTOG_MSCATTER_OOB] = oob;
    insn.attr[PTOG_MSCATTER_ATOMIC] = atomic;
    assert_int_equal(ptog_plan_insn(&plan, ptog_target_find("host"), &insn, NULL), PTOG_OK);
    return plan;
}

static enum ptog_status scatter(const ptog_plan *plan, float *to, int threads, bool reference)
{
    struct ptog_run run = {.dst = {to, sizeof table},
                           .src = {source, sizeof source},
                           .idx = {indices, sizeof indices},
                           .threads = threads,
                           .reference = reference};
    for (size_t i = 0; i < ROWS * COLS; i++)
        to[i] = (float)i;
    return ptog_plan_run(plan, &run, NULL);
}

static void compare(int oob, int atomic, bool elements, enum ptog_status wanted)
{
    ptog_plan *plan = plan_of(oob, atomic, elements);
    assert_int_equal(scatter(plan, expected, 1, true), wanted);
    for (int threads = 0; threads < 6; threads++) {
        assert_int_equal(scatter(plan, table, threads, false), wanted);
        assert_memory_equal(table, expected, sizeof table);
    }
    ptog_plan_free(plan);
}

static void the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    for (int elements = 0; elements < 2; elements++)
        for (int atomic = PTOG_SCATTER_NONE; atomic <= PTOG_SCATTER_MIN; atomic++) {
            fill(7, 0, elements ? ROWS * COLS : ROWS);
            compare(PTOG_SCATTER_OOB_UNDEFINED, atomic, elements, PTOG_OK);
            fill(8, 0, 3 * ROWS * (elements ? COLS : 1));
            compare(PTOG_SCATTER_OOB_SKIP, atomic, elements, PTOG_OK);
            compare(PTOG_SCATTER_OOB_CLAMP, atomic, elements, PTOG_OK);
            compare(PTOG_SCATTER_OOB_WRAP, atomic, elements, PTOG_OK);
        }
}

/* What has to be reported is: an index outside, and one below 0. */
static void faults_are_those_of_the_reference(void **state)
{
    (void)state;
    fill(9, 0, ROWS + 1);
    compare(PTOG_SCATTER_OOB_UNDEFINED, PTOG_SCATTER_ADD, false, PTOG_FAULT);
    fill(9, -3, ROWS);
    compare(PTOG_SCATTER_OOB_SKIP, PTOG_SCATTER_ADD, false, PTOG_OK);
    compare(PTOG_SCATTER_OOB_CLAMP, PTOG_SCATTER_ADD, false, PTOG_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_for_any_number_of_threads),
        cmocka_unit_test(faults_are_those_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
