/* unit: every row of the rule table by its own example. `wrong` breaks exactly that rule, `right` breaks none. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "unit/check.h"

#include <stdio.h>
#include <string.h>

#include "model/target.h"

/* The bases and the examples of the table, compiled. The operation is passed as void *, its type follows from the base.
 */
#define BASE(name, type, ...)                                                                                          \
    typedef type type_of_##name;                                                                                       \
    static void start_##name(void *untyped)                                                                            \
    {                                                                                                                  \
        type *op = untyped;                                                                                            \
        __VA_ARGS__                                                                                                    \
    }
#include "spec/bases.def"
#undef BASE

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

/* Two functions per row, told apart by its line in the table. */
#define RULE(id, level, forms, targets, operands, predicate, what, message, fix, why, seed, base, target, wrong,       \
             right)                                                                                                    \
    static void PASTE(wrong_, __LINE__)(void *untyped, struct ptog_run *run)                                           \
    {                                                                                                                  \
        type_of_##base *op = untyped;                                                                                  \
        (void)op, (void)run;                                                                                           \
        wrong;                                                                                                         \
    }                                                                                                                  \
    static void PASTE(right_, __LINE__)(void *untyped, struct ptog_run *run)                                           \
    {                                                                                                                  \
        type_of_##base *op = untyped;                                                                                  \
        (void)op, (void)run;                                                                                           \
        right;                                                                                                         \
    }
#include "spec/rules.def"
#undef RULE

struct example {
    const char *id;
    uint32_t target;
    size_t size; /* of the operation: tells which it is */
    void (*start)(void *op);
    void (*wrong)(void *op, struct ptog_run *run);
    void (*right)(void *op, struct ptog_run *run);
};

static const struct example examples[] = {
#define RULE(id, level, forms, targets, operands, predicate, what, message, fix, why, seed, base, target, wrong,       \
             right)                                                                                                    \
    {id, PTOG_ON_##target, sizeof(type_of_##base), start_##base, PASTE(wrong_, __LINE__), PASTE(right_, __LINE__)},
#include "spec/rules.def"
#undef RULE
};

static const struct ptog_target *target_with(uint32_t bit)
{
    for (size_t i = 0; ptog_target_at(i); i++)
        if (ptog_target_at(i)->bit == bit)
            return ptog_target_at(i);
    return NULL;
}

/* What the verifier says of one side of an example. A plan that is legal goes on to its run-time extents. */
static ptog_diags *judge(const struct example *e, void (*edit)(void *op, struct ptog_run *run))
{
    union {
        struct ptog_mgather m;
        struct ptog_tgather t;
        struct ptog_transfer x;
        struct ptog_insn insn;
    } op;
    struct ptog_run run = {0};
    const struct ptog_target *target = target_with(e->target);
    ptog_diags *diags = ptog_diags_new();
    ptog_plan *plan = NULL;
    assert_non_null(diags);
    memset(&op, 0, sizeof op);
    e->start(&op);
    edit(&op, &run);
    enum ptog_status status;
    if (e->size == sizeof op.x)
        status = ptog_verify_transfer(target, &op.x, diags);
    else if (e->size == sizeof op.m)
        status = ptog_plan_mgather(&plan, target, &op.m, diags);
    else if (e->size == sizeof op.insn)
        status = ptog_plan_insn(&plan, target, &op.insn, diags);
    else
        status = ptog_plan_tgather(&plan, target, &op.t, diags);
    if (plan && status == PTOG_OK && ptog_diags_count(diags) == 0)
        ptog_plan_check(plan, &run, diags);
    ptog_plan_free(plan);
    return diags;
}

/* Whether everything that is said is about `id` (NULL: about nothing). Warnings that libraries differ may come with it:
 * some rules are about operands that only libraries accept. */
static int says_only(const ptog_diags *diags, const char *id)
{
    const struct ptog_diag *diag;
    int said = id == NULL;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        bool own = id && strcmp(diag->id, id) == 0;
        if (!own && !(diag->severity == PTOG_WARNING && ptog_rule_find(diag->id)->strict))
            return 0;
        said |= own;
    }
    return said;
}

static void print_ids(const char *what, const struct example *e, const ptog_diags *diags)
{
    const struct ptog_diag *diag;
    fprintf(stderr, "%s of %s says:", what, e->id);
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        fprintf(stderr, " %s (%s)", diag->id, diag->message);
    fprintf(stderr, "\n");
}

static void wrong_breaks_exactly_its_rule(void **state)
{
    int bad = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        ptog_diags *diags = judge(&examples[i], examples[i].wrong);
        if (!says_only(diags, examples[i].id)) {
            print_ids("wrong", &examples[i], diags);
            bad++;
        }
        ptog_diags_free(diags);
    }
    assert_int_equal(bad, 0);
}

static void right_breaks_none(void **state)
{
    int bad = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        ptog_diags *diags = judge(&examples[i], examples[i].right);
        if (!says_only(diags, NULL)) {
            print_ids("right", &examples[i], diags);
            bad++;
        }
        ptog_diags_free(diags);
    }
    assert_int_equal(bad, 0);
}

/* A message with a placeholder left in it was written for another operand or misspelt. */
static void messages_are_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        ptog_diags *diags = judge(&examples[i], examples[i].wrong);
        const struct ptog_diag *diag = ptog_diags_at(diags, 0);
        assert_non_null(diag);
        assert_null(strchr(diag->message, '{'));
        assert_true(diag->message[0] != '\0');
        assert_null(strchr(fix_of(diag), '{'));
        assert_true(diag->documented[0] != '\0');
        ptog_diags_free(diags);
    }
}

/* An id may stand in two tables only when it means one thing that is seen twice, before a run and in it: an error that
 * the verifier foresees, but does not refuse. */
static void an_id_has_one_meaning(void **state)
{
    (void)state;
    for (size_t i = 0; ptog_rule_at(i); i++) {
        const struct ptog_rule *rule = ptog_rule_at(i);
        const struct ptog_fault_info *fault = ptog_fault_info_find(rule->id);
        assert_null(ptog_text_rule_find(rule->id));
        assert_null(ptog_machine_fault_find(rule->id));
        assert_true(!fault || (!rule->refuses && fault->severity == rule->severity));
    }
    for (size_t i = 0; ptog_machine_fault_at(i); i++) {
        const struct ptog_machine_fault *fault = ptog_machine_fault_at(i);
        const struct ptog_text_rule *text = ptog_text_rule_find(fault->id);
        assert_null(ptog_fault_info_find(fault->id));
        assert_true(!text || text->severity == fault->severity);
    }
    for (size_t i = 0; ptog_fault_info_at(i); i++)
        assert_null(ptog_text_rule_find(ptog_fault_info_at(i)->id));
}

static void ids_are_unique_words(void **state)
{
    (void)state;
    size_t count = 0;
    for (; ptog_rule_at(count); count++) {
        const struct ptog_rule *rule = ptog_rule_at(count);
        assert_ptr_equal(ptog_rule_find(rule->id), rule);
        assert_int_equal(strspn(rule->id, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(rule->id));
    }
    assert_true(count > 80);
    assert_null(ptog_rule_at(count + 1));
    assert_null(ptog_rule_at(SIZE_MAX));
    assert_null(ptog_rule_find("no-such-rule"));
    assert_null(ptog_rule_find(NULL));
}

/* Several mistakes at once are all reported, in the order of the table. */
static void all_violations_are_reported(void **state)
{
    static const char *const expected[] = {"tile-loc", "mgather-dtype", "mgather-same-dtype", "mgather-index-dtype"};
    struct ptog_mgather op = {
        .dst = ptog_tile_vec(PTOG_HIF8, 16, 32),
        .table = ptog_tensor_2d(PTOG_F32, 64, 32),
        .idx = ptog_tile_vec(PTOG_I64, 1, 16),
    };
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    op.idx.loc = PTOG_MAT;
    assert_int_equal(ptog_verify_mgather(ptog_target_find("a2a3"), &op, diags), PTOG_ILLEGAL);
    assert_int_equal(ptog_diags_count(diags), COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_string_equal(ptog_diags_at(diags, i)->id, expected[i]);
    ptog_diags_free(diags);
}

/* Too many valid rows do not hide that a row is too wide. */
static void rows_and_widths_are_judged_apart(void **state)
{
    static const struct {
        const char *target, *id;
        bool nz;
        int64_t width; /* of the table: elements, or blocks */
    } all[] = {{"host", "mgather-row-width", false, 24},
               {"a5", "mgather-row-width-exact", false, 24},
               {"a2a3", "mgather-nz-width", true, 1},
               {"a2a3", "mgather-nz-overrun", true, 8}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        struct ptog_mgather op = {.dst = ptog_tile_valid(ptog_tile_vec(PTOG_F32, 16, 32), 17, 32),
                                  .table = ptog_tensor_2d(PTOG_F32, 64, all[i].width),
                                  .idx = ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 24), 1, 17)};
        ptog_diags *diags = ptog_diags_new();
        if (all[i].nz) {
            op.dst = ptog_tile_nz(op.dst);
            op.table = ptog_tensor_nz(PTOG_F32, 1, all[i].width, 4);
        }
        assert_int_equal(ptog_verify_mgather(ptog_target_find(all[i].target), &op, diags), PTOG_ILLEGAL);
        assert_int_equal(ptog_diags_count(diags), 2);
        assert_string_equal(ptog_diags_at(diags, 0)->id, "tile-valid");
        assert_string_equal(ptog_diags_at(diags, 1)->id, all[i].id);
        ptog_diags_free(diags);
    }
}

/* No run gives the valid extents of tmp: the walk over it is judged without them. */
static void a_tmp_of_open_extents_is_judged(void **state)
{
    struct ptog_tgather op = {.form = PTOG_BY_INDEX,
                              .dst = ptog_tile_vec(PTOG_F16, 16, 16),
                              .src = ptog_tile_vec(PTOG_F16, 16, 16),
                              .idx = ptog_tile_vec(PTOG_I32, 16, 16),
                              .tmp = ptog_tile_valid(ptog_tile_vec(PTOG_I32, 1, 16), 1, PTOG_DYN)};
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    assert_int_equal(ptog_verify_tgather(ptog_target_find("a2a3"), &op, diags), PTOG_OK);
    assert_int_equal(ptog_diags_count(diags), 1);
    assert_string_equal(ptog_diags_at(diags, 0)->id, "tile-overrun");
    ptog_diags_free(diags);
}

/* NZ views are loaded and stored on every target: everywhere in blocks of 16 rows of 32 bytes. */
static void nz_views_have_whole_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; ptog_target_at(i); i++) {
        struct ptog_transfer op = {.tile = ptog_tile_nz(ptog_tile_vec(PTOG_F16, 32, 32)),
                                   .view = ptog_tensor_nz(PTOG_F16, 1, 2, 2)};
        assert_int_equal(ptog_verify_transfer(ptog_target_at(i), &op, NULL), PTOG_OK);
        op.view.shape[2] = 4, op.view.shape[3] = 8;
        assert_int_equal(ptog_verify_transfer(ptog_target_at(i), &op, NULL), PTOG_ILLEGAL);
        op.view = ptog_tensor_nz(PTOG_F16, 1, 4, 2);
        op.view.shape[4] = 8;
        assert_int_equal(ptog_verify_transfer(ptog_target_at(i), &op, NULL), PTOG_ILLEGAL);
    }
}

static void accepting_targets_are_named(void **state)
{
    struct ptog_mgather op = {
        .dst = ptog_tile_vec(PTOG_HIF8, 16, 32),
        .table = ptog_tensor_2d(PTOG_HIF8, 64, 32),
        .idx = ptog_tile_vec(PTOG_I32, 1, 16),
    };
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    assert_int_equal(ptog_verify_mgather(ptog_target_find("a2a3"), &op, diags), PTOG_ILLEGAL);
    assert_int_equal(ptog_diags_at(diags, 0)->accepted_by, PTOG_ON_HOST | PTOG_ON_A5);
    ptog_diags_free(diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_breaks_exactly_its_rule),
        cmocka_unit_test(right_breaks_none),
        cmocka_unit_test(messages_are_complete),
        cmocka_unit_test(ids_are_unique_words),
        cmocka_unit_test(an_id_has_one_meaning),
        cmocka_unit_test(all_violations_are_reported),
        cmocka_unit_test(rows_and_widths_are_judged_apart),
        cmocka_unit_test(a_tmp_of_open_extents_is_judged),
        cmocka_unit_test(nz_views_have_whole_blocks),
        cmocka_unit_test(accepting_targets_are_named),
    };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
