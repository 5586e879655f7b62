/* Authors' own lines in lists of diagnostics: copies, the files that they are in, and the lines that are shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <ptog/diag.h>
#include <ptog/report.h>

#include "base/origin.h"

/* A diagnostic at line 7 of k.pto, from line `line` of a file, which line 40 of main.py calls. */
static void append_located(ptog_diags *diags, const char *file, uint32_t line)
{
    char name[32];
    struct ptog_where caller = {.file = "main.py", .line = 40, .column = 1, .end_column = 1};
    struct ptog_where author = {.file = name, .line = line, .column = 3, .end_column = 3, .origin = &caller};
    struct ptog_where there = {.file = "k.pto", .line = 5, .column = 1, .end_column = 2, .origin = &caller};
    struct ptog_fix step = {.kind = PTOG_FIX_BARRIER, .side = PTOG_FIX_BEFORE, .src = PTOG_V, .dst = PTOG_V};
    struct ptog_related_place related = {.message = "written here", .where = there};
    struct ptog_diag diag = {.id = "race-raw", .severity = PTOG_ERROR, .message = "race"};
    snprintf(name, sizeof name, "%s", file);
    step.where = (struct ptog_where){.file = "k.pto", .line = 7};
    diag.where = (struct ptog_where){.file = "k.pto", .line = 7, .column = 1, .end_column = 4, .text = "pto", &author};
    diag.related = &related;
    diag.related_count = 1;
    diag.fix = &step;
    diag.fix_count = 1;
    assert_int_equal(ptog_diags_append(diags, &diag), PTOG_OK);
    memset(name, '?', sizeof name - 1); /* the list has copies */
    author.line = caller.line = 1;
}

static void the_headline_is_the_authors(void **state)
{
    ptog_diags *diags = ptog_diags_new();
    struct ptog_where plain = {.file = "k.pto", .line = 3};
    char words[64];
    (void)state;
    assert_null(ptog_headline(NULL));
    assert_ptr_equal(ptog_headline(&plain), &plain);
    append_located(diags, "model.py", 12);
    const struct ptog_diag *diag = ptog_diags_at(diags, 0);
    const struct ptog_where *headline = ptog_headline(&diag->where);
    assert_string_equal(headline->file, "model.py");
    assert_int_equal(headline->line, 12);
    assert_string_equal(headline->origin->file, "main.py");
    assert_int_equal(headline->origin->line, 40);
    assert_null(headline->origin->origin);
    ptog_fix_words(&diag->fix[0], words, sizeof words);
    assert_string_equal(words, "before line 7 of k.pto  barrier(V)");
    ptog_diags_free(diags);
}

/* A caller may make a ring of places; a list ends it. */
static void rings_are_cut(void **state)
{
    ptog_diags *diags = ptog_diags_new();
    struct ptog_where ring = {.file = "a.py", .line = 1, .origin = &ring};
    struct ptog_diag diag = {.id = "x", .message = "y", .where = {.file = "k.pto", .line = 1, .origin = &ring}};
    int count = 0;
    (void)state;
    assert_int_equal(ptog_diags_append(diags, &diag), PTOG_OK);
    for (const struct ptog_where *where = ptog_diags_at(diags, 0)->where.origin; where; where = where->origin)
        count++;
    assert_int_equal(count, PTOG_MAX_CALLERS + 1);
    ptog_diags_free(diags);
}

static void lines_are_quoted(void **state)
{
    static const char text[] = "first\r\n  second\nthird \xff\n\nlast";
    static const char *const lines[] = {NULL, "first", "  second", "third \xff", "", "last", NULL};
    ptog_diags *diags = ptog_diags_new();
    (void)state;
    for (uint32_t line = 0; line < 7; line++)
        append_located(diags, "model.py", line);
    append_located(diags, "other.py", 2);
    assert_string_equal(ptog_diags_file_at(diags, 0), "model.py");
    assert_string_equal(ptog_diags_file_at(diags, 1), "main.py");
    assert_string_equal(ptog_diags_file_at(diags, 2), "other.py");
    assert_null(ptog_diags_file_at(diags, 3));
    assert_true(ptog_diags_quote(diags, "model.py", text, sizeof text - 1));
    assert_true(ptog_diags_quote(diags, "model.py", "again", 5)); /* the first text stays */
    assert_true(ptog_diags_quote(diags, "none.py", text, sizeof text - 1));
    for (uint32_t line = 0; line < 7; line++) {
        const char *shown = ptog_diags_at(diags, line)->where.origin->text;
        if (lines[line])
            assert_string_equal(shown, lines[line]);
        else
            assert_null(shown);
    }
    assert_null(ptog_diags_at(diags, 7)->where.origin->text);
    assert_string_equal(ptog_diags_at(diags, 0)->where.text, "pto");
    assert_true(ptog_diags_quote(diags, "main.py", "", 0));
    assert_null(ptog_diags_at(diags, 0)->where.origin->origin->text);
    ptog_diags_clear(diags);
    assert_null(ptog_diags_file_at(diags, 0));
    ptog_diags_free(diags);
}

static void files_are_bounded(void **state)
{
    ptog_diags *diags = ptog_diags_new();
    size_t count = 0;
    (void)state;
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d.py", i);
        append_located(diags, name, 1);
    }
    while (ptog_diags_file_at(diags, count))
        count++;
    assert_int_equal(count, 64);
    ptog_diags_free(diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_headline_is_the_authors),
        cmocka_unit_test(rings_are_cut),
        cmocka_unit_test(lines_are_quoted),
        cmocka_unit_test(files_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
