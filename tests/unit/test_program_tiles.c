/* unit: views, partitions, tiles, parts of tiles, addresses and placement. */
#include "unit/test_program_tools.h"

#define T8 "!pto.tile_buf<vec, 8x8xf32>"
#define V8 "!pto.partition_tensor_view<8x8xf32>"

/* Runs a function that has %in, f32[64*64], and %out, f32[64], and compares the start of %out. */
static void gives(const char *body, const char *target, const float *expected, size_t count)
{
    static float in[64 * 64];
    float out[64] = {0};
    char text[6000];
    for (int i = 0; i < 64 * 64; i++)
        in[i] = (float)i;
    struct ptog_binding bindings[] = {BIND_F32("in", in, 64, 64), BIND_F32("out", out, 8, 8)};
    snprintf(
        text, sizeof text,
        "func.func @f(%%in: !pto.ptr<f32>, %%out: !pto.ptr<f32>) {\n"
        "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n  %%c2 = arith.constant 2 : index\n"
        "  %%c3 = arith.constant 3 : index\n  %%c8 = arith.constant 8 : index\n  %%c64 = arith.constant 64 : index\n"
        "  %%v = pto.make_tensor_view %%in, shape = [%%c64, %%c64], strides = [%%c64, %%c1] : !pto.tensor_view<?x?xf32>\n"
        "  %%ov = pto.make_tensor_view %%out, shape = [%%c8, %%c8], strides = [%%c8, %%c1] : !pto.tensor_view<?x?xf32>\n"
        "  %%op = pto.partition_view %%ov, offsets = [%%c0, %%c0], sizes = [%%c8, %%c8] : !pto.tensor_view<?x?xf32> -> " V8
        "\n  %%t = pto.alloc_tile : " T8 "\n%s\n"
        "  pto.tstore ins(%%t : " T8 ") outs(%%op : " V8 ")\n  return\n}\n",
        body);
    struct run_of run = run_text(
        text, (struct ptog_execution){.target = ptog_target_find(target), .bindings = bindings, .binding_count = 2});
    if (run.status != PTOG_OK)
        print_error("%s\n%s\n", ptog_diags_count(run.diags) ? ptog_diags_at(run.diags, 0)->message : "", text);
    assert_int_equal(run.status, PTOG_OK);
    for (size_t i = 0; i < count; i++)
        if (out[i] != expected[i])
            fail_msg("out[%zu] is %g, not %g in\n%s", i, (double)out[i], (double)expected[i], text);
    run_done(&run);
}

#define GIVES(body, ...)                                                                                               \
    do {                                                                                                               \
        static const float expected[] = {__VA_ARGS__};                                                                 \
        gives(body, "host", expected, COUNT_OF(expected));                                                             \
        gives(body, "a2a3", expected, COUNT_OF(expected));                                                             \
    } while (0)

static void test_partitions(void **state)
{
    (void)state;
    GIVES("  %p = pto.partition_view %v, offsets = [%c2, %c3], sizes = [%c8, %c8] : !pto.tensor_view<?x?xf32> -> " V8
          "\n"
          "  pto.tload ins(%p : " V8 ") outs(%t : " T8 ")",
          131, 132, 133, 134, 135, 136, 137, 138, 195);
    GIVES("  %p = pto.partition_view %v, offsets = [2, 3], sizes = [8, 8] : " V8 "\n"
          "  pto.tload ins(%p : " V8 ") outs(%t : " T8 ")",
          131, 132, 133, 134, 135, 136, 137, 138, 195);
    /* five dimensions, of which the type keeps two */
    GIVES("  %w = pto.make_tensor_view %in, shape = [%c1, %c1, %c8, %c64, %c64] strides = [%c1, %c1, %c64, %c8, %c1] : "
          "!pto.tensor_view<?x?x?x?x?xf32>\n"
          "  %p = pto.partition_view %w, offsets = [%c0, %c0, %c1, %c2, %c0], sizes = [%c1, %c1, %c1, %c8, %c8] : "
          "!pto.tensor_view<?x?x?x?x?xf32> -> " V8 "\n"
          "  pto.tload ins(%p : " V8 ") outs(%t : " T8 ")",
          80);
}

static void test_middle_dimension(void **state)
{
    (void)state;
    GIVES(
        "  %w = pto.make_tensor_view %in, shape = [%c8, %c8, %c64], strides = [%c64, %c8, %c1] : "
        "!pto.tensor_view<?x?x?xf32>\n"
        "  %p = pto.partition_view %w, offsets = [%c0, %c3, %c0], sizes = [%c8, %c1, %c8] : !pto.tensor_view<?x?x?xf32> -> "
        "!pto.partition_tensor_view<8x8xf32>\n"
        "  pto.tload ins(%p : " V8 ") outs(%t : " T8 ")",
        24, 25, 26, 27, 28, 29, 30, 31, 88, 89);
}

static void test_pointers(void **state)
{
    (void)state;
    GIVES("  %q = pto.addptr %in, %c64 : !pto.ptr<f32> -> !pto.ptr<f32>\n"
          "  %w = pto.make_tensor_view %q, shape = [%c8, %c8], strides = [%c64, %c1] {layout = #pto.layout<nd>} : "
          "!pto.tensor_view<8x8xf32>\n"
          "  pto.tload ins(%w : !pto.tensor_view<8x8xf32>) outs(%t : " T8 ")",
          64, 65);
}

static void test_aliases(void **state)
{
    (void)state;
    /* two tiles at one address are one memory */
    GIVES("  %a = arith.constant 4096 : i64\n  %x = pto.alloc_tile addr = %a : " T8 "\n  %y = pto.tassign %t, %a : " T8
          " -> " T8 "\n"
          "  %p = pto.partition_view %v, offsets = [0, 0], sizes = [8, 8] : " V8 "\n"
          "  pto.tload ins(%p : " V8 ") outs(%x : " T8 ")\n"
          "  pto.tstore ins(%y : " T8 ") outs(%op : " V8 ")\n"
          "  pto.tassign %t, @tile(0x1000)",
          0, 1);
}

static void test_subviews(void **state)
{
    (void)state;
    GIVES("  %s = pto.subview %t[2, 0] sizes [1, 8] : " T8 " -> !pto.tile_buf<vec, 1x8xf32>\n"
          "  %p = pto.partition_view %v, offsets = [0, 0], sizes = [8, 8] : " V8 "\n"
          "  %q = pto.partition_view %v, offsets = [63, 0], sizes = [1, 8] : !pto.partition_tensor_view<1x8xf32>\n"
          "  pto.tload ins(%p : " V8 ") outs(%t : " T8 ")\n"
          "  pto.tload ins(%q : !pto.partition_tensor_view<1x8xf32>) outs(%s : !pto.tile_buf<vec, 1x8xf32>)",
          0, 1, 2, 3, 4, 5, 6, 7, 64, 65, 66, 67, 68, 69, 70, 71, 4032, 4033, 4034, 4035, 4036, 4037, 4038, 4039, 192);
    check_gives("%t = pto.alloc_tile : " T8 "\n%s = pto.subview %t[0, 2] sizes [1, 4] : " T8, "a5",
                "ub-misaligned-tile");
    check_gives("%t = pto.alloc_tile : " T8 "\n%s = pto.subview %t[0, 2] sizes [1, 4] : " T8, "host", "");
    check_gives("%t = pto.alloc_tile : " T8 "\n%s = pto.subview %t[0] sizes [1, 4] : " T8, "host", "text-subview");
    check_gives("%t = pto.alloc_tile : " T8 "\n%s = pto.subset %t[-1, 0] sizes [1, 4] : " T8, "host", "text-subview");
    check_gives("%t = pto.alloc_tile : " T8 "\n%s = pto.subview %t[0, 0] sizes [1, 4] valid [2, 4] : " T8, "host",
                "text-valid");
}

static void test_validshape(void **state)
{
    static const char text[] =
        "func.func @f(%in: !pto.tensor_view<8x8xf32>, %n: index) {\n  %c8 = arith.constant 8 : index\n"
        "  %t = pto.alloc_tile valid_row = %n valid_col = %c8 : !pto.tile_buf<vec, 8x8xf32, valid=?x?>\n"
        "  %p = pto.partition_view %in, offsets = [0, 0], sizes = [%n, 8] : !pto.tensor_view<8x8xf32> -> "
        "!pto.partition_tensor_view<?x8xf32>\n"
        "  pto.tload ins(%p : !pto.partition_tensor_view<?x8xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32, valid=?x?>)\n"
        "  pto.set_validshape %t, 1, 8 : !pto.tile_buf<vec, 8x8xf32, valid=?x?>\n  return\n}";
    float in[64] = {1, 2};
    (void)state;
    for (int64_t n = 0; n <= 9; n++) {
        struct ptog_binding bindings[] = {BIND_F32("in", in, 8, 8), BIND_NUMBER("n", n)};
        struct run_of run = run_text(text, (struct ptog_execution){.bindings = bindings, .binding_count = 2});
        struct ptog_result_tile tile;
        if (n == 9) {
            assert_int_equal(run.status, PTOG_ILLEGAL);
            assert_string_equal(run.ids, "text-valid");
        } else {
            assert_string_equal(run.ids, n == 0 ? "run-empty transfer-empty" : "");
            assert_int_equal(ptog_result_tile(run.result, "t", &tile), PTOG_OK);
            assert_int_equal(tile.rows, 1);
            assert_int_equal(tile.cols, 8);
        }
        run_done(&run);
    }
    check_gives("%t = pto.alloc_tile : " T8 "\npto.set_validshape %t, 1, 8 : " T8, "host", "text-extent");
    check_gives("%c = arith.constant 8 : index\n%t = pto.alloc_tile valid_row = %c : " T8, "host", "text-extent");
}

/* What a branch may have changed is not known after it. */
static void test_changed_in_a_branch(void **state)
{
#define TD "!pto.tile_buf<vec, 8x8xf32, valid=?x?>"
#define LOAD "    pto.tload ins(%in : !pto.tensor_view<8x8xf32>) outs(%t : " TD ")\n"
#define TEXT(inside, after)                                                                                            \
    "func.func @f(%in: !pto.tensor_view<8x8xf32>, %b: i1) {\n  %c8 = arith.constant 8 : index\n"                       \
    "  %t = pto.alloc_tile valid_row = %c8 valid_col = %c8 : " TD "\n  scf.if %b {\n"                                  \
    "    pto.set_validshape %t, 4, 8 : " TD "\n" inside "  }\n" after "  return\n}"
    (void)state;
    check_gives(TEXT(LOAD, ""), "a2a3", "transfer-shape");
    check_gives(TEXT("", LOAD), "a2a3", "");
}

static void test_placement(void **state)
{
#define BIG "!pto.tile_buf<vec, 128x256xf32>"
    (void)state;
    /* 128 KiB each: one fits in a2a3, two do not, unless they are used in turn; unused ones take no room */
    check_gives("%a = pto.alloc_tile : " BIG "\n%b = pto.alloc_tile : " BIG "\n"
                "pto.tload ins(%v : !pto.partition_tensor_view<128x256xf32>) outs(%a : " BIG ")",
                "a2a3", "");
    check_gives("%a = pto.alloc_tile : " BIG "\n%b = pto.alloc_tile : " BIG "\n"
                "pto.tload ins(%v : !pto.partition_tensor_view<128x256xf32>) outs(%a : " BIG ")\n"
                "pto.tload ins(%v : !pto.partition_tensor_view<128x256xf32>) outs(%b : " BIG ")",
                "a2a3", "");
    check_gives("%a = pto.alloc_tile : " BIG "\n%b = pto.alloc_tile : " BIG "\n"
                "pto.tload ins(%v : !pto.partition_tensor_view<128x256xf32>) outs(%a : " BIG ")\n"
                "pto.tload ins(%v : !pto.partition_tensor_view<128x256xf32>) outs(%b : " BIG ")\n"
                "pto.tadd ins(%a, %b : " BIG ", " BIG ") outs(%a : " BIG ")",
                "a2a3", "ub-overflow");
    check_gives("%z = arith.constant 65536 : i64\n%a = pto.alloc_tile addr = %z : " BIG "\n%b = pto.alloc_tile : " BIG
                "\n"
                "pto.tload ins(%v : !pto.partition_tensor_view<128x256xf32>) outs(%b : " BIG ")",
                "a2a3", "ub-overflow");
    check_gives("%z = arith.constant 0 : i64\n%a = pto.alloc_tile addr = %z : " BIG "\n%b = pto.alloc_tile : " BIG "\n"
                "pto.tload ins(%v : !pto.partition_tensor_view<128x256xf32>) outs(%b : " BIG ")",
                "a5", "");
    check_gives("%t = pto.alloc_tile : !pto.tile_buf<vec, 100000000x100000000xf32>", "host", "");
    check_gives("%t = pto.alloc_tile : !pto.tile_buf<vec, 3000000000x3000000000xf32>", "host", "text-tile-type");
    check_gives("%t = pto.alloc_tile : !pto.tile_buf<vec, 100000x100000xf32>\n"
                "pto.tload ins(%v : !pto.partition_tensor_view<100000x100000xf32>) outs(%t : !pto.tile_buf<vec, "
                "100000x100000xf32>)",
                "host", "ub-overflow");
    check_gives("%a = arith.constant -32 : i64\n%t = pto.alloc_tile addr = %a : " T8, "host", "ub-overflow");
    check_gives("%a = arith.constant 0 : i64\n%t = pto.alloc_tile addr = %a : " T8
                "\n%u = pto.alloc_tile addr = %a : " T8
                "\n%i = pto.alloc_tile : !pto.tile_buf<vec, 8x8xi32>\npto.tgather ins(%t, %i : " T8
                ", !pto.tile_buf<vec, 8x8xi32>) outs(%u : " T8 ")",
                "cpu", "ub-overlap");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partitions),
        cmocka_unit_test(test_middle_dimension),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_subviews),
        cmocka_unit_test(test_validshape),
        cmocka_unit_test(test_changed_in_a_branch),
        cmocka_unit_test(test_placement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
