/* unit: ptog_source_call_find: the arguments of an instruction's call in a C++ source, by its line. */
#include "unit/check.h"

#include <string.h>

/* The names of a call on a line, joined by '|'. */
static void found(const char *text, const char *instruction, uint32_t line, const char *expected)
{
    struct ptog_source_call call = {0};
    char joined[PTOG_MAX_OPERANDS * (PTOG_LONGEST_NAME + 1) + 1] = "";
    assert_int_equal(ptog_source_call_find(text, strlen(text), instruction, line, &call), PTOG_OK);
    for (size_t i = 0; i < call.count; i++) {
        if (i > 0)
            strcat(joined, "|");
        strcat(joined, call.name[i]);
    }
    assert_string_equal(joined, expected);
}

static void names_are_those_of_the_call(void **state)
{
    (void)state;
    found("  MGATHER<Coalesce::Row>(rows, table, ids);\n", "mgather", 1, "rows|table|ids");
    found("auto e = pto::TLOAD( in.ids[i % 2] ,*view, e0);", "TLOAD", 1, "in.ids[i % 2]|*view|e0");
    found("TADDS(this->sum, ns::x, 2.5f);", "tadds", 1, "this->sum|ns::x|");
    found("if (ready) { TSTORE(out, tiles[k]); }", "tstore", 1, "out|tiles[k]");
    found("float x = tiles[a[1]].GetValue(i) + p->SetValue(2);", "GetValue", 1, "tiles[a[1]]");
    found("float x = in->row.GetValue(i);", "GetValue", 1, "in->row");
    found("TFILLPAD<TFillPadMode::InPlace>(a, b);", "tfillpad_inplace", 1, "a|b");
}

static void calls_may_be_long(void **state)
{
    (void)state;
    const char *text =
        "int x;\nTADD(sum, // the sum, so far\n  left,\n  \"a, (b\" + 1,\n  /* right */ right);\nTADD(a, b, c);\n";
    for (uint32_t line = 2; line <= 5; line++)
        found(text, "tadd", line, "sum|left||right");
    found(text, "tadd", 6, "a|b|c");
    found(text, "tadd", 1, "");
    found(text, "tadd", 7, "");
}

static void what_is_not_clear_has_no_names(void **state)
{
    (void)state;
    found("TLOAD(a, x); TLOAD(b, x);", "tload", 1, "");
    found("TLOAD(a, x); TLOAD(a, x);", "tload", 1, "a|x");
    found("TADD(a, b, c); TADDS(d, e, f);", "tadd", 1, "a|b|c");
    found("TADD(a, b, c); TADDS(d, e, f);", "tadds", 1, "d|e|f");
    found("#define LOAD(a, b) TLOAD(a, b);\n", "tload", 1, "");
    found("// TLOAD(a, b);\n\"TLOAD(a, b)\";", "tload", 1, "");
    found("TLOAD(f<a, b>(c), d);", "tload", 1, "");
    found("TLOAD(a, b", "tload", 1, "");
    found("TLOAD<x(a, b);", "tload", 1, "");
    found("TLOAD(a_name_of_more_than_forty_letters_is_left_out, b);", "tload", 1, "|b");
    found("", "tload", 1, "");
}

static void arguments_are_checked(void **state)
{
    (void)state;
    struct ptog_source_call call = {0};
    assert_int_equal(ptog_source_call_find(NULL, 0, "tload", 1, &call), PTOG_OK);
    assert_int_equal(ptog_source_call_find(NULL, 1, "tload", 1, &call), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_source_call_find("", 0, NULL, 1, &call), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_source_call_find("", 0, "tload", 1, NULL), PTOG_BAD_ARGUMENT);
    call.reserved[0] = 1;
    assert_int_equal(ptog_source_call_find("", 0, "tload", 1, &call), PTOG_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_call),
        cmocka_unit_test(calls_may_be_long),
        cmocka_unit_test(what_is_not_clear_has_no_names),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
