/* unit: slots, bindings, elided types that cannot be inferred, and what a run reports about lanes. */
#include "unit/test_program_tools.h"

static struct run_of run_with(const char *text, const char *target, const struct ptog_binding *bindings, size_t count)
{
    return run_text(text, (struct ptog_execution){
                              .target = ptog_target_find(target), .bindings = bindings, .binding_count = count});
}

static void binding_gives(const char *text, const struct ptog_binding *bindings, size_t count, const char *ids,
                          const char *message)
{
    struct run_of run = run_with(text, "host", bindings, count);
    if (strcmp(run.ids, ids) != 0)
        print_error("%s\n%s\n", ptog_diags_count(run.diags) ? ptog_diags_at(run.diags, 0)->message : "", text);
    assert_string_equal(run.ids, ids);
    if (message)
        assert_string_equal(ptog_diags_at(run.diags, 0)->message, message);
    assert_int_equal(run.status, PTOG_ILLEGAL);
    assert_null(run.result);
    run_done(&run);
}

#define SNIPPET "%d = mgather.row %t, %i : (!pto.memref<4x8xf32>, !pto.tile<1x8xi32>) -> !pto.tile<8x8xf32>"

/* ---- slots */

static void test_slots(void **state)
{
    static const char text[] =
        "func.func @f(%p: !pto.ptr<f16>, %v: !pto.tensor_view<?x8xf32>, %n: index, "
        "%t: !pto.tile_buf<vec, 8x8xf32>) {\n"
        "  pto.tstore ins(%t : !pto.tile_buf<vec, 8x8xf32>) outs(%v : !pto.tensor_view<?x8xf32>)\n"
        "  return\n}";
    ptog_program *program = parsed(text);
    struct ptog_slot slot;
    (void)state;
    assert_true(ptog_program_slot_at(program, "f", 0, &slot));
    assert_string_equal(slot.name, "p");
    assert_int_equal(slot.kind, PTOG_SLOT_MEMORY);
    assert_int_equal(slot.dtype, PTOG_F16);
    assert_int_equal(slot.rank, 0);
    assert_false(slot.written);
    assert_true(ptog_program_slot_at(program, NULL, 1, &slot));
    assert_true(slot.written);
    assert_int_equal(slot.rank, 2);
    assert_int_equal(slot.shape[0], PTOG_DYN);
    assert_int_equal(slot.shape[1], 8);
    assert_true(ptog_program_slot_at(program, NULL, 2, &slot));
    assert_int_equal(slot.kind, PTOG_SLOT_NUMBER);
    assert_true(ptog_program_slot_at(program, NULL, 3, &slot));
    assert_int_equal(slot.kind, PTOG_SLOT_TILE);
    assert_int_equal(slot.line, 1);
    assert_false(ptog_program_slot_at(program, NULL, 4, &slot));
    assert_false(ptog_program_slot_at(program, "g", 0, &slot));
    ptog_program_free(program);
}

static void test_slots_of_snippets(void **state)
{
    ptog_program *program =
        parsed("%d = pto.mgather %mem, %idx : (!pto.partition_tensor_view<MxNxdtype>, pto.tile<...>)\n"
               "-> !pto.tile<loc, dtype, rows, cols, blayout, slayout, fractal, pad>");
    struct ptog_slot slot;
    (void)state;
    assert_true(ptog_program_slot_at(program, "", 0, &slot));
    assert_string_equal(slot.name, "mem");
    assert_int_equal(slot.kind, PTOG_SLOT_MEMORY);
    assert_int_equal(slot.dtype, PTOG_DTYPE_NONE);
    assert_true(ptog_program_slot_at(program, "", 1, &slot));
    assert_string_equal(slot.name, "idx");
    assert_int_equal(slot.kind, PTOG_SLOT_TILE);
    assert_int_equal(slot.rank, 0);
    assert_false(ptog_program_slot_at(program, "", 2, &slot));
    ptog_program_free(program);
}

/* ---- bindings that do not fit */

static void test_unfit(void **state)
{
    float t[32] = {0};
    int32_t i[8] = {0};
    struct ptog_binding good[] = {BIND_F32("t", t, 4, 8), BIND_I32("i", i, 1, 8)};
    (void)state;
    binding_gives(SNIPPET, good, 1, "run-unbound", "missing argument %i: the program needs the data of a tile");
    binding_gives(SNIPPET, good + 1, 1, "run-unbound", "missing argument %t: the program needs a buffer of global memory");
    struct ptog_binding dtype[] = {BIND_I32("t", t, 4, 8), BIND_I32("i", i, 1, 8)};
    binding_gives(SNIPPET, dtype, 2, "run-binding", "%t has element type f32, but is bound to data of type i32");
    struct ptog_binding size[] = {BIND_F32("t", t, 4, 8), {.name = "i", .data = {i, 28}, .dtype = PTOG_I32}};
    binding_gives(SNIPPET, size, 2, "run-binding", "%i has a valid region of 32 bytes, but is bound to 28 bytes");
    struct ptog_binding raw[] = {BIND_F32("t", t, 4, 8), {.name = "i", .data = {i, 28}}}; /* before its type is known */
    binding_gives("pto.tassign %i, @tile(0x1000)\n" SNIPPET, raw, 2, "run-binding",
                  "%i has a valid region of 32 bytes, but is bound to 28 bytes");
    struct ptog_binding number[] = {BIND_NUMBER("t", 3), BIND_I32("i", i, 1, 8)};
    binding_gives(SNIPPET, number, 2, "run-binding", NULL);
    struct ptog_binding extra[] = {BIND_F32("t", t, 4, 8), BIND_I32("i", i, 1, 8), BIND_NUMBER("x", 3)};
    binding_gives(SNIPPET, extra, 3, "run-binding", "%x is bound, but the program has no argument of that name");
    struct ptog_binding own[] = {BIND_F32("t", t, 4, 8), BIND_I32("i", i, 1, 8), BIND_F32("d", t, 4, 8)};
    binding_gives(SNIPPET, own, 3, "run-binding", NULL);
    struct ptog_binding none[] = {BIND_F32("t", t, 4, 8), {.name = "i", .data = {NULL, 32}}};
    binding_gives(SNIPPET, none, 2, "run-binding", NULL);
}

static void test_elided(void **state)
{
    static const char text[] =
        "%d = mgather.elem %mem, %i : (!pto.memref<MxNxT>, !pto.tile<1x8xi32>) -> !pto.tile<1x8xf32>";
    unsigned char raw[128] = {0};
    int32_t i[8] = {0};
    struct ptog_binding bindings[] = {{.name = "mem", .data = {raw, sizeof raw}}, BIND_I32("i", i, 1, 8)};
    (void)state;
    binding_gives(text, bindings, 2, "text-elided", "cannot infer M: bind %mem or write its type");
    binding_gives("%d = mgather %mem, %i", bindings, 2, "text-elided", NULL);
    binding_gives("%d = tgather %mem, %i", bindings, 2, "text-elided",
                  "cannot infer its shape: bind %mem or write its type");
    check_gives(text, "host", "text-elided");
    check_gives("%d = mgather.row %t, %i : (!pto.memref<64x32xf16>, !pto.tile<1xRxi32>) -> !pto.tile<16x32xf16>",
                "host", "text-elided");
}

/* Raw bytes give the number of rows; a free number is bound like an argument. */
static void test_raw(void **state)
{
    float t[4 * 8], d[8];
    int32_t i[8] = {0, 1, 2, 3, 31, 30, 29, 28};
    struct ptog_binding bindings[] = {
        {.name = "t", .data = {t, sizeof t}}, BIND_I32("i", i, 1, 8), BIND_NUMBER("n", 8)};
    (void)state;
    for (int k = 0; k < 32; k++)
        t[k] = (float)k;
    struct run_of run =
        run_with("%m = arith.addi %n, %n : index\n"
                 "%d = mgather.elem.zero %t, %i : (memref<?x8xf32>, !pto.tile<1x8xi32>) -> !pto.tile<1x8xf32>",
                 "host", bindings, 3);
    assert_string_equal(run.ids, "");
    assert_int_equal(ptog_result_copy(run.result, "d", d, sizeof d), PTOG_OK);
    for (int k = 0; k < 8; k++)
        assert_true(d[k] == t[i[k]]);
    assert_int_equal(ptog_result_copy(run.result, "d", d, 4), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_result_copy(run.result, "e", d, sizeof d), PTOG_BAD_ARGUMENT);
    run_done(&run);
}

/* A bound tile that is given an address has its data there. */
static void test_assigned(void **state)
{
    static const char text[] = "pto.tassign %s, @tile(0x1000)\npto.tassign %i, @tile(0x2000)\n"
                               "%d = pto.tgather %s, %i : (!pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>";
    float source[64], d[64];
    int32_t index[64];
    struct ptog_binding bindings[] = {BIND_F32("s", source, 8, 8), BIND_I32("i", index, 8, 8)};
    (void)state;
    for (int k = 0; k < 64; k++) {
        source[k] = (float)k;
        index[k] = 63 - k;
    }
    struct run_of run = run_with(text, "host", bindings, 2);
    assert_string_equal(run.ids, "");
    assert_int_equal(ptog_result_copy(run.result, "d", d, sizeof d), PTOG_OK);
    for (int k = 0; k < 64; k++)
        assert_true(d[k] == (float)(63 - k));
    run_done(&run);
}

/* ---- faults */

static void test_faults_are_summed(void **state)
{
    static const char text[] =
        "func.func @f(%t: !pto.tensor_view<4x8xf32>, %i: !pto.tile_buf<vec, 1x8xi32>) {\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c3 = arith.constant 3 : index\n"
        "  %d = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n  scf.for %k = %c0 to %c3 step %c1 {\n"
        "    pto.mgather ins(%t, %i : !pto.tensor_view<4x8xf32>, !pto.tile_buf<vec, 1x8xi32>) outs(%d : "
        "!pto.tile_buf<vec, 8x8xf32>) {coalesce = #pto<coalesce row>}\n  }\n  return\n}";
    float t[32] = {0};
    int32_t i[8] = {0, 1, 2, 9, 0, 0, 7, 0};
    struct ptog_binding bindings[] = {BIND_F32("t", t, 4, 8), BIND_I32("i", i, 1, 8)};
    (void)state;
    struct run_of run = run_text(text, (struct ptog_execution){.bindings = bindings, .binding_count = 2, .blocks = 2});
    assert_int_equal(run.status, PTOG_FAULT);
    assert_string_equal(run.ids, "gm-out-of-bounds");
    const struct ptog_diag *diag = ptog_diags_at(run.diags, 0);
    assert_int_equal(diag->count, 2 * 8 * 3 * 2); /* rows, columns, iterations, blocks */
    assert_int_equal(diag->where.line, 7);
    assert_non_null(strstr(diag->message, "index 9 is outside %t, which has 4 rows"));
    assert_non_null(run.result);
    run_done(&run);
}

static void test_scalars_outside(void **state)
{
    static const char text[] =
        "func.func @f(%p: !pto.ptr<i32>) {\n  %c = arith.constant 5 : index\n"
        "  %x = pto.load_scalar %p[%c] : !pto.ptr<i32> -> i32\n"
        "  pto.store_scalar %x, %p[%c] : i32, !pto.ptr<i32>\n"
        "  %v = pto.make_tensor_view %q, shape = [%c], strides = [%c] : !pto.tensor_view<?xi32>\n"
        "  return\n}";
    int32_t p[5] = {0};
    struct ptog_binding binding = {.name = "p", .data = {p, sizeof p}, .dtype = PTOG_I32};
    char good[1000];
    (void)state;
    snprintf(good, sizeof good, "%.*s  return\n}", (int)(strstr(text, "  %v") - text), text);
    struct run_of run = run_with(good, "host", &binding, 1);
    assert_int_equal(run.status, PTOG_FAULT);
    assert_string_equal(run.ids, "gm-out-of-bounds gm-out-of-bounds");
    run_done(&run);
}

static void test_view_before_its_buffer(void **state)
{
    static const char text[] =
        "func.func @f(%p: !pto.ptr<f32>, %n: index) {\n"
        "  %q = pto.addptr %p, %n : !pto.ptr<f32> -> !pto.ptr<f32>\n"
        "  %v = pto.make_tensor_view %q, shape = [1, 8], strides = [8, 1] : !pto.tensor_view<1x8xf32>\n"
        "  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n"
        "  pto.tload ins(%v : !pto.tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)\n"
        "  return\n}";
    float p[8] = {0};
    struct ptog_binding bindings[] = {BIND_F32("p", p, 1, 8), BIND_NUMBER("n", -1)};
    (void)state;
    struct run_of run = run_with(text, "host", bindings, 2);
    assert_string_equal(run.ids, "run-stopped");
    run_done(&run);
    bindings[1].number = 4;
    run = run_with(text, "host", bindings, 2);
    assert_int_equal(run.status, PTOG_FAULT);
    run_done(&run);
    bindings[1].number = INT64_MAX;
    run = run_with(text, "host", bindings, 2);
    assert_string_equal(run.ids, "text-view");
    run_done(&run);
}

/* How much of a tile is valid, and with it the size of its data, must be known before the first instruction. */
static void test_open_tile(void **state)
{
    static int32_t i[8];
    const struct ptog_binding binding = {.name = "i", .data = {i, sizeof i}, .dtype = PTOG_I32};
    static const char *const targets[] = {"host", "a2a3"};
    (void)state;
    for (size_t k = 0; k < COUNT_OF(targets); k++) {
        struct run_of run = run_text(
            "func.func @f(%i: !pto.tile_buf<vec, 1x8xi32, valid=1x?>) {\n"
            "  pto.set_validshape %i, 1, 8 : !pto.tile_buf<vec, 1x8xi32, valid=1x?>\n  return\n}",
            (struct ptog_execution){.target = ptog_target_find(targets[k]), .bindings = &binding, .binding_count = 1});
        assert_int_equal(run.status, PTOG_ILLEGAL);
        assert_string_equal(run.ids, "run-binding");
        run_done(&run);
    }
}

/* A buffer that must not be written may be read, and a program that stores to it is refused, also under a branch. */
static void test_read_only(void **state)
{
    static const char text[] =
        "func.func @f(%a: !pto.partition_tensor_view<8x8xf32>, %b: !pto.partition_tensor_view<8x8xf32>) {\n"
        "  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
        "  pto.tload ins(%a : !pto.partition_tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)\n"
        "  %no = arith.constant 0 : i1\n"
        "  scf.if %no {\n"
        "    pto.tstore ins(%t : !pto.tile_buf<vec, 8x8xf32>) outs(%b : !pto.partition_tensor_view<8x8xf32>)\n"
        "  }\n  return\n}";
    static float a[64], b[64];
    struct ptog_binding bindings[] = {BIND_F32("a", a, 8, 8), BIND_F32("b", b, 8, 8)};
    (void)state;
    bindings[0].read_only = true;
    struct run_of run = run_with(text, "host", bindings, 2);
    assert_int_equal(run.status, PTOG_OK);
    run_done(&run);
    bindings[1].read_only = true;
    binding_gives(text, bindings, 2, "run-binding", "the program stores to %b, but it is bound to read-only data");
}

/* The tiles of a result by number: those that were used, with their padded extents. */
static void test_tiles_by_number(void **state)
{
    static const char text[] =
        "func.func @f(%a: !pto.partition_tensor_view<3x9xf32>) {\n"
        "  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32, valid=3x9>\n"
        "  pto.tload ins(%a : !pto.partition_tensor_view<3x9xf32>) outs(%t : !pto.tile_buf<vec, 8x16xf32, valid=3x9>)\n"
        "  return\n}";
    static float a[27];
    const struct ptog_binding binding = BIND_F32("a", a, 3, 9);
    struct run_of run = run_with(text, "host", &binding, 1);
    struct ptog_tile tile;
    const char *name;
    (void)state;
    assert_int_equal(run.status, PTOG_OK);
    assert_true(ptog_result_tile_at(run.result, 0, &name, &tile));
    assert_string_equal(name, "t");
    assert_int_equal(tile.rows, 8);
    assert_int_equal(tile.cols, 16);
    assert_int_equal(tile.valid_row, 3);
    assert_int_equal(tile.valid_col, 9);
    assert_false(ptog_result_tile_at(run.result, 1, &name, &tile));
    assert_false(ptog_result_tile_at(NULL, 0, &name, &tile));
    run_done(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_slots_of_snippets),
        cmocka_unit_test(test_unfit),
        cmocka_unit_test(test_elided),
        cmocka_unit_test(test_raw),
        cmocka_unit_test(test_assigned),
        cmocka_unit_test(test_faults_are_summed),
        cmocka_unit_test(test_scalars_outside),
        cmocka_unit_test(test_open_tile),
        cmocka_unit_test(test_read_only),
        cmocka_unit_test(test_tiles_by_number),
        cmocka_unit_test(test_view_before_its_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
