/* Tokens, lines, symbols and the nearest name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "asm/parser/lexer.h"
#include "asm/symbols.h"
#include "base/nearest.h"
#include "base/pick.h"
#include "base/source.h"

/* Lexes `text` and writes "kind:text" for each token into `out`. */
static void lex(const char *text, char *out, size_t size)
{
    static const char kinds[] = "EWVSIFTHBA.PX";
    struct ptog_source source;
    struct ptog_lexer lexer;
    assert_int_equal(ptog_source_open(&source, "t", text, strlen(text)), PTOG_OK);
    ptog_lexer_start(&lexer, &source);
    size_t n = 0;
    for (;;) {
        struct ptog_token token = ptog_lexer_next(&lexer);
        if (token.kind == PTOG_TOKEN_END)
            break;
        n += (size_t)snprintf(out + n, size - n, "%s%s%c:%.*s", ptog_when(n > 0, " "), ptog_when(token.new_line, "~"),
                              kinds[token.kind], (int)(token.end - token.at), text + token.at);
        assert_true(n < size);
    }
    out[n] = '\0';
    ptog_stack_free(&lexer.remarks);
    ptog_source_close(&source);
}

static void check_tokens(const char *text, const char *tokens)
{
    char out[512];
    lex(text, out, sizeof out);
    assert_string_equal(out, tokens);
}

static void words_and_values(void **state)
{
    (void)state;
    check_tokens("%dst = pto.mgather", "~V:%dst P:= W:pto.mgather");
    check_tokens("%12, %x#1, %a-b->", "~V:%12 P:, V:%x#1 P:, V:%a-b A:->");
    check_tokens("@f @\"a b\" @a::@b", "~S:@f S:@\"a b\" S:@a::@b");
    check_tokens("!pto.tile #pto.layout<nd>", "~B:!pto.tile H:#pto.layout P:< W:nd P:>");
    check_tokens("mgather.row.clamp", "~W:mgather.row.clamp");
}

static void numbers(void **state)
{
    (void)state;
    check_tokens("0 -5 0x1F 007", "~I:0 I:-5 I:0x1F I:007");
    check_tokens("1.5 -1.5e-3 2e8 1.", "~F:1.5 F:-1.5e-3 F:2e8 F:1.");
    check_tokens("0x 5...", "~I:0 W:x I:5 .:...");
    check_tokens("99999999999999999999999", "~I:99999999999999999999999");
}

static void strings(void **state)
{
    (void)state;
    check_tokens("\"a\\\"b\" \"\"", "~T:\"a\\\"b\" T:\"\"");
    check_tokens("\"open\nnext", "~X:\"open ~W:next");
    check_tokens("% x", "~X:% W:x");
}

static void comments(void **state)
{
    (void)state;
    check_tokens("a // b\nc ; d\n# e\n  # f\ng", "~W:a ~W:c ~W:g");
    check_tokens("a = \n #pto.x", "~W:a P:= ~H:#pto.x");
    check_tokens("a #x", "~W:a H:#x");
}

static void other_bytes(void **state)
{
    (void)state;
    check_tokens("a \x80\x81 b", "~W:a X:\x80\x81 W:b");
    check_tokens("a / b", "~W:a X:/ W:b");
}

static void places(void **state)
{
    (void)state;
    struct ptog_source source;
    const char *text = "ab\n\xe4\xb8\xad x\r\n\nlast";
    assert_int_equal(ptog_source_open(&source, "t", text, strlen(text)), PTOG_OK);
    assert_int_equal(source.line_count, 4);
    struct ptog_place place = ptog_source_place(&source, (struct ptog_span){7, 1});
    assert_int_equal(place.line, 2);
    assert_int_equal(place.column, 3);
    assert_int_equal(place.end_column, 4);
    place = ptog_source_place(&source, (struct ptog_span){11, 100});
    assert_int_equal(place.line, 4);
    assert_int_equal(place.column, 1);
    assert_int_equal(place.end_column, 5);
    assert_int_equal(ptog_source_line(&source, 2).length, 5);
    assert_int_equal(ptog_source_line(&source, 9).length, 0);
    place = ptog_source_place(&source, (struct ptog_span){1, 50});
    assert_int_equal(place.end_column, 3);
    ptog_source_close(&source);
}

static void symbols(void **state)
{
    (void)state;
    struct ptog_arena arena = {0};
    struct ptog_symbols table = {.arena = &arena};
    char name[16];
    for (uint32_t i = 0; i < 5000; i++) {
        int n = snprintf(name, sizeof name, "name%u", i);
        assert_int_equal(ptog_symbol_add(&table, name, (size_t)n), i + 1);
        assert_int_equal(ptog_symbol_add(&table, name, (size_t)n), i + 1);
    }
    assert_int_equal(ptog_symbol_find(&table, "name77", 6), 78);
    assert_int_equal(ptog_symbol_find(&table, "name", 4), 0);
    assert_string_equal(ptog_symbol_text(&table, 78), "name77");
    assert_int_not_equal(ptog_symbol_add(&table, "a\0b", 3), ptog_symbol_add(&table, "a\0c", 3));
    assert_string_equal(ptog_symbol_text(&table, 0), "");
    ptog_symbols_free(&table);
    ptog_arena_free(&arena);
}

static const char *nearest_of(const char *word)
{
    struct ptog_nearest nearest;
    ptog_nearest_start(&nearest, word, strlen(word));
    ptog_nearest_offer(&nearest, "mgather");
    ptog_nearest_offer(&nearest, "tgather");
    ptog_nearest_offer(&nearest, "tload");
    return ptog_or(nearest.best, "none");
}

static void nearest_names(void **state)
{
    (void)state;
    assert_string_equal(nearest_of("mgahter"), "mgather");
    assert_string_equal(nearest_of("tgathr"), "tgather");
    assert_string_equal(nearest_of("tlod"), "tload");
    assert_string_equal(nearest_of("scatter"), "none");
    assert_string_equal(nearest_of(""), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_values), cmocka_unit_test(numbers),       cmocka_unit_test(strings),
        cmocka_unit_test(comments),         cmocka_unit_test(other_bytes),   cmocka_unit_test(places),
        cmocka_unit_test(symbols),          cmocka_unit_test(nearest_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
