/* host and cpu behind ptog/core.h: instructions do what they mean, at once, and the report knows refusals and lanes. */
#include "machine/kernel.h"

static void embedding(void **state)
{
    static const char *const targets[] = {"host", "a2a3"};
    (void)state;
    for (size_t t = 0; t < 2; t++) {
        struct kernel k = kernel_open(targets[t], NULL);
        struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
        struct ptog_transfer ids = load_ids(), rows = store_rows();
        memset(kernel_out, 0, sizeof kernel_out);
        ptog_core_load(AT(&k, 1), &ids, k.ids, 0);
        flag(&k, 2, PTOG_MTE2, PTOG_V, 1);
        assert_int_equal(ptog_core_mgather(AT(&k, 3), &op, k.table, 0, NULL), PTOG_OK);
        flag(&k, 4, PTOG_V, PTOG_MTE3, 1);
        ptog_core_store(AT(&k, 5), &rows, k.out, 0);
        kernel_finish(&k);
        EXPECT_CLEAN(&k);
        for (int r = 0; r < 16; r++)
            assert_memory_equal(kernel_out + (size_t)r * TABLE_COLS * sizeof(float),
                                kernel_table + (size_t)kernel_ids[r] * TABLE_COLS, TABLE_COLS * sizeof(float));
        kernel_close(&k);
    }
}

/* No flag is needed, and wrong ones do nothing. */
static void flags_do_nothing(void **state)
{
    struct kernel k = kernel_open("host", NULL);
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    struct ptog_transfer ids = load_ids();
    (void)state;
    ptog_core_load(AT(&k, 1), &ids, k.ids, 0);
    assert_int_equal(ptog_core_wait_flag(AT(&k, 2), PTOG_V, PTOG_V, 99), PTOG_OK);
    assert_int_equal(ptog_core_barrier(AT(&k, 3), PTOG_S), PTOG_OK);
    assert_int_equal(ptog_core_mgather(AT(&k, 4), &op, k.table, 0, NULL), PTOG_OK);
    kernel_finish(&k);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

static void refusals_and_lanes_are_reported(void **state)
{
    struct kernel k = kernel_open("host", NULL);
    struct ptog_mgather op = gather_rows(PTOG_OOB_UNDEFINED), bad = op;
    int32_t far[16] = {0, 1, 2, 1000000};
    (void)state;
    bad.table.dtype = PTOG_I8;
    assert_int_equal(ptog_core_mgather(AT(&k, 1), &bad, k.table, 0, NULL), PTOG_ILLEGAL);
    assert_int_equal(ptog_core_preset(k.core, &op.idx, far), PTOG_OK);
    assert_int_equal(ptog_core_mgather(AT(&k, 2), &op, k.table, 0, NULL), PTOG_OK);
    kernel_finish(&k);
    EXPECT(&k, "mgather-same-dtype 1 1", "gm-out-of-bounds 2 32");
    kernel_close(&k);
}

/* cpu reads int32 indices as signed numbers, and says so. */
static void a_negative_index_is_shown_as_one(void **state)
{
    struct kernel k = kernel_open("cpu", NULL);
    struct ptog_mgather op = gather_rows(PTOG_OOB_UNDEFINED);
    int32_t minus[16][TABLE_COLS] = {{-1}};
    (void)state;
    op.idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, op.dst.rows, op.dst.cols), 1 << 16);
    op.coalesce = PTOG_ELEM;
    assert_int_equal(ptog_core_preset(k.core, &op.idx, minus), PTOG_OK);
    assert_int_equal(ptog_core_mgather(AT(&k, 1), &op, k.table, 0, NULL), PTOG_OK);
    kernel_finish(&k);
    EXPECT(&k, "gm-out-of-bounds 1 1");
    assert_non_null(strstr(ptog_diags_at(k.diags, 0)->message, "index -1 is outside"));
    kernel_close(&k);
}

/* The on-chip buffer grows to the tiles; what nobody wrote is 0xAA; absurd tiles are refused. */
static void buffer_grows(void **state)
{
    struct kernel k = kernel_open("cpu", NULL);
    struct ptog_tile far = ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, 64), 5 << 20), absurd = far;
    unsigned char bytes[64], value[4] = {1, 2, 3, 4};
    (void)state;
    absurd.addr = (uint64_t)1 << 40;
    assert_int_equal(ptog_core_peek(k.core, &far, bytes), PTOG_OK);
    assert_int_equal(bytes[0], 0xAA);
    assert_int_equal(bytes[63], 0xAA);
    assert_int_equal(ptog_core_peek(k.core, &absurd, bytes), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_store_scalar(AT(&k, 1), k.out, 8, 4, value), PTOG_OK);
    assert_memory_equal(kernel_out + 8, value, 4);
    memset(value, 0, sizeof value);
    assert_int_equal(ptog_core_load_scalar(AT(&k, 2), k.out, 8, 4, value), PTOG_OK);
    assert_int_equal(value[3], 4);
    kernel_finish(&k);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embedding),
        cmocka_unit_test(flags_do_nothing),
        cmocka_unit_test(refusals_and_lanes_are_reported),
        cmocka_unit_test(a_negative_index_is_shown_as_one),
        cmocka_unit_test(buffer_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
