/* unit: ptog_report_fixed: C++ sources with lines added to them, and why some lines are not. */
#include "unit/check.h"

#include <string.h>

#include "base/diag.h"

static char written[2000];

static void keep(void *user, const char *text, size_t length)
{
    size_t *used = user;
    assert_true(*used + length < sizeof written);
    memcpy(written + *used, text, length);
    written[ *used += length] = '\0';
}

static struct ptog_fix flag(enum ptog_fix_kind kind, enum ptog_fix_side side, const char *file, uint32_t line)
{
    return (struct ptog_fix){.kind = kind,
                             .side = side,
                             .where = {.file = file, .line = line},
                             .src = PTOG_MTE2,
                             .dst = PTOG_V,
                             .id = 1,
                             .spelling = PTOG_SPELL_CXX};
}

/* The source with a set behind line `set` and a wait before line `wait`, asked for twice; what is said about them. */
static void fixed(const char *text, uint32_t set, uint32_t wait, size_t added, const char *said)
{
    const struct ptog_fix steps[] = {flag(PTOG_FIX_SET, PTOG_FIX_AFTER, "k.cpp", set),
                                     flag(PTOG_FIX_WAIT, PTOG_FIX_BEFORE, "k.cpp", wait)};
    struct ptog_diag diag = {.id = "race-raw", .severity = PTOG_ERROR, .message = "m", .fix = steps, .fix_count = 2};
    struct ptog_fixed_source source = {.file = "k.cpp", .text = text, .bytes = strlen(text)};
    ptog_diags *diags = ptog_diags_new(), *left_out = ptog_diags_new();
    size_t used = 0;
    struct ptog_sink sink = {.write = keep, .user = &used};
    written[0] = '\0';
    assert_true(ptog_diags_add(diags, &diag) && ptog_diags_add(diags, &diag));
    assert_string_equal(ptog_fixed_file(diags), "k.cpp");
    assert_int_equal(ptog_report_fixed(&source, diags, &sink, left_out), PTOG_OK);
    assert_int_equal(source.added, added);
    assert_int_equal(ptog_diags_count(left_out), said ? 2 : 0);
    if (said)
        assert_string_equal(ptog_diags_at(left_out, 0)->message, said);
    ptog_diags_free(diags);
    ptog_diags_free(left_out);
}

#define SET "set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);"
#define WAIT "wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);"

static void lines_are_added_once(void **state)
{
    (void)state;
    fixed("  TLOAD(a, g);\n  MGATHER(d, t, a);\n", 1, 2, 2, NULL);
    assert_string_equal(written, "  TLOAD(a, g);\n  " SET "\n  " WAIT "\n  MGATHER(d, t, a);\n");
    fixed("\tTLOAD(a,\n\t\tg);\n\tTADD(d,\n\t a,\n\t a);", 2, 4, 2, NULL);
    assert_string_equal(written, "\tTLOAD(a,\n\t\tg);\n\t" SET "\n\t" WAIT "\n\tTADD(d,\n\t a,\n\t a);");
}

static void what_is_no_statement_is_passed_over(void **state)
{
    (void)state;
    fixed(
        "/* TLOAD; { */ // \" {\n#define X {\\\n  TADD\nauto s = R\"x(;)\" TADD(\n)x\"; TLOAD(a, 1'0, '\"');\nf([&] { TADD(d); });",
        5, 6, 2, NULL);
    assert_string_equal(written,
                        "/* TLOAD; { */ // \" {\n#define X {\\\n  TADD\nauto s = R\"x(;)\" TADD(\n)x\"; TLOAD(a, 1'0, "
                        "'\"');\n" SET "\nf([&] { " WAIT "\nTADD(d); });");
}

static void a_fix_without_its_place_is_left_out_whole(void **state)
{
    (void)state;
    const char *macro = "TLOAD(a, g);\nGATHER_ALL(d);\n", *alone = "TLOAD(a, g);\nif (x) TADD(d);\n";
    fixed(macro, 1, 2, 0, "the fix of race-raw cannot be applied: it is in a macro");
    assert_string_equal(written, macro);
    fixed(macro, 1, 9, 0, "the fix of race-raw cannot be applied: it is in a macro");
    fixed(alone, 1, 2, 0,
          "the fix of race-raw cannot be applied: the statement is the whole body of an if, a loop or a label: add "
          "braces first");
    assert_string_equal(written, alone);
}

/* Unclosed literals, comments, brackets: any bytes are a source. */
static void any_bytes_are_a_source(void **state)
{
    static const char *const odd[] = {"",   "R\"", "R\"x", "R\"x(", "\"", "'",  "/*",
                                      "//", "#",   "}",    "{",     ")",  "(;", "\\"};
    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        fixed(odd[i], 1, 1, 0, "the fix of race-raw cannot be applied: it is in a macro");
        assert_string_equal(written, odd[i]);
    }
}

static void arguments_are_looked_at(void **state)
{
    size_t used = 0;
    struct ptog_sink sink = {.write = keep, .user = &used};
    struct ptog_fixed_source source = {.file = "k.cpp", .text = "x;", .bytes = 2};
    (void)state;
    assert_int_equal(ptog_report_fixed(&source, NULL, &sink, NULL), PTOG_OK);
    assert_string_equal(written, "x;");
    assert_null(ptog_fixed_file(NULL));
    source.reserved[1] = 1;
    assert_int_equal(ptog_report_fixed(&source, NULL, &sink, NULL), PTOG_BAD_ARGUMENT);
    source = (struct ptog_fixed_source){.text = "x;", .bytes = 2};
    assert_int_equal(ptog_report_fixed(&source, NULL, &sink, NULL), PTOG_BAD_ARGUMENT);
}

/* What is moved, replaced or removed is left to the author. */
static void edits_are_left_out(void **state)
{
    struct ptog_fix moved = flag(PTOG_FIX_WAIT, PTOG_FIX_BEFORE, "k.cpp", 1);
    struct ptog_fix replaced = flag(PTOG_FIX_WAIT, PTOG_FIX_INSTEAD, "k.cpp", 1);
    const char *text = "TLOAD(a, g);\n" WAIT "\n";
    struct ptog_fix *steps[] = {&moved, &replaced};
    moved.from_line = 2;
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct ptog_diag diag = {
            .id = "race-raw", .severity = PTOG_ERROR, .message = "m", .fix = steps[i], .fix_count = 1};
        struct ptog_fixed_source source = {.file = "k.cpp", .text = text, .bytes = strlen(text)};
        ptog_diags *diags = ptog_diags_new(), *left_out = ptog_diags_new();
        size_t used = 0;
        struct ptog_sink sink = {.write = keep, .user = &used};
        assert_true(ptog_diags_add(diags, &diag));
        assert_int_equal(ptog_report_fixed(&source, diags, &sink, left_out), PTOG_OK);
        assert_string_equal(written, text);
        assert_int_equal(ptog_diags_count(left_out), 1);
        ptog_diags_free(diags);
        ptog_diags_free(left_out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_added_once),
        cmocka_unit_test(edits_are_left_out),
        cmocka_unit_test(what_is_no_statement_is_passed_over),
        cmocka_unit_test(a_fix_without_its_place_is_left_out_whole),
        cmocka_unit_test(any_bytes_are_a_source),
        cmocka_unit_test(arguments_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
