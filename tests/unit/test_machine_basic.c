/* unit: the machine. The embedding kernel on every target and schedule: clean with its flags, wrong without. */
#include "machine/kernel.h"

static const enum ptog_schedule schedules[] = {PTOG_SCHEDULE_COST, PTOG_SCHEDULE_FAST, PTOG_SCHEDULE_SLOW,
                                               PTOG_SCHEDULE_RANDOM};

/* ids -> rows -> out; `flagged` as the documents ask. */
static void embed(struct kernel *k, const struct ptog_mgather *op, bool flagged)
{
    struct ptog_transfer load = load_ids(), store = store_rows();
    store.tile = op->dst;
    store.view = ptog_tensor_2d(PTOG_F32, op->dst.rows, op->dst.cols);
    ptog_core_load(AT(k, 10), &load, k->ids, 0);
    if (flagged)
        flag(k, 11, PTOG_MTE2, PTOG_V, 0);
    ptog_core_mgather(AT(k, 12), op, k->table, 0, NULL);
    if (flagged)
        flag(k, 13, PTOG_V, PTOG_MTE3, 0);
    ptog_core_store(AT(k, 14), &store, k->out, 0);
}

static void check_rows(const struct ptog_mgather *op)
{
    const float *out = (const float *)(const void *)kernel_out;
    for (int64_t r = 0; r < op->dst.rows; r++)
        for (int64_t c = 0; c < op->dst.cols; c++) {
            int32_t i = kernel_ids[op->coalesce == PTOG_ELEM ? c : r];
            assert_true(out[r * op->dst.cols + c] ==
                        (op->coalesce == PTOG_ELEM ? kernel_table[i] : kernel_table[i * TABLE_COLS + c]));
        }
}

static void clean_when_flagged(void **state)
{
    static const char *const targets[] = {"a2a3", "a5"};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(targets); t++)
        for (size_t s = 0; s < COUNT_OF(schedules); s++)
            for (int elem = 0; elem < 2; elem++) {
                struct ptog_device_options options = {.schedule = schedules[s], .seed = 7};
                struct kernel k = kernel_open(targets[t], &options);
                struct ptog_mgather op = elem ? gather_elems(PTOG_OOB_CLAMP) : gather_rows(PTOG_OOB_CLAMP);
                embed(&k, &op, true);
                EXPECT_CLEAN(&k);
                assert_int_equal(ptog_device_errors(k.device), 0);
                check_rows(&op);
                kernel_close(&k);
            }
}

/* Row on A2/A3 reads the index on S after its own V->S: without MTE2->V nothing orders the load. */
static void unflagged_row_on_a2a3(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(schedules); s++) {
        struct ptog_device_options options = {.schedule = schedules[s], .seed = 7};
        struct kernel k = kernel_open("a2a3", &options);
        struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
        embed(&k, &op, false);
        EXPECT(&k, "race-raw 12 1");
        assert_int_equal(ptog_device_errors(k.device), 1);
        const struct ptog_diag *d = ptog_diags_at(k.diags, 0);
        assert_string_equal(d->message,
                            "race: mgather (pipe S) may read the index tile before tload (pipe MTE2) has written it "
                            "(UB 0x8000..0x803f)");
        assert_int_equal(d->related_count, 1);
        assert_int_equal(d->related[0].where.line, 10);
        assert_string_equal(d->related[0].message, "written here");
        assert_string_equal(fix_of(d), "after line 10  set_flag(MTE2, V, 1)\nbefore line 12  wait_flag(MTE2, V, 1)");
        if (schedules[s] == PTOG_SCHEDULE_FAST)
            check_rows(&op);
        if (schedules[s] == PTOG_SCHEDULE_SLOW) /* 0xAAAAAAAA, clamped: the last row, everywhere */
            assert_memory_equal(kernel_out, kernel_table + (TABLE_ROWS - 1) * TABLE_COLS, TABLE_COLS * 4);
        kernel_close(&k);
    }
}

static void unflagged_elem_on_a2a3_is_clean(void **state)
{
    struct kernel k = kernel_open("a2a3", NULL);
    struct ptog_mgather op = gather_elems(PTOG_OOB_CLAMP);
    (void)state;
    embed(&k, &op, false);
    EXPECT_CLEAN(&k);
    check_rows(&op);
    kernel_close(&k);
}

static void unflagged_on_a5(void **state)
{
    struct kernel k = kernel_open("a5", NULL);
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    embed(&k, &op, false);
    EXPECT(&k, "race-raw 12 1", "race-raw 14 1");
    kernel_close(&k);
}

/* Without the sanitizer races are not looked for; the bytes are the same, and so are the faults of lanes. */
static void not_sanitized(void **state)
{
    struct kernel k = kernel_open("a2a3", &(struct ptog_device_options){.no_sanitize = true});
    struct ptog_mgather op = gather_rows(PTOG_OOB_WRAP);
    int32_t ids[16] = {-1};
    (void)state;
    embed(&k, &op, false);
    ptog_core_preset(k.core, &op.idx, ids);
    ptog_core_mgather(AT(&k, 20), &op, k.table, 0, NULL);
    EXPECT(&k, "index-negative 20 1");
    kernel_close(&k);
}

/* The embedding of the earlier custom instruction: an index of 16 rows and one column. As printed it loads a 1x16 view,
 * which is noted, and has no flag; the sparse example never loads its index. */
static void custom_embedding(void **state)
{
    struct ptog_mgather op = gather_rows(PTOG_OOB_WRAP);
    (void)state;
    op.idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 16, 1), 0x8000);
    for (int round = 0; round < 4; round++) {
        struct kernel k = kernel_open("a5-custom", NULL);
        struct ptog_transfer load = {.tile = op.idx, .view = ptog_tensor_2d(PTOG_I32, 16, 1)}, store = store_rows();
        if (round == 0)
            load.view = ptog_tensor_2d(PTOG_I32, 1, 16);
        if (round != 3)
            assert_int_equal(ptog_core_load(AT(&k, 10), &load, k.ids, 0), PTOG_OK);
        if (round == 0 || round == 2)
            flag(&k, 11, PTOG_MTE2, PTOG_V, 0);
        ptog_core_mgather(AT(&k, 12), &op, k.table, 0, NULL);
        flag(&k, 13, PTOG_V, PTOG_MTE3, 0);
        ptog_core_store(AT(&k, 14), &store, k.out, 0);
        if (round == 0)
            EXPECT(&k, "transfer-row-to-column 10 1");
        else if (round == 1)
            EXPECT(&k, "race-raw 12 1");
        else if (round == 2)
            EXPECT_CLEAN(&k);
        else
            EXPECT(&k, "uninit-read 12 16", "index-negative 12 16");
        if (round == 0 || round == 2)
            check_rows(&op);
        kernel_close(&k);
    }
}

/* A tile that has a name is called by it; where both instructions know it, no bytes need to be given. */
static void messages_use_names(void **state)
{
    struct kernel k = kernel_open("a2a3", NULL);
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    struct ptog_transfer load = load_ids();
    (void)state;
    op.idx.name = load.tile.name = "tokens";
    ptog_core_load(AT(&k, 10), &load, k.ids, 0);
    ptog_core_mgather(AT(&k, 12), &op, k.table, 0, NULL);
    kernel_finish(&k);
    assert_string_equal(ptog_diags_at(k.diags, 0)->message,
                        "race: mgather (pipe S) may read tokens before tload (pipe MTE2) has written it");
    assert_string_equal(ptog_diags_at(k.diags, 0)->operand, "idx");
    kernel_close(&k);
}

/* So does the verifier, and a name changes nothing of what is legal. */
static void the_verifier_uses_names(void **state)
{
    ptog_diags *diags = ptog_diags_new();
    struct ptog_mgather op = gather_rows(PTOG_OOB_CLAMP);
    (void)state;
    op.idx.name = "tokens";
    assert_int_equal(ptog_verify_mgather(ptog_target_find("a2a3"), &op, diags), PTOG_OK);
    op.idx.dtype = PTOG_I64;
    assert_int_equal(ptog_verify_mgather(ptog_target_find("a2a3"), &op, diags), PTOG_ILLEGAL);
    assert_non_null(strstr(ptog_diags_at(diags, 0)->message, "tokens has element type i64"));
    ptog_diags_free(diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_use_names),
        cmocka_unit_test(the_verifier_uses_names),
        cmocka_unit_test(clean_when_flagged),
        cmocka_unit_test(unflagged_row_on_a2a3),
        cmocka_unit_test(unflagged_elem_on_a2a3_is_clean),
        cmocka_unit_test(unflagged_on_a5),
        cmocka_unit_test(custom_embedding),
        cmocka_unit_test(not_sanitized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
