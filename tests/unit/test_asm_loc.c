/* What loc(...) names: every spelling of MLIR, names of locations, and texts that try to keep the reader busy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/asm.h"
#include "asm/loc.h"
#include "base/text.h"

#define MAX_SHOWN 1024

/* "a.py:1:2", with the end as "-5" where there is one, and those that call after " < "; "none". */
static void show_origin(const struct ptog_where *origin, char shown[MAX_SHOWN])
{
    struct ptog_text text;
    ptog_text_init(&text, shown, MAX_SHOWN);
    if (!origin)
        ptog_text_add(&text, "none");
    for (const char *between = ""; origin; origin = origin->origin, between = " < ") {
        assert_null(origin->text);
        ptog_text_addf(&text, "%s%s:%u:%u", between, origin->file, (unsigned)origin->line, (unsigned)origin->column);
        if (origin->end_column != origin->column)
            ptog_text_addf(&text, "-%u", (unsigned)origin->end_column);
    }
}

/* What the first operation of a text comes from. */
static void origin_in(const char *program, char shown[MAX_SHOWN])
{
    struct ptog_source source;
    struct ptog_tree tree;
    struct ptog_diag_list diags = {0};
    struct ptog_arena arena = {0};
    const struct ptog_where *origin;
    assert_int_equal(ptog_source_open(&source, "t.pto", program, strlen(program)), PTOG_OK);
    assert_int_equal(ptog_parse(&tree, &source, &diags), PTOG_OK);
    assert_true(ptog_loc_origin(&tree, tree.root.first->loc, &arena, &origin));
    show_origin(origin, shown);
    ptog_arena_free(&arena);
    ptog_tree_free(&tree);
    ptog_diag_list_free(&diags);
    ptog_source_close(&source);
}

static void every_spelling_is_read(void **state)
{
    static const struct {
        const char *loc, *origin;
    } spellings[] = {
        {"\"a.py\":12:3", "a.py:12:3"},
        {"\"a.py\":12", "a.py:12:0"},
        {"\"a.py\":12:3 to :9", "a.py:12:3-9"},
        {"\"a.py\":12:3 to 12:9", "a.py:12:3-9"},
        {"\"a.py\":12:3 to 14:9", "a.py:12:3"},
        {"\"a.py\":12:3 to :1", "a.py:12:3"},
        {"\"a b/\\22c\\\\.py\":1:1", "a b/\"c\\.py:1:1"},
        {"unknown", "none"},
        {"\"name\"", "none"},
        {"\"name\"(\"a.py\":1:2)", "a.py:1:2"},
        {"\"name\"(unknown)", "none"},
        {"\"name\"(\"inner\"(\"a.py\":1:2))", "a.py:1:2"},
        {"fused[\"a.py\":1:2, \"b.py\":3:4]", "a.py:1:2"},
        {"fused[unknown, \"name\", \"b.py\":3:4]", "b.py:3:4"},
        {"fused[]", "none"},
        {"fused<\"CSE\">[\"a.py\":1:2]", "a.py:1:2"},
        {"fused<\">[\">[\"a.py\":1:2]", "a.py:1:2"},
        {"fused<{k = affine_map<(d0) -> (d0)>, s = [#x<1>]}>[\"a.py\":1:2]", "a.py:1:2"},
        {"fused[fused[unknown], \"name\"(fused<1>[\"a.py\":1:2, \"b.py\":1:1]), \"c.py\":1:1]", "a.py:1:2"},
        {"callsite(\"a.py\":1:2 at \"b.py\":3:4)", "a.py:1:2 < b.py:3:4"},
        {"callsite(\"f\"(\"a.py\":1:2) at callsite(\"b.py\":3:4 at \"c.py\":5:6))", "a.py:1:2 < b.py:3:4 < c.py:5:6"},
        {"callsite(callsite(\"a.py\":1:2 at \"b.py\":3:4) at \"c.py\":5:6)", "a.py:1:2 < b.py:3:4 < c.py:5:6"},
        {"callsite(unknown at \"b.py\":3:4)", "b.py:3:4"},
        {"callsite(\"a.py\":1:2 at unknown)", "a.py:1:2"},
        {"fused[callsite(\"a.py\":1:2 at \"b.py\":3:4), \"c.py\":5:6]", "a.py:1:2 < b.py:3:4"},
        {"#one", "one.py:1:1"},
        {"#later", "later.py:9:2"},
        {"#two", "one.py:1:1 < later.py:9:2"},
        {"fused<\"x\">[#none, #one]", "one.py:1:1"},
        {"\"name\"(#one)", "one.py:1:1"},
        {"#missing", "none"},
        {"#on", "none"},
        /* MLIR writes 0 for a line that it does not know, and a name that a terminal would obey is none */
        {"\"a.py\":0:0", "none"},
        {"\"\":1:1", "none"},
        {"\"a\\1b[2Jb\":1:1", "none"},
        {"\"a\\00\":1:1", "none"},
        {"\"a\\n\":1:1", "none"},
        {"\"a.py\":99999999999:1", "none"},
        {"\"a.py\":1:", "none"},
        {"whatever", "none"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        char program[2048], shown[MAX_SHOWN];
        snprintf(program, sizeof program,
                 "#one = loc(\"one.py\":1:1)\n#two = loc(callsite(#one at #later))\npto.barrier <PIPE_ALL> loc(%s)\n"
                 "#none = loc(unknown)\n#later = loc(\"later.py\":9:2)\n#one = loc(\"twice.py\":1:1)\n",
                 spellings[i].loc);
        origin_in(program, shown);
        if (strcmp(shown, spellings[i].origin) != 0)
            fail_msg("loc(%s): %s, not %s", spellings[i].loc, shown, spellings[i].origin);
    }
}

/* Names that lead in a circle, by one way or by more ways than can be tried: they end. */
static void circles_end(void **state)
{
    char shown[MAX_SHOWN], program[8192];
    struct ptog_text text;
    (void)state;
    origin_in("#a = loc(#b)\n#b = loc(#a)\npto.barrier <PIPE_ALL> loc(#a)\n", shown);
    assert_string_equal(shown, "none");
    origin_in("#a = loc(fused[#a, #a])\npto.barrier <PIPE_ALL> loc(#a)\n", shown);
    assert_string_equal(shown, "none");
    origin_in("#a = loc(fused[#a, #a, \"a.py\":1:1])\npto.barrier <PIPE_ALL> loc(#a)\n", shown);
    assert_string_equal(shown, "a.py:1:1");
    origin_in("#a = loc(callsite(\"a.py\":1:1 at #a))\npto.barrier <PIPE_ALL> loc(#a)\n", shown);
    assert_string_equal(shown, "a.py:1:1 < a.py:1:1 < a.py:1:1 < a.py:1:1 < a.py:1:1 < a.py:1:1 < a.py:1:1 < a.py:1:1 "
                               "< a.py:1:1");
    ptog_text_init(&text, program, sizeof program);
    for (int i = 0; i < 60; i++)
        ptog_text_addf(&text, "#l%d = loc(fused[#l%d, #l%d])\n", i, i + 1, i + 1);
    ptog_text_add(&text, "#l60 = loc(unknown)\npto.barrier <PIPE_ALL> loc(#l0)\n");
    origin_in(program, shown);
    assert_string_equal(shown, "none");
}

/* Brackets in brackets: as deep as people go is read, and no depth breaks the reader. */
static void nesting_is_bounded(void **state)
{
    static const struct {
        size_t depth;
        const char *origin;
    } cases[] = {{40, "a.py:1:2"}, {63, "a.py:1:2"}, {64, "none"}, {100000, "none"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t depth = cases[i].depth, room = depth * 5 + 100, used;
        char *program = malloc(room), shown[MAX_SHOWN];
        assert_non_null(program);
        used = (size_t)snprintf(program, room, "pto.barrier <PIPE_ALL> loc(");
        for (size_t k = 0; k < depth; k++, used += 4)
            memcpy(program + used, "\"n\"(", 4);
        used += (size_t)snprintf(program + used, room - used, "\"a.py\":1:2");
        memset(program + used, ')', depth + 1);
        program[used + depth + 1] = '\0';
        origin_in(program, shown);
        assert_string_equal(shown, cases[i].origin);
        free(program);
    }
}

/* Of very many that call, the nearest stay. */
static void callers_are_bounded(void **state)
{
    char shown[MAX_SHOWN], program[2048];
    struct ptog_text text;
    (void)state;
    ptog_text_init(&text, program, sizeof program);
    ptog_text_add(&text, "pto.barrier <PIPE_ALL> loc(");
    for (int i = 0; i < 20; i++)
        ptog_text_addf(&text, "callsite(\"a.py\":%d:1 at ", i + 1);
    ptog_text_add(&text, "\"a.py\":21:1");
    for (int i = 0; i < 21; i++)
        ptog_text_add(&text, ")");
    origin_in(program, shown);
    assert_string_equal(shown, "a.py:1:1 < a.py:2:1 < a.py:3:1 < a.py:4:1 < a.py:5:1 < a.py:6:1 < a.py:7:1 < "
                               "a.py:8:1 < a.py:9:1");
}

/* The location of a byte is that of the innermost operation or argument, and none where that has none. */
static void bytes_have_the_innermost(void **state)
{
    static const char program[] = "func.func @f(%n: index loc(\"arg.py\":1:1), %m: index) {\n"
                                  "  scf.for %i = %n to %n step %n {\n"
                                  "    pto.barrier <PIPE_ALL> loc(\"in.py\":2:2)\n"
                                  "    pto.barrier <PIPE_V>\n"
                                  "  } loc(\"loop.py\":3:3)\n"
                                  "  return\n"
                                  "} loc(\"func.py\":4:4)\n"
                                  "pto.barrier <PIPE_V>\n";
    static const struct {
        const char *at, *loc;
    } bytes[] = {{"func.func", "loc(\"func.py\":4:4)"},
                 {"%n: index loc", "loc(\"arg.py\":1:1)"},
                 {"%m: index", "loc(\"func.py\":4:4)"},
                 {"scf.for", "loc(\"loop.py\":3:3)"},
                 {"<PIPE_ALL>", "loc(\"in.py\":2:2)"},
                 {"<PIPE_V>\n  }", ""},
                 {"} loc(\"loop", "loc(\"loop.py\":3:3)"},
                 {"return", ""},
                 {"<PIPE_V>\n\0", ""}};
    struct ptog_source source;
    struct ptog_tree tree;
    struct ptog_diag_list diags = {0};
    struct ptog_loc_map map;
    (void)state;
    assert_int_equal(ptog_source_open(&source, "t.pto", program, sizeof program - 1), PTOG_OK);
    assert_int_equal(ptog_parse(&tree, &source, &diags), PTOG_OK);
    assert_true(ptog_loc_map_open(&map, &tree));
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        uint32_t at = (uint32_t)(strstr(program, bytes[i].at) - program);
        assert_string_equal(ptog_tree_text(&tree, ptog_loc_map_find(&map, at)), bytes[i].loc);
    }
    assert_int_equal(ptog_loc_map_find(&map, sizeof program - 1), 0);
    ptog_loc_map_close(&map);
    ptog_tree_free(&tree);
    ptog_diag_list_free(&diags);
    ptog_source_close(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling_is_read),   cmocka_unit_test(circles_end),
        cmocka_unit_test(nesting_is_bounded),       cmocka_unit_test(callers_are_bounded),
        cmocka_unit_test(bytes_have_the_innermost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
