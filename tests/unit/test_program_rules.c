/* unit: every row of src/spec/text_rules.def by its own example: `wrong` gives exactly that id, `right` gives none. */
#include "unit/test_program_tools.h"

struct outcome {
    char ids[4000];
};

static void drop(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
}

/* The few examples that need a binding say it in a comment: see spec/text_rules.def. */
static void run_program(const ptog_program *program, const char *id, ptog_diags *diags, const char *text)
{
    float data[8] = {0};
    struct ptog_binding binding = {.name = "n", .data = {data, sizeof data}};
    struct ptog_execution execution = {.target = ptog_program_target(program), .max_steps = 100000};
    execution.bindings = &binding;
    execution.binding_count = strncmp(text, "// with %", 9) == 0;
    if (strstr(text, "with 1,000,000 blocks"))
        execution.blocks = 1000000;
    execution.max_work = 10 << 20;
    execution.max_memory = 100 << 20;
    binding.is_number = strstr(text, "to a number") != NULL;
    if (strstr(text, "with %p"))
        binding.name = "p";
    if (strcmp(id, "run-repair") == 0)
        ptog_program_repair(program, &execution, &(struct ptog_sink){.write = drop}, diags);
    else
        ptog_program_run(program, &execution, diags, NULL);
}

static void judge_program(const ptog_program *program, const char *id, const char *text, ptog_diags *diags)
{
    const struct ptog_target *own = ptog_program_target(program);
    struct ptog_sink sink = {.write = drop};
    if (strcmp(id, "text-form") == 0)
        ptog_program_print(program, PTOG_AS_SSA, &sink, diags);
    else if (strncmp(id, "run-", 4) == 0 || strncmp(id, "comm-", 5) == 0 || strncmp(id, "limit-", 6) == 0)
        run_program(program, id, diags, text);
    else
        ptog_program_check(program, own ? own : ptog_target_find("a2a3"), diags);
}

static void judge(struct outcome *outcome, const char *id, const char *text)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program;
    if (ptog_program_parse(&program, id, text, strlen(text), diags) == PTOG_OK)
        judge_program(program, id, text, diags);
    ids_of(diags, outcome->ids, sizeof outcome->ids);
    const struct ptog_text_rule *rule = ptog_text_rule_find(id);
    for (size_t i = 0; i < ptog_diags_count(diags); i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        if (strcmp(diag->id, id) == 0)
            assert_int_equal(diag->severity, rule->severity);
    }
    ptog_program_free(program);
    ptog_diags_free(diags);
}

static void test_examples(void **state)
{
    const struct ptog_text_rule *rule;
    int failures = 0;
    (void)state;
    for (size_t i = 0; (rule = ptog_text_rule_at(i)) != NULL; i++) {
        struct outcome wrong, right;
        judge(&wrong, rule->id, rule->wrong);
        judge(&right, rule->id, rule->right);
        bool exact = strcmp(wrong.ids, rule->id) == 0;
        if (strcmp(rule->id, "text-too-many") == 0)
            exact = strstr(wrong.ids, rule->id) != NULL;
        if (strcmp(rule->id, "text-unknown-op") == 0 || strcmp(rule->id, "text-newest") == 0)
            exact = strncmp(wrong.ids, rule->id, strlen(rule->id)) == 0;
        if (exact && right.ids[0] == '\0')
            continue;
        print_error("%s: wrong gives '%s', right gives '%s'\n", rule->id, wrong.ids, right.ids);
        failures++;
    }
    assert_int_equal(failures, 0);
}

static void test_table(void **state)
{
    const struct ptog_text_rule *rule;
    (void)state;
    for (size_t i = 0; (rule = ptog_text_rule_at(i)) != NULL; i++) {
        assert_ptr_equal(ptog_text_rule_find(rule->id), rule);
        assert_null(ptog_rule_find(rule->id));
        assert_null(ptog_fault_info_find(rule->id));
        assert_true(strlen(rule->what) > 10 && strlen(rule->why) > 10);
    }
    assert_null(ptog_text_rule_find("no-such-rule"));
    assert_null(ptog_text_rule_find(NULL));
}

/* A target that is another one with a new name is judged like it: nothing depends on the name itself. */
static void test_renamed_target(void **state)
{
    static const char text[] = "func.func @f(%a: !pto.partition_tensor_view<1x8xf32>) {\n"
                               "  %b = pto.alloc_tile : !pto.tile_buf<bias, 1x8xf32>\n"
                               "  %m = pto.alloc_tile : !pto.tile_buf<mat, 1x8xf32>\n"
                               "  pto.tload ins(%a : !pto.partition_tensor_view<1x8xf32>) "
                               "outs(%b : !pto.tile_buf<bias, 1x8xf32>)\n"
                               "  pto.tstore ins(%m : !pto.tile_buf<mat, 1x8xf32>) "
                               "outs(%a : !pto.partition_tensor_view<1x8xf32>)\n"
                               "  return\n}\n";
    (void)state;
    for (size_t i = 0; ptog_target_at(i); i++) {
        struct ptog_target renamed = *ptog_target_at(i);
        char before[200], after[200];
        ptog_diags *diags = ptog_diags_new(), *again = ptog_diags_new();
        ptog_program *program = parsed(text);
        renamed.name = "renamed";
        ptog_program_check(program, ptog_target_at(i), diags);
        ptog_program_check(program, &renamed, again);
        assert_string_equal(ids_of(again, after, sizeof after), ids_of(diags, before, sizeof before));
        ptog_program_free(program);
        ptog_diags_free(diags);
        ptog_diags_free(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples), cmocka_unit_test(test_table),
                                       cmocka_unit_test(test_renamed_target)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
