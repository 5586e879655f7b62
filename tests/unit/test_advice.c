/* unit: messages and fixes whose words depend on the case. A fix is typed in as it says: then the rule holds. */
#include "unit/check.h"

#include <string.h>

/* What is said of an instruction, besides that libraries accept more types than the manual. */
static const struct ptog_diag *only(const ptog_diags *diags, const char *id)
{
    const struct ptog_diag *diag = ptog_diags_at(diags, 0);
    size_t first = diag && strcmp(diag->id, "tgather-dtype-undocumented") == 0;
    diag = ptog_diags_at(diags, first);
    assert_int_equal(ptog_diags_count(diags), first + 1);
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
    assert_string_equal(fix_of(diag), fix);
    ptog_diags_free(diags);
}

static void expect_mgather(const char *target, const struct ptog_mgather *op, const char *id, const char *fix)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_verify_mgather(ptog_target_find(target), op, diags);
    assert_string_equal(fix_of(only(diags, id)), fix);
    ptog_diags_free(diags);
}

/* Neither refused nor an error. */
static void good_mgather(const char *target, const struct ptog_mgather *op)
{
    ptog_diags *diags = ptog_diags_new();
    assert_int_equal(ptog_verify_mgather(ptog_target_find(target), op, diags), PTOG_OK);
    assert_int_equal(ptog_diags_count(diags), 0);
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
        "P0101 keeps 2 rows of 32 elements of the source tile (4x32) along axis col, but the destination tile (16x16) has room for 16 rows of 16",
        "make the destination tile 2x32");
    op.dst = ptog_tile_vec(PTOG_F32, 2, 32);
    legal_tgather("host", &op);
    op.src = ptog_tile_vec(PTOG_F32, 8, 16);
    expect_tgather(
        "host", &op, "tgather-mask-room",
        "P0101 keeps 4 rows of 16 elements of the source tile (8x16) along axis col, but the destination tile (2x32) has room for 2 rows of 32",
        "make the destination tile 4x16");
}

/* On A5 rows of 8-byte elements go to places of their own: a dst of just what is kept is too small. */
static void room_for_rows_with_gaps_holds_the_gaps(void **state)
{
    struct ptog_tgather op = {.form = PTOG_BY_MASK,
                              .dst = ptog_tile_vec(PTOG_I64, 1, 16),
                              .src = ptog_tile_valid(ptog_tile_vec(PTOG_I64, 4, 16), 4, 4),
                              .pattern = PTOG_P0101};
    (void)state;
    legal_tgather("host", &op);
    expect_tgather(
        "a5", &op, "tile-overrun",
        "P0101 needs 26 elements, 8 for each row of the source tile (4x4), but the destination tile (1x16) has room for "
        "16: the other 10 would be written past its end",
        "make the destination tile 4x4");
    op.dst = ptog_tile_valid(ptog_tile_vec(PTOG_I64, 4, 4), 4, 2);
    legal_tgather("a5", &op);
    op.dst = ptog_tile_vec(PTOG_I64, 4, 2); /* rows begin at 0, 1, 2, 3, and each has 2 */
    expect_tgather(
        "a5", &op, "tgather-mask-rows",
        "the destination tile (4x2 i64) has too little room for what P0101 keeps of each row of the source tile: rows "
        "overlap",
        "make the destination tile 4x4, and keep the valid shape");
}

/* A type of the same size is proposed where the target takes one. */
static void another_type_is_one_that_is_taken(void **state)
{
    struct ptog_mgather m = {
        .dst = ptog_tile_vec(PTOG_HIF8, 16, 32),
        .table = ptog_tensor_2d(PTOG_HIF8, 64, 32),
        .idx = ptog_tile_vec(PTOG_I32, 1, 16),
    };
    struct ptog_tgather t = {.form = PTOG_BY_MASK,
                             .dst = ptog_tile_vec(PTOG_F32, 16, 16),
                             .src = ptog_tile_vec(PTOG_U8, 16, 32),
                             .pattern = PTOG_P0101};
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    expect_mgather("a2a3", &m, "mgather-dtype", "use a type of the same size (a gather moves bits): i8, u8");
    m.dst.dtype = m.table.dtype = PTOG_I64;
    expect_mgather("a2a3", &m, "mgather-dtype", "gather the two halves of each element, or run on host");
    expect_mgather("a5", &m, "mgather-dtype", "gather the two halves of each element, or run on host");
    ptog_verify_tgather(ptog_target_find("a2a3"), &t, diags); /* of src, not of dst */
    assert_string_equal(ptog_diags_at(diags, 0)->id, "tgather-mask-dtype");
    assert_string_equal(fix_of(ptog_diags_at(diags, 0)), "widen the elements to 2 bytes, or run on host");
    ptog_diags_free(diags);
}

/* On A5 1-byte data goes with 16-bit indices. */
static void another_index_type_goes_with_the_data(void **state)
{
    struct ptog_tgather op = {.form = PTOG_BY_INDEX,
                              .dst = ptog_tile_vec(PTOG_I8, 16, 32),
                              .src = ptog_tile_vec(PTOG_I8, 16, 32),
                              .idx = ptog_tile_vec(PTOG_I64, 16, 32)};
    (void)state;
    expect_tgather("a5", &op, "tgather-index-dtype", NULL, "convert the indices to u16");
    expect_tgather("cpu", &op, "tgather-index-dtype", NULL, "convert the indices to i32");
    op.idx.dtype = PTOG_U16;
    legal_tgather("a5", &op);
    op.idx.dtype = PTOG_I32;
    legal_tgather("cpu", &op);
}

/* A valid column more than dst has is no way to make a row as wide as the table. */
static void another_width_fits_dst(void **state)
{
    struct ptog_mgather op = {
        .dst = ptog_tile_vec(PTOG_F32, 16, 32),
        .table = ptog_tensor_2d(PTOG_F32, 64, 64),
        .idx = ptog_tile_vec(PTOG_I32, 1, 16),
    };
    (void)state;
    expect_mgather("a5", &op, "mgather-row-width-exact", "give the table rows of 32 elements");
    op.table = ptog_tensor_2d(PTOG_F32, 64, 24);
    expect_mgather("a5", &op, "mgather-row-width-exact",
                   "give the table rows of 32 elements, or make 24 columns of the destination tile valid");
    op.dst.valid_col = 24;
    good_mgather("a5", &op);
}

/* An NZ table goes to an NZ dst. */
static void another_order_pairs_with_the_table(void **state)
{
    struct ptog_mgather op = {
        .dst = ptog_tile_col_major(ptog_tile_vec(PTOG_F32, 16, 32)),
        .table = ptog_tensor_nz(PTOG_F32, 1, 4, 4),
        .idx = ptog_tile_vec(PTOG_I32, 1, 16),
    };
    (void)state;
    expect_mgather("a2a3", &op, "mgather-dst-layout",
                   "make the destination tile an NZ tile (col_major, row_major boxes, fractal 512)");
    op.dst = ptog_tile_nz(op.dst);
    good_mgather("a2a3", &op);
}

/* a5-custom steps by the row width of the table: padding between rows is not seen. */
static void another_pitch_is_the_one_that_is_read(void **state)
{
    struct ptog_mgather op = {
        .dst = ptog_tile_vec(PTOG_F32, 16, 32),
        .table = ptog_tensor_2d_pitch(PTOG_F32, 64, 32, 40),
        .idx = ptog_tile_vec(PTOG_I32, 16, 1),
    };
    (void)state;
    expect_mgather("a5-custom", &op, "pitch-mismatch", "pack the table");
    op.table = ptog_tensor_2d(PTOG_F32, 64, 32);
    good_mgather("a5-custom", &op);
    op.table = ptog_tensor_2d_pitch(PTOG_F32, 64, 24, 32);
    op.idx = ptog_tile_vec(PTOG_I32, 16, 32);
    op.coalesce = PTOG_ELEM;
    expect_mgather("a5", &op, "pitch-mismatch", "pack the table");
    op.table = ptog_tensor_5d(PTOG_F32, (const int64_t[5]){1, 1, 2, 64, 32});
    op.table.layout = PTOG_DN;
    op.idx = ptog_tile_vec(PTOG_I32, 1, 16);
    op.coalesce = PTOG_ROW;
    expect_mgather("host", &op, "pitch-mismatch", "fold the outer dimensions into dimension 3");
}

/* 2^32 elements are a warning, although they are none in 32 bits; no element is refused. */
static void a_large_capacity_is_not_an_empty_table(void **state)
{
    struct ptog_mgather op = {
        .dst = ptog_tile_vec(PTOG_F32, 16, 32),
        .table = ptog_tensor_2d(PTOG_F32, 65536, 65536),
        .idx = ptog_tile_vec(PTOG_I32, 16, 32),
        .coalesce = PTOG_ELEM,
    };
    (void)state;
    expect_mgather("a5", &op, "product-overflow", "split the table");
    op.table.shape[3] = 0;
    expect_mgather("a5", &op, "mgather-capacity", "give every dimension at least one element");
}

/* Only host reads DN tables; views of loads may be DN everywhere. */
static void layout_dn_is_proposed_where_it_is_read(void **state)
{
    struct ptog_mgather m = {
        .dst = ptog_tile_vec(PTOG_F32, 16, 32),
        .table = ptog_tensor_2d(PTOG_F32, 64, 32),
        .idx = ptog_tile_vec(PTOG_I32, 1, 16),
    };
    struct ptog_transfer x = {.tile = ptog_tile_vec(PTOG_F32, 16, 32), .view = ptog_tensor_2d(PTOG_F32, 16, 32)};
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    m.table.stride[3] = 64;
    m.table.stride[4] = x.view.stride[4] = 2;
    expect_mgather("a2a3", &m, "tensor-stride4", "use stride 1 in dimension 4");
    expect_mgather("host", &m, "tensor-stride4", "use stride 1 in dimension 4, or layout DN for a column-major table");
    ptog_verify_transfer(ptog_target_find("a2a3"), &x, diags);
    assert_string_equal(fix_of(only(diags, "tensor-stride4")),
                        "use stride 1 in dimension 4, or layout DN for a column-major view");
    ptog_diags_free(diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_for_rows_is_counted_in_rows),
        cmocka_unit_test(room_for_rows_with_gaps_holds_the_gaps),
        cmocka_unit_test(another_type_is_one_that_is_taken),
        cmocka_unit_test(another_index_type_goes_with_the_data),
        cmocka_unit_test(another_width_fits_dst),
        cmocka_unit_test(another_order_pairs_with_the_table),
        cmocka_unit_test(another_pitch_is_the_one_that_is_read),
        cmocka_unit_test(a_large_capacity_is_not_an_empty_table),
        cmocka_unit_test(layout_dn_is_proposed_where_it_is_read),
    };
    return cmocka_run_group_tests_name("advice", tests, NULL, NULL);
}
