/* unit: the renderers. What people and programs read, byte for byte. */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

static char output[65536];
static size_t used;

static void collect(void *user, const char *text, size_t length)
{
    (void)user;
    assert_true(used + length < sizeof output);
    memcpy(output + used, text, length);
    used += length;
    output[used] = '\0';
}

enum format { TEXT, COLOUR, JSON, SARIF };

static const char *rendered(const struct ptog_diag *list, size_t count, enum format format)
{
    const struct ptog_sink sink = {.write = collect, .colour = format == COLOUR};
    ptog_diags *diags = ptog_diags_new();
    assert_non_null(diags);
    for (size_t i = 0; i < count; i++)
        assert_true(ptog_diags_add(diags, &list[i]));
    used = 0;
    output[0] = '\0';
    if (format == JSON)
        ptog_report_json(diags, "a2a3", &sink);
    else if (format == SARIF)
        ptog_report_sarif(diags, &sink);
    else
        ptog_report_text(diags, &sink);
    ptog_diags_free(diags);
    return output;
}

/* An error about columns [column, end) of a line of its own. */
static struct ptog_diag at(const char *line, uint32_t column, uint32_t end)
{
    return (struct ptog_diag){.id = "x-y",
                              .severity = PTOG_ERROR,
                              .message = "no",
                              .where = {.file = "k.pto", .line = 7, .column = column, .end_column = end, .text = line}};
}

/* The two lines of the excerpt. */
static void expect_excerpt(const char *line, uint32_t column, uint32_t end, const char *expected)
{
    static const char before[] = "k.pto:7:%u: error: no [x-y]\n%s\n  = explain: ptog explain x-y\n";
    char whole[1024];
    struct ptog_diag diag = at(line, column, end);
    snprintf(whole, sizeof whole, before, (unsigned)column, expected);
    assert_string_equal(rendered(&diag, 1, TEXT), whole);
}

/* The example of the design, with a related place and a fix of two lines. */
static const struct ptog_related_place written = {
    .message = "written here",
    .where = {.file = "embed.pto",
              .line = 12,
              .column = 5,
              .end_column = 14,
              .text = "    pto.tload ins(%idx_gm : ...) outs(%idx : ...)"}};
static const struct ptog_fix order[] = {
    {.kind = PTOG_FIX_SET,
     .side = PTOG_FIX_AFTER,
     .where = {.file = "embed.pto",
               .line = 12,
               .column = 50,
               .end_column = 50,
               .text = "    pto.tload ins(%idx_gm : ...) outs(%idx : ...)"},
     .src = PTOG_MTE2,
     .dst = PTOG_V,
     .id = 1,
     .spelling = PTOG_SPELL_TEXT},
    {.kind = PTOG_FIX_WAIT,
     .side = PTOG_FIX_BEFORE,
     .where = {.file = "embed.pto",
               .line = 14,
               .column = 5,
               .end_column = 5,
               .text = "    pto.mgather ins(%table, %idx : ...) outs(%dst : ...)"},
     .src = PTOG_MTE2,
     .dst = PTOG_V,
     .id = 1,
     .spelling = PTOG_SPELL_TEXT},
};
static const struct ptog_fix change = {.text = "change it"};
static const struct ptog_diag race = {
    .id = "race-raw",
    .severity = PTOG_ERROR,
    .message = "race: mgather reads %idx before it is written",
    .fix = order,
    .fix_count = 2,
    .where = {.file = "embed.pto",
              .line = 14,
              .column = 5,
              .end_column = 16,
              .text = "    pto.mgather ins(%table, %idx : ...) outs(%dst : ...)"},
    .related = &written,
    .related_count = 1,
};

static void text_of_the_example(void **state)
{
    (void)state;
    assert_string_equal(rendered(&race, 1, TEXT),
                        "embed.pto:14:5: error: race: mgather reads %idx before it is written [race-raw]\n"
                        "  14 |     pto.mgather ins(%table, %idx : ...) outs(%dst : ...)\n"
                        "     |     ^~~~~~~~~~~\n"
                        "  12 |     pto.tload ins(%idx_gm : ...) outs(%idx : ...)\n"
                        "     |     --------- written here\n"
                        "  = fix: after line 12  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\n"
                        "         before line 14  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\n"
                        "  = explain: ptog explain race-raw\n");
}

static void text_without_place(void **state)
{
    (void)state;
    const struct ptog_diag diag = {.id = "tile-loc",
                                   .severity = PTOG_WARNING,
                                   .message = "no",
                                   .fix = &change,
                                   .fix_count = 1,
                                   .documented = "002 X",
                                   .accepted_by = 1 | 2};
    assert_string_equal(rendered(&diag, 1, TEXT), "warning: no [tile-loc]\n"
                                                  "  = fix: change it\n"
                                                  "  = accepted by: host, cpu\n"
                                                  "  = source: MGATHER manual, X\n"
                                                  "  = explain: ptog explain tile-loc\n");
}

static void text_with_count_and_colour(void **state)
{
    (void)state;
    struct ptog_diag diag = at("abc", 2, 3);
    diag.severity = PTOG_NOTE;
    diag.count = 3;
    assert_string_equal(rendered(&diag, 1, COLOUR),
                        "\033[1mk.pto:7:2:\033[0m \033[1;36mnote\033[0m: no (3 times) [x-y]\n"
                        "  7 | abc\n"
                        "    |  \033[1;36m^\033[0m\n"
                        "  = explain: ptog explain x-y\n");
}

static void carets(void **state)
{
    (void)state;
    expect_excerpt("abc def", 5, 8, "  7 | abc def\n    |     ^~~");
    expect_excerpt("abc def", 5, 5, "  7 | abc def\n    |     ^");
    expect_excerpt("abc", 4, 4, "  7 | abc\n    |    ^");
    expect_excerpt("", 1, 1, "  7 |\n    | ^");
    expect_excerpt("abc  ", 1, 2, "  7 | abc\n    | ^");
}

static void places_past_the_text(void **state)
{
    (void)state;
    struct ptog_diag diag = at("abc", 9, 12); /* only the start of the line came along */
    assert_string_equal(rendered(&diag, 1, TEXT), "k.pto:7:9: error: no [x-y]\n  = explain: ptog explain x-y\n");
}

static void tabs_and_characters(void **state)
{
    (void)state;
    expect_excerpt("\tab\tcd", 2, 4, "  7 |     ab    cd\n    |     ^~");
    expect_excerpt("\tab\tcd", 5, 7, "  7 |     ab    cd\n    |           ^~");
    expect_excerpt("// \xc3\xa4\xc3\xb6 x", 7, 8, "  7 | // \xc3\xa4\xc3\xb6 x\n    |       ^");
    expect_excerpt("\xe8\xa1\xa8 x", 3, 4, "  7 | \xe8\xa1\xa8 x\n    |    ^"); /* two columns wide */
    expect_excerpt("a\xff"
                   "b\x01"
                   "c",
                   5, 6,
                   "  7 | a\xef\xbf\xbd"
                   "b\xef\xbf\xbd"
                   "c\n    |     ^"); /* not shown */
    expect_excerpt("\x80"
                   "ab",
                   2, 3,
                   "  7 | \xef\xbf\xbd"
                   "ab\n    |   ^"); /* continues nothing */
    expect_excerpt("a\xe2\x80\xae"
                   "b",
                   3, 4,
                   "  7 | a\xef\xbf\xbd"
                   "b\n    |   ^"); /* right to left */
}

static void long_lines_are_cut(void **state)
{
    (void)state;
    char line[1001], shown[160];
    for (int i = 0; i < 1000; i++)
        line[i] = (char)('a' + i % 26);
    line[1000] = '\0';
    struct ptog_diag diag = at(line, 501, 504);
    rendered(&diag, 1, TEXT);
    snprintf(shown, sizeof shown, "  7 | ...%.120s...\n", line + 468);
    assert_non_null(strstr(output, shown));
    assert_non_null(strstr(output, "\n    |                                    ^~~\n"));
    diag = at(line, 1, 1001); /* what is marked is longer than the screen */
    rendered(&diag, 1, TEXT);
    assert_true(used < 400);
    diag = at(line, 1001, 1001); /* at the end */
    rendered(&diag, 1, TEXT);
    assert_non_null(strstr(output, "^\n"));
}

static void related_places(void **state)
{
    (void)state;
    const struct ptog_related_place places[] = {
        {.message = "first here",
         .where = {.file = "k.pto", .line = 7, .column = 1, .end_column = 4, .text = "abc def"}},
        {.message = "far away", .where = {.file = "other.pto", .line = 3, .column = 1, .end_column = 2, .text = "x"}},
        {.message = "not shown", .where = {.file = "k.pto", .line = 9, .column = 1, .end_column = 2, .text = NULL}},
        {.message = "later", .where = {.file = "k.pto", .line = 1234, .column = 2, .end_column = 3, .text = "xyz"}}};
    struct ptog_diag diag = at("abc def", 5, 8);
    diag.related = places;
    diag.related_count = COUNT_OF(places);
    assert_string_equal(rendered(&diag, 1, TEXT), "k.pto:7:5: error: no [x-y]\n"
                                                  "     7 | abc def\n"
                                                  "       |     ^~~\n"
                                                  "       | --- first here\n"
                                                  "  = see: other.pto:3:1: far away\n"
                                                  "  = see: k.pto:9:1: not shown\n"
                                                  "  1234 | xyz\n"
                                                  "       |  - later\n"
                                                  "  = explain: ptog explain x-y\n");
}

static void json_of_the_example(void **state)
{
    (void)state;
    assert_string_equal(
        rendered(&race, 1, JSON),
        "{\"version\":2,\"target\":\"a2a3\",\"diagnostics\":[\n"
        "{\"id\":\"race-raw\",\"severity\":\"error\",\"message\":\"race: mgather reads %idx before it is written\","
        "\"file\":\"embed.pto\",\"line\":14,\"column\":5,\"end_column\":16,"
        "\"related\":[{\"message\":\"written here\",\"line\":12,\"column\":5}],"
        "\"fix\":[{\"text\":\"after line 12  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\",\"kind\":\"set\","
        "\"statement\":\"pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\",\"src\":\"MTE2\",\"dst\":\"V\",\"id\":1,"
        "\"side\":\"after\",\"line\":12,\"column\":50},"
        "{\"text\":\"before line 14  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\",\"kind\":\"wait\","
        "\"statement\":\"pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\",\"src\":\"MTE2\",\"dst\":\"V\",\"id\":1,"
        "\"side\":\"before\",\"line\":14,\"column\":5}],\"count\":1}],\"programs\":[\n"
        "{\"file\":null,\"verdict\":\"failed\",\"suppressed\":0}]}\n");
    assert_string_equal(rendered(NULL, 0, JSON),
                        "{\"version\":2,\"target\":\"a2a3\",\"diagnostics\":[],\"programs\":[\n"
                        "{\"file\":null,\"verdict\":\"passed\",\"suppressed\":0}]}\n");
}

/* One step in each spelling, with all that may stand around it. */
static void fixes_are_spelled(void **state)
{
    static const struct {
        struct ptog_fix fix;
        const char *words[3];
    } cases[] = {
        {{.kind = PTOG_FIX_SET, .src = PTOG_MTE2, .dst = PTOG_V, .id = 1, .text = "issue ", .more = " first"},
         {"issue set_flag(MTE2, V, 1) first", "issue pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>] first",
          "issue set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1) first"}},
        {{.kind = PTOG_FIX_WAIT, .side = PTOG_FIX_AFTER, .name = "the wait", .src = PTOG_S, .dst = PTOG_MTE3, .id = 5},
         {"after the wait  wait_flag(S, MTE3, 5)", "after the wait  pto.wait_flag[<PIPE_S>, <PIPE_MTE3>, <EVENT_ID5>]",
          "after the wait  wait_flag(PIPE_S, PIPE_MTE3, EVENT_ID5)"}},
        {{.kind = PTOG_FIX_BARRIER, .side = PTOG_FIX_BEFORE, .where = {.line = 7}, .src = PTOG_ALL, .dst = PTOG_ALL},
         {"before line 7  barrier(ALL)", "before line 7  pto.barrier <PIPE_ALL>",
          "before line 7  pipe_barrier(PIPE_ALL)"}},
        {{.kind = PTOG_FIX_WAIT,
          .side = PTOG_FIX_BEFORE,
          .where = {.line = 7},
          .src = PTOG_V,
          .dst = PTOG_S,
          .from_line = 9},
         {"move line 9 before line 7  wait_flag(V, S, 0)",
          "move line 9 before line 7  pto.wait_flag[<PIPE_V>, <PIPE_S>, <EVENT_ID0>]",
          "move line 9 before line 7  wait_flag(PIPE_V, PIPE_S, EVENT_ID0)"}},
        {{.kind = PTOG_FIX_BARRIER, .side = PTOG_FIX_INSTEAD, .where = {.line = 7}, .src = PTOG_V, .dst = PTOG_V},
         {"replace line 7 with  barrier(V)", "replace line 7 with  pto.barrier <PIPE_V>",
          "replace line 7 with  pipe_barrier(PIPE_V)"}},
        {{.kind = PTOG_FIX_BARRIER, .side = PTOG_FIX_REMOVE, .where = {.line = 7}, .src = PTOG_V, .dst = PTOG_V},
         {"remove line 7  barrier(V)", "remove line 7  pto.barrier <PIPE_V>", "remove line 7  pipe_barrier(PIPE_V)"}},
        {{.side = PTOG_FIX_BEFORE, .text = "think"},
         {"before the instruction  think", "before the instruction  think", "before the instruction  think"}},
    };
    char words[128];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int spelling = PTOG_SPELL_PLAIN; spelling <= PTOG_SPELL_CXX; spelling++) {
            struct ptog_fix fix = cases[i].fix;
            fix.spelling = (enum ptog_spelling)spelling;
            assert_int_equal(ptog_fix_words(&fix, words, sizeof words), strlen(cases[i].words[spelling]));
            assert_string_equal(words, cases[i].words[spelling]);
            assert_int_equal(ptog_fix_words(&fix, words, 6), strlen(cases[i].words[spelling]));
            assert_memory_equal(words, cases[i].words[spelling], 5);
            assert_int_equal(words[5], '\0');
        }
    assert_int_equal(ptog_fix_statement(&change, words, sizeof words), 0);
    assert_string_equal(words, "");
}

static void json_escapes(void **state)
{
    (void)state;
    struct ptog_diag diag = at("x", 1, 2);
    diag.message = "\"q\" \\ \n\t\x01\x7f \xc3\xa4 \xff\xc0\x80 \xed\xa0\x80 end\xe2\x82";
    diag.count = 2;
    rendered(&diag, 1, JSON);
    assert_non_null(strstr(output, "\"message\":\"\\\"q\\\" \\\\ \\n\\t\\u0001\\u007f \xc3\xa4 \\ufffd\\ufffd \\ufffd "
                                   "end\\ufffd\""));
    assert_non_null(strstr(output, "\"related\":[],\"fix\":[],\"count\":2}"));
    diag.where = (struct ptog_where){0};
    rendered(&diag, 1, JSON);
    assert_non_null(strstr(output, "\"file\":null,\"line\":0,\"column\":0,\"end_column\":0"));
}

static void sarif_of_the_example(void **state)
{
    (void)state;
    char head[256];
    snprintf(head, sizeof head,
             "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":"
             "{\"driver\":{\"name\":\"ptogather\",\"version\":\"%s\",\"rules\":[\n{\"id\":\"race-raw\",",
             ptog_version());
    rendered(&race, 1, SARIF);
    assert_memory_equal(output, head, strlen(head));
    const char *rest = strstr(output, "\"columnKind\"");
    assert_non_null(rest);
    assert_string_equal(
        rest,
        "\"columnKind\":\"unicodeCodePoints\",\"results\":[\n"
        "{\"ruleId\":\"race-raw\",\"level\":\"error\","
        "\"message\":{\"text\":\"race: mgather reads %idx before it is written\"},"
        "\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"embed.pto\"},"
        "\"region\":{\"startLine\":14,\"startColumn\":5,\"endColumn\":16}}}],"
        "\"partialFingerprints\":{\"ptogFinding/v1\":\"e0854eae708b2582:1\"},"
        "\"relatedLocations\":[{\"message\":{\"text\":\"written here\"},\"physicalLocation\":{\"artifactLocation\":"
        "{\"uri\":\"embed.pto\"},\"region\":{\"startLine\":12,\"startColumn\":5,\"endColumn\":14}}}],"
        "\"fixes\":[{\"description\":{\"text\":\"change flags or barriers\"},\"artifactChanges\":[{\"artifactLocation\":"
        "{\"uri\":\"embed.pto\"},\"replacements\":["
        "{\"deletedRegion\":{\"startLine\":12,\"startColumn\":50,\"endColumn\":50},"
        "\"insertedContent\":{\"text\":\"\\n    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\"}},"
        "{\"deletedRegion\":{\"startLine\":14,\"startColumn\":5,\"endColumn\":5},"
        "\"insertedContent\":{\"text\":\"pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\\n    \"}}]}]}],"
        "\"properties\":{\"fix\":[\"after line 12  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\","
        "\"before line 14  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\"]}}]}]}\n");
}

/* A statement that is replaced, one that is moved, and one that is removed; words beside them are no edit. */
static void edits_are_regions(void **state)
{
    static const struct ptog_fix steps[] = {
        {.text = "line 12 sets id 1, line 14 waits for id 2"},
        {.kind = PTOG_FIX_SET,
         .side = PTOG_FIX_INSTEAD,
         .where = {.line = 12, .column = 3, .end_column = 9, .text = "  a"},
         .spelling = PTOG_SPELL_TEXT},
        {.kind = PTOG_FIX_WAIT,
         .side = PTOG_FIX_BEFORE,
         .where = {.line = 14, .column = 3, .end_column = 3, .text = "  b"},
         .from_line = 17,
         .spelling = PTOG_SPELL_TEXT},
        {.kind = PTOG_FIX_BARRIER,
         .side = PTOG_FIX_REMOVE,
         .where = {.line = 20, .column = 3, .end_column = 9, .text = "  c"},
         .spelling = PTOG_SPELL_TEXT},
    };
    struct ptog_diag diag = at("x", 1, 2);
    diag.fix = steps;
    diag.fix_count = COUNT_OF(steps);
    (void)state;
    rendered(&diag, 1, JSON);
    assert_non_null(strstr(output, "\"side\":\"instead\",\"line\":12,\"column\":3,\"end_column\":9}"));
    assert_non_null(strstr(output, "\"side\":\"before\",\"line\":14,\"column\":3,\"from_line\":17}"));
    assert_non_null(strstr(output, "\"side\":\"remove\",\"line\":20,\"column\":3}"));
    rendered(&diag, 1, SARIF);
    assert_non_null(strstr(output,
                           "\"replacements\":["
                           "{\"deletedRegion\":{\"startLine\":12,\"startColumn\":3,\"endColumn\":9},"
                           "\"insertedContent\":{\"text\":\"pto.set_flag[<PIPE_S>, <PIPE_S>, <EVENT_ID0>]\"}},"
                           "{\"deletedRegion\":{\"startLine\":17,\"startColumn\":1,\"endLine\":18,\"endColumn\":1}},"
                           "{\"deletedRegion\":{\"startLine\":14,\"startColumn\":3,\"endColumn\":3},"
                           "\"insertedContent\":{\"text\":\"pto.wait_flag[<PIPE_S>, <PIPE_S>, <EVENT_ID0>]\\n  \"}},"
                           "{\"deletedRegion\":{\"startLine\":20,\"startColumn\":1,\"endLine\":21,\"endColumn\":1}}]"));
}

static size_t times_in(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *found = text; (found = strstr(found, word)) != NULL; found++)
        count++;
    return count;
}

static void sarif_rules_and_results(void **state)
{
    (void)state;
    struct ptog_diag list[] = {at("x", 1, 1), at("x", 1, 1), at("x", 2, 3), {.severity = PTOG_NOTE}};
    list[0].id = list[1].id = "tile-loc";
    list[0].where.file = list[1].where.file = "a dir/\xc3\xa4:1.pto";
    list[2].id = "gm-out-of-bounds";
    list[2].count = 5;
    list[3].id = "tile-loc";
    list[3].message = "nowhere";
    rendered(list, COUNT_OF(list), SARIF);
    assert_int_equal(times_in(output, "{\"id\":\"tile-loc\""), 1); /* two results and one repetition, one rule */
    assert_int_equal(times_in(output, "{\"id\":\"gm-out-of-bounds\""), 1);
    assert_int_equal(times_in(output, "\"ruleId\":"), 3);
    assert_int_equal(times_in(output, "\"uri\":\"a%20dir/%C3%A4%3A1.pto\""), 1);
    assert_int_equal(times_in(output, "\"occurrenceCount\":5"), 1);
    assert_int_equal(times_in(output, "\"locations\":[]"), 1);
    assert_int_equal(times_in(output, "\"startColumn\":1,\"endColumn\":2"), 1);
}

/* ---- outputs in memory, and the page */

static void output_in_memory(void **state)
{
    struct ptog_output whole = {0}, some = {.most = 4};
    struct ptog_sink sink = ptog_output_sink(&whole), little = ptog_output_sink(&some);
    (void)state;
    sink.write(sink.user, "", 0);
    assert_null(whole.bytes);
    for (int i = 0; i < 1000; i++)
        sink.write(sink.user, "abc", 3);
    assert_int_equal(whole.used, 3000);
    assert_memory_equal(whole.bytes + 2997, "abc", 3);
    assert_false(whole.cut);
    little.write(little.user, "abcd", 4);
    assert_false(some.cut);
    little.write(little.user, "e", 1);
    assert_true(some.cut);
    assert_int_equal(some.used, 4);
    assert_memory_equal(some.bytes, "abcd", 4);
    ptog_output_free(&whole);
    ptog_output_free(&some);
    assert_null(some.bytes);
    assert_int_equal(some.most, 4);
    ptog_output_free(NULL);
}

static void page_in_memory(void **state)
{
    static const char text[] = "a < b\n";
    struct ptog_output output_page = {0};
    struct ptog_sink sink = ptog_output_sink(&output_page);
    struct ptog_page page = {.name = "x.pto", .text = text, .text_bytes = 6, .target = ptog_target_find("host")};
    (void)state;
    assert_int_equal(ptog_report_page(&page, &sink), PTOG_OK);
    sink.write(sink.user, "", 1); /* a terminator */
    assert_int_equal(times_in(output_page.bytes, "a &lt; b"), 1);
    assert_int_equal(times_in(output_page.bytes, "<h2>Timeline</h2>"), 0);
    assert_int_equal(times_in(output_page.bytes, "</html>"), 1);
    ptog_output_free(&output_page);
    page.target = NULL;
    assert_int_equal(ptog_report_page(&page, &sink), PTOG_BAD_ARGUMENT);
    assert_null(output_page.bytes);
}

static enum ptog_verdict verdict_of(const struct ptog_diag *list, size_t count)
{
    ptog_diags *diags = ptog_diags_new();
    assert_non_null(diags);
    for (size_t i = 0; i < count; i++)
        assert_true(ptog_diags_add(diags, &list[i]));
    ptog_diags_keep(diags, PTOG_ERROR);
    enum ptog_verdict verdict = ptog_diags_verdict(diags);
    ptog_diags_free(diags);
    return verdict;
}

static void an_unexamined_part_decides_the_verdict_unless_there_is_an_error(void **state)
{
    const struct ptog_diag warning = {.id = "a", .severity = PTOG_WARNING, .message = "m"};
    const struct ptog_diag unjudged = {.id = "b", .severity = PTOG_WARNING, .unjudged = true, .message = "m"};
    const struct ptog_diag error = {.id = "c", .severity = PTOG_ERROR, .message = "m"};
    (void)state;
    assert_int_equal(ptog_diags_verdict(NULL), PTOG_PASSED);
    assert_int_equal(verdict_of(&warning, 1), PTOG_PASSED);
    assert_int_equal(verdict_of((struct ptog_diag[]){warning, unjudged}, 2), PTOG_NOT_JUDGED);
    assert_int_equal(verdict_of((struct ptog_diag[]){unjudged, error}, 2), PTOG_FAILED);
    assert_string_equal(rendered(&unjudged, 1, TEXT), "not judged: m [b]\n  = explain: ptog explain b\n");
    assert_non_null(strstr(rendered(&unjudged, 1, JSON), "\"unjudged\":true"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_the_example),
        cmocka_unit_test(text_without_place),
        cmocka_unit_test(text_with_count_and_colour),
        cmocka_unit_test(carets),
        cmocka_unit_test(places_past_the_text),
        cmocka_unit_test(tabs_and_characters),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(related_places),
        cmocka_unit_test(an_unexamined_part_decides_the_verdict_unless_there_is_an_error),
        cmocka_unit_test(json_of_the_example),
        cmocka_unit_test(fixes_are_spelled),
        cmocka_unit_test(json_escapes),
        cmocka_unit_test(sarif_of_the_example),
        cmocka_unit_test(edits_are_regions),
        cmocka_unit_test(sarif_rules_and_results),
        cmocka_unit_test(output_in_memory),
        cmocka_unit_test(page_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
