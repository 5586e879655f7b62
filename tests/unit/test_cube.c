/* unit: the cube core in C: where elements of its tiles lie, products on every target, races between its pipes, flags
 * that automatic mode puts in, and what it refuses. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "unit/check.h"

#include <stdio.h>

#include "model/cube/memories.h"

static int64_t offset_on(const char *target, enum ptog_loc loc, enum ptog_dtype dtype, int64_t rows, int64_t cols,
                         int64_t r, int64_t c)
{
    struct ptog_tile tile = ptog_tile_cube(loc, dtype, rows, cols);
    ptog_tile_settle(ptog_target_find(target), &tile);
    return ptog_tile_offset(&tile, r, c);
}

static void elements_lie_in_boxes(void **state)
{
    (void)state;
    assert_int_equal(offset_on("a2a3", PTOG_MAT, PTOG_F16, 48, 64, 17, 18), 1042);
    assert_int_equal(offset_on("a2a3", PTOG_MAT, PTOG_F32, 48, 64, 17, 18), 906);
    assert_int_equal(offset_on("a2a3", PTOG_MAT, PTOG_I8, 48, 64, 17, 40), 2088);
    assert_int_equal(offset_on("a2a3", PTOG_LEFT, PTOG_F16, 48, 64, 17, 18), 1298);
    assert_int_equal(offset_on("a5", PTOG_LEFT, PTOG_F16, 48, 64, 17, 18), 1042);
    assert_int_equal(offset_on("a2a3", PTOG_RIGHT, PTOG_F16, 64, 48, 17, 18), 1057);
    assert_int_equal(offset_on("a2a3", PTOG_RIGHT, PTOG_F32, 64, 48, 17, 18), 913);
    assert_int_equal(offset_on("a2a3", PTOG_RIGHT, PTOG_I8, 64, 48, 40, 18), 2120);
    assert_int_equal(offset_on("a2a3", PTOG_ACC, PTOG_F32, 48, 64, 17, 18), 1042);
}

/* NZ of [R,C] and ZN of [C,R] have element (r,c) and (c,r) at one place. */
static void zn_is_nz_transposed(void **state)
{
    struct ptog_tile nz = ptog_tile_cube(PTOG_MAT, PTOG_F16, 32, 48);
    struct ptog_tile zn = ptog_tile_zn(ptog_tile_cube(PTOG_MAT, PTOG_F16, 48, 32));
    (void)state;
    for (int64_t r = 0; r < 32; r++)
        for (int64_t c = 0; c < 48; c++)
            assert_int_equal(ptog_tile_offset(&nz, r, c), ptog_tile_offset(&zn, c, r));
}

static void compact_tiles_have_no_gaps(void **state)
{
    struct ptog_tile left = ptog_tile_valid(ptog_tile_cube(PTOG_LEFT, PTOG_F16, 64, 64), 16, 20);
    struct ptog_tile acc = ptog_tile_valid(ptog_tile_cube(PTOG_ACC, PTOG_F32, 64, 32), 16, 32);
    (void)state;
    left.compact = acc.compact = true;
    assert_int_equal(ptog_tile_offset(&left, 16, 0), 2 * 256); /* a row of boxes is 32 columns wide */
    assert_int_equal(ptog_tile_offset(&acc, 0, 16), 256);
    acc.compact = false;
    assert_int_equal(ptog_tile_offset(&acc, 0, 16), 1024);
}

/* ---- a kernel: out = a x b, added to what is there or to a bias */

struct cube {
    ptog_device *device;
    ptog_core *core;
    int a, b, out;
    struct ptog_tile mat_a, mat_b, left, right, acc;
};

static struct cube cube_open(const char *target, enum ptog_dtype in, enum ptog_dtype sum, const void *a, const void *b,
                             void *out, int64_t m, int64_t k, int64_t n, bool automatic)
{
    struct cube cube = {0};
    struct ptog_device_options options = {.cube = true, .automatic = automatic};
    size_t size = ptog_dtype_size(in);
    assert_int_equal(ptog_device_open(&cube.device, ptog_target_find(target), &options), PTOG_OK);
    cube.a = ptog_device_input(cube.device, "a", a, (size_t)(m * k) * size);
    cube.b = ptog_device_input(cube.device, "b", b, (size_t)(k * n) * size);
    cube.out = ptog_device_buffer(cube.device, "out", out, (size_t)(m * n) * ptog_dtype_size(sum));
    assert_int_equal(ptog_core_open(&cube.core, cube.device, 0), PTOG_OK);
    cube.mat_a = ptog_tile_at(ptog_tile_valid(ptog_tile_cube(PTOG_MAT, in, 16, 32), m, k), 0);
    cube.mat_b = ptog_tile_at(ptog_tile_valid(ptog_tile_cube(PTOG_MAT, in, 32, 32), k, n), 4096);
    cube.left = ptog_tile_at(ptog_tile_valid(ptog_tile_cube(PTOG_LEFT, in, 16, 32), m, k), 0);
    cube.right = ptog_tile_at(ptog_tile_valid(ptog_tile_cube(PTOG_RIGHT, in, 32, 32), k, n), 0);
    cube.acc = ptog_tile_at(ptog_tile_valid(ptog_tile_cube(PTOG_ACC, sum, 16, 32), m, n), 0);
    return cube;
}

static void order(struct cube *cube, enum ptog_pipe src, enum ptog_pipe dst, bool wanted)
{
    if (!wanted)
        return;
    assert_int_equal(ptog_core_set_flag(cube->core, src, dst, 0), PTOG_OK);
    assert_int_equal(ptog_core_wait_flag(cube->core, src, dst, 0), PTOG_OK);
}

static void load_both(struct cube *cube)
{
    struct ptog_transfer a = {.tile = cube->mat_a}, b = {.tile = cube->mat_b};
    a.view = ptog_tensor_2d(cube->mat_a.dtype, cube->mat_a.valid_row, cube->mat_a.valid_col);
    b.view = ptog_tensor_2d(cube->mat_b.dtype, cube->mat_b.valid_row, cube->mat_b.valid_col);
    ptog_core_at(cube->core, "k.c", 1);
    assert_int_equal(ptog_core_load(cube->core, &a, cube->a, 0), PTOG_OK);
    ptog_core_at(cube->core, "k.c", 2);
    assert_int_equal(ptog_core_load(cube->core, &b, cube->b, 0), PTOG_OK);
}

static void issue_tiles(struct cube *cube, uint32_t line, enum ptog_opcode opcode, const struct ptog_tile *tiles,
                        size_t count)
{
    struct ptog_insn insn;
    ptog_insn_tiles(&insn, opcode, tiles, count);
    ptog_core_at(cube->core, "k.c", line);
    assert_int_equal(ptog_core_insn(cube->core, &insn, NULL), PTOG_OK);
}

static void move_both(struct cube *cube)
{
    issue_tiles(cube, 3, PTOG_TMOV, (struct ptog_tile[]){cube->left, cube->mat_a}, 2);
    issue_tiles(cube, 4, PTOG_TMOV, (struct ptog_tile[]){cube->right, cube->mat_b}, 2);
}

static void multiply(struct cube *cube, bool adds)
{
    if (adds)
        issue_tiles(cube, 6, PTOG_TMATMUL_ACC, (struct ptog_tile[]){cube->acc, cube->acc, cube->left, cube->right}, 4);
    else
        issue_tiles(cube, 5, PTOG_TMATMUL, (struct ptog_tile[]){cube->acc, cube->left, cube->right}, 3);
}

static void store_as(struct cube *cube, enum ptog_dtype dtype, bool relu)
{
    struct ptog_transfer op = {.tile = cube->acc, .store = true};
    struct ptog_insn insn;
    op.view = ptog_tensor_2d(dtype, cube->acc.valid_row, cube->acc.valid_col);
    ptog_insn_transfer(&insn, &op);
    insn.attr[PTOG_TSTORE_RELU] = relu;
    insn.of[1].buffer = cube->out;
    ptog_core_at(cube->core, "k.c", 7);
    assert_int_equal(ptog_core_insn(cube->core, &insn, NULL), PTOG_OK);
}

/* The ids that the run reports, one after the other. */
static const char *cube_close(struct cube *cube)
{
    static char ids[512];
    ptog_diags *diags = ptog_diags_new();
    ids[0] = '\0';
    ptog_core_close(cube->core);
    assert_int_equal(ptog_device_report(cube->device, diags), PTOG_OK);
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s%s:%u", i ? " " : "", ptog_diags_at(diags, i)->id,
                 ptog_diags_at(diags, i)->where.line);
    ptog_diags_free(diags);
    ptog_device_close(cube->device);
    return ids;
}

/* The flags that are left out, as bits. */
enum { NO_LOAD = 1, NO_MOVE = 2, NO_STORE = 4, NO_FLAGS = 7 };

static const char *run_product(const char *target, enum ptog_dtype in, enum ptog_dtype sum, const void *a,
                               const void *b, void *out, int64_t m, int64_t k, int64_t n, unsigned without, bool automatic)
{
    struct cube cube = cube_open(target, in, sum, a, b, out, m, k, n, automatic);
    load_both(&cube);
    order(&cube, PTOG_MTE2, PTOG_MTE1, !(without & NO_LOAD));
    move_both(&cube);
    order(&cube, PTOG_MTE1, PTOG_M, !(without & NO_MOVE));
    multiply(&cube, false);
    order(&cube, PTOG_M, PTOG_FIX, !(without & NO_STORE));
    store_as(&cube, sum, false);
    return cube_close(&cube);
}

static const char *const all_targets[] = {"host", "cpu", "a2a3", "a5"};
static const uint16_t halves_a[] = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600}; /* 1 2 3, 4 5 6 */
static const uint16_t halves_b[] = {0x3c00, 0, 0, 0x3c00, 0x3c00, 0x3c00};           /* 1 0, 0 1, 1 1 */

static void halves_are_multiplied(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT_OF(all_targets); t++) {
        float out[4] = {0};
        assert_string_equal(run_product(all_targets[t], PTOG_F16, PTOG_F32, halves_a, halves_b, out, 2, 3, 2, 0, false), "");
        assert_true(out[0] == 4 && out[1] == 5 && out[2] == 10 && out[3] == 11);
    }
}

static void bytes_are_multiplied(void **state)
{
    static const int8_t a[] = {-128, 127, 3}, b[] = {-128, 1, 127, -1, 1, -128};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(all_targets); t++) {
        int32_t out[2] = {0};
        assert_string_equal(run_product(all_targets[t], PTOG_I8, PTOG_I32, a, b, out, 1, 3, 2, 0, false), "");
        assert_int_equal(out[0], 32516);
        assert_int_equal(out[1], -639);
    }
}

/* Each step is one fused multiply-add, in ascending k; host rounds once. */
static void additions_are_in_order(void **state)
{
    static const float fused_a[] = {-1, 0x1.000002p0f}, fused_b[] = {0x1.000004p0f, 0x1.000002p0f};
    static const float large[] = {1e8f, 1, -1e8f}, ones[] = {1, 1, 1};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(all_targets); t++) {
        float out;
        run_product(all_targets[t], PTOG_F32, PTOG_F32, fused_a, fused_b, &out, 1, 2, 1, 0, false);
        assert_true(out == 0x1p-46f);
        run_product(all_targets[t], PTOG_F32, PTOG_F32, large, ones, &out, 1, 3, 1, 0, false);
        assert_true(out == (t == 0 ? 1 : 0));
    }
}

/* cpu sums first and adds then; the others start from what is there. */
static void sums_start_where_the_target_starts(void **state)
{
    static const float a[] = {-1e8f, 0}, next[] = {1e8f, 1}, ones[] = {1, 1};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(all_targets); t++) {
        float out;
        struct cube cube = cube_open(all_targets[t], PTOG_F32, PTOG_F32, a, ones, &out, 1, 2, 1, true);
        int more = ptog_device_input(cube.device, "next", next, sizeof next);
        load_both(&cube);
        move_both(&cube);
        multiply(&cube, false);
        cube.a = more;
        load_both(&cube);
        move_both(&cube);
        multiply(&cube, true);
        store_as(&cube, PTOG_F32, false);
        assert_string_equal(cube_close(&cube), "");
        assert_true(out == (t == 1 ? 0 : 1));
    }
}

static void stores_convert(void **state)
{
    static const float a[] = {1}, b[] = {65520, 70000, -3, 2049, 2051};
    static const uint16_t wanted[] = {0x7c00, 0x7c00, 0xc200, 0x6800, 0x6802}; /* inf inf -3 2048 2052 */
    (void)state;
    for (size_t t = 0; t < COUNT_OF(all_targets); t++)
        for (int relu = 0; relu < 2; relu++) {
            uint16_t out[10] = {0};
            struct cube cube = cube_open(all_targets[t], PTOG_F32, PTOG_F32, a, b, out, 1, 1, 5, true);
            load_both(&cube);
            move_both(&cube);
            multiply(&cube, false);
            store_as(&cube, PTOG_F16, relu != 0);
            assert_string_equal(cube_close(&cube), "");
            for (int i = 0; i < 5; i++)
                assert_int_equal(out[i], relu && i == 2 ? 0 : wanted[i]);
        }
}

/* ---- order */

static void missing_flags_are_races(void **state)
{
    static const char *const targets[] = {"a2a3", "a5"};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(targets); t++) {
        float out[4];
        assert_string_equal(run_product(targets[t], PTOG_F16, PTOG_F32, halves_a, halves_b, out, 2, 3, 2, NO_LOAD, false),
                            "race-raw:3 race-raw:4");
        assert_string_equal(run_product(targets[t], PTOG_F16, PTOG_F32, halves_a, halves_b, out, 2, 3, 2, NO_MOVE, false),
                            "race-raw:5 race-raw:5");
        assert_string_equal(run_product(targets[t], PTOG_F16, PTOG_F32, halves_a, halves_b, out, 2, 3, 2, NO_STORE, false),
                            "race-raw:7");
    }
}

static void automatic_flags_are_enough(void **state)
{
    static const char *const targets[] = {"a2a3", "a5"};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(targets); t++) {
        float out[4];
        assert_string_equal(run_product(targets[t], PTOG_F16, PTOG_F32, halves_a, halves_b, out, 2, 3, 2, NO_FLAGS, true), "");
        assert_true(out[0] == 4 && out[1] == 5 && out[2] == 10 && out[3] == 11);
    }
}

/* The next round writes what the last one still reads: L0 on MTE1, the accumulator on M. */
static void next_round_waits(void **state)
{
    float out[4];
    struct cube cube = cube_open("a2a3", PTOG_F16, PTOG_F32, halves_a, halves_b, out, 2, 3, 2, false);
    (void)state;
    load_both(&cube);
    order(&cube, PTOG_MTE2, PTOG_MTE1, true);
    move_both(&cube);
    order(&cube, PTOG_MTE1, PTOG_M, true);
    multiply(&cube, false);
    order(&cube, PTOG_M, PTOG_FIX, true);
    store_as(&cube, PTOG_F32, false);
    ptog_core_at(cube.core, "k.c", 10);
    issue_tiles(&cube, 10, PTOG_TMOV, (struct ptog_tile[]){cube.left, cube.mat_a}, 2);
    order(&cube, PTOG_MTE1, PTOG_M, true);
    issue_tiles(&cube, 11, PTOG_TMATMUL, (struct ptog_tile[]){cube.acc, cube.left, cube.right}, 3);
    const char *ids = cube_close(&cube);
    assert_non_null(strstr(ids, "race-war:10"));
    assert_non_null(strstr(ids, "race-war:11"));
}

/* ---- what is refused, and what is undefined */

static void cores_have_their_instructions(void **state)
{
    float out[4] = {0};
    struct cube cube = cube_open("a2a3", PTOG_F16, PTOG_F32, halves_a, halves_b, out, 2, 3, 2, false);
    struct ptog_transfer load = {.tile = ptog_tile_at(ptog_tile_vec(PTOG_F16, 2, 16), 0),
                                 .view = ptog_tensor_2d(PTOG_F16, 2, 16)};
    (void)state;
    load.tile.valid_col = load.view.shape[4] = 3;
    assert_int_equal(ptog_core_load(cube.core, &load, cube.a, 0), PTOG_ILLEGAL);
    assert_int_equal(ptog_core_set_flag(cube.core, PTOG_V, PTOG_MTE2, 0), PTOG_OK);
    const char *ids = cube_close(&cube);
    assert_non_null(strstr(ids, "wrong-core"));
    assert_non_null(strstr(ids, "flag-bad-pair"));
}

static void tiles_end_in_their_memory(void **state)
{
    float out[4] = {0};
    struct cube cube = cube_open("a2a3", PTOG_F16, PTOG_F32, halves_a, halves_b, out, 2, 3, 2, false);
    struct ptog_transfer load = {.tile = cube.mat_a, .view = ptog_tensor_2d(PTOG_F16, 2, 3)};
    (void)state;
    load.tile.addr = 524288 - 512;
    assert_int_equal(ptog_core_load(cube.core, &load, cube.a, 0), PTOG_ILLEGAL);
    assert_non_null(strstr(cube_close(&cube), "l1-overflow"));
}

/* A load fills whole blocks with zeros and leaves other rows alone; a product reads what k, m and n cover. */
static void padding_is_not_read(void **state)
{
    float out[16 * 16] = {0};
    struct cube cube = cube_open("a2a3", PTOG_F16, PTOG_F32, halves_a, halves_b, out, 2, 3, 2, true);
    (void)state;
    load_both(&cube);
    move_both(&cube);
    cube.left.valid_row = cube.acc.valid_row = 5; /* three more rows than were loaded */
    multiply(&cube, false);
    assert_string_equal(cube_close(&cube), "uninit-read:5");
}

static void other_rows_of_the_sum_are_undefined(void **state)
{
    float out[16 * 16] = {0};
    struct cube cube = cube_open("a2a3", PTOG_F16, PTOG_F32, halves_a, halves_b, out, 2, 3, 2, true);
    (void)state;
    load_both(&cube);
    move_both(&cube);
    multiply(&cube, false);
    cube.out = ptog_device_buffer(cube.device, "more", out, sizeof out);
    cube.acc.valid_row = 3;
    store_as(&cube, PTOG_F32, false);
    assert_string_equal(cube_close(&cube), "pad-read:7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_lie_in_boxes),
        cmocka_unit_test(zn_is_nz_transposed),
        cmocka_unit_test(compact_tiles_have_no_gaps),
        cmocka_unit_test(halves_are_multiplied),
        cmocka_unit_test(bytes_are_multiplied),
        cmocka_unit_test(additions_are_in_order),
        cmocka_unit_test(sums_start_where_the_target_starts),
        cmocka_unit_test(stores_convert),
        cmocka_unit_test(missing_flags_are_races),
        cmocka_unit_test(automatic_flags_are_enough),
        cmocka_unit_test(next_round_waits),
        cmocka_unit_test(cores_have_their_instructions),
        cmocka_unit_test(tiles_end_in_their_memory),
        cmocka_unit_test(padding_is_not_read),
        cmocka_unit_test(other_rows_of_the_sum_are_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
