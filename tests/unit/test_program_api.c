/* unit: the handles of a program: parsing, walking, printing, diagnostics as data, flags, and running out of memory. */
#include "base/pick.h"
#include "unit/refusing.h"
#include "unit/test_program_tools.h"

#define KERNEL                                                                                                         \
    "module attributes {pto.target_arch = \"a3\"} {\n"                                                                 \
    "  func.func @f(%t: !pto.tensor_view<4x8xf32>, %i: !pto.tile_buf<vec, 1x8xi32>, %n: index) {\n"                    \
    "    %c1 = arith.constant 1 : index\n    %d = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"                      \
    "    scf.for %k = %c1 to %n step %c1 {\n"                                                                          \
    "      pto.mgather ins(%t, %i : !pto.tensor_view<4x8xf32>, !pto.tile_buf<vec, 1x8xi32>) outs(%d : "                \
    "!pto.tile_buf<vec, 8x8xf32>) {coalesce = #pto<coalesce row>}\n"                                                   \
    "      pto.trandom ins(%d : !pto.tile_buf<vec, 8x8xf32>) outs(%d : !pto.tile_buf<vec, 8x8xf32>)\n    }\n"          \
    "    return\n  }\n}\n"

static void test_parse(void **state)
{
    ptog_program *program;
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    assert_int_equal(ptog_program_parse(&program, NULL, NULL, 0, NULL), PTOG_OK);
    assert_null(ptog_program_function_at(program, 0));
    assert_int_equal(ptog_program_check(program, NULL, NULL), PTOG_ILLEGAL);
    assert_int_equal(ptog_program_run(program, NULL, diags, NULL), PTOG_ILLEGAL);
    ptog_program_free(program);
    assert_int_equal(ptog_program_parse(&program, "x", NULL, 4, NULL), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_program_parse(NULL, "x", "", 0, NULL), PTOG_BAD_ARGUMENT);
    ptog_diags_clear(diags);
    assert_int_equal(ptog_program_parse(&program, "bad.pto", "%x =\n", 5, diags), PTOG_ILLEGAL);
    assert_null(program);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "text-syntax");
    assert_string_equal(ptog_diags_at(diags, 0)->where.file, "bad.pto");
    ptog_diags_free(diags);
    program = parsed(KERNEL);
    assert_ptr_equal(ptog_program_target(program), ptog_target_find("a2a3"));
    assert_string_equal(ptog_program_function_at(program, 0), "f");
    assert_null(ptog_program_function_at(program, 1));
    ptog_program_free(program);
    ptog_program_free(NULL);
}

/* ---- walking and printing */

struct seen {
    char text[1000];
    int left;
};

static bool see(void *user, const struct ptog_op_seen *op)
{
    struct seen *seen = user;
    size_t used = strlen(seen->text);
    used += (size_t)snprintf(seen->text + used, sizeof seen->text - used, "%d %s%s", op->depth, op->name,
                             ptog_when(!op->modelled, "?"));
    for (size_t i = 0; i < op->result_count + op->operand_count; i++)
        used += (size_t)snprintf(seen->text + used, sizeof seen->text - used, "%s%s", i < op->result_count ? " =" : " ",
                                 i < op->result_count ? op->results[i] : op->operands[i - op->result_count]);
    snprintf(seen->text + used, sizeof seen->text - used, "\n");
    return --seen->left != 0;
}

static void test_walk(void **state)
{
    ptog_program *program = parsed(KERNEL);
    struct seen seen = {.left = 100};
    (void)state;
    assert_int_equal(ptog_program_walk(program, see, &seen), PTOG_OK);
    assert_string_equal(seen.text, "0 module\n1 func.func\n2 arith.constant =c1\n2 pto.alloc_tile =d\n"
                                   "2 scf.for c1 n c1\n3 pto.mgather t i d\n3 pto.trandom? d d\n2 return\n");
    seen = (struct seen){.left = 2};
    assert_int_equal(ptog_program_walk(program, see, &seen), PTOG_OK);
    assert_string_equal(seen.text, "0 module\n1 func.func\n");
    assert_int_equal(ptog_program_walk(program, NULL, NULL), PTOG_BAD_ARGUMENT);
    ptog_program_free(program);
}

static void append(void *user, const char *text, size_t length)
{
    struct seen *seen = user;
    size_t used = strlen(seen->text);
    snprintf(seen->text + used, sizeof seen->text - used, "%.*s", (int)length, text);
}

static void test_print(void **state)
{
    ptog_program *program = parsed("%d = mgather.row %t, %i : (!pto.memref<4x8xf32>, !pto.tile<1x8xi32>) -> "
                                   "!pto.tile<8x8xf32>");
    struct seen seen = {.left = 1};
    struct ptog_sink sink = {.write = append, .user = &seen};
    (void)state;
    assert_int_equal(ptog_program_print(program, PTOG_AS_WRITTEN, &sink, NULL), PTOG_OK);
    assert_non_null(strstr(seen.text, "%d = mgather.row %t, %i"));
    assert_int_equal(ptog_program_print(program, (enum ptog_form_text)9, &sink, NULL), PTOG_BAD_ARGUMENT);
    ptog_program_free(program);
}

/* ---- diagnostics */

static void test_where(void **state)
{
    static const char text[] =
        "func.func @f(%n: i32) {\n\t%m = arith.addi %n, %n : i64 // \x1b[31m\xc3\xa4\xff\n  return\n}";
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program = parsed(text);
    (void)state;
    assert_int_equal(ptog_program_check(program, NULL, diags), PTOG_ILLEGAL);
    assert_int_equal(ptog_diags_count(diags), 1);
    const struct ptog_diag *diag = ptog_diags_at(diags, 0);
    assert_string_equal(diag->id, "text-type-mismatch");
    assert_true(diag->refuses);
    assert_string_equal(diag->where.file, "t.pto");
    assert_int_equal(diag->where.line, 2);
    assert_int_equal(diag->where.column, 27);
    assert_int_equal(diag->where.end_column, 30);
    assert_string_equal(diag->where.text, " %m = arith.addi %n, %n : i64 //  [31m\xc3\xa4?");
    assert_int_equal(diag->related_count, 1);
    assert_string_equal(diag->related[0].message, "defined here");
    assert_int_equal(diag->related[0].where.line, 1);
    assert_int_equal(diag->related[0].where.column, 14);
    ptog_program_free(program);
    ptog_diags_free(diags);
}

static void test_order(void **state)
{
    (void)state;
    check_gives(
        "func.func @g() {\n  %a = pto.alloc_tile : !pto.tile_buf<vec, 128x256xf32>\n"
        "  %b = pto.alloc_tile : !pto.tile_buf<vec, 128x256xf32>\n  %c = arith.addi %x, %y : index\n"
        "  %i = pto.alloc_tile : !pto.tile_buf<vec, 128x256xi32>\n"
        "  pto.tgather ins(%a, %i : !pto.tile_buf<vec, 128x256xf32>, !pto.tile_buf<vec, 128x256xi32>) outs(%b : "
        "!pto.tile_buf<vec, 128x256xf32>)\n  return\n}",
        "a2a3", "text-undefined text-undefined tgather-tmp-absent ub-overflow");
}

static void test_many(void **state)
{
    size_t size = 40 * 12000;
    char *text = malloc(size), *end = text;
    (void)state;
    for (int i = 0; i < 11000; i++)
        end += snprintf(end, size - (size_t)(end - text), "%%c%d = arith.divsi 1, 0 : index\n", i);
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program = parsed(text);
    assert_int_equal(ptog_program_check(program, NULL, diags), PTOG_ILLEGAL);
    assert_int_equal(ptog_diags_count(diags), 10001);
    assert_string_equal(ptog_diags_at(diags, 10000)->id, "text-too-many");
    ptog_program_free(program);
    ptog_diags_free(diags);
    free(text);
}

/* ---- flags, barriers, events */

static void test_sync(void **state)
{
    (void)state;
    run_gives(
        "%e = arith.constant 3 : index\npto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n"
        "pto.wait_flag[\"PIPE_MTE2\", #pto.pipe<PIPE_V>, <EVENT_ID7>]\npto.set_flag_dyn[<PIPE_S>, <PIPE_FIX>, %e]\n"
        "pto.wait_flag_dyn[<PIPE_S>, <PIPE_FIX>, %e]\npto.barrier <PIPE_ALL>\n"
        "pto.record_event[#pto.pipe_event_type<TLOAD>, #pto.sync_op_type<TVEC>, <EVENT_ID0>]\n"
        "pto.wait_event[#pto.pipe_event_type<TVEC>, #pto.pipe_event_type<TSTORE_VEC>, <EVENT_ID0>]",
        "host", "");
    check_gives("pto.set_flag[<PIPE_X>, <PIPE_V>, <EVENT_ID0>]", "host", "text-pipe");
    check_gives("pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID8>]", "host", "text-pipe");
    check_gives("pto.set_flag[<PIPE_V>, <PIPE_MTE3>]", "host", "text-operands");
    check_gives("pto.barrier <PIPE_Q>", "host", "text-pipe");
    check_gives("%e = arith.constant 8 : index\npto.set_flag_dyn[<PIPE_S>, <PIPE_FIX>, %e]", "host", "text-pipe");
    check_gives("pto.record_event[#pto.pipe_event_type<TVEC>, #pto.pipe_event_type<TVEC>, <EVENT_ID0>]", "host",
                "text-pipe");
}

static void test_not_modelled(void **state)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program = parsed(KERNEL);
    float t[32] = {0};
    int32_t i[8] = {0};
    struct ptog_binding bindings[] = {BIND_F32("t", t, 4, 8), BIND_I32("i", i, 1, 8), BIND_NUMBER("n", 3)};
    struct ptog_execution execution = {.bindings = bindings, .binding_count = 3};
    (void)state;
    assert_int_equal(ptog_program_check(program, NULL, diags), PTOG_OK);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "text-not-modelled");
    assert_int_equal(ptog_diags_at(diags, 0)->severity, PTOG_WARNING);
    assert_int_equal(ptog_diags_verdict(diags), PTOG_NOT_JUDGED);
    ptog_diags_clear(diags);
    assert_int_equal(ptog_program_run(program, &execution, diags, NULL), PTOG_ILLEGAL);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "text-not-modelled");
    assert_int_equal(ptog_diags_at(diags, 0)->severity, PTOG_ERROR);
    assert_int_equal(ptog_diags_at(diags, 0)->where.line, 7);
    ptog_program_free(program);
    ptog_diags_free(diags);
}

/* ---- no memory */

static enum ptog_status all_of_it(const char *text, const struct ptog_target *target)
{
    float t[32] = {0};
    int32_t i[8] = {9};
    struct ptog_binding bindings[] = {BIND_F32("t", t, 4, 8), BIND_I32("i", i, 1, 8)};
    struct ptog_execution execution = {.target = target, .bindings = bindings, .binding_count = 2};
    struct ptog_slot slot;
    ptog_program *program = NULL;
    ptog_result *result = NULL;
    ptog_diags *diags = ptog_diags_new();
    enum ptog_status status = diags ? ptog_program_parse(&program, "m", text, strlen(text), diags) : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = ptog_program_check(program, target, diags);
    if (status == PTOG_OK && !ptog_program_slot_at(program, NULL, 0, &slot))
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = ptog_program_run(program, &execution, diags, &result);
    ptog_result_free(result);
    ptog_program_free(program);
    ptog_diags_free(diags);
    return status;
}

static void test_no_memory(void **state)
{
    static const char text[] =
        "%c = arith.constant 1 : index\n"
        "%s = scf.for %k = %c to %c step %c iter_args(%a = %c) -> (index) {\n  scf.yield %a : index\n}\n"
        "%d = mgather.row %t, %i : (!pto.memref<4x8xf32>, !pto.tile<1xNxi32>) -> !pto.tile<NxMxT>\n"
        "pto.mgather ins(%t, %i : !pto.memref<4x8xf32>, !pto.tile<1x8xi32>) outs(%e : "
        "!pto.tile<8x8xf32>) {coalesce = #pto<coalesce row>}";
    static const char *const targets[] = {"host", "a2a3", "a5"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(targets); i++) {
        long n = 0;
        enum ptog_status status;
        do {
            allocations_left = n++;
            status = all_of_it(text, ptog_target_find(targets[i]));
            allocations_left = -1;
            assert_true(status == PTOG_NO_MEMORY || status == PTOG_FAULT);
        } while (status == PTOG_NO_MEMORY && n < 3000);
        assert_int_equal(status, PTOG_FAULT);
        assert_true(n > 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse), cmocka_unit_test(test_walk),         cmocka_unit_test(test_print),
        cmocka_unit_test(test_where), cmocka_unit_test(test_order),        cmocka_unit_test(test_many),
        cmocka_unit_test(test_sync),  cmocka_unit_test(test_not_modelled), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
