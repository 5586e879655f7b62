/* unit: the model. Numbers that are ABI, names in every spelling, where elements lie, what the policies do. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "unit/check.h"

#include <math.h>
#include <string.h>

#include "base/small_float.h"
#include "model/index_map.h"
#include "model/mgather.h"
#include "model/tensor.h"
#include "model/tgather.h"
#include "model/tile.h"

static void enum_values_are_those_of_the_headers(void **state)
{
    (void)state;
    assert_int_equal(PTOG_VEC, 0), assert_int_equal(PTOG_MAT, 1), assert_int_equal(PTOG_LEFT, 2);
    assert_int_equal(PTOG_RIGHT, 3), assert_int_equal(PTOG_ACC, 4);
    assert_int_equal(PTOG_ROW_MAJOR, 0), assert_int_equal(PTOG_COL_MAJOR, 1);
    assert_int_equal(PTOG_NONE_BOX, 0), assert_int_equal(PTOG_BOX_ROW_MAJOR, 1),
        assert_int_equal(PTOG_BOX_COL_MAJOR, 2);
    assert_int_equal(PTOG_ND, 0), assert_int_equal(PTOG_DN, 1), assert_int_equal(PTOG_NZ, 2);
    assert_int_equal(PTOG_ROW, 0), assert_int_equal(PTOG_ELEM, 1);
    assert_int_equal(PTOG_OOB_UNDEFINED, 0), assert_int_equal(PTOG_OOB_CLAMP, 1);
    assert_int_equal(PTOG_OOB_WRAP, 2), assert_int_equal(PTOG_OOB_ZERO, 3);
    assert_int_equal(PTOG_AXIS_ROW, 0), assert_int_equal(PTOG_AXIS_COL, 1);
    assert_int_equal(PTOG_PAD_NULL, 0), assert_int_equal(PTOG_PAD_ZERO, 1);
    assert_int_equal(PTOG_PAD_MAX, 2), assert_int_equal(PTOG_PAD_MIN, 3);
    assert_int_equal(PTOG_P0101, 1), assert_int_equal(PTOG_P1010, 2), assert_int_equal(PTOG_P0001, 3);
    assert_int_equal(PTOG_P0010, 4), assert_int_equal(PTOG_P0100, 5), assert_int_equal(PTOG_P1000, 6);
    assert_int_equal(PTOG_P1111, 7);
    assert_int_equal(PTOG_CMP_EQ, 0), assert_int_equal(PTOG_CMP_NE, 1), assert_int_equal(PTOG_CMP_LT, 2);
    assert_int_equal(PTOG_CMP_LE, 3), assert_int_equal(PTOG_CMP_GT, 4), assert_int_equal(PTOG_CMP_GE, 5);
}

/* A program built against this header must find the same structs in a later library. */
static void struct_sizes_are_fixed(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct ptog_tile), 104);
    assert_int_equal(sizeof(struct ptog_tensor), 120);
    assert_int_equal(sizeof(struct ptog_mgather), 368);
    assert_int_equal(sizeof(struct ptog_tgather), 680);
    assert_int_equal(sizeof(struct ptog_run), 344);
    assert_int_equal(sizeof(struct ptog_fault), 752);
}

static void dtypes_have_sizes_and_names(void **state)
{
    static const struct {
        enum ptog_dtype dtype;
        size_t size;
        const char *names[7];
    } all[] = {
        {PTOG_I8, 1, {"i8", "int8_t", "si8", "int8"}},
        {PTOG_U8, 1, {"u8", "uint8_t", "ui8", "uint8"}},
        {PTOG_I16, 2, {"i16", "int16_t", "si16", "int16"}},
        {PTOG_U16, 2, {"u16", "uint16_t", "ui16", "uint16"}},
        {PTOG_I32, 4, {"i32", "int32_t", "si32", "int32"}},
        {PTOG_U32, 4, {"u32", "uint32_t", "ui32", "uint32"}},
        {PTOG_I64, 8, {"i64", "int64_t", "si64", "int64"}},
        {PTOG_U64, 8, {"u64", "uint64_t", "ui64", "uint64"}},
        {PTOG_F16, 2, {"f16", "half", "float16"}},
        {PTOG_BF16, 2, {"bf16", "bfloat16_t", "bfloat16"}},
        {PTOG_F32, 4, {"f32", "float", "float32"}},
        {PTOG_F8E4M3, 1, {"f8e4m3", "float8_e4m3_t", "f8E4M3FN", "f8E4M3"}},
        {PTOG_F8E5M2, 1, {"f8e5m2", "float8_e5m2_t", "f8E5M2"}},
        {PTOG_HIF8, 1, {"hif8", "hifloat8_t", "!pto.hif8"}},
        {PTOG_F8E8M0, 1, {"f8e8m0", "float8_e8m0_t", "!pto.f8E8M0"}},
        {PTOG_F4E2M1X2, 1, {"f4e2m1x2", "float4_e2m1x2_t", "!pto.f4E2M1x2"}},
        {PTOG_F4E1M2X2, 1, {"f4e1m2x2", "float4_e1m2x2_t", "!pto.f4E1M2x2"}},
        {PTOG_I4X2, 1, {"i4x2", "int4b_t", "!pto.i4x2"}},
        {PTOG_I4, 1, {"i4b", "int4b_t", "!pto.i4b"}},
    };
    (void)state;
    assert_int_equal(COUNT_OF(all), PTOG_DTYPE_COUNT - 1);
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        assert_int_equal(all[i].dtype, i + 1); /* ABI */
        assert_int_equal(ptog_dtype_size(all[i].dtype), all[i].size);
        assert_string_equal(ptog_dtype_name(all[i].dtype), all[i].names[0]);
        assert_string_equal(ptog_dtype_cxx_name(all[i].dtype), all[i].names[1]);
        for (int n = 0; all[i].names[n]; n++)
            assert_int_equal(ptog_dtype_find(all[i].names[n]), all[i].dtype == PTOG_I4 && n == 1 ? PTOG_I4X2 : all[i].dtype);
    }
    assert_int_equal(ptog_dtype_find("f128"), PTOG_DTYPE_NONE);
    assert_int_equal(ptog_dtype_find(NULL), PTOG_DTYPE_NONE);
    assert_int_equal(ptog_dtype_size((enum ptog_dtype)99), 0);
}

static void expect_text(enum ptog_dtype dtype, uint64_t bits, const char *expected)
{
    char text[48];
    assert_int_equal(ptog_dtype_format(text, sizeof text, dtype, &bits), strlen(expected));
    assert_string_equal(text, expected);
}

static void elements_print_as_the_shortest_text(void **state)
{
    char small[3];
    uint64_t bits = 0x3fc00000;
    (void)state;
    expect_text(PTOG_I8, 0xff, "-1");
    expect_text(PTOG_U8, 0xff, "255");
    expect_text(PTOG_I16, 0x8000, "-32768");
    expect_text(PTOG_U32, 0xffffffff, "4294967295");
    expect_text(PTOG_I64, UINT64_MAX, "-1");
    expect_text(PTOG_U64, UINT64_MAX, "18446744073709551615");
    expect_text(PTOG_F32, 0x3fc00000, "1.5");
    expect_text(PTOG_F32, 0x3dcccccd, "0.1");
    expect_text(PTOG_F32, 0x80000000, "-0");
    expect_text(PTOG_F32, 0xff800000, "-inf");
    expect_text(PTOG_F32, 0x7fc00001, "nan");
    expect_text(PTOG_F16, 0x3c00, "1");
    expect_text(PTOG_F16, 0x0001, "5.9604645e-08");
    expect_text(PTOG_F16, 0x7bff, "65504");
    expect_text(PTOG_F16, 0xfc00, "-inf");
    expect_text(PTOG_BF16, 0x4049, "3.140625");
    expect_text(PTOG_F8E4M3, 0x7e, "448");
    expect_text(PTOG_F8E4M3, 0x7f, "nan");
    expect_text(PTOG_F8E4M3, 0x01, "0.001953125");
    expect_text(PTOG_F8E5M2, 0x7b, "57344");
    expect_text(PTOG_F8E5M2, 0x7c, "inf");
    expect_text(PTOG_HIF8, 0x3c, "0x3c");
    expect_text(PTOG_F8E8M0, 0x80, "2");
    expect_text(PTOG_F8E8M0, 0xff, "nan");
    expect_text(PTOG_F4E2M1X2, 0x70, "0x70");
    expect_text(PTOG_I4X2, 0x8f, "0x8f");
    expect_text(PTOG_I4, 0x08, "-8");
    expect_text(PTOG_I4, 0xf7, "7");
    assert_int_equal(ptog_dtype_format(small, sizeof small, PTOG_F32, &bits), 3);
    assert_string_equal(small, "1.");
}

static void tile_offsets_follow_the_layout(void **state)
{
    struct ptog_tile row = ptog_tile_vec(PTOG_F16, 32, 48), col = ptog_tile_col_major(row), nz = ptog_tile_nz(row);
    (void)state;
    assert_int_equal(ptog_tile_offset(&row, 3, 17), 3 * 48 + 17);
    assert_int_equal(ptog_tile_offset(&col, 3, 17), 17 * 32 + 3);
    assert_int_equal(ptog_tile_offset(&nz, 3, 17), 1 * (32 * 16) + 3 * 16 + 1);
    assert_int_equal(ptog_tile_order(&nz), PTOG_ORDER_NZ);
    nz.fractal = 1024; /* boxes of an accumulator: 16 by 16 elements, in whatever memory */
    assert_int_equal(ptog_tile_order(&nz), PTOG_ORDER_ACC);
    nz.fractal = 32;
    assert_int_equal(ptog_tile_order(&nz), PTOG_ORDER_OTHER);
    assert_int_equal(ptog_tile_bytes(&row), 32 * 48 * 2);
    row.rows = INT64_MAX;
    assert_int_equal(ptog_tile_bytes(&row), -1);
}

static void policies_map_indices(void **state)
{
    bool zero;
    (void)state;
    assert_int_equal(ptog_index_map(PTOG_OOB_UNDEFINED, 4294967295u, 7, &zero), 4294967295u), assert_false(zero);
    assert_int_equal(ptog_index_map(PTOG_OOB_CLAMP, 4294967295u, 7, &zero), 6), assert_false(zero);
    assert_int_equal(ptog_index_map(PTOG_OOB_WRAP, 4294967295u, 7, &zero), 4294967295u % 7), assert_false(zero);
    ptog_index_map(PTOG_OOB_ZERO, 7, 7, &zero), assert_true(zero);
    assert_int_equal(ptog_index_map(PTOG_OOB_ZERO, 6, 7, &zero), 6), assert_false(zero);
}

static void patterns_read_right_to_left(void **state)
{
    static const char *const names[] = {"", "P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"};
    struct ptog_kept kept;
    (void)state;
    for (int p = 1; p <= 7; p++) {
        assert_string_equal(ptog_pattern_name((enum ptog_pattern)p), names[p]);
        assert_true(ptog_pattern_kept((enum ptog_pattern)p, &kept));
        int64_t count = 0;
        for (int64_t position = 0; position < 23; position++) {
            bool keeps = names[p][4 - position % 4] == '1';
            assert_int_equal(keeps, position >= kept.first && (position - kept.first) % kept.step == 0);
            count += keeps;
            assert_int_equal(ptog_kept_count(kept, position + 1), count);
        }
    }
    assert_false(ptog_pattern_kept((enum ptog_pattern)0, &kept));
    assert_false(ptog_pattern_kept((enum ptog_pattern)8, &kept));
}

static uint64_t capacity_on(const char *target, const struct ptog_mgather *op)
{
    struct ptog_insn insn, known;
    ptog_insn_mgather(&insn, op);
    ptog_insn_resolve(&known, &insn, NULL);
    return ptog_mgather_capacity(ptog_target_find(target), &known);
}

static void capacities_differ_by_target(void **state)
{
    struct ptog_mgather op = {.table = ptog_tensor_5d(PTOG_F32, (int64_t[5]){2, 3, 5, 7, 11}),
                              .dst = ptog_tile_vec(PTOG_F32, 4, 11),
                              .idx = ptog_tile_vec(PTOG_I32, 1, 4)};
    (void)state;
    assert_int_equal(capacity_on("host", &op), 2 * 3 * 5 * 7);
    assert_int_equal(capacity_on("a2a3", &op), 2 * 3 * 5 * 7);
    assert_int_equal(capacity_on("a5", &op), 7);
    op.coalesce = PTOG_ELEM;
    assert_int_equal(capacity_on("a5", &op), 2 * 3 * 5 * 7 * 11);
    assert_int_equal(capacity_on("a5-custom", &op), 7 * 11);
    op.table = ptog_tensor_nz(PTOG_F16, 2, 3, 4);
    assert_int_equal(capacity_on("a2a3", &op), 4 * 16 * 2 * 3 * 16);
    op.coalesce = PTOG_ROW;
    assert_int_equal(capacity_on("a2a3", &op), 4 * 16);
    assert_int_equal(ptog_tensor_nz_cols(&op.table), 2 * 3 * 16);
}

static void strides_fill_from_the_inside(void **state)
{
    struct ptog_tensor t = ptog_tensor_5d(PTOG_F32, (int64_t[5]){2, 3, 4, 5, 6});
    (void)state;
    ptog_tensor_fill_defaults(&t);
    assert_int_equal(t.stride[4], 1), assert_int_equal(t.stride[3], 6), assert_int_equal(t.stride[2], 30);
    assert_int_equal(t.stride[1], 120), assert_int_equal(t.stride[0], 360);
    assert_true(ptog_tensor_is_packed(&t)), assert_true(ptog_tensor_rows_collapse(&t));
    t.stride[3] = 8;
    assert_false(ptog_tensor_is_packed(&t)), assert_false(ptog_tensor_rows_collapse(&t));
    t = ptog_tensor_2d(PTOG_F32, PTOG_DYN, 6);
    ptog_tensor_fill_defaults(&t);
    assert_int_equal(t.stride[3], 6), assert_int_equal(t.stride[2], PTOG_DYN);
    t = ptog_tensor_2d(PTOG_F32, 5, 6);
    t.layout = PTOG_DN;
    ptog_tensor_fill_defaults(&t);
    assert_int_equal(t.stride[3], 1), assert_int_equal(t.stride[4], 5);
}

static void floats_round_to_even_and_saturate(void **state)
{
    (void)state;
    assert_int_equal(ptog_f32_to_i32(2.5f), 2), assert_int_equal(ptog_f32_to_i32(3.5f), 4);
    assert_int_equal(ptog_f32_to_i32(-2.5f), -2), assert_int_equal(ptog_f32_to_i32(-0.75f), -1);
    assert_int_equal(ptog_f32_to_i32(3e9f), INT32_MAX), assert_int_equal(ptog_f32_to_i32(-3e9f), INT32_MIN);
    assert_int_equal(ptog_f32_to_i32(ptog_f32_from_bits(0x7fc00000)), 0);
}

static void targets_are_found_by_name(void **state)
{
    static const char *const names[] = {"host", "cpu", "a2a3", "a5", "a5-custom", "cpusim"};
    (void)state;
    assert_int_equal(PTOG_TARGETS, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_ptr_equal(ptog_target_find(names[i]), ptog_target_at(i));
    assert_null(ptog_target_find("a9")), assert_null(ptog_target_find(NULL)), assert_null(ptog_target_at(6));
}

static void statuses_have_words(void **state)
{
    (void)state;
    for (int s = PTOG_OK; s <= PTOG_OVERLAP; s++)
        assert_string_not_equal(ptog_status_text((enum ptog_status)s), "unknown status");
    assert_string_equal(ptog_status_text((enum ptog_status)77), "unknown status");
    assert_string_equal(ptog_version(), PTOG_VERSION);
}

/* A view where a tile belongs, or the other way round, is no instruction; nothing looks inside it. */
static void operands_of_another_kind_are_refused(void **state)
{
    const struct ptog_target *target = ptog_target_find("a2a3");
    static float memory[64];
    ptog_device *device;
    ptog_core *core;
    (void)state;
    assert_int_equal(ptog_device_open(&device, target, NULL), PTOG_OK);
    assert_int_equal(ptog_device_buffer(device, "gm", memory, sizeof memory), 0);
    assert_int_equal(ptog_core_open(&core, device, 0), PTOG_OK);
    for (int opcode = PTOG_NO_INSN + 1; opcode < PTOG_OPCODES; opcode++)
        for (int i = 0; i < ptog_insn_row((enum ptog_opcode)opcode)->count; i++)
            for (int kind = PTOG_IS_TILE; kind <= PTOG_IS_SCALAR + 1; kind++) {
                const struct ptog_operand_row *row = &ptog_insn_row((enum ptog_opcode)opcode)->of[i];
                struct ptog_insn insn;
                ptog_plan *plan;
                ptog_insn_start(&insn, (enum ptog_opcode)opcode);
                memset(&insn.of[i].tile, 0x11, sizeof insn.of[i].tile);
                insn.of[i].kind = (enum ptog_operand_kind)kind;
                if (kind == (int)row->kind || (kind == PTOG_IS_SCALAR && row->scalar))
                    continue;
                assert_int_equal(ptog_verify(target, &insn, NULL), PTOG_BAD_ARGUMENT);
                assert_int_equal(ptog_plan_insn(&plan, target, &insn, NULL), PTOG_BAD_ARGUMENT);
                assert_int_equal(ptog_core_insn(core, &insn, NULL), PTOG_BAD_ARGUMENT);
            }
    ptog_core_close(core);
    ptog_device_close(device);
}

/* The processor's conversion to f32 gives the bits that the rule for any small float gives. */
static void f32_is_a_small_float(void **state)
{
    static const double edges[] = {0.0,          -0.0,  1e-46,    1.4e-45,   7e-46, 1.1754943e-38, 3.4028235e38,
                                   3.4028236e38, 1e300, INFINITY, -INFINITY, NAN,   -NAN};
    uint64_t random = 1;
    (void)state;
    for (size_t i = 0; i < 200000; i++) {
        double value;
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t bits = i % 2 ? random : (random & ~(UINT64_C(0x7ff) << 52)) | (870 + random % 310) << 52;
        memcpy(&value, &bits, sizeof value);
        if (i < sizeof edges / sizeof edges[0])
            value = edges[i];
        assert_int_equal(ptog_dtype_from_real(PTOG_F32, value),
                         ptog_float_encode((struct ptog_float_format){8, 23, true}, value));
    }
}

/* Explicit on a2a3 and a5, always Elem on cpu, and on a5-custom what the columns of the index tile say. */
static void modes_differ_by_target(void **state)
{
    static const struct {
        const char *target;
        enum ptog_coalesce given;
        int64_t index_cols;
        enum ptog_coalesce wanted;
    } cases[] = {
        {"a2a3", PTOG_ROW, 32, PTOG_ROW},     {"a2a3", PTOG_ELEM, 1, PTOG_ELEM},
        {"a5", PTOG_ROW, 32, PTOG_ROW},       {"a5", PTOG_ELEM, 1, PTOG_ELEM},
        {"host", PTOG_ROW, 32, PTOG_ROW},     {"cpu", PTOG_ROW, 1, PTOG_ELEM},
        {"cpu", PTOG_ELEM, 32, PTOG_ELEM},    {"a5-custom", PTOG_ELEM, 1, PTOG_ROW},
        {"a5-custom", PTOG_ROW, 1, PTOG_ROW}, {"a5-custom", PTOG_ROW, 32, PTOG_ELEM},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct ptog_mgather op = {.dst = ptog_tile_vec(PTOG_F32, 16, 32),
                                  .table = ptog_tensor_2d(PTOG_F32, 64, 32),
                                  .idx = ptog_tile_vec(PTOG_I32, 16, cases[i].index_cols),
                                  .coalesce = cases[i].given};
        assert_int_equal(ptog_mgather_mode(ptog_target_find(cases[i].target), &op), cases[i].wanted);
        assert_int_equal(ptog_mgather_mode(NULL, &op), cases[i].given);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_differ_by_target),
        cmocka_unit_test(f32_is_a_small_float),
        cmocka_unit_test(enum_values_are_those_of_the_headers),
        cmocka_unit_test(struct_sizes_are_fixed),
        cmocka_unit_test(dtypes_have_sizes_and_names),
        cmocka_unit_test(elements_print_as_the_shortest_text),
        cmocka_unit_test(tile_offsets_follow_the_layout),
        cmocka_unit_test(policies_map_indices),
        cmocka_unit_test(patterns_read_right_to_left),
        cmocka_unit_test(capacities_differ_by_target),
        cmocka_unit_test(strides_fill_from_the_inside),
        cmocka_unit_test(floats_round_to_even_and_saturate),
        cmocka_unit_test(targets_are_found_by_name),
        cmocka_unit_test(statuses_have_words),
        cmocka_unit_test(operands_of_another_kind_are_refused),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
