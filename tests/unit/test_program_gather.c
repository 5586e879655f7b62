/* unit: every instruction through text, in every form, with the bytes it gives. */
#include "unit/test_program_tools.h"

#include "base/pick.h"

static float table[64 * 32];
static int32_t row_index[16];
static int32_t elem_index[8 * 32];

static int setup(void **state)
{
    (void)state;
    for (int i = 0; i < 64 * 32; i++)
        table[i] = (float)i;
    for (int i = 0; i < 16; i++)
        row_index[i] = i * 5 % 70; /* the last ones leave the table */
    for (int i = 0; i < 8 * 32; i++)
        elem_index[i] = i * 37 % 2048;
    return 0;
}

/* Runs with the table and an index bound, and gives %d. */
static void gathers(const char *text, const char *target, struct ptog_binding index, float *d, size_t bytes,
                    const char *ids)
{
    struct ptog_binding bindings[] = {BIND_F32("t", table, 64, 32), index};
    struct run_of run = run_text(
        text, (struct ptog_execution){.target = ptog_target_find(target), .bindings = bindings, .binding_count = 2});
    if (strcmp(run.ids, ids) != 0)
        print_error("%s\n%s\n", ptog_diags_count(run.diags) ? ptog_diags_at(run.diags, 0)->message : "", text);
    assert_string_equal(run.ids, ids);
    assert_int_equal(ptog_result_copy(run.result, "d", d, bytes), PTOG_OK);
    run_done(&run);
}

static void rows(const char *text, const char *target, const char *ids)
{
    float d[16 * 32];
    memset(d, 0, sizeof d);
    gathers(text, target, (struct ptog_binding)BIND_I32("i", row_index, 1, 16), d, sizeof d, ids);
    for (int r = 0; r < 16; r++) {
        int from = row_index[r] < 64 ? row_index[r] : 63;
        assert_memory_equal(d + r * 32, table + from * 32, 32 * sizeof(float));
    }
}

static void test_mgather_row(void **state)
{
    static const char *const texts[] = {
        "%d = mgather.row.clamp %t, %i : (!pto.memref<64x32xf32>, !pto.tile<1x16xi32>) -> !pto.tile<16x32xf32>",
        "%d = mgather.row.clamp %t, %i : !pto.memref<64x32xf32>, !pto.tile<1x16xi32> -> !pto.tile<16x32xf32>",
        "mgather.row.clamp %d, %t, %i : (!pto.tile<16x32xf32>, !pto.memref<64x32xf32>, !pto.tile<1x16xi32>)",
        "%d = pto.mgather %t, %i {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>} : "
        "(!pto.partition_tensor_view<64x32xf32>, pto.tile<1x16xi32>) -> !pto.tile<vec, f32, 16, 32, row_major, none_box, "
        "512, null>",
        "pto.mgather ins(%t, %i : !pto.partition_tensor_view<64x32xf32>, !pto.tile_buf<vec, 1x16xi32>) outs(%d : "
        "!pto.tile_buf<vec, 16x32xf32>) {coalesce = #pto<coalesce row>, gatherOob = #pto.gather_oob<clamp>}",
        "\"pto.mgather\"(%t, %i, %d) {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>} : "
        "(!pto.partition_tensor_view<64x32xf32>, !pto.tile_buf<vec, 1x16xi32>, !pto.tile_buf<vec, 16x32xf32>) -> ()",
        "%d = mgather.row.clamp %t, %i : (!pto.memref<...>, !pto.tile<1xNxi32>) -> !pto.tile<NxMxT>",
        "%d = mgather.row.clamp %t, %i",
        "mgather.row.clamp %d, %t, %i : (!pto.tile<RxCxT>, !pto.memref<...>, !pto.tile<1xRxi32>)",
        "mgather.row.clamp %d, %t, %i : (!pto.tile<...>, !pto.memref<RxCxdtype>, !pto.tile<...>)",
        "func.func @f(%t: !pto.tensor_view<?x?xf32>, %i: !pto.tile_buf<vec, 1x16xi32>) {\n"
        "  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>\n  pto.section.vector {\n"
        "  pto.mgather ins(%t, %i : !pto.tensor_view<?x?xf32>, !pto.tile_buf<vec, 1x16xi32>) outs(%d : "
        "!pto.tile_buf<vec, 16x32xf32>) {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>}\n  }\n"
        "  return\n}",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        rows(texts[i], "host", "");
        rows(texts[i], "a2a3", "");
        rows(texts[i], "a5", "");
    }
}

static void test_mgather_elem(void **state)
{
    static const char *const texts[] = {
        "%d = mgather.elem %t, %i : (!pto.memref<64x32xf32>, !pto.tile<8x32xi32>) -> !pto.tile<8x32xf32>",
        "%d = mgather %t, %i : !pto.memref<...>, !pto.tile<...> -> !pto.tile<...>",
        "%d = pto.mgather %t, %i : (!pto.partition_tensor_view<MxNxdtype>, pto.tile<...>)\n-> !pto.tile<loc, dtype, rows, cols, blayout, slayout, fractal, pad>",
        "mgather.elem %d, %t, %i : (!pto.tile<RxCxT>, !pto.memref<...>, !pto.tile<RxCxi32>)",
    };
    static const char *const targets[] = {"host", "cpu", "a2a3", "a5"};
    float d[8 * 32];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t k = 0; k < COUNT_OF(targets); k++) {
            bool says = strstr(texts[i], "mgather.elem") || ptog_target_find(targets[k])->ub_bytes == 0;
            gathers(texts[i], targets[k], (struct ptog_binding)BIND_I32("i", elem_index, 8, 32), d, sizeof d,
                    ptog_when(!says, "text-no-coalesce"));
            for (int n = 0; n < 8 * 32; n++)
                assert_true(d[n] == table[elem_index[n]]);
        }
    gathers("pto.mgather ins(%t, %i : !pto.partition_tensor_view<MxNxdtype>, !pto.tile_buf<...>) outs(%d : "
            "!pto.tile_buf<...>)",
            "host", (struct ptog_binding)BIND_I32("i", elem_index, 8, 32), d, sizeof d, "text-no-coalesce");
}

/* ---- tgather: free tiles, bound */

static void test_tgather_index(void **state)
{
    static const char *const texts[] = {
        "%d = tgather %t, %i : !pto.tile<16x16xf32> -> !pto.tile<8x32xf32>",
        "%d = pto.tgather %t, %i : (!pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>",
        "pto.tgather ins(%t, %i : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 8x32xi32>) outs(%d : "
        "!pto.tile_buf<vec, 8x32xf32>)",
        "%x = pto.alloc_tile : !pto.tile_buf<vec, 8x32xi32>\n"
        "pto.tgather ins(%t, %i, %x : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 8x32xi32>, !pto.tile_buf<vec, "
        "8x32xi32>) outs(%d : !pto.tile_buf<vec, 8x32xf32>)",
    };
    float d[8 * 32];
    int32_t index[8 * 32];
    (void)state;
    for (int i = 0; i < 8 * 32; i++)
        index[i] = elem_index[i] % 256;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct ptog_binding bindings[] = {
            {.name = "t", .data = {table, 16 * 16 * 4}, .dtype = PTOG_F32, .rank = 2, .shape = {16, 16}},
            BIND_I32("i", index, 8, 32)};
        struct run_of run = run_text(texts[i], (struct ptog_execution){.bindings = bindings, .binding_count = 2});
        assert_string_equal(run.ids, "");
        assert_int_equal(ptog_result_copy(run.result, "d", d, sizeof d), PTOG_OK);
        for (int n = 0; n < 8 * 32; n++)
            assert_true(d[n] == table[index[n]]);
        run_done(&run);
    }
}

static void masks(const char *text, int first, int step, size_t rows_kept)
{
    float d[16 * 16];
    struct ptog_binding binding = {
        .name = "t", .data = {table, 16 * 32 * 4}, .dtype = PTOG_F32, .rank = 2, .shape = {16, 32}};
    struct run_of run = run_text(text, (struct ptog_execution){.bindings = &binding, .binding_count = 1});
    assert_string_equal(run.ids, "");
    assert_int_equal(ptog_result_copy(run.result, "d", d, sizeof d), PTOG_OK);
    for (size_t r = 0; r < rows_kept; r++)
        for (int c = 0; c < 16; c++)
            assert_true(d[r * 16 + (size_t)c] == table[r * 32 + (size_t)(first + c * step)]);
    run_done(&run);
}

static void test_tgather_mask(void **state)
{
    (void)state;
    masks("%d = tgather %t {maskPattern = #pto.mask_pattern<P0101>} : !pto.tile<16x32xf32> -> !pto.tile<16x16xf32>", 0,
          2, 16);
    masks("%d = pto.tgather %t {maskPattern = #pto.mask_pattern<P1010>}: !pto.tile<...> -> !pto.tile<...>", 1, 2, 16);
    masks("pto.tgather ins(%t, {maskPattern = #pto.mask_pattern<P0101>} : !pto.tile_buf<vec, 16x32xf32>) outs(%d : "
          "!pto.tile_buf<vec, 16x16xf32>)",
          0, 2, 16);
    masks("pto.tgather ins(%t, {maskPattern = #pto.mask_pattern<P1010>} : !pto.tile_buf<vec, 16x32xf32>, \"row\") "
          "outs(%d : !pto.tile_buf<vec, 16x16xf32>)",
          1, 2, 16);
    check_gives("pto.tgather ins(%t, {maskPattern = #pto.mask_pattern<P1010>} : !pto.tile_buf<vec, 16x32xf32>, \"up\") "
                "outs(%d : !pto.tile_buf<vec, 16x16xf32>)",
                "host", "text-attribute");
    check_gives("pto.tgather ins(%t, %t, {maskPattern = #pto.mask_pattern<P1010>} : !pto.tile_buf<vec, 16x32xf32>, "
                "!pto.tile_buf<vec, 16x32xf32>) outs(%d : !pto.tile_buf<vec, 16x16xf32>)",
                "host", "text-operands");
}

static void test_tgather_compare(void **state)
{
    static const char text[] =
        "%k = arith.constant 28.0 : f32\n"
        "pto.tgather ins(%t, %k : !pto.tile_buf<vec, 2x32xf32>, f32) outs(%d, %n : !pto.tile_buf<vec, 2x32xi32>, "
        "!pto.tile_buf<vec, 1x8xi32, valid=1x2>) {cmpMode = #pto<cmp gt>, offset = 7 : i32}";
    int32_t d[64], n[2];
    struct ptog_binding binding = {
        .name = "t", .data = {table, 2 * 32 * 4}, .dtype = PTOG_F32, .rank = 2, .shape = {2, 32}};
    (void)state;
    struct run_of run = run_text(text, (struct ptog_execution){.bindings = &binding, .binding_count = 1});
    assert_string_equal(run.ids, "");
    assert_int_equal(ptog_result_copy(run.result, "n", n, sizeof n), PTOG_OK);
    assert_int_equal(ptog_result_copy(run.result, "d", d, sizeof d), PTOG_OK);
    assert_int_equal(n[0], 3);
    assert_int_equal(n[1], 32);
    assert_int_equal(d[0], 7 + 29);
    assert_int_equal(d[2], 7 + 31);
    assert_int_equal(d[32], 7 + 32);
    run_done(&run);
}

/* One value of k per row, from a tile; rows by number along axis col. */
static void test_tgather_more(void **state)
{
    static const char compare[] =
        "pto.tgather ins(%t, %k : !pto.tile_buf<vec, 2x32xf32>, !pto.tile_buf<vec, 1x8xf32, valid=1x2>) outs(%d, %n : "
        "!pto.tile_buf<vec, 2x32xi32>, !pto.tile_buf<vec, 1x8xi32, valid=1x2>) {cmpMode = #pto<cmp eq>, offset = 0 : i32}";
    static const char column[] = "%d = pto.tgather %t {maskPattern = #pto.mask_pattern<P0100>} : (!pto.tile<8x8xf32>, "
                                 "\"col\") -> !pto.tile<2x8xf32>";
    int32_t d[64], n[2];
    float k[2] = {5, 40}, rows_kept[16];
    struct ptog_binding bindings[] = {
        {.name = "t", .data = {table, 2 * 32 * 4}, .dtype = PTOG_F32, .rank = 2, .shape = {2, 32}},
        BIND_F32("k", k, 1, 2)};
    struct ptog_binding source = {.name = "t", .data = {table, 64 * 4}, .dtype = PTOG_F32, .rank = 2, .shape = {8, 8}};
    (void)state;
    struct run_of run = run_text(compare, (struct ptog_execution){.bindings = bindings, .binding_count = 2});
    assert_string_equal(run.ids, "");
    assert_int_equal(ptog_result_copy(run.result, "n", n, sizeof n), PTOG_OK);
    assert_int_equal(ptog_result_copy(run.result, "d", d, sizeof d), PTOG_OK);
    assert_true(n[0] == 1 && n[1] == 1 && d[0] == 5 && d[32] == 40);
    run_done(&run);
    run = run_text(column, (struct ptog_execution){.bindings = &source, .binding_count = 1});
    assert_string_equal(run.ids, "");
    assert_int_equal(ptog_result_copy(run.result, "d", rows_kept, sizeof rows_kept), PTOG_OK);
    assert_true(rows_kept[0] == 16 && rows_kept[8] == 48);
    run_done(&run);
}

/* A memref may have strides, and must lie in global memory. */
static void test_memref(void **state)
{
    static const char strided[] = "%d = mgather.row.clamp %t, %i : (memref<32x32xf32, strided<[64, 1]>, "
                                  "#pto.address_space<gm>>, !pto.tile<1x16xi32>) -> !pto.tile<16x32xf32>";
    float d[16 * 32];
    (void)state;
    gathers(strided, "host", (struct ptog_binding)BIND_I32("i", row_index, 1, 16), d, sizeof d, "");
    for (int r = 0; r < 16; r++) {
        int from = row_index[r] < 32 ? row_index[r] : 31;
        assert_memory_equal(d + r * 32, table + from * 64, 32 * sizeof(float));
    }
    check_gives("%d = mgather.row %t, %i : (memref<32x32xf32, #pto.address_space<vec>>, !pto.tile<1x16xi32>) -> "
                "!pto.tile<16x32xf32>",
                "host", "text-operand");
}

static void test_verify_is_lifted(void **state)
{
    static const char text[] =
        "pto.mgather ins(%t, %i : !pto.partition_tensor_view<64x32xf32>, !pto.tile_buf<vec, 1x16xi32>)\n"
        "  outs(%d : !pto.tile_buf<vec, 16x32xf16>) {coalesce = #pto<coalesce row>}";
    (void)state;
    check_says(text, "a2a3", 1, 17, "%t has element type f32, but %d has f16");
    check_gives(
        "%d = tgather %t {maskPattern = #pto.mask_pattern<P0101>} : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>", "cpu",
        "tile-overrun");
    check_gives("pto.tgather ins(%t, %i : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 8x32xi32>) outs(%d : "
                "!pto.tile_buf<vec, 8x32xf32>)",
                "a2a3", "tgather-tmp-absent");
    check_gives("pto.trandom ins(%a : !pto.tile_buf<vec, 1x8xf32>) outs(%b : !pto.tile_buf<vec, 1x8xf32>)", "a2a3",
                "text-not-modelled");
    check_gives(
        "pto.tgather ins(%t, %i, %i : !pto.tile_buf<mat, 8x32xf32>, !pto.tile_buf<vec, 8x32xi32>, !pto.tile_buf<vec, "
        "8x32xi32>) outs(%d : !pto.tile_buf<vec, 8x32xf32>)",
        "a2a3", "tile-loc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mgather_row),     cmocka_unit_test(test_mgather_elem),
        cmocka_unit_test(test_tgather_index),   cmocka_unit_test(test_tgather_mask),
        cmocka_unit_test(test_tgather_compare), cmocka_unit_test(test_verify_is_lifted),
        cmocka_unit_test(test_tgather_more),    cmocka_unit_test(test_memref),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
