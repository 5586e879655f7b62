/* The pictures of faults: each example is run, and breaks what it says; each drawing fits a terminal. */
#include "unit/check.h"

#include <stdio.h>
#include <string.h>

#include <ptog/ptog.h>

/* Runs lines of a picture, with zeros for data. The list is the caller's. */
static ptog_diags *found_in(const struct ptog_picture *picture, const char *lines)
{
    static float table[64], out[64];
    static int32_t words[8];
    const struct ptog_binding bindings[] = {
        {.name = "table", .data = {table, sizeof table}},
        {.name = "words", .data = {words, sizeof words}},
        {.name = "out", .data = {out, sizeof out}},
    };
    const struct ptog_execution execution = {
        .target = ptog_target_find(picture->target), .bindings = bindings, .binding_count = 3};
    char text[4096];
    ptog_program *program = NULL;
    ptog_diags *diags = ptog_diags_new();
    int length = snprintf(text, sizeof text, "%s%s%s", picture->before, lines, picture->after);
    assert_true(length > 0 && (size_t)length < sizeof text);
    assert_int_equal(ptog_program_parse(&program, picture->id, text, (size_t)length, diags), PTOG_OK);
    enum ptog_status status = ptog_program_run(program, &execution, diags, NULL);
    assert_true(status == PTOG_OK || status == PTOG_FAULT);
    ptog_program_free(program);
    return diags;
}

/* What a reader of the example would stumble over: everything but what is meant, and remarks about the text. */
static size_t others(const ptog_diags *diags, const char *id)
{
    size_t count = 0;
    for (size_t i = 0; i < ptog_diags_count(diags); i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        bool counts = diag->severity >= PTOG_WARNING && strcmp(diag->id, id) != 0;
        if (counts)
            print_message("%s: %s [%s]\n", id, diag->message, diag->id);
        count += counts;
    }
    return count;
}

static size_t times(const ptog_diags *diags, const char *id)
{
    size_t count = 0;
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        count += strcmp(ptog_diags_at(diags, i)->id, id) == 0;
    return count;
}

static void examples_say_what_they_are(void **state)
{
    (void)state;
    const struct ptog_picture *picture;
    for (size_t i = 0; (picture = ptog_picture_at(i)) != NULL; i++) {
        assert_non_null(ptog_machine_fault_find(picture->id));
        if (!picture->wrong)
            continue;
        ptog_diags *wrong = found_in(picture, picture->wrong), *right = found_in(picture, picture->right);
        if (times(wrong, picture->id) == 0 || times(right, picture->id) > 0)
            print_message("%s: wrong %zu, right %zu\n", picture->id, times(wrong, picture->id),
                          times(right, picture->id));
        assert_true(times(wrong, picture->id) > 0);
        assert_int_equal(times(right, picture->id), 0);
        assert_int_equal(others(wrong, picture->id), 0);
        assert_int_equal(others(right, picture->id), 0);
        ptog_diags_free(wrong);
        ptog_diags_free(right);
    }
}

static void expect_narrow(const char *drawing)
{
    while (*drawing) {
        size_t length = strcspn(drawing, "\n");
        assert_true(length <= 74);
        for (size_t i = 0; i < length; i++)
            assert_in_range(drawing[i], ' ', '~');
        drawing += length;
        assert_int_equal(*drawing, '\n');
        drawing++;
    }
}

static void drawings_fit(void **state)
{
    (void)state;
    for (size_t i = 0; ptog_picture_at(i); i++) {
        expect_narrow(ptog_picture_at(i)->drawn_wrong);
        expect_narrow(ptog_picture_at(i)->drawn_right);
    }
}

/* Every race and every flag that a run reports is drawn. */
static void nothing_is_missing(void **state)
{
    (void)state;
    for (size_t i = 0; ptog_machine_fault_at(i); i++) {
        const char *id = ptog_machine_fault_at(i)->id;
        if (strncmp(id, "race-", 5) == 0 || strncmp(id, "flag-", 5) == 0)
            assert_non_null(ptog_picture_find(id));
    }
    assert_null(ptog_picture_find("ub-overflow"));
    assert_null(ptog_picture_find(NULL));
}

static char text[256];

static void take(void *user, const char *bytes, size_t length)
{
    (void)user;
    strncat(text, bytes, length);
}

static void expect_documented(const char *seed, const char *wanted)
{
    const struct ptog_sink sink = {.write = take};
    text[0] = '\0';
    ptog_report_documented(seed, &sink);
    assert_string_equal(text, wanted);
}

static void documents_have_names(void **state)
{
    (void)state;
    expect_documented("002 Pipe / Synchronisation Model", "MGATHER manual, Pipe / Synchronisation Model");
    expect_documented("002 Mode Resolution; 002 Layout Support", "MGATHER manual, Mode Resolution; Layout Support");
    expect_documented("000 Examples; this project", "A5 custom MGATHER page, Examples; this project");
    expect_documented("002 A; errata E32; 002 B", "MGATHER manual, A; errata E32; MGATHER manual, B");
    expect_documented("", "");
    expect_documented("0020 bytes", "0020 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_say_what_they_are),
        cmocka_unit_test(drawings_fit),
        cmocka_unit_test(nothing_is_missing),
        cmocka_unit_test(documents_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
