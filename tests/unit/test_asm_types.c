/* Every spelling of every type: what it means, and how each form prints it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ptog/tile.h>

#include "../asm/round_trip.h"
#include "asm/insn_words.h"
#include "base/pick.h"

/* The type of a statement that only carries it. */
static const struct ptog_type *read_type(struct parsed *parsed, const char *type)
{
    static char text[400]; /* outlives the source */
    snprintf(text, sizeof text, "x.carry %%a : %s\n", type);
    parse_text(parsed, text);
    if (parsed->status != PTOG_OK)
        print_error("%s: %s\n", type, parsed->diags.list[0].diag.message);
    assert_int_equal(parsed->status, PTOG_OK);
    const struct ptog_part *part = ptog_op_part(parsed->tree.root.first, PTOG_PART_TYPES, 0);
    assert_non_null(part);
    assert_int_equal(part->type_count, 1);
    return part->types[0].type;
}

/* How the forms print a type; NULL where the form cannot. */
static void check_type(const char *type, const char *written, const char *dps, const char *ssa, const char *as)
{
    const char *const expected[] = {written, dps, ssa, as};
    struct parsed parsed;
    read_type(&parsed, type);
    for (int form = PTOG_TEXT_WRITTEN; form <= PTOG_TEXT_AS; form++) {
        char text[400];
        struct printed printed = print_form(&parsed, (enum ptog_text_form)form);
        snprintf(text, sizeof text, "x.carry %%a : %s\n", ptog_or(expected[form], ""));
        if (expected[form])
            assert_string_equal(printed.text, text);
        else
            assert_int_equal(printed.status, PTOG_ILLEGAL);
        free(printed.text);
    }
    parsed_free(&parsed);
    char text[400];
    snprintf(text, sizeof text, "x.carry %%a : %s\n", type);
    const char *problem = round_trip(text, strlen(text));
    if (problem)
        print_error("%s: %s\n", type, problem);
    assert_null(problem);
}

static void same_everywhere(void **state)
{
    (void)state;
    static const char *const types[] = {
        "index",
        "i1",
        "i32",
        "si16",
        "ui64",
        "u8",
        "f16",
        "bf16",
        "f64",
        "f8E4M3FN",
        "f8E4M3",
        "!pto.hif8",
        "!pto.ptr<f16>",
        "!pto.ptr<f16, gm>",
        "!pto.tensor_view<?x?xf16>",
        "!pto.tensor_view<f16>",
        "memref<4x8xf32, strided<[16, 1]>, #pto.address_space<gm>>",
        "memref<?xi8>",
        "!other.kind<a, <b>, \">\">",
        "!llvm.ptr",
        "vector<4xf32>",
        "tensor<?x4xf32>",
        "!pto.event",
        "!pto.ptr<...>",
        "!pto.memref<4x8xf32, strided<[16, 1]>>",
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        check_type(types[i], types[i], types[i], types[i], types[i]);
}

static void views(void **state)
{
    (void)state;
    check_type("!pto.partition_tensor_view<1x1x64x32xf16>", "!pto.partition_tensor_view<1x1x64x32xf16>",
               "!pto.partition_tensor_view<1x1x64x32xf16>", "!pto.partition_tensor_view<1x1x64x32xf16>",
               "!pto.memref<1x1x64x32xf16>");
    check_type("!pto.tile_view<MxNxdtype>", "!pto.tile_view<MxNxdtype>", "!pto.partition_tensor_view<MxNxdtype>",
               "!pto.partition_tensor_view<MxNxdtype>", "!pto.memref<MxNxdtype>");
    check_type("!pto.memref<...>", "!pto.memref<...>", "!pto.partition_tensor_view<...>",
               "!pto.partition_tensor_view<...>", "!pto.memref<...>");
    check_type("!pto.memref< 64x32xf16 >", "!pto.memref<64x32xf16>", "!pto.partition_tensor_view<64x32xf16>",
               "!pto.partition_tensor_view<64x32xf16>", "!pto.memref<64x32xf16>");
}

static void tiles(void **state)
{
    (void)state;
    check_type("!pto.tile<16x32xf16>", "!pto.tile<16x32xf16>", "!pto.tile_buf<vec, 16x32xf16>",
               "!pto.tile<vec, f16, 16, 32, row_major, none_box, 512, null>", "!pto.tile<16x32xf16>");
    check_type("pto.tile<f32, 16, 8>", "pto.tile<f32, 16, 8>", "!pto.tile_buf<vec, 16x8xf32>",
               "!pto.tile<vec, f32, 16, 8, row_major, none_box, 512, null>", "!pto.tile<16x8xf32>");
    check_type("!pto.tile<loc=vec, f32, 16, 16, RowMajor, NoneBox, None, Zero>",
               "!pto.tile<loc=vec, f32, 16, 16, row_major, none_box, 512, zero>",
               "!pto.tile_buf<vec, 16x16xf32, pad=1>", "!pto.tile<vec, f32, 16, 16, row_major, none_box, 512, zero>",
               "!pto.tile<vec, f32, 16, 16, row_major, none_box, 512, zero>");
    check_type("!pto.tile<loc, dtype, rows, cols, blayout, slayout, fractal, pad>",
               "!pto.tile<loc, dtype, rows, cols, blayout, slayout, fractal, pad>",
               "!pto.tile_buf<loc=loc, dtype=dtype, rows=rows, cols=cols, v_row=rows, v_col=cols, blayout=blayout, "
               "slayout=slayout, fractal=fractal, pad=pad>",
               "!pto.tile<loc, dtype, rows, cols, blayout, slayout, fractal, pad>",
               "!pto.tile<loc, dtype, rows, cols, blayout, slayout, fractal, pad>");
    check_type("pto.tile<...>", "pto.tile<...>", "!pto.tile_buf<...>", "!pto.tile<...>", "!pto.tile<...>");
    check_type("!pto.tile<8x8x!pto.hif8>", "!pto.tile<8x8x!pto.hif8>", "!pto.tile_buf<vec, 8x8x!pto.hif8>",
               "!pto.tile<vec, !pto.hif8, 8, 8, row_major, none_box, 512, null>", "!pto.tile<8x8x!pto.hif8>");
}

static void tile_bufs(void **state)
{
    (void)state;
    check_type(
        "!pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=16, v_row=1, v_col=16, blayout=row_major, slayout=none_box, "
        "fractal=512, pad=0>",
        "!pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=16, v_row=1, v_col=16, blayout=row_major, slayout=none_box, "
        "fractal=512, pad=0>",
        "!pto.tile_buf<vec, 1x16xi32>", "!pto.tile<vec, i32, 1, 16, row_major, none_box, 512, null>",
        "!pto.tile<1x16xi32>");
    check_type("!pto.tile_buf<mat, 8x16xf16, pad=0, fractal=1024, slayout=row_major, blayout=col_major>",
               "!pto.tile_buf<mat, 8x16xf16, blayout=col_major, slayout=row_major, fractal=1024>",
               "!pto.tile_buf<mat, 8x16xf16, blayout=col_major, slayout=row_major, fractal=1024>",
               "!pto.tile<mat, f16, 8, 16, col_major, row_major, 1024, null>",
               "!pto.tile<mat, f16, 8, 16, col_major, row_major, 1024, null>");
    check_type("!pto.tile_buf<vec, 8x16xf16, valid=2x?>", "!pto.tile_buf<vec, 8x16xf16, valid=2x?>",
               "!pto.tile_buf<vec, 8x16xf16, valid=2x?>", "!pto.tile<vec, 8x16xf16, valid=2x?>",
               "!pto.tile<vec, 8x16xf16, valid=2x?>");
    check_type("!pto.tile_buf<vec, 8x16xf16, compact=1>", "!pto.tile_buf<vec, 8x16xf16, compact=1>",
               "!pto.tile_buf<vec, 8x16xf16, compact=1>", "!pto.tile<vec, 8x16xf16, compact=1>",
               "!pto.tile<vec, 8x16xf16, compact=1>");
    check_type("!pto.tile_buf<vec, 8x16xf16, valid=8x16>", "!pto.tile_buf<vec, 8x16xf16>",
               "!pto.tile_buf<vec, 8x16xf16>", "!pto.tile<vec, f16, 8, 16, row_major, none_box, 512, null>",
               "!pto.tile<8x16xf16>");
}

static void what_is_inside(void **state)
{
    (void)state;
    struct parsed parsed;
    const struct ptog_type *type = read_type(&parsed, "!pto.tile_buf<acc, 8xNxf16, valid=?x4, pad=3>");
    assert_int_equal(type->kind, PTOG_TYPE_TILE_BUF);
    assert_int_equal(type->field[PTOG_FIELD_LOC].value, PTOG_ACC);
    assert_int_equal(type->field[PTOG_FIELD_ROWS].value, 8);
    assert_string_equal(ptog_tree_text(&parsed.tree, type->field[PTOG_FIELD_COLS].name), "N");
    assert_int_equal(type->field[PTOG_FIELD_V_ROW].value, PTOG_DYN);
    assert_int_equal(type->field[PTOG_FIELD_PAD].value, PTOG_PAD_MIN);
    assert_int_equal(type->field[PTOG_FIELD_FRACTAL].value, 512);
    assert_int_equal(type->element.dtype, PTOG_F16);
    const struct ptog_type_use *use = &ptog_op_part(parsed.tree.root.first, PTOG_PART_TYPES, 0)->types[0];
    struct ptog_span span = ptog_type_inside(use, type->field[PTOG_FIELD_PAD].inside);
    assert_int_equal(span.length, 1);
    assert_memory_equal(parsed.source.bytes + span.at, "3", 1);
    parsed_free(&parsed);

    type = read_type(&parsed, "memref<4x?xf32, strided<[16, 1]>, #pto.address_space<gm>>");
    assert_int_equal(type->rank, 2);
    assert_int_equal(type->dims[1].value, PTOG_DYN);
    assert_int_equal(type->rest_count, 2);
    assert_int_equal(type->rest[0].kind, PTOG_ITEM_LAYOUT);
    assert_string_equal(ptog_tree_text(&parsed.tree, type->rest[1].value), "gm");
    parsed_free(&parsed);
}

/* Types of equal spelling are one object, so that comparing pointers is enough inside a tree. */
static void one_object(void **state)
{
    (void)state;
    struct parsed parsed;
    parse_text(&parsed, "x.y : !pto.tile<16x16xf16>, !pto.tile<16x16xf16>, !pto.tile<16x16xf32>\n");
    const struct ptog_part *part = ptog_op_part(parsed.tree.root.first, PTOG_PART_TYPES, 0);
    assert_ptr_equal(part->types[0].type, part->types[1].type);
    assert_ptr_not_equal(part->types[0].type, part->types[2].type);
    parsed_free(&parsed);
}

/* The words of the language have numbers that the parser knows: each is there once. */
static void words_have_one_number(void **state)
{
    (void)state;
    struct parsed parsed;
    parse_text(&parsed, "x.y\n");
    const struct ptog_symbols *symbols = &parsed.tree.symbols;
    assert_true(symbols->count > PTOG_WORD_satmode);
    for (ptog_symbol word = 1; word <= symbols->count; word++)
        assert_int_equal(ptog_symbol_find(symbols, ptog_symbol_text(symbols, word), ptog_symbol_length(symbols, word)),
                         word);
    assert_string_equal(ptog_symbol_text(symbols, PTOG_OP_NAME_MGATHER), "pto.mgather");
    assert_string_equal(ptog_symbol_text(symbols, PTOG_WORD_satmode), "satmode");
    parsed_free(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_everywhere),
        cmocka_unit_test(views),
        cmocka_unit_test(tiles),
        cmocka_unit_test(tile_bufs),
        cmocka_unit_test(what_is_inside),
        cmocka_unit_test(one_object),
        cmocka_unit_test(words_have_one_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
