/* Findings that one change fixes, and notes of one kind, are reported together. */
#include "unit/check.h"

#include <stdio.h>

#include <ptog/report.h>

static const struct ptog_fix barrier_5 = {
    .kind = PTOG_FIX_BARRIER, .side = PTOG_FIX_BEFORE, .where = {.file = "a.pto", .line = 5, .column = 3}};
static const struct ptog_fix barrier_6 = {
    .kind = PTOG_FIX_BARRIER, .side = PTOG_FIX_BEFORE, .where = {.file = "a.pto", .line = 6, .column = 3}};
static const struct ptog_fix words = {.kind = PTOG_FIX_WORDS, .text = "think again"};
static const struct ptog_fix unplaced = {.kind = PTOG_FIX_SET, .text = "add it somewhere"};

static void add(ptog_diags *diags, enum ptog_severity severity, const char *id, const char *message, uint32_t line,
                const struct ptog_fix *fix)
{
    struct ptog_diag diag = {.id = id, .severity = severity, .message = message, .fix = fix, .fix_count = fix != NULL};
    diag.where = (struct ptog_where){.file = "a.pto", .line = line, .column = 3, .end_column = 9};
    assert_int_equal(ptog_diags_append(diags, &diag), PTOG_OK);
}

static char *text_of(const struct ptog_checked *checked, size_t count)
{
    static struct ptog_output output;
    ptog_output_free(&output);
    struct ptog_sink sink = ptog_output_sink(&output);
    ptog_report_text_all(checked, count, &sink);
    sink.write(sink.user, "", 1);
    return output.bytes;
}

static void one_change_is_one_group(void **state)
{
    (void)state;
    ptog_diags *diags = ptog_diags_new();
    struct ptog_checked checked = {.file = "a.pto", .diags = diags};
    size_t errors = 0;
    add(diags, PTOG_ERROR, "race-raw", "may read early", 7, &barrier_5);
    add(diags, PTOG_ERROR, "race-raw", "another cause", 8, &barrier_6);
    add(diags, PTOG_ERROR, "race-war", "may write early", 9, &barrier_5);
    add(diags, PTOG_ERROR, "race-raw", "may read early", 12, &barrier_5);
    add(diags, PTOG_ERROR, "race-raw", "may read early", 31, &barrier_5);
    assert_int_equal(ptog_report_changes(&checked, 1, &errors), 2);
    assert_int_equal(errors, 5);
    assert_string_equal(text_of(&checked, 1), "a.pto:7:3: error: may read early [race-raw]\n"
                                              "  = fix: before line 5  barrier(S)\n"
                                              "  = also at lines 12 and 31\n"
                                              "  = also at line 9: may write early [race-war]\n"
                                              "  = explain: ptog explain race-raw\n"
                                              "a.pto:8:3: error: another cause [race-raw]\n"
                                              "  = fix: before line 6  barrier(S)\n"
                                              "  = explain: ptog explain race-raw\n");
    ptog_diags_free(diags);
}

/* What two targets say alike, with a fix each, has its source once. */
static void other_fixes_are_short(void **state)
{
    (void)state;
    ptog_diags *a2a3 = ptog_diags_new(), *a5 = ptog_diags_new();
    const struct ptog_checked checked[] = {{.file = "a.pto", .target = "a2a3", .diags = a2a3},
                                           {.file = "a.pto", .target = "a5", .diags = a5}};
    add(a2a3, PTOG_ERROR, "race-raw", "may read early", 7, &barrier_5);
    add(a5, PTOG_ERROR, "race-raw", "may read early", 7, &barrier_6);
    add(a5, PTOG_ERROR, "race-raw", "may read early", 8, &barrier_6);
    assert_string_equal(text_of(checked, 2), "a.pto:7:3: error: may read early [race-raw]\n"
                                             "  = fix: before line 5  barrier(S)\n"
                                             "  = on: a2a3\n"
                                             "  = explain: ptog explain race-raw\n"
                                             "a.pto:7:3: error: may read early [race-raw]\n"
                                             "  = fix: before line 6  barrier(S)\n"
                                             "  = on: a5\n"
                                             "  = also at line 8\n");
    ptog_diags_free(a2a3);
    ptog_diags_free(a5);
}

/* Two accesses of one line that race with the same words, or a note about an operand that stands twice. */
static void what_is_shown_once_counts_once(void **state)
{
    (void)state;
    ptog_diags *diags = ptog_diags_new();
    struct ptog_checked checked = {.file = "a.pto", .diags = diags};
    struct ptog_related_place other = {.message = "written here", .where = {.file = "a.pto", .line = 3, .column = 3}};
    struct ptog_diag again = {.id = "race-raw",
                              .severity = PTOG_ERROR,
                              .message = "may read early",
                              .where = {.file = "a.pto", .line = 7, .column = 3, .end_column = 9},
                              .fix = &barrier_5,
                              .fix_count = 1,
                              .related = &other,
                              .related_count = 1};
    size_t errors = 0;
    add(diags, PTOG_ERROR, "race-raw", "may read early", 7, &barrier_5);
    assert_int_equal(ptog_diags_append(diags, &again), PTOG_OK);
    add(diags, PTOG_ERROR, "race-raw", "may read early", 9, &barrier_5);
    add(diags, PTOG_NOTE, "text-barrier-v", "does nothing", 11, NULL);
    add(diags, PTOG_NOTE, "text-barrier-v", "does nothing", 11, &words);
    assert_string_equal(text_of(&checked, 1), "a.pto:7:3: error: may read early [race-raw]\n"
                                              "  = fix: before line 5  barrier(S)\n"
                                              "  = also at line 9\n"
                                              "  = explain: ptog explain race-raw\n"
                                              "a.pto:11:3: note: does nothing [text-barrier-v]\n"
                                              "  = explain: ptog explain text-barrier-v\n");
    assert_int_equal(ptog_report_count(&checked, 1, PTOG_ERROR), 2);
    assert_int_equal(ptog_report_count(&checked, 1, PTOG_WARNING), 0);
    assert_int_equal(ptog_report_count(&checked, 1, PTOG_NOTE), 1);
    assert_int_equal(ptog_report_changes(&checked, 1, &errors), 1);
    assert_int_equal(errors, 2);
    assert_int_equal(ptog_report_count(NULL, 3, PTOG_ERROR), 0);
    ptog_diags_free(diags);
}

/* Words can be the same for many causes, and a statement without a place may be needed twice. */
static void words_are_no_change(void **state)
{
    (void)state;
    const struct ptog_fix *fixes[] = {&words, &unplaced, NULL};
    for (size_t i = 0; i < COUNT_OF(fixes); i++) {
        ptog_diags *diags = ptog_diags_new();
        struct ptog_checked checked = {.file = "a.pto", .diags = diags};
        add(diags, PTOG_ERROR, "race-raw", "first", 7, &barrier_5);
        add(diags, PTOG_ERROR, "flag-left-set", "second", 8, fixes[i]);
        add(diags, PTOG_ERROR, "flag-left-set", "third", 9, fixes[i]);
        assert_int_equal(ptog_report_changes(&checked, 1, NULL), 0);
        assert_null(strstr(text_of(&checked, 1), "also"));
        ptog_diags_free(diags);
    }
    assert_int_equal(ptog_report_changes(NULL, 3, NULL), 0);
}

static void notes_are_grouped_by_id(void **state)
{
    (void)state;
    ptog_diags *diags = ptog_diags_new(), *others = ptog_diags_new();
    struct ptog_checked checked[] = {{.file = "a.pto", .diags = diags}, {.file = "b.pto", .diags = others}};
    for (uint32_t line = 1; line <= 20; line++)
        add(diags, PTOG_NOTE, "text-barrier-v", "not needed", line, NULL);
    for (uint32_t line = 1; line <= 16; line++) {
        char message[32];
        snprintf(message, sizeof message, "note %u", line);
        add(diags, PTOG_NOTE, "flag-redundant", message, line, NULL);
    }
    add(others, PTOG_NOTE, "text-barrier-v", "in another program", 4, NULL);
    char *text = text_of(checked, 2);
    assert_non_null(strstr(text, "a.pto:1:3: note: not needed [text-barrier-v]\n"
                                 "  = also at lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 7 more\n"));
    assert_non_null(strstr(text, "  = also at line 13: note 13 [flag-redundant]\n  = and 3 more notes like it\n"));
    assert_non_null(strstr(text, "a.pto:4:3: note: in another program [text-barrier-v]\n"));
    ptog_diags_free(diags);
    ptog_diags_free(others);
}

/* Each target's list is one of the same program. */
static void targets_share_a_group(void **state)
{
    (void)state;
    ptog_diags *a = ptog_diags_new(), *b = ptog_diags_new();
    struct ptog_checked checked[] = {{.file = "a.pto", .target = "a2a3", .diags = a},
                                     {.file = "a.pto", .target = "a5", .diags = b}};
    add(a, PTOG_ERROR, "race-raw", "on S", 7, &barrier_5);
    add(b, PTOG_ERROR, "race-raw", "on V", 7, &barrier_5);
    assert_string_equal(text_of(checked, 2), "a.pto:7:3: error: on S [race-raw]\n"
                                             "  = fix: before line 5  barrier(S)\n"
                                             "  = on: a2a3\n"
                                             "  = also at line 7 on a5: on V [race-raw]\n"
                                             "  = explain: ptog explain race-raw\n");
    ptog_diags_free(a);
    ptog_diags_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_change_is_one_group),
        cmocka_unit_test(other_fixes_are_short),
        cmocka_unit_test(what_is_shown_once_counts_once),
        cmocka_unit_test(words_are_no_change),
        cmocka_unit_test(notes_are_grouped_by_id),
        cmocka_unit_test(targets_share_a_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
