/* unit: messages and fixes whose words depend on the case. A fix is typed in as it says: then the rule holds. */
#include "unit/check.h"

#include <string.h>

/* The only refusal or error of an instruction. */
static const struct ptog_diag *only(const ptog_diags *diags, const char *id)
{
    const struct ptog_diag *diag = ptog_diags_at(diags, 0);
    assert_int_equal(ptog_diags_count(diags), 1);
    assert_string_equal(diag->id, id);
    return diag;
}

static void expect_tgather(const char *target, const struct ptog_tgather *op, const char *id, const char *message,
                           const char *fix)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_verify_tgather(ptog_target_find(target), op, diags);
    const struct ptog_diag *diag = only(diags, id);
    if (message)
        assert_string_equal(diag->message, message);
    assert_string_equal(diag->fix, fix);
    ptog_diags_free(diags);
}

static void legal_tgather(const char *target, const struct ptog_tgather *op)
{
    assert_int_equal(ptog_verify_tgather(ptog_target_find(target), op, NULL), PTOG_OK);
}

/* Along axis col rows are kept, however many elements dst has. */
static void room_for_rows_is_counted_in_rows(void **state)
{
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_vec(PTOG_F32, 16, 16),
                              .src = ptog_tile_vec(PTOG_F32, 4, 32),
                              .pattern = PTOG_P0101,
                              .axis = PTOG_AXIS_COL};
    (void)state;
    expect_tgather(
        "host", &op, "tgather-mask-room",
        "P0101 keeps 2 rows of 32 elements of src 4x32 along axis col, and dst 16x16 has room for 16 rows of 16",
        "use a dst of 2x32");
    op.dst = ptog_tile_vec(PTOG_F32, 2, 32);
    legal_tgather("host", &op);
    op.src = ptog_tile_vec(PTOG_F32, 8, 16);
    expect_tgather(
        "host", &op, "tgather-mask-room",
        "P0101 keeps 4 rows of 16 elements of src 8x16 along axis col, and dst 2x32 has room for 2 rows of 32",
        "use a dst of 4x16");
}

/* On A5 rows of 8-byte elements go to places of their own: a dst of just what is kept is too small. */
static void room_for_rows_with_gaps_holds_the_gaps(void **state)
{
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_vec(PTOG_I64, 4, 2),
                              .src = ptog_tile_valid(ptog_tile_vec(PTOG_I64, 4, 16), 4, 4),
                              .pattern = PTOG_P0101};
    (void)state;
    legal_tgather("host", &op);
    expect_tgather(
        "a5", &op, "tgather-mask-room",
        "P0101 takes 26 elements of dst, 8 from row to row, for what it keeps of src 4x4 along axis row, and "
        "dst 4x2 has room for 8",
        "use a dst of 4x8");
    op.dst = ptog_tile_vec(PTOG_I64, 4, 8);
    legal_tgather("a5", &op);
    op.src = ptog_tile_vec(PTOG_I64, 4, 5); /* rows begin at 0, 2, 4, 6, and the last has 3 */
    op.dst = ptog_tile_vec(PTOG_I64, 4, 2);
    expect_tgather("a5", &op, "tgather-mask-room", NULL, "use a dst of 4x3");
    op.dst = ptog_tile_vec(PTOG_I64, 4, 3);
    legal_tgather("a5", &op);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_for_rows_is_counted_in_rows),
        cmocka_unit_test(room_for_rows_with_gaps_holds_the_gaps),
    };
    return cmocka_run_group_tests_name("advice", tests, NULL, NULL);
}
