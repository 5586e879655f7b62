/* unit: every row of the tables src/spec/lint_*.def by its own example: `wrong` breaks exactly that row, `right` none.
 * What is not modelled is noted in both, and is no finding here. */
#include "unit/test_program_tools.h"

#include "lint/rules.h"

/* The findings of a check, but for notes of what is not modelled: how many there are, and whether one is the row's. */
struct outcome {
    int count;
    bool is_the_row;
    char first[400];
};

static struct outcome judge(const struct ptog_lint_example *row, const char *text)
{
    struct outcome outcome = {0};
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program;
    if (ptog_program_parse(&program, "rule.pto", text, strlen(text), diags) == PTOG_OK) {
        const struct ptog_target *own = ptog_program_target(program);
        ptog_program_check(program, own ? own : ptog_target_find("a2a3"), diags);
    }
    for (size_t i = 0; i < ptog_diags_count(diags); i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        if (strcmp(diag->id, "text-not-modelled") == 0)
            continue;
        if (outcome.count++ == 0)
            snprintf(outcome.first, sizeof outcome.first, "%s: %s", diag->id, diag->message);
        outcome.is_the_row |= strcmp(diag->id, row->id) == 0 && strstr(diag->message, row->message) != NULL;
    }
    ptog_program_free(program);
    ptog_diags_free(diags);
    return outcome;
}

static int failures_of(const struct ptog_lint_example *row)
{
    int failures = 0;
    for (; row->id; row++) {
        assert_non_null(ptog_text_rule_find(row->id));
        struct outcome wrong = judge(row, row->wrong), right = judge(row, row->right);
        if (wrong.count == 1 && wrong.is_the_row && right.count == 0)
            continue;
        print_error("%s\n  wrong gives %d, first '%s'\n  right gives %d, first '%s'\n", row->message, wrong.count,
                    wrong.first, right.count, right.first);
        failures++;
    }
    return failures;
}

static void test_examples(void **state)
{
    static const struct ptog_lint_example *const tables[] = {
#define TABLE(name) ptog_lint_rules_##name##_examples,
        PTOG_LINT_TABLES(TABLE)};
    int failures = 0;
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        failures += failures_of(tables[i]);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
