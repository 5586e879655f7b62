/* unit: arguments that cannot be meant are refused, and the report says which one it was: reserved words that are not
 * zero, NULL, numbers of no enum. tests/meta/nulls.py calls every function with NULL. */
#include "unit/check.h"

static void write_nothing(void *user, const char *text, size_t length)
{
    (void)user;
    (void)text;
    (void)length;
}

/* The only entry of a list says this of an argument; then the list is emptied. */
static void expect(ptog_diags *diags, enum ptog_status status, const char *message)
{
    assert_int_equal(status, PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_diags_count(diags), 1);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "bad-argument");
    assert_string_equal(ptog_diags_at(diags, 0)->message, message);
    ptog_diags_clear(diags);
}

static struct ptog_mgather good_mgather(void)
{
    return (struct ptog_mgather){.dst = ptog_tile_vec(PTOG_F32, 16, 32),
                                 .table = ptog_tensor_2d(PTOG_F32, 64, 32),
                                 .idx = ptog_tile_vec(PTOG_I32, 1, 16)};
}

static void instructions(void **state)
{
    const struct ptog_target *target = ptog_target_find("a2a3");
    ptog_diags *diags = ptog_diags_new();
    struct ptog_mgather op = good_mgather();
    ptog_plan *plan = NULL;
    (void)state;
    assert_int_equal(ptog_verify_mgather(target, &op, diags), PTOG_OK);
    op.reserved[3] = 1;
    expect(diags, ptog_verify_mgather(target, &op, diags), "ptog_verify: insn has a reserved word that is not zero");
    expect(diags, ptog_plan_mgather(&plan, target, &op, diags),
           "ptog_verify: insn has a reserved word that is not zero");
    assert_null(plan);
    op = good_mgather();
    op.table.reserved[0] = 1;
    expect(diags, ptog_verify_mgather(target, &op, diags),
           "ptog_verify: insn has an operand with a reserved word that is not zero");
    op = good_mgather();
    op.idx.reserved[1] = 1;
    expect(diags, ptog_verify_mgather(target, &op, diags),
           "ptog_verify: insn has an operand with a reserved word that is not zero");
    op = good_mgather();
    expect(diags, ptog_verify_mgather(NULL, &op, diags), "ptog_verify: target is NULL");
    expect(diags, ptog_verify_tgather(target, NULL, diags), "ptog_verify_tgather: op is NULL");
    expect(diags, ptog_verify(target, &(struct ptog_insn){0}, diags), "ptog_verify: insn has an unknown opcode");
    ptog_diags_free(diags);
}

static void plans(void **state)
{
    ptog_diags *diags = ptog_diags_new();
    struct ptog_mgather op = good_mgather();
    struct ptog_run run = {.reserved = {0, 0, 1}};
    ptog_plan *plan = NULL;
    (void)state;
    assert_int_equal(ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL), PTOG_OK);
    assert_int_equal(ptog_plan_run(plan, &run, NULL), PTOG_BAD_ARGUMENT);
    expect(diags, ptog_plan_check(plan, &run, diags), "ptog_verify: run has a reserved word that is not zero");
    expect(diags, ptog_plan_check(plan, NULL, diags), "ptog_plan_check: run is NULL");
    ptog_plan_free(plan);
    ptog_diags_free(diags);
}

static void programs(void **state)
{
    static const char text[] = "func.func @f() {\n  return\n}\n";
    const struct ptog_sink sink = {.write = write_nothing}, wrong = {.write = write_nothing, .reserved = {1}};
    const struct ptog_gather_watch watch = {.reserved = {1}};
    const struct ptog_progress progress = {.reserved = {1}};
    struct ptog_binding binding = {.name = "a", .reserved = {1}};
    struct ptog_execution execution = {.reserved = {1}};
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program = NULL;
    (void)state;
    expect(diags, ptog_program_parse(&program, "f", NULL, 3, diags), "ptog_program_parse: bytes is NULL");
    assert_int_equal(ptog_program_parse(&program, "f", text, sizeof text - 1, diags), PTOG_OK);
    expect(diags, ptog_program_run(program, &execution, diags, NULL),
           "ptog_program_run: execution has a reserved word that is not zero");
    execution = (struct ptog_execution){.watch = &watch};
    expect(diags, ptog_program_run(program, &execution, diags, NULL),
           "ptog_program_run: execution has a reserved word that is not zero");
    execution = (struct ptog_execution){.progress = &progress};
    expect(diags, ptog_program_repair(program, &execution, &sink, diags),
           "ptog_program_repair: execution has a reserved word that is not zero");
    execution = (struct ptog_execution){.bindings = &binding, .binding_count = 1};
    expect(diags, ptog_program_run(program, &execution, diags, NULL),
           "ptog_program_run: execution has a binding with a reserved word that is not zero");
    expect(diags, ptog_program_print(program, PTOG_AS_DPS, &wrong, diags),
           "ptog_program_print: sink is NULL, has no function, or has a reserved word that is not zero");
    expect(diags, ptog_program_print(program, (enum ptog_form_text)9, &sink, diags),
           "ptog_program_print: form is invalid");
    ptog_program_free(program);
    ptog_diags_free(diags);
}

static void devices(void **state)
{
    const struct ptog_target *target = ptog_target_find("a2a3");
    const struct ptog_latency late = {.instruction = 1, .reserved = 1};
    const struct ptog_cost_override cost = {.name = "issue", .cycles = 1, .reserved = 1};
    ptog_device *device = NULL;
    (void)state;
    assert_int_equal(ptog_device_open(&device, target, &(struct ptog_device_options){.reserved = {0, 1}}),
                     PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_device_open(&device, target, &(struct ptog_device_options){.late = &late, .late_count = 1}),
                     PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_device_open(&device, target, &(struct ptog_device_options){.costs = &cost, .cost_count = 1}),
                     PTOG_BAD_ARGUMENT);
    assert_null(device);
}

/* A kernel's wrong call is in the report, at its place, and the kernel goes on. */
static void cores(void **state)
{
    int32_t data[16] = {0}, value = 0;
    struct ptog_transfer op = {.tile = ptog_tile_vec(PTOG_I32, 1, 16), .view = ptog_tensor_2d(PTOG_I32, 1, 16)};
    ptog_diags *diags = ptog_diags_new();
    ptog_device *device = NULL;
    ptog_core *core = NULL;
    (void)state;
    assert_int_equal(ptog_device_open(&device, ptog_target_find("a2a3"), NULL), PTOG_OK);
    int gm = ptog_device_input(device, "ids", data, sizeof data);
    assert_int_equal(ptog_core_open(&core, device, 0), PTOG_OK);
    ptog_core_at(core, "k.c", 7);
    assert_int_equal(ptog_core_load(core, &op, gm, 0), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_load(core, &op, gm + 1, 0), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_core_store_scalar(core, gm, 0, 4, &value), PTOG_BAD_ARGUMENT);
    op.tile = ptog_tile_at(op.tile, 0);
    assert_int_equal(ptog_core_load(core, &op, gm, 0), PTOG_OK);
    ptog_core_close(core);
    assert_int_equal(ptog_device_report(device, diags), PTOG_OK);
    assert_int_equal(ptog_diags_count(diags), 2);
    assert_string_equal(ptog_diags_at(diags, 0)->message, "ptog_core_insn: tile is a tile without an address");
    assert_int_equal(ptog_diags_at(diags, 0)->where.line, 7);
    assert_string_equal(ptog_diags_at(diags, 1)->message, "ptog_core_store_scalar: gm is an input");
    ptog_device_close(device);
    ptog_diags_free(diags);
}

static void sizes(void **state)
{
    (void)state;
    assert_int_equal(ptog_size_of("ptog_run"), sizeof(struct ptog_run));
    assert_int_equal(ptog_size_of("ptog_tile"), sizeof(struct ptog_tile));
    assert_int_equal(ptog_size_of("ptog_nothing"), 0);
    assert_int_equal(ptog_size_of(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(instructions), cmocka_unit_test(plans),
                                       cmocka_unit_test(programs),     cmocka_unit_test(devices),
                                       cmocka_unit_test(cores),        cmocka_unit_test(sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
