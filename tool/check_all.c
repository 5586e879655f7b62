/* tool: ptog check --target all, a table of who accepts what, and why the others do not. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "io/pick.h"

/* What there is to say: what the text alone tells, and more on each target. Several may be one list. */
struct lists {
    ptog_diags *parsed;
    ptog_diags *on[PTOG_TARGETS];
};

enum accepted { UNKNOWN, YES, WARNS, UNJUDGED, NO };

struct file_row {
    const char *path;
    int result; /* an enum tool_exit; TOOL_USAGE: `why` says why */
    struct tool_why why;
    bool parses;
    enum accepted accepted[PTOG_TARGETS];
    enum ptog_verdict verdict; /* of those that are not, the worst */
    enum ptog_verdict verdicts[PTOG_TARGETS];
    struct lists lists;
};

struct check_all_work {
    const struct check_request *request;
    struct file_row *rows;
};

/* Makes a list of diagnostics for each target; false when out of memory. */
static bool open_lists(struct lists *lists)
{
    lists->parsed = ptog_diags_new();
    bool done = lists->parsed != NULL;
    for (size_t t = 0; t < PTOG_TARGETS; t++) {
        lists->on[t] = ptog_diags_new();
        done = done && lists->on[t];
    }
    return done;
}

/* Frees the lists of all targets. */
static void close_lists(struct lists *lists)
{
    ptog_diags_free(lists->parsed);
    for (size_t t = 0; t < PTOG_TARGETS; t++)
        ptog_diags_free(lists->on[t]);
}

/* What a target's column says about a program. */
static enum accepted accepted_by(const ptog_diags *diags)
{
    switch (ptog_diags_verdict(diags)) {
    case PTOG_FAILED: return NO;
    case PTOG_NOT_JUDGED: return UNJUDGED;
    default: return tool_count(diags, PTOG_WARNING) > 0 ? WARNS : YES;
    }
}

/* Checks a program on every target, and notes which take it. */
static void check_row(const struct tool_telling *telling, struct file_row *row, const ptog_program *program)
{
    for (size_t t = 0; t < PTOG_TARGETS; t++) {
        ptog_diags *diags = row->lists.on[t];
        enum ptog_status status = ptog_program_check(program, ptog_target_at(t), diags);
        if (status != PTOG_OK && status != PTOG_ILLEGAL) {
            row->result = TOOL_USAGE;
            tool_why_set(&row->why, "%s", ptog_status_text(status));
            continue;
        }
        row->accepted[t] = accepted_by(diags);
        int result = tool_judge(telling, diags, row->accepted[t] == NO ? TOOL_WRONG : TOOL_OK);
        if (result > row->result)
            row->result = result;
        row->verdicts[t] = result == TOOL_OK || row->accepted[t] == UNJUDGED ? PTOG_PASSED : PTOG_FAILED;
        if (result == TOOL_WRONG && ptog_diags_verdict(diags) > row->verdict)
            row->verdict = ptog_diags_verdict(diags);
    }
}

/* In a thread of its own: it prints nothing. */
static void fill_row(void *user, size_t i)
{
    const struct check_all_work *work = user;
    struct file_row *row = &work->rows[i];
    ptog_program *program = NULL;
    row->path = work->request->paths.list[i];
    row->result = TOOL_USAGE;
    tool_why_set(&row->why, "out of memory");
    if (open_lists(&row->lists))
        row->result = tool_open_quietly(row->path, &program, row->lists.parsed, NULL, &row->why);
    ptog_program_be_strict(program, work->request->strict);
    row->parses = row->result == TOOL_OK;
    for (size_t t = 0; t < PTOG_TARGETS; t++)
        row->accepted[t] = row->result == TOOL_WRONG ? NO : UNKNOWN;
    if (row->parses)
        check_row(&work->request->telling, row, program);
    ptog_program_free(program);
}

/* ---- as text ---- */

/* Prints one row of the table: a file with a word for each target; without a row, the heading. */
static void print_cells(int wide, const struct file_row *row)
{
    static const char *const words[] = {"-", "yes", "warns", "?", "no"};
    printf("%-*s", wide, row ? row->path : "");
    for (size_t t = 0; t < PTOG_TARGETS; t++) {
        const char *name = ptog_target_at(t)->name, *text = row ? words[row->accepted[t]] : name;
        int width = (int)tool_max(strlen(name), 5);
        printf("  %-*s", t + 1 < PTOG_TARGETS ? width : 0, text);
    }
    putchar('\n');
}

/* Prints the table of all files and targets, as wide as its longest path. */
static void print_table(const struct file_row *rows, size_t count)
{
    int wide = 0;
    for (size_t i = 0; i < count; i++)
        if ((int)strlen(rows[i].path) > wide)
            wide = (int)strlen(rows[i].path);
    print_cells(wide, NULL);
    for (size_t i = 0; i < count; i++)
        print_cells(wide, &rows[i]);
}

/* Prints why a file does not pass everywhere. */
static void print_reasons(const struct file_row *row)
{
    const struct lists *lists = &row->lists;
    struct ptog_sink sink = tool_sink(stdout);
    if (!row->parses && row->result == TOOL_WRONG) {
        printf("\n%s%s, on every target:%s\n", tool_bold(), row->path, tool_plain());
        ptog_report_text(lists->parsed, &sink);
    }
    for (size_t t = 0; row->parses && t < PTOG_TARGETS; t++)
        if (row->accepted[t] == NO) {
            printf("\n%s%s, on %s:%s\n", tool_bold(), row->path, ptog_target_at(t)->name, tool_plain());
            ptog_report_text(lists->on[t], &sink);
        }
}

static void report_text(const struct file_row *rows, size_t count)
{
    print_table(rows, count);
    for (size_t i = 0; i < count; i++)
        print_reasons(&rows[i]);
}

/* ---- in another format ---- */

/* The programs on target t, or, with t the number of targets, what their text alone tells. */
static void gather_checked(const struct file_row *rows, size_t count, size_t t, struct ptog_checked *checked)
{
    for (size_t i = 0; i < count; i++) {
        bool text = t == PTOG_TARGETS;
        checked[i] = (struct ptog_checked){.file = rows[i].path, .diags = rows[i].lists.parsed};
        if (text && rows[i].result == TOOL_USAGE)
            checked[i].unread = rows[i].why.text;
        if (!text) {
            checked[i].target = ptog_target_at(t)->name;
            checked[i].diags = rows[i].lists.on[t];
            checked[i].verdict = rows[i].verdicts[t];
        }
    }
}

/* Prints {"version":2,"target":"all","targets":[...]}: first what holds on all of them, then one object for each. */
static void report_json(const struct file_row *rows, size_t count, struct ptog_checked *checked)
{
    struct ptog_sink sink = tool_sink(stdout);
    fputs("{\"version\":2,\"target\":\"all\",\"targets\":[\n", stdout);
    gather_checked(rows, count, PTOG_TARGETS, checked);
    ptog_report_json_all(checked, count, &sink);
    for (size_t t = 0; t < PTOG_TARGETS; t++) {
        putchar(',');
        gather_checked(rows, count, t, checked);
        ptog_report_json_all(checked, count, &sink);
    }
    puts("]}");
}

/* One list: each file on each target, and what was said when it was parsed. */
static void report_flat(const struct tool_telling *telling, const struct file_row *rows, size_t count,
                        struct ptog_checked *checked)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t <= PTOG_TARGETS; t++)
            if (t < PTOG_TARGETS ? rows[i].parses : !rows[i].parses || ptog_diags_count(rows[i].lists.parsed) > 0)
                gather_checked(&rows[i], 1, t, &checked[used++]);
    tool_tell(telling, checked, used);
}

/* Prints what every target says about each file, and the totals; the exit status. */
static int report_rows(const struct check_request *request, const struct file_row *rows, struct ptog_checked *checked)
{
    size_t count = request->paths.count;
    struct tool_totals totals = {0};
    int result = TOOL_OK;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].result == TOOL_USAGE)
            tool_fail("check", "%s: %s", rows[i].path, rows[i].why.text);
        tool_totals_add(&totals, rows[i].result, rows[i].verdict); /* findings of several targets are not counted */
        if (rows[i].result > result)
            result = rows[i].result;
    }
    if (request->telling.format == TOOL_TEXT)
        report_text(rows, count);
    else if (request->telling.format == TOOL_JSON)
        report_json(rows, count, checked);
    else
        report_flat(&request->telling, rows, count, checked);
    check_summarize(request, &totals);
    return result;
}

int tool_check_all(const struct check_request *request)
{
    size_t count = request->paths.count;
    struct check_all_work work = {request, calloc(count + 1, sizeof *work.rows)};
    struct ptog_checked *checked = calloc((count + 1) * (PTOG_TARGETS + 1), sizeof *checked);
    int result = TOOL_USAGE;
    if (work.rows && checked) {
        tool_parallel(count, request->jobs, fill_row, &work);
        result = report_rows(request, work.rows, checked);
    } else {
        tool_fail("check", "out of memory");
    }
    for (size_t i = 0; work.rows && i < count; i++)
        close_lists(&work.rows[i].lists);
    free(work.rows);
    free(checked);
    return result;
}
