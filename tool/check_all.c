/* tool: ptog check --target all, a table of who accepts what, and why the others do not. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TARGETS 8

/* What there is to say: what the text alone tells, and more on each target. Several may be one list. */
struct lists {
    ptog_diags *parsed;
    ptog_diags *on[MOST_TARGETS];
};

enum verdict { UNKNOWN, YES, WARNS, NO };

struct row {
    const char *path;
    int result; /* an enum tool_exit */
    bool parses;
    enum verdict verdicts[MOST_TARGETS];
};

static size_t target_count(void)
{
    return ptog_target_count() < MOST_TARGETS ? ptog_target_count() : MOST_TARGETS;
}

static bool open_lists(struct lists *lists)
{
    lists->parsed = ptog_diags_new();
    bool done = lists->parsed != NULL;
    for (size_t t = 0; t < target_count(); t++) {
        lists->on[t] = ptog_diags_new();
        done = done && lists->on[t];
    }
    return done;
}

static void close_lists(struct lists *lists)
{
    ptog_diags_free(lists->parsed);
    for (size_t t = 0; t < target_count(); t++)
        ptog_diags_free(lists->on[t]);
}

static enum verdict verdict_of(const ptog_diags *diags, size_t from)
{
    enum verdict verdict = YES;
    for (size_t i = from; i < ptog_diags_count(diags); i++)
        if (ptog_diags_at(diags, i)->severity == PTOG_WARNING)
            verdict = WARNS;
    return tool_has_errors(diags, from) ? NO : verdict;
}

static void check_row(struct row *row, const ptog_program *program, struct lists *lists)
{
    for (size_t t = 0; t < target_count(); t++) {
        size_t before = ptog_diags_count(lists->on[t]);
        enum ptog_status status = ptog_program_check(program, ptog_target_at(t), lists->on[t]);
        if (status != PTOG_OK && status != PTOG_ILLEGAL) {
            row->result = tool_fail("check", "%s: %s", row->path, ptog_status_text(status));
            continue;
        }
        row->verdicts[t] = verdict_of(lists->on[t], before);
        if (row->verdicts[t] == NO && row->result == TOOL_OK)
            row->result = TOOL_WRONG;
    }
}

static void fill_row(struct row *row, const char *path, struct lists *lists)
{
    ptog_program *program;
    *row = (struct row){.path = path, .result = tool_open("check", path, &program, lists->parsed, NULL)};
    row->parses = row->result == TOOL_OK;
    for (size_t t = 0; t < target_count(); t++)
        row->verdicts[t] = row->result == TOOL_WRONG ? NO : UNKNOWN;
    if (row->parses)
        check_row(row, program, lists);
    ptog_program_free(program);
}

/* ---- as text ---- */

static void print_cells(int wide, const struct row *row)
{
    static const char *const words[] = {"-", "yes", "warns", "no"};
    printf("%-*s", wide, row ? row->path : "");
    for (size_t t = 0; t < target_count(); t++) {
        const char *name = ptog_target_at(t)->name, *text = row ? words[row->verdicts[t]] : name;
        int width = strlen(name) > 5 ? (int)strlen(name) : 5;
        printf("  %-*s", t + 1 < target_count() ? width : 0, text);
    }
    putchar('\n');
}

static void print_table(const struct row *rows, size_t count)
{
    int wide = 0;
    for (size_t i = 0; i < count; i++)
        if ((int)strlen(rows[i].path) > wide)
            wide = (int)strlen(rows[i].path);
    print_cells(wide, NULL);
    for (size_t i = 0; i < count; i++)
        print_cells(wide, &rows[i]);
}

static void print_reasons(const struct row *row, const struct lists *lists)
{
    struct ptog_sink sink = tool_sink(stdout);
    if (!row->parses && row->result == TOOL_WRONG) {
        printf("\n%s%s, on every target:%s\n", tool_bold(), row->path, tool_plain());
        ptog_report_text(lists->parsed, &sink);
    }
    for (size_t t = 0; row->parses && t < target_count(); t++)
        if (row->verdicts[t] == NO) {
            printf("\n%s%s, on %s:%s\n", tool_bold(), row->path, ptog_target_at(t)->name, tool_plain());
            ptog_report_text(lists->on[t], &sink);
        }
}

static int report_text(const char *const *paths, size_t count)
{
    struct row *rows = calloc(count, sizeof *rows);
    struct lists *lists = calloc(count, sizeof *lists);
    int result = TOOL_OK;
    bool opened = rows && lists;
    for (size_t i = 0; opened && i < count; i++)
        opened = open_lists(&lists[i]);
    for (size_t i = 0; opened && i < count; i++) {
        fill_row(&rows[i], paths[i], &lists[i]);
        result = rows[i].result > result ? rows[i].result : result;
    }
    if (opened)
        print_table(rows, count);
    for (size_t i = 0; opened && i < count; i++)
        print_reasons(&rows[i], &lists[i]);
    for (size_t i = 0; lists && i < count; i++)
        close_lists(&lists[i]);
    free(rows);
    free(lists);
    return opened ? result : tool_fail("check", "out of memory");
}

/* ---- as an object ---- */

/* {"version":1,"target":"all","targets":[...]}: first what holds on all of them, then one object for each. */
static void report_json(const struct lists *lists)
{
    struct ptog_sink sink = tool_sink(stdout);
    fputs("{\"version\":1,\"target\":\"all\",\"targets\":[\n", stdout);
    ptog_report_json(lists->parsed, NULL, &sink);
    for (size_t t = 0; t < target_count(); t++) {
        putchar(',');
        ptog_report_json(lists->on[t], ptog_target_at(t)->name, &sink);
    }
    puts("]}");
}

static int report_object(const char *const *paths, enum tool_format format)
{
    struct lists own, used;
    int result = TOOL_OK;
    bool opened = open_lists(&own);
    used = own;
    for (size_t t = 0; format == TOOL_SARIF && t < target_count(); t++)
        used.on[t] = own.parsed; /* one run: one list */
    for (size_t i = 0; opened && paths[i]; i++) {
        struct row row;
        fill_row(&row, paths[i], &used);
        result = row.result > result ? row.result : result;
    }
    if (opened && format == TOOL_SARIF)
        tool_report(own.parsed, format, NULL);
    else if (opened)
        report_json(&own);
    close_lists(&own);
    return opened ? result : tool_fail("check", "out of memory");
}

int tool_check_all(const char *const *paths, enum tool_format format)
{
    size_t count = 0;
    while (paths[count])
        count++;
    return format == TOOL_TEXT ? report_text(paths, count) : report_object(paths, format);
}
