/* unit: faults of lanes and walks on the machine: indices, pitch, products, tiles that are left, launches. */
#include "machine/kernel.h"

/* Gathers with given indices; returns the kernel before it is finished. */
static struct kernel gathered(const char *target, const struct ptog_mgather *op, const int32_t *ids)
{
    struct kernel k = kernel_open(target, NULL);
    assert_int_equal(ptog_core_preset(k.core, &op->idx, ids), PTOG_OK);
    assert_int_equal(ptog_core_mgather(AT(&k, 1), op, k.table, 0, NULL), PTOG_OK);
    return k;
}

static void indices(void **state)
{
    static const char *const targets[] = {"a2a3", "a5"};
    int32_t ids[16] = {0};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(targets); t++) {
        ids[3] = -1;
        struct ptog_mgather op = gather_rows(PTOG_OOB_WRAP);
        struct kernel k = gathered(targets[t], &op, ids);
        EXPECT(&k, "index-negative 1 1");
        kernel_close(&k);
        op.oob = PTOG_OOB_ZERO;
        k = gathered(targets[t], &op, ids);
        float tile[16 * 32];
        ptog_core_peek(k.core, &op.dst, tile);
        assert_true(tile[3 * 32] == 0 && tile[0] == 0.5f);
        EXPECT_CLEAN(&k);
        kernel_close(&k);
        ids[3] = TABLE_ROWS - 1; /* the table is said to be shorter than its buffer */
        op.oob = PTOG_OOB_UNDEFINED;
        op.table = ptog_tensor_2d(PTOG_F32, TABLE_ROWS - 1, TABLE_COLS);
        k = gathered(targets[t], &op, ids);
        EXPECT(&k, "gm-outside-view 1 32");
        kernel_close(&k);
        ids[3] = TABLE_ROWS;
        k = gathered(targets[t], &op, ids);
        EXPECT(&k, "gm-out-of-bounds 1 32");
        kernel_close(&k);
    }
}

/* A padded table: A2/A3 follows the stride, A5 does not look at it. */
static void pitch(void **state)
{
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    op.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0);
    op.table = ptog_tensor_2d_pitch(PTOG_F32, TABLE_ROWS, 16, TABLE_COLS);
    struct kernel k = gathered("a2a3", &op, kernel_ids);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
    k = gathered("a5", &op, kernel_ids);
    EXPECT(&k, "pitch-mismatch 1 1");
    kernel_close(&k);
}

/* index * pitch beyond 2^32 is computed in 64 bits; that libraries wrap it is a warning. */
static void product(void **state)
{
    int32_t ids[16] = {0};
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    op.table = ptog_tensor_2d(PTOG_F32, (int64_t)1 << 28, TABLE_COLS);
    ids[5] = 1 << 27;
    struct kernel k = gathered("a5", &op, ids);
    float tile[16 * 32];
    ptog_core_peek(k.core, &op.dst, tile);
    assert_memory_equal(&tile[5 * 32], "\xAA\xAA\xAA\xAA", 4);
    EXPECT(&k, "gm-out-of-bounds 1 32", "product-overflow 1 1");
    kernel_close(&k);
}

/* TGATHER reads where its index points, also outside the tile. */
static void outside_tile(void **state)
{
    struct ptog_tgather op = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0x400),
                              .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 16), 0x800),
                              .tmp = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 16), 0xC00)};
    struct ptog_tile beside = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0x440);
    int32_t ids[16] = {15, 16};
    float tile[16];
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a2a3", NULL);
        ids[1] = fixed ? 1 : 16;
        ptog_core_preset(k.core, &op.src, kernel_table);
        ptog_core_preset(k.core, &beside, kernel_table + 100);
        ptog_core_preset(k.core, &op.idx, ids);
        ptog_core_tgather(AT(&k, 1), &op, NULL);
        ptog_core_peek(k.core, &op.dst, tile);
        assert_true(tile[0] == kernel_table[15] && tile[1] == (fixed ? kernel_table[1] : kernel_table[100]));
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "ub-outside-tile 1 1");
        kernel_close(&k);
    }
}

/* 2-byte data on A2/A3: tmp is walked with dst's stride, and overrun when it is smaller. */
static void tmp_overrun(void **state)
{
    struct ptog_tgather op = {.dst = ptog_tile_at(ptog_tile_vec(PTOG_F16, 4, 16), 0),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F16, 1, 64), 0x400),
                              .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 4, 16), 0x800),
                              .tmp = ptog_tile_at(ptog_tile_vec(PTOG_I32, 2, 16), 0xC00)};
    struct ptog_tile behind = ptog_tile_at(ptog_tile_vec(PTOG_I32, 2, 16), 0xC80);
    int32_t ids[64], before[32] = {0}, after[32];
    (void)state;
    for (int i = 0; i < 64; i++)
        ids[i] = 63 - i;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a2a3", NULL);
        if (fixed)
            op.tmp = ptog_tile_at(ptog_tile_vec(PTOG_I32, 4, 16), 0x1000);
        ptog_core_preset(k.core, &op.src, kernel_table);
        ptog_core_preset(k.core, &op.idx, ids);
        ptog_core_preset(k.core, &behind, before);
        ptog_core_tgather(AT(&k, 1), &op, NULL);
        ptog_core_peek(k.core, &behind, after);
        assert_int_equal(after[0], fixed ? 0 : ids[32] * 2);
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "tile-overrun 1 1");
        kernel_close(&k);
    }
}

/* Axis col with a factor of 2 keeps every other row; libraries leave both tiles, which is a warning. */
static void axis_col(void **state)
{
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 8, 16), 0),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0x1000),
                              .pattern = PTOG_P0101,
                              .axis = PTOG_AXIS_COL};
    float tile[8 * 16];
    (void)state;
    struct kernel k = kernel_open("a2a3", NULL);
    ptog_core_preset(k.core, &op.src, kernel_table);
    ptog_core_tgather(AT(&k, 1), &op, NULL);
    ptog_core_peek(k.core, &op.dst, tile);
    assert_true(tile[16] == kernel_table[32]);
    EXPECT(&k, "library-differs-mask-axis 1 1");
    kernel_close(&k);
    op.pattern = PTOG_P1111;
    op.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, 16), 0);
    k = kernel_open("a2a3", NULL);
    ptog_core_preset(k.core, &op.src, kernel_table);
    ptog_core_tgather(AT(&k, 1), &op, NULL);
    EXPECT_CLEAN(&k);
    kernel_close(&k);
}

/* By comparison on A2/A3: dst is V's, cdst is S's; the caller owes both flags. */
static void compare(void **state)
{
    struct ptog_tgather op = {.form = PTOG_BY_COMPARE,
                              .dst = ptog_tile_at(ptog_tile_vec(PTOG_I32, 2, 16), 0),
                              .src = ptog_tile_at(ptog_tile_vec(PTOG_F32, 2, 16), 0x400),
                              .cdst = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 8), 1, 2), 0x800),
                              .cmp = PTOG_CMP_GT};
    struct ptog_transfer dst = {.tile = op.dst, .view = ptog_tensor_2d(PTOG_I32, 2, 16)};
    struct ptog_transfer counts = {.tile = op.cdst, .view = ptog_tensor_2d(PTOG_I32, 1, 2)};
    float k_value = 20;
    int32_t seen[2];
    (void)state;
    dst.tile = ptog_tile_valid(dst.tile, 1, 1);
    dst.view = ptog_tensor_2d_pitch(PTOG_I32, 1, 1, 1);
    dst.tile.addr = 64; /* row 1, where the matches are */
    dst.tile.rows = 1;
    for (int fixed = 0; fixed < 2; fixed++) {
        struct kernel k = kernel_open("a2a3", NULL);
        ptog_core_preset(k.core, &op.src, kernel_table);
        assert_int_equal(ptog_core_tgather_scalar(AT(&k, 1), &op, &k_value, NULL), PTOG_OK);
        if (fixed) {
            flag(&k, 2, PTOG_V, PTOG_MTE3, 1);
            flag(&k, 3, PTOG_S, PTOG_MTE3, 1);
        }
        assert_int_equal(ptog_core_store(AT(&k, 4), &dst, k.out, 0), PTOG_OK);
        assert_int_equal(ptog_core_store(AT(&k, 5), &counts, k.out, 64), PTOG_OK);
        ptog_core_peek(k.core, &op.cdst, seen);
        assert_int_equal(seen[0], 0);
        assert_int_equal(seen[1], 12);
        if (fixed)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "race-raw 4 1", "race-raw 5 1");
        kernel_close(&k);
    }
}

/* One element runs on S with the instruction's own flags, whether its extents are static or given by the run; without a
 * launch, it needs none of the context that direct dispatch lacks. */
static void one_by_one(void **state)
{
    struct ptog_mgather op = gather_elems(PTOG_OOB_CLAMP);
    struct ptog_transfer store = {.view = ptog_tensor_2d(PTOG_F32, 1, 1)};
    struct ptog_stats stats;
    (void)state;
    op.dst = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_F32, 1, 8), 1, 1), 0);
    op.idx = ptog_tile_at(ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 8), 1, 1), 0x8000);
    store.tile = op.dst;
    for (int i = 0; i < 4; i++) {
        bool dynamic = i % 2;
        struct ptog_device_options options = {.launch = i / 2 ? PTOG_LAUNCH_DIRECT : PTOG_LAUNCH_STANDARD};
        struct kernel k = kernel_open("a5", &options);
        struct ptog_run extents = {.dst_valid = {0, 1}};
        ptog_core_preset(k.core, &op.idx, kernel_ids);
        op.dst.valid_col = dynamic ? PTOG_DYN : 1;
        assert_int_equal(ptog_core_mgather(AT(&k, 1), &op, k.table, 0, dynamic ? &extents : NULL), PTOG_OK);
        flag(&k, 2, PTOG_V, PTOG_MTE3, 1);
        ptog_core_store(AT(&k, 3), &store, k.out, 0);
        EXPECT_CLEAN(&k);
        ptog_device_stats(k.device, &stats);
        assert_int_equal(stats.launches, 0);
        assert_memory_equal(kernel_out, kernel_table, 4);
        kernel_close(&k);
    }
}

/* Launch shapes and 128-byte transactions. */
static void launches(void **state)
{
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    struct ptog_stats stats;
    (void)state;
    struct kernel k = gathered("a5", &op, kernel_ids);
    kernel_finish(&k);
    ptog_device_stats(k.device, &stats);
    assert_int_equal(stats.launches, 1);
    assert_int_equal(stats.warps, 16);
    assert_int_equal(stats.idle_lanes, 0);
    assert_int_equal(stats.transactions, 16);
    assert_int_equal(stats.transaction_bytes, 16 * 128);
    assert_true(stats.cycles > 0 && stats.mhz > 1000);
    kernel_close(&k);
    op = gather_elems(PTOG_OOB_CLAMP);
    k = gathered("a5", &op, kernel_ids);
    kernel_finish(&k);
    ptog_device_stats(k.device, &stats);
    assert_int_equal(stats.warps, 1);
    assert_int_equal(stats.idle_lanes, 16);
    kernel_close(&k);
}

/* 32 elements of one line: each lane of Elem loads its own, whatever its neighbours load. */
static void loads_of_lanes(void **state)
{
    struct ptog_mgather op = gather_elems(PTOG_OOB_CLAMP);
    int32_t in_a_row[32];
    (void)state;
    for (int i = 0; i < 32; i++)
        in_a_row[i] = i;
    op.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 4, 8), 0);
    op.idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 4, 8), 0x8000);
    for (int custom = 0; custom < 2; custom++) {
        struct kernel k = gathered(custom ? "a5-custom" : "a5", &op, in_a_row);
        struct ptog_stats stats;
        kernel_finish(&k);
        ptog_device_stats(k.device, &stats);
        assert_int_equal(stats.transactions, 32);
        assert_int_equal(stats.transaction_bytes, 128);
        assert_int_equal(stats.warps, custom ? 32 : 1);
        kernel_close(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices),        cmocka_unit_test(pitch),       cmocka_unit_test(product),
        cmocka_unit_test(outside_tile),   cmocka_unit_test(tmp_overrun), cmocka_unit_test(axis_col),
        cmocka_unit_test(compare),        cmocka_unit_test(one_by_one),  cmocka_unit_test(launches),
        cmocka_unit_test(loads_of_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
