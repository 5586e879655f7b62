/* Matrix products on host: the kernel of every instruction set against the obvious loop, bit by bit, with every buffer at a
 * page nobody may touch; and every f16 on its way through a plan. */
#include "unit/check.h"

#include <math.h>
#include <string.h>

#include <ptog/ptog.h>

#include "kernel/product/product.h"
#include "model/dtype.h"
#include "unit/guard.h"

#define PANEL PTOG_PRODUCT_PANEL
#define MAX_ROWS 21
#define MAX_DEPTH 70
#define MAX_PITCH 24

static uint64_t below(uint64_t *state, uint64_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % limit;
}

/* An f32: the product of two of them is exact in f64, fused or not. */
static double random_number(uint64_t *state)
{
    float mantissa = (float)below(state, 1 << 24) - (float)(1 << 23);
    return (double)ldexpf(mantissa, (int)below(state, 40) - 40);
}

static void try_kernel(ptog_product_fn *kernel, const char *name)
{
    struct guard guards[3];
    for (int i = 0; i < 3; i++)
        guards[i] = guard_new(MAX_DEPTH * MAX_PITCH * sizeof(double) * 2);
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t state = seed;
        int64_t rows = 1 + (int64_t)below(&state, MAX_ROWS), depth = (int64_t)below(&state, MAX_DEPTH + 1);
        int64_t pitch = PANEL + (int64_t)below(&state, MAX_PITCH - PANEL + 1);
        size_t sum_bytes = (size_t)((rows - 1) * pitch + PANEL) * sizeof(double);
        bool at_end = below(&state, 2) == 0;
        double expected[MAX_ROWS * MAX_PITCH];
        double *sums = (double *)(void *)guard_place(&guards[0], sum_bytes, at_end);
        double *left = (double *)(void *)guard_place(&guards[1], (size_t)(rows * depth) * sizeof(double), at_end);
        double *panel = (double *)(void *)guard_place(&guards[2], (size_t)(depth * PANEL) * sizeof(double), at_end);
        for (size_t i = 0; i < sum_bytes / sizeof(double); i++)
            expected[i] = sums[i] = random_number(&state);
        for (int64_t i = 0; i < rows * depth; i++)
            left[i] = random_number(&state);
        for (int64_t i = 0; i < depth * PANEL; i++)
            panel[i] = random_number(&state);
        for (int64_t r = 0; r < rows; r++)
            for (int64_t k = 0; k < depth; k++)
                for (int64_t c = 0; c < PANEL; c++)
                    expected[r * pitch + c] += left[r * depth + k] * panel[k * PANEL + c];
        kernel(sums, pitch, left, rows, depth, panel);
        if (memcmp(sums, expected, sum_bytes) != 0)
            fail_msg("%s: %d rows, depth %d, pitch %d, seed %llu", name, (int)rows, (int)depth, (int)pitch,
                     (unsigned long long)seed);
    }
    for (int i = 0; i < 3; i++)
        guard_free(&guards[i]);
}

static void every_kernel_adds_as_the_loop_does(void **state)
{
    (void)state;
    try_kernel(ptog_product_plain, "plain");
    if (ptog_product_avx2 && ptog_isa_runs(PTOG_ISA_AVX2))
        try_kernel(ptog_product_avx2, "avx2");
    if (ptog_product_avx512 && ptog_isa_runs(PTOG_ISA_AVX512))
        try_kernel(ptog_product_avx512, "avx512");
}

/* A column of 16 halves times 1, for all halves: the numbers that they are. */
static void every_half_is_read_right(void **state)
{
    struct ptog_tile tiles[3] = {ptog_tile_valid(ptog_tile_cube(PTOG_ACC, PTOG_F32, 16, 16), 16, 1),
                                 ptog_tile_valid(ptog_tile_cube(PTOG_LEFT, PTOG_F16, 16, 16), 16, 1),
                                 ptog_tile_valid(ptog_tile_cube(PTOG_RIGHT, PTOG_F16, 16, 16), 1, 1)};
    static uint16_t left[256], right[256];
    static float sums[256];
    struct ptog_insn insn;
    ptog_plan *plan = NULL;
    (void)state;
    ptog_insn_tiles(&insn, ptog_opcode_find("tmatmul"), tiles, 3);
    assert_int_equal(ptog_plan_insn(&plan, ptog_target_find("host"), &insn, NULL), PTOG_OK);
    right[ptog_tile_offset(&tiles[2], 0, 0)] = 0x3c00;
    for (unsigned first = 0; first < 65536; first += 16) {
        struct ptog_run run = {
            .dst = {sums, sizeof sums}, .src = {left, sizeof left}, .src1 = {right, sizeof right}};
        for (unsigned i = 0; i < 16; i++)
            left[ptog_tile_offset(&tiles[1], i, 0)] = (uint16_t)(first + i);
        assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_OK);
        for (unsigned i = 0; i < 16; i++) {
            float is = sums[ptog_tile_offset(&tiles[0], i, 0)], wanted = ptog_dtype_to_float(PTOG_F16, first + i);
            assert_true(is == wanted || (isnan(is) && isnan(wanted)));
        }
    }
    ptog_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_adds_as_the_loop_does),
        cmocka_unit_test(every_half_is_read_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
