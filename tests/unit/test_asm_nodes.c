/* Attributes and types with a grammar of their own: what their nodes hold, how they are printed, and what stays text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ptog/tile.h>

#include "../asm/round_trip.h"
#include "asm/words.h"

/* The value of the only attribute of a statement. */
static const struct ptog_item *read_attr(struct parsed *parsed, const char *attr)
{
    static char text[700]; /* outlives the source */
    snprintf(text, sizeof text, "x.y {a = %s}\n", attr);
    parse_text(parsed, text);
    assert_int_equal(parsed->status, PTOG_OK);
    return &ptog_op_part(parsed->tree.root.first, PTOG_PART_DICT, 0)->entries[0].value;
}

static const struct ptog_type *read_type(struct parsed *parsed, const char *type)
{
    static char text[700];
    snprintf(text, sizeof text, "!t = !pto.struct<i8>\nx.y %%a : %s\n", type);
    parse_text(parsed, text);
    assert_int_equal(parsed->status, PTOG_OK);
    return ptog_op_part(parsed->tree.root.first, PTOG_PART_TYPES, 0)->types[0].type;
}

/* Printed as `expected`, which is read as the same tree. */
static void assert_prints(const char *attr, const char *expected)
{
    struct parsed parsed, again;
    char line[700];
    read_attr(&parsed, attr);
    struct printed printed = print_form(&parsed, PTOG_TEXT_WRITTEN);
    snprintf(line, sizeof line, "x.y {a = %s}\n", expected);
    assert_string_equal(printed.text, line);
    parse_text(&again, printed.text);
    assert_true(ptog_tree_equal(&parsed.tree, &again.tree, PTOG_EQUAL_WRITTEN));
    parsed_free(&again);
    free(printed.text);
    parsed_free(&parsed);
}

static void maps(void **state)
{
    (void)state;
    struct parsed parsed;
    const struct ptog_item *item = read_attr(&parsed, "affine_map<(d0, d1)[s0] -> (d0 * 16 + d1 floordiv 4 - s0)>");
    assert_int_equal(item->kind, PTOG_ITEM_MAP);
    assert_non_null(item->map);
    assert_int_equal(item->map->dim_count, 2);
    assert_int_equal(item->map->symbol_count, 1);
    assert_int_equal(item->map->result_count, 1);
    const struct ptog_affine *sum = item->map->result;
    assert_int_equal(sum->kind, PTOG_AFFINE_SUM);
    assert_int_equal(sum->first->kind, PTOG_AFFINE_PRODUCT);
    assert_int_equal(sum->first->first->next->value, 16);
    assert_int_equal(sum->first->next->first->next->sign, PTOG_AFFINE_FLOORDIV);
    const struct ptog_affine *last = sum->first->next->next;
    assert_int_equal(last->sign, PTOG_AFFINE_MINUS);
    assert_int_equal(last->kind, PTOG_AFFINE_NAME);
    assert_int_equal(last->value, 2);
    parsed_free(&parsed);

    assert_prints("affine_map<( d0 )->(d0*2)>", "affine_map<(d0) -> (d0 * 2)>");
    assert_prints("affine_map<()[s0] -> (s0)>", "affine_map<()[s0] -> (s0)>");
    assert_prints("affine_map<(a, b)[] -> (b, a)>", "affine_map<(a, b)[] -> (b, a)>");
    assert_prints("affine_map<(d0) -> (-(d0 + 1) floordiv 4)>", "affine_map<(d0) -> (-(d0 + 1) floordiv 4)>");
    assert_prints("affine_map<(d0) -> ((d0 ceildiv 4) * - 2 mod 3)>",
                  "affine_map<(d0) -> ((d0 ceildiv 4) * -2 mod 3)>");
    assert_prints("affine_map<(d0) -> ((d0) - (d0 - 1) + (d0 * 2))>", "affine_map<(d0) -> (d0 - (d0 - 1) + d0 * 2)>");
    assert_prints("affine_map<(d0) -> (--d0)>", "affine_map<(d0) -> (--d0)>");
    assert_prints("affine_map<(d0)\n -> (d0)>", "affine_map<(d0) -> (d0)>");
}

/* What cannot be read keeps its text, and its kind tells what it was meant to be. */
static void unread(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum ptog_item_kind kind;
    } texts[] = {
        {"affine_map<(d0) -> (d1)>", PTOG_ITEM_MAP},
        {"affine_map<(d0) -> ()>", PTOG_ITEM_MAP},
        {"affine_map<(d0) -> (d0)> ", PTOG_ITEM_MAP},
        {"affine_map<(d0) -> (d0 + 9223372036854775808)>", PTOG_ITEM_MAP},
        {"affine_map<(d0) -> (d0) x>", PTOG_ITEM_MAP},
        {"affine_map<>", PTOG_ITEM_MAP},
        {"strided<[-1]>", PTOG_ITEM_LAYOUT},
        {"strided<[64, 1], offset: %x>", PTOG_ITEM_LAYOUT},
        {"strided<[64, 1], start: 2>", PTOG_ITEM_LAYOUT},
        {"strided<>", PTOG_ITEM_LAYOUT},
        {"#pto.epilogue<a = , b = c>", PTOG_ITEM_RAW},
        {"#pto.epilogue<a = b c>", PTOG_ITEM_RAW},
        {"#pto.epilogue<a = {b}>", PTOG_ITEM_RAW},
        {"#other.epilogue<a = b>", PTOG_ITEM_RAW},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct parsed parsed;
        const struct ptog_item *item = read_attr(&parsed, texts[i].text);
        bool read = i == 2; /* only its space is odd */
        assert_int_equal(item->kind, texts[i].kind);
        assert_int_equal(item->map != NULL, read);
        parsed_free(&parsed);
        if (!read)
            assert_prints(texts[i].text, texts[i].text);
    }
    char deep[600] = "affine_map<(d0) -> (";
    for (int i = 0; i < 100; i++)
        strcat(deep, "(");
    strcat(deep, "d0");
    for (int i = 0; i < 100; i++)
        strcat(deep, ")");
    strcat(deep, ")>");
    assert_prints(deep, deep);
}

static void layouts(void **state)
{
    (void)state;
    struct parsed parsed;
    const struct ptog_item *item = read_attr(&parsed, "strided< [ ?, -32,1 ] , offset : 7 >");
    assert_int_equal(item->kind, PTOG_ITEM_LAYOUT);
    assert_int_equal(item->strided->count, 3);
    assert_int_equal(item->strided->strides[0], PTOG_DYN);
    assert_int_equal(item->strided->strides[1], -32);
    assert_int_equal(item->strided->offset, 7);
    parsed_free(&parsed);
    assert_prints("strided<[ 16,1 ],offset:?>", "strided<[16, 1], offset: ?>");
    assert_prints("strided<[]>", "strided<[]>");
}

static void records(void **state)
{
    (void)state;
    struct parsed parsed;
    const struct ptog_item *item = read_attr(&parsed, "#pto.acc_push_epilogue<layout=nz2nd, quant = req8_vec, n = 2>");
    assert_int_equal(item->kind, PTOG_ITEM_RECORD);
    assert_int_equal(item->count, 3);
    const struct ptog_item *quant = ptog_item_entry(item, PTOG_WORD_quant);
    assert_true(ptog_tree_is(&parsed.tree, quant->name, "req8_vec"));
    assert_memory_equal(parsed.source.bytes + quant->span.at, "req8_vec, n", 11);
    assert_int_equal(item->entries[2].value.number, 2);
    assert_null(ptog_item_entry(item, PTOG_WORD_relu));
    parsed_free(&parsed);
    assert_prints("#pto.vmi.layout<num_groups=8,slots = 1>", "#pto.vmi.layout<num_groups = 8, slots = 1>");
}

static void types(void **state)
{
    (void)state;
    struct parsed parsed;
    const struct ptog_type *type = read_type(&parsed, "!pto.struct<f32, !t, !pto.tile_buf<vec, 1x8xf32>>");
    assert_int_equal(type->kind, PTOG_TYPE_STRUCT);
    assert_int_equal(type->in_count, 3);
    assert_int_equal(type->ins[0].type->element.dtype, PTOG_F32);
    assert_int_equal(type->ins[1].type->kind, PTOG_TYPE_STRUCT);
    assert_int_equal(type->ins[2].type->kind, PTOG_TYPE_TILE_BUF);
    struct printed printed = print_form(&parsed, PTOG_TEXT_AS);
    assert_string_equal(printed.text, "x.y %a : !pto.struct<f32, !pto.struct<i8>, !pto.tile<1x8xf32>>\n");
    free(printed.text);
    parsed_free(&parsed);

    type = read_type(&parsed, "!pto.local_array<4x8xbf16>");
    assert_int_equal(type->kind, PTOG_TYPE_LOCAL_ARRAY);
    assert_int_equal(type->rank, 2);
    assert_int_equal(type->dims[1].value, 8);
    assert_int_equal(type->element.dtype, PTOG_BF16);
    parsed_free(&parsed);

    type = read_type(&parsed, "!pto.eventid_array<4>");
    assert_int_equal(type->kind, PTOG_TYPE_EVENTID_ARRAY);
    assert_int_equal(type->slots, 4);
    parsed_free(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps),    cmocka_unit_test(unread), cmocka_unit_test(layouts),
        cmocka_unit_test(records), cmocka_unit_test(types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
