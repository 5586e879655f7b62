/* Input that wants to hurt: deep, long, cut off, not text at all. Nothing crashes, and what is wrong is said. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../asm/round_trip.h"
#include "base/pick.h"

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

/* `count` times `open`, then whatever; the first error must have this id (NULL: no error at all). */
static void check_repeated(const char *before, const char *open, size_t count, const char *after, const char *id)
{
    size_t length = strlen(open), size = strlen(before) + count * length + strlen(after);
    char *text = malloc(size + 1), *at = text;
    assert_non_null(text);
    at += sprintf(at, "%s", before);
    for (size_t i = 0; i < count; i++, at += length)
        memcpy(at, open, length);
    strcpy(at, after);
    struct parsed parsed;
    parse_bytes(&parsed, text, size);
    if (id) {
        assert_int_equal(parsed.status, PTOG_ILLEGAL);
        assert_true(parsed.diags.count <= PTOG_MAX_ERRORS + 1);
        assert_string_equal(parsed.diags.list[0].diag.id, id);
    } else {
        assert_int_equal(parsed.status, PTOG_OK);
        struct printed printed = print_form(&parsed, PTOG_TEXT_DPS);
        assert_int_equal(printed.status, PTOG_OK);
        free(printed.text);
    }
    parsed_free(&parsed);
    free(text);
}

static void deep(void **state)
{
    (void)state;
    check_repeated("x.y ", "[", 100000, "", PTOG_ID_NESTING);
    check_repeated("x.y ", "{a = ", 100000, "", PTOG_ID_NESTING);
    check_repeated("x.y : ", "(", 100000, "", PTOG_ID_NESTING);
    check_repeated("", "scf.if %c {\n", 100000, "", PTOG_ID_NESTING);
    check_repeated("", "pto.section.vector {", 100000, "", PTOG_ID_NESTING);
    check_repeated("x.y %a", "[%a", 100000, "", PTOG_ID_NESTING);
    check_repeated("x.y @f", "(@f", 100000, "", PTOG_ID_NESTING);
    check_repeated("x.y : ", "memref<4xf32, ", 100000, "", PTOG_ID_NESTING);
    check_repeated("x.y : !z", "<", 100000, "", PTOG_ID_NOT_CLOSED);
    check_repeated("", "{\n", 100000, "", PTOG_ID_SYNTAX);
    check_repeated("", "}", 100000, "", PTOG_ID_SYNTAX);
    check_repeated("x.y loc", "(", 100000, "", PTOG_ID_NOT_CLOSED);
}

/* ---- a small stack */

/* A thread that has 128 KiB of stack, as some systems give them: as deep as may be is read, printed and compared. */
#define STACK_BYTES ((size_t)128 << 10)

static const struct {
    const char *before, *open, *after, *close;
    int count;
    const char *problem;
} deepest[] = {
    {"x.y ", "[", "1", "]", 199, NULL},
    {"x.y ", "[", "1", "]", 201, PTOG_ID_NESTING},
    {"x.y ", "{a = ", "1", "}", 199, NULL},
    {"x.y ", "%a[", "%a", "]", 199, NULL},
    {"x.y : ", "() -> (", "i32", ")", 199, NULL},
    {"x.y : ", "(", "i32", ") -> i32", 199, NULL},
    {"", "scf.if %c {\n", "", "}\n", 100, NULL},
    {"", "scf.if %c {\n", "", "}\n", 199, PTOG_ID_NESTING},
    {"", "scf.for %i = %c to %c step %c {\n", "", "}\n", 100, NULL},
    {"", "scf.for %i = %c to %c step %c {\n", "", "}\n", 199, PTOG_ID_NESTING},
    {"", "scf.while : () -> () {\nscf.condition(%c)\n} do {\n", "", "}\n", 199, PTOG_ID_NESTING},
    {"", "pto.section.vector {\n", "", "}\n", 100, NULL},
    {"", "pto.section.vector {\n", "", "}\n", 199, PTOG_ID_NESTING},
    {"", "module {\n", "", "}\n", 100, NULL},
    {"", "module {\n", "", "}\n", 199, PTOG_ID_NESTING},
    {"", "scf.if %c {\n", "x.y [{a = [{a = [{a = [1]}]}]}]\n", "}\n", 95, NULL},
};
#define DEEPEST (sizeof deepest / sizeof deepest[0])

static void *read_deepest(void *problem_of_each)
{
    const char **problems = problem_of_each;
    for (size_t i = 0; i < DEEPEST; i++) {
        char *text = malloc(20000), *at = text;
        at += sprintf(at, "%s", deepest[i].before);
        for (int k = 0; k < deepest[i].count; k++)
            at += sprintf(at, "%s", deepest[i].open);
        at += sprintf(at, "%s", deepest[i].after);
        for (int k = 0; k < deepest[i].count; k++)
            at += sprintf(at, "%s", deepest[i].close);
        struct parsed parsed;
        parse_bytes(&parsed, text, (size_t)(at - text));
        problems[i] = parsed.status == PTOG_OK ? round_trip(text, (size_t)(at - text)) : parsed.diags.list[0].diag.id;
        parsed_free(&parsed);
        free(text);
    }
    return NULL;
}

static void on_a_small_stack(void **state)
{
    const char *problems[DEEPEST] = {0};
    pthread_attr_t attributes;
    pthread_t thread;
    (void)state;
#ifdef SANITIZED
    skip(); /* its frames are several times as large */
#endif
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attributes, read_deepest, problems), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    for (size_t i = 0; i < DEEPEST; i++)
        assert_string_equal(ptog_or(problems[i], ""), ptog_or(deepest[i].problem, ""));
}

static void a_little_less_deep(void **state)
{
    (void)state;
    char text[2048] = "x.y ";
    for (int i = 0; i < 150; i++)
        strcat(text, "[");
    for (int i = 0; i < 150; i++)
        strcat(text, "]");
    assert_null(round_trip(text, strlen(text)));
}

static void long_tokens(void **state)
{
    (void)state;
    const size_t megabyte = 1 << 20;
    check_repeated("%", "a", megabyte, " = x.y", NULL);
    check_repeated("x.", "y", megabyte, "", NULL);
    check_repeated("x.y \"", "z", megabyte, "\"", NULL);
    check_repeated("// ", "z", megabyte, "", NULL);
    check_repeated("x.y ", "9", megabyte, "", PTOG_ID_NUMBER);
    check_repeated("x.y : !pto.tensor_view<", "9", megabyte, "xf16>", PTOG_ID_NUMBER);
    check_repeated("x.y : !z<", "z", megabyte, ">", NULL);
    check_repeated("x.y 1.", "9", megabyte, "", NULL);
    check_repeated("pto.mgahte", "r", megabyte, "", NULL);
    check_repeated("x.y : !pto.tensor_view<", "1000000000000000000x", 10000, "f16>", NULL);
}

static void long_lists(void **state)
{
    (void)state;
    check_repeated("x.y %a", ", %a", 300000, "", NULL);
    check_repeated("%a", ", %a", 300000, " = x.y", NULL);
    check_repeated("pto.tadd ins({a}", ", {b}", 3, ")", PTOG_ID_DUPLICATE);
    check_repeated("pto.tadd ins(%a", ", {}", 300000, ")", NULL);
    check_repeated("", "\n", 1000000, "", NULL);
    check_repeated("", "// c\n", 300000, "", NULL);
    check_repeated("", "x.y\n", 300000, "", NULL);
    check_repeated("x.y : i32", ", i32", 300000, "", NULL);
}

/* Many different keys in one dictionary: looking for duplicates must stay linear. */
static void many_keys(void **state)
{
    (void)state;
    const int count = 200000;
    char *text = malloc((size_t)count * 12 + 16), *at = text;
    assert_non_null(text);
    at += sprintf(at, "x.y {k");
    for (int i = 0; i < count; i++)
        at += sprintf(at, ", k%d", i);
    strcpy(at, "}");
    struct parsed parsed;
    parse_text(&parsed, text);
    assert_int_equal(parsed.status, PTOG_OK);
    parsed_free(&parsed);
    free(text);
}

static void any_bytes(void **state)
{
    (void)state;
    static const char nul[] = "x.y \0 %a\n\0\0";
    struct parsed parsed;
    parse_bytes(&parsed, nul, sizeof nul - 1);
    assert_int_equal(parsed.status, PTOG_ILLEGAL);
    assert_string_equal(parsed.diags.list[0].diag.id, PTOG_ID_BYTE);
    parsed_free(&parsed);
    char bytes[256];
    uint32_t seed = 1;
    for (int round = 0; round < 2000; round++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (char)((seed = seed * 1664525u + 1013904223u) >> 24);
        assert_null(round_trip(bytes, sizeof bytes));
    }
    assert_null(round_trip("", 0));
    assert_null(round_trip(NULL, 0));
}

static const char sample[] =
    "module attributes {pto.target_arch = \"a5\"} {\n"
    "  func.func @f(%p: !pto.ptr<f16, gm>) -> (i32) {\n"
    "    // comment\n"
    "    %v = pto.make_tensor_view %p, shape = [%a, 0x10] strides = [-1, 1.5e3] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>\n"
    "    scf.for %i = 0 to %n step 1 iter_args(%x = %y) -> (index) {\n"
    "      pto.mgather ins(%v, %i : memref<4xf32, strided<[1]>>, !pto.tile_buf<vec, 1x16xi32, valid=1x?>) outs(%d : !pto.tile<...>)\n"
    "      %d = mgather.row.clamp %m, %i {k = \"v\"} : (!pto.memref<MxNxT>, pto.tile<f16, 1, 2>) -> !z.y<\">\">\n"
    "    } loc(\"a\":1:2)\n"
    "    \"x.y\"(%a, @f(1)) <{a}> : (i32) -> ()\n"
    "    pto.set_flag[<PIPE_V>, \"PIPE_S\", #pto<event E>] ; end\n"
    "  }\n"
    "}\n";

static void cut_at_every_byte(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof sample; size++) {
        char *copy = malloc(size + 1); /* so that a sanitizer sees a read past the end */
        assert_non_null(copy);
        memcpy(copy, sample, size);
        assert_null(round_trip(copy, size));
        free(copy);
    }
}

static void one_byte_changed(void **state)
{
    (void)state;
    static const char bytes[] = "\0\n\"<>{}[]()%@#!,:=-.x0 \xff";
    char copy[sizeof sample];
    for (size_t i = 0; i + 1 < sizeof sample; i++) {
        for (size_t k = 0; k + 1 < sizeof bytes; k++) {
            memcpy(copy, sample, sizeof sample);
            copy[i] = bytes[k];
            const char *problem = round_trip(copy, sizeof sample - 1);
            if (problem)
                print_error("%s\n%s\n", problem, copy);
            assert_null(problem);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep),        cmocka_unit_test(a_little_less_deep), cmocka_unit_test(on_a_small_stack),
        cmocka_unit_test(long_tokens), cmocka_unit_test(long_lists),         cmocka_unit_test(many_keys),
        cmocka_unit_test(any_bytes),   cmocka_unit_test(cut_at_every_byte),  cmocka_unit_test(one_byte_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
