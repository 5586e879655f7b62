/* ptog/language.h: tokens of any text, and the tables of operations and attributes. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <ptog/language.h>

/* What a visitor has seen: a letter for each kind, and where the last one ended. */
struct seen {
    char kinds[64];
    size_t count, end, most;
    bool ordered;
};

static bool note_lexeme(void *user, const struct ptog_lexeme *lexeme)
{
    struct seen *seen = user;
    seen->ordered = seen->ordered && seen->end <= lexeme->at && lexeme->at < lexeme->end;
    seen->end = lexeme->end;
    if (seen->count + 1 < sizeof seen->kinds)
        seen->kinds[seen->count++] = "?wv@ns#!pc"[lexeme->kind];
    return seen->count < seen->most;
}

static struct seen lex_text(const char *text, size_t most)
{
    struct seen seen = {.most = most, .ordered = true};
    assert_int_equal(ptog_language_lex(text, strlen(text), note_lexeme, &seen), PTOG_OK);
    assert_true(seen.ordered);
    return seen;
}

static void test_tokens(void **state)
{
    (void)state;
    assert_string_equal(lex_text("%x = pto.tadd #a -1.5 \"s\" // c", 60).kinds, "vpw#nsc");
    assert_string_equal(lex_text("; only a comment", 60).kinds, "c");
    assert_string_equal(lex_text("@f !t<4x8xf32>", 60).kinds, "@!pnwp");
    assert_string_equal(lex_text("\"open\n\x80\x81 w", 60).kinds, "??w");
    assert_string_equal(lex_text("", 60).kinds, "");
}

static void test_visitor_ends_it(void **state)
{
    (void)state;
    assert_string_equal(lex_text("a b c // d", 2).kinds, "ww");
    assert_string_equal(lex_text("// a\n// b\nc", 1).kinds, "c");
}

static void test_bad_arguments(void **state)
{
    struct seen seen = {.most = 9};
    (void)state;
    assert_int_equal(ptog_language_lex(NULL, 0, note_lexeme, &seen), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_language_lex("", 0, NULL, &seen), PTOG_BAD_ARGUMENT);
    assert_int_equal(ptog_language_lex("", SIZE_MAX, note_lexeme, &seen), PTOG_BAD_ARGUMENT);
}

static void test_operations(void **state)
{
    struct ptog_operation operation, found;
    size_t count = 0, insns = 0;
    (void)state;
    for (; ptog_operation_at(count, &operation); count++) {
        assert_true(ptog_operation_find(operation.name, &found));
        assert_string_equal(found.name, operation.name);
        insns += operation.opcode != PTOG_NO_INSN;
    }
    assert_int_equal(insns, PTOG_OPCODES - 1); /* every instruction has a name in the text forms */
    assert_true(ptog_operation_find("pto.mgather", &found));
    assert_int_equal(found.opcode, PTOG_MGATHER);
    assert_true(found.modelled);
    assert_false(ptog_operation_find("pto.nothing", &found));
    assert_false(ptog_operation_at(SIZE_MAX, &found));
}

static void test_attributes(void **state)
{
    char text[40];
    (void)state;
    assert_string_equal(ptog_operation_attribute_at("pto.mgather", 0), "coalesce");
    assert_string_equal(ptog_operation_attribute_at("pto.mgather", 1), "gatherOob");
    assert_null(ptog_operation_attribute_at("pto.mgather", 2));
    assert_null(ptog_operation_attribute_at("pto.nothing", 0));
    assert_int_equal(ptog_attribute_value_at("coalesce", 1, text, sizeof text), 19);
    assert_string_equal(text, "#pto<coalesce elem>");
    ptog_attribute_value_at("maskPattern", 0, text, sizeof text);
    assert_string_equal(text, "#pto.mask_pattern<P0101>");
    assert_int_equal(ptog_attribute_value_at("coalesce", 0, NULL, 0), 18);
    assert_int_equal(ptog_attribute_value_at("coalesce", 0, text, 5), 18);
    assert_string_equal(text, "#pto");
    assert_int_equal(ptog_attribute_value_at("coalesce", 2, text, sizeof text), 0);
    assert_int_equal(ptog_attribute_value_at("offset", 0, text, sizeof text), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),     cmocka_unit_test(test_visitor_ends_it), cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_operations), cmocka_unit_test(test_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
