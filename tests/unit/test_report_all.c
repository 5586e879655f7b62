/* Reports about several programs, and those that other programs read: lines, annotations, JUnit, SARIF, JSON. */
#include "unit/check.h"

#include <stdio.h>
#include <string.h>

#include <ptog/ptog.h>

#include "base/diag.h"

static char output[8192];
static size_t used;

static void take(void *user, const char *text, size_t length)
{
    (void)user;
    assert_true(used + length < sizeof output);
    memcpy(output + used, text, length);
    used += length;
    output[used] = '\0';
}

static const struct ptog_sink sink = {.write = take};

static void clear(void)
{
    used = 0;
    output[0] = '\0';
}

static const struct ptog_fix steps[] = {{.kind = PTOG_FIX_WORDS, .text = "one"},
                                        {.kind = PTOG_FIX_WORDS, .text = "two"}};

static ptog_diags *list_of(const char *id, enum ptog_severity severity, const char *file, const char *message)
{
    static const struct ptog_related_place written = {
        .message = "written here", .where = {.file = "a.pto", .line = 2, .column = 3, .end_column = 9}};
    ptog_diags *diags = ptog_diags_new();
    struct ptog_diag diag = {.id = id, .severity = severity, .message = message, .fix = steps, .fix_count = 2};
    diag.where = (struct ptog_where){.file = file, .line = 7, .column = 4, .end_column = 9, .text = NULL};
    diag.related = &written;
    diag.related_count = 1;
    assert_non_null(diags);
    assert_true(ptog_diags_add(diags, &diag));
    return diags;
}

/* One program that is wrong on two targets alike, and one that could not be read. */
static struct ptog_checked three[3];

static int open_three(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        three[i] = (struct ptog_checked){.file = "a.pto",
                                         .target = i ? "a5" : "a2a3",
                                         .diags = list_of("race-raw", PTOG_ERROR, "a.pto", "a < b & 50%")};
    three[2] = (struct ptog_checked){.file = "gone.pto", .unread = "no such \"file\""};
    clear();
    return 0;
}

static int close_three(void **state)
{
    (void)state;
    ptog_diags_free((ptog_diags *)three[0].diags);
    ptog_diags_free((ptog_diags *)three[1].diags);
    return 0;
}

static void lines_of_a_compiler(void **state)
{
    (void)state;
    ptog_report_gcc(three, 3, &sink);
    assert_string_equal(output, "a.pto:7:4: error: a < b & 50% (on a2a3 and a5) [race-raw]\n"
                                "a.pto:2:3: note: written here\n"
                                "a.pto:7:4: note: fix: one; two\n");
}

static void annotations(void **state)
{
    (void)state;
    ptog_report_github(three, 3, &sink);
    assert_string_equal(
        output,
        "::error file=a.pto,line=7,col=4,endColumn=9,title=race-raw::a < b & 50%25 (on a2a3 and a5)%0Afix: one%0Atwo\n");
}

static void test_cases(void **state)
{
    (void)state;
    ptog_report_junit(three, 3, PTOG_ERROR, &sink);
    assert_non_null(strstr(output, "<testsuites tests=\"3\" failures=\"2\" errors=\"1\">"));
    assert_non_null(strstr(output, "<testcase name=\"a.pto\" classname=\"ptog.a5\">"));
    assert_non_null(
        strstr(output, "<failure type=\"race-raw\" message=\"a &lt; b &amp; 50%\">a.pto:7:4: error: a &lt; b"));
    assert_non_null(strstr(output, "<error type=\"unread\" message=\"no such &quot;file&quot;\"/>"));
    assert_null(strstr(output, "<system-out>"));
}

/* Warnings fail when they are asked to, and are shown when they are not. */
static void warnings_as_test_cases(void **state)
{
    (void)state;
    ptog_diags *diags = list_of("text-allow", PTOG_WARNING, "a.pto", "no");
    const struct ptog_checked one = {.file = "a.pto", .diags = diags};
    ptog_report_junit(&one, 1, PTOG_ERROR, &sink);
    assert_non_null(strstr(output, "failures=\"0\""));
    assert_non_null(strstr(output, "<system-out>a.pto:7:4: warning: no"));
    clear();
    ptog_report_junit(&one, 1, PTOG_WARNING, &sink);
    assert_non_null(strstr(output, "failures=\"1\""));
    clear();
    ptog_diags_keep(diags, PTOG_ERROR);
    assert_int_equal(ptog_diags_count(diags), 0);
    ptog_report_junit(&one, 1, PTOG_NOTE, &sink);
    assert_non_null(strstr(output, "<testcase name=\"a.pto\" classname=\"ptog\"/>"));
    ptog_diags_free(diags);
}

static void log_of_all(void **state)
{
    (void)state;
    ptog_report_sarif_all(three, 3, "https://example.org/rules", &sink);
    assert_non_null(strstr(output, "\"helpUri\":\"https://example.org/rules/race-raw.html\""));
    assert_non_null(strstr(output, "\"invocations\":[{\"executionSuccessful\":false,"));
    assert_non_null(strstr(output, "\"message\":{\"text\":\"no such \\\"file\\\"\"}"));
    const char *result = strstr(output, "\"ruleId\":");
    assert_non_null(result);
    assert_null(strstr(result + 1, "\"ruleId\":")); /* both targets say it: it stands there once */
    clear();
    ptog_report_sarif_all(three, 2, NULL, &sink);
    assert_null(strstr(output, "helpUri"));
    assert_null(strstr(output, "invocations"));
}

static void object_of_all(void **state)
{
    (void)state;
    ptog_report_json_all(three, 3, &sink);
    assert_non_null(strstr(output, "{\"version\":2,\"target\":null,"));
    assert_non_null(strstr(output, ",\"unread\":[{\"file\":\"gone.pto\",\"message\":\"no such \\\"file\\\"\"}]}"));
    clear();
    ptog_report_json_all(three, 1, &sink);
    assert_non_null(strstr(output, "{\"version\":2,\"target\":\"a2a3\","));
    assert_null(strstr(output, "unread"));
}

static void a_place_without_a_line(void **state)
{
    (void)state;
    ptog_diags *diags = ptog_diags_new();
    const struct ptog_diag diag = {.id = "x-y", .severity = PTOG_NOTE, .message = "all, of: it"};
    const struct ptog_checked one = {.file = "a.pto", .diags = diags};
    assert_true(ptog_diags_add(diags, &diag));
    ptog_report_gcc(&one, 1, &sink);
    ptog_report_github(&one, 1, &sink);
    assert_string_equal(output, "-: note: all, of: it [x-y]\n::notice file=-,title=x-y::all, of: it\n");
    ptog_diags_free(diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_of_a_compiler, open_three, close_three),
        cmocka_unit_test_setup_teardown(annotations, open_three, close_three),
        cmocka_unit_test_setup_teardown(test_cases, open_three, close_three),
        cmocka_unit_test_setup_teardown(warnings_as_test_cases, open_three, close_three),
        cmocka_unit_test_setup_teardown(log_of_all, open_three, close_three),
        cmocka_unit_test_setup_teardown(object_of_all, open_three, close_three),
        cmocka_unit_test_setup_teardown(a_place_without_a_line, open_three, close_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
