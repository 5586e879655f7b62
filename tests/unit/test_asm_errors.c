/* What is said about mistakes: the message, its id, and the exact characters it points at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../asm/round_trip.h"

/* "line:column-end severity: message [id]" of every diagnostic, one per line. */
static void check_errors(const char *text, const char *expected)
{
    char out[8192] = "";
    size_t n = 0;
    struct parsed parsed;
    parse_text(&parsed, text);
    for (size_t i = 0; i < parsed.diags.count; i++) {
        const struct ptog_diag *diag = &parsed.diags.list[i].diag;
        struct ptog_place place = ptog_source_place(&parsed.source, parsed.diags.list[i].span);
        n += (size_t)snprintf(out + n, sizeof out - n, "%u:%u-%u %s: %s [%s]\n", place.line, place.column,
                              place.end_column, ptog_severity_name(diag->severity), diag->message, diag->id);
        assert_true(n < sizeof out);
    }
    parsed_free(&parsed);
    assert_string_equal(out, expected);
}

static const struct {
    const char *text, *expected;
} mistakes[] = {
    /* operations and names */
    {"%d = mgather.rwo %a", "1:14-17 error: unknown coalesce 'rwo', did you mean 'row'? [text-unknown-word]\n"},
    {"%d = mgather.row.clmap %a",
     "1:18-23 error: unknown gatherOob 'clmap', did you mean 'clamp'? [text-unknown-word]\n"},
    {"%d = mgather.row.clamp.zero %a", "1:24-28 error: 'pto.mgather' has no suffix 'zero' [text-syntax]\n"},
    {"%d = tadd.row %a, %b", "1:11-14 error: 'pto.tadd' has no suffix 'row' [text-syntax]\n"},
    {"%d mgather %a", "1:4-11 error: expected '=', found 'mgather' [text-syntax]\n"},
    {"%d = = x", "1:6-7 error: expected an operation, found '=' [text-syntax]\n"},
    {"%a, = x.y", "1:5-6 error: expected a result such as %x, found '=' [text-syntax]\n"},
    {"%a:0 = x.y", "1:4-5 error: expected a number of results [text-syntax]\n"},
    {"pto.tstore %a, %b -> (f16, f32)",
     "1:19-32 error: expected one type after '->': a store has one destination [text-syntax]\n"},
    {"%a:2 = pto.tadd %x, %y", "1:1-3 error: 'pto.tadd' must name its results one by one [text-syntax]\n"},
    /* clauses and lists */
    {"pto.tload ins(%a : f16 outs(%b)", "1:24-28 error: expected ',' or ')', found 'outs' [text-syntax]\n"},
    {"pto.tload ins(%a,) outs(%b)", "1:18-19 error: expected a value, found ')' [text-syntax]\n"},
    {"x.y %a, %b,", "1:12-12 error: expected a value, found the end of the text [text-syntax]\n"},
    {"x.y [1, 2", "1:10-10 error: expected ',' or ']', found the end of the text [text-syntax]\n"},
    {"pto.tadd ins(%a) outs(%b) %c", "1:27-29 error: expected a key or a dictionary, found '%c' [text-syntax]\n"},
    {"pto.tadd ins([1]) outs(%b)", "1:14-17 error: expected an operand, found '[1]' [text-syntax]\n"},
    {"pto.barrier <>", "1:14-15 error: expected a name such as PIPE_V, found '>' [text-syntax]\n"},
    /* attributes */
    {"x.y {a = 1, a = 2}", "1:13-14 error: key 'a' is given twice [text-duplicate]\n"},
    {"mgather.row %d, %m {coalesce = <elem>}", "1:21-29 error: key 'coalesce' is given twice [text-duplicate]\n"},
    {"x.y {a = 1 b}", "1:12-13 error: expected ',' or '}', found 'b' [text-syntax]\n"},
    {"pto.mgather ins(%a) outs(%b) {coalesce = #pto<coalesce rows>}",
     "1:56-60 error: unknown coalesce 'rows', did you mean 'row'? [text-unknown-word]\n"},
    {"pto.mgather ins(%a) outs(%b) {coalesce = #pto<layout nd>}",
     "1:42-57 error: expected an attribute of class 'coalesce', found '#pto<layout nd>' [text-unknown-word]\n"},
    {"pto.tgather ins(%a, {maskPattern = #pto.mask_pattern<P0110>} : f16) outs(%b)",
     "1:54-59 error: unknown maskPattern 'P0110', did you mean 'P0101'? [text-unknown-word]\n"},
    {"x.y {a = #z<1}", "1:12-13 error: '<' is never closed [text-not-closed]\n"},
    {"x.y {a = \"b}\nx.z", "1:10-13 error: '\"b}' is not closed on its line [text-not-closed]\n"},
    /* types */
    {"x.y : !pto.tile<16x32xf61>",
     "1:23-26 error: unknown element type 'f61', did you mean 'f16'? [text-unknown-word]\n"},
    {"x.y : foo", "1:7-10 error: unknown element type 'foo' [text-unknown-word]\n"},
    {"x.y : !pto.tile_buff<vec, 1x1xf16>",
     "1:7-21 warning: unknown type '!pto.tile_buff', did you mean '!pto.tile_buf'? [text-unknown-word]\n"},
    {"x.y : !pto.tile_buf<vce, 1x1xf16>",
     "1:21-24 error: unknown loc 'vce', did you mean 'vec'? [text-unknown-word]\n"},
    {"x.y : !pto.tile_buf<vec, 1x1xf16, blayuot=col_major>",
     "1:35-42 error: unknown key 'blayuot', did you mean 'blayout'? [text-unknown-word]\n"},
    {"x.y : !pto.tile_buf<vec, 1x1xf16, blayout=colmajor>",
     "1:43-51 error: unknown blayout 'colmajor', did you mean 'col_major'? [text-unknown-word]\n"},
    {"x.y : !pto.tile_buf<vec, 1x1xf16, pad=1, pad=2>", "1:42-45 error: 'pad' is given twice [text-duplicate]\n"},
    {"x.y : !pto.tile_buf<vec, 1x1x1xf16>", "1:26-35 error: a tile has 2 dimensions, not 3 [text-type]\n"},
    {"x.y : !pto.tile<vec, f16, 16>", "1:7-30 error: the tile type has no cols [text-type]\n"},
    {"x.y : !pto.tile<16x32xf16", "1:26-26 error: expected ',' or '>', found the end of the text [text-syntax]\n"},
    {"x.y : !pto.tensor_view<4x4xf16, 3>", "1:31-32 error: expected '>', found ',' [text-syntax]\n"},
    {"x.y : !pto.tile", "1:16-16 error: expected '<', found the end of the text [text-syntax]\n"},
    {"x.y : 5", "1:7-8 error: expected a type, found '5' [text-syntax]\n"},
    {"x.y : !pto.tensor_view<99999999999999999999xf16>",
     "1:24-44 error: an extent must be less than 2^63 [text-number]\n"},
    /* numbers and bytes */
    {"%c = arith.constant 18446744073709551616 : i64",
     "1:21-41 error: the number does not fit in 64 bits [text-number]\n"},
    {"%c = arith.constant -9223372036854775809 : i64",
     "1:21-41 error: the number does not fit in 64 bits [text-number]\n"},
    {"\xe4\xb8\xad x.y", "1:1-2 error: expected an operation, found unexpected '\xe4\xb8\xad' [text-byte]\n"},
    /* the frame */
    {"scf.for %i = %a to %b {\n}", "1:23-24 error: expected 'step', found '{' [text-syntax]\n"},
    {"scf.if %c\nx.y", "2:1-4 error: expected '{', found 'x.y' [text-syntax]\n"},
    {"func.func f() {\n}", "1:11-12 error: expected a function name such as @f, found 'f' [text-syntax]\n"},
    {"func.func @f(%a) {\n}", "1:16-17 error: expected ':', found ')' [text-syntax]\n"},
    {"func.func @f() {\n  return\n", "3:1-1 error: expected '}', found the end of the text [text-syntax]\n"},
    {"x.y\n}\n", "2:1-2 error: expected an operation, found '}' [text-syntax]\n"},
    {"x.y loc(\"a\"", "1:5-8 error: 'loc(' is never closed [text-not-closed]\n"},
};

static void messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        check_errors(mistakes[i].text, mistakes[i].expected);
    print_message("%zu mistakes\n", sizeof mistakes / sizeof mistakes[0]);
}

/* One mistake is one error, and the statements around it are read. */
static void recovery(void **state)
{
    (void)state;
    check_errors(
        "module {\n  func.func @f() {\n    pto.tload ins(%a : f17) outs(%b)\n    x.y %a\n    scf.for %i = 0 {\n"
        "      x.z ]\n    }\n    %c = arith.constant 1 :\n    return\n  }\n}\n",
        "3:24-27 error: unknown element type 'f17', did you mean 'f16'? [text-unknown-word]\n"
        "5:20-21 error: expected 'to', found '{' [text-syntax]\n"
        "6:11-12 error: expected an operation, found ']' [text-syntax]\n"
        "9:5-11 error: unknown element type 'return' [text-unknown-word]\n");
    struct parsed parsed;
    parse_text(&parsed, "x.a\nx.b [\nx.c\n");
    const struct ptog_op *op = parsed.tree.root.first;
    assert_int_equal(parsed.status, PTOG_ILLEGAL);
    assert_string_equal(ptog_tree_text(&parsed.tree, op->name), "x.a");
    parsed_free(&parsed);
}

static void at_most_twenty(void **state)
{
    (void)state;
    char text[4096] = "";
    for (int i = 0; i < 50; i++)
        strcat(text, "x.y ]\n");
    struct parsed parsed;
    parse_text(&parsed, text);
    assert_int_equal(parsed.diags.errors, PTOG_MAX_ERRORS);
    assert_int_equal(parsed.diags.count, PTOG_MAX_ERRORS + 1);
    assert_string_equal(parsed.diags.list[PTOG_MAX_ERRORS].diag.id, PTOG_ID_TOO_MANY);
    assert_int_equal(parsed.diags.list[PTOG_MAX_ERRORS].diag.severity, PTOG_NOTE);
    parsed_free(&parsed);
}

static void related_places(void **state)
{
    (void)state;
    struct parsed parsed;
    parse_text(&parsed, "module {\n  x.y\n");
    assert_int_equal(parsed.diags.count, 1);
    assert_int_equal(parsed.diags.list[0].diag.related_count, 1);
    assert_string_equal(parsed.diags.list[0].related[0].message, "opened here");
    assert_int_equal(parsed.diags.list[0].related[0].span.at, 7);
    ptog_diag_add_fix(&parsed.diags, &parsed.diags.list[0], "add '}'");
    assert_string_equal(parsed.diags.list[0].diag.fix[0].text, "add '}'");
    parsed_free(&parsed);
}

static void what_a_form_cannot_say(void **state)
{
    (void)state;
    struct parsed parsed;
    parse_text(&parsed, "func.func @f() {\n  %t = pto.alloc_tile addr = %a : !pto.tile_buf<...>\n"
                        "  pto.tload ins(%p) outs(%t : !pto.tile_buf<...>) pad_value = %v : f32\n}\n");
    struct printed printed = print_form(&parsed, PTOG_TEXT_SSA);
    assert_int_equal(printed.status, PTOG_ILLEGAL);
    assert_int_equal(printed.size, 0);
    assert_string_equal(parsed.diags.list[0].diag.message, "'pto.tload' uses syntax that only level 2 has");
    struct ptog_place place = ptog_source_place(&parsed.source, parsed.diags.list[0].span);
    assert_int_equal(place.line, 3);
    assert_int_equal(place.column, 3);
    free(printed.text);
    parsed_free(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages),
        cmocka_unit_test(recovery),
        cmocka_unit_test(at_most_twenty),
        cmocka_unit_test(related_places),
        cmocka_unit_test(what_a_form_cannot_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
