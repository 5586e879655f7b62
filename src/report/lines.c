/* report: diagnostics one to a line, for programs that read lines: editors (gcc's form) and GitHub's workflows. */
#include <inttypes.h>
#include <stdio.h>

#include "base/pick.h"
#include "report/checked.h"
#include "report/put.h"

static void put_number(const struct ptog_sink *sink, const char *before, uint32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%" PRIu32, number);
    ptog_put(sink, before);
    ptog_put(sink, text);
}

static const char *file_of(const struct ptog_where *where)
{
    return ptog_or(where->file, "-");
}

/* The steps of a fix, with `between` between them. */
static void put_steps(const struct ptog_sink *sink, const struct ptog_diag *diag, const char *between)
{
    char words[PTOG_MAX_STEP];
    for (size_t i = 0; i < diag->fix_count; i++) {
        ptog_fix_words(&diag->fix[i], words, sizeof words);
        ptog_put(sink, ptog_when(i > 0, between));
        ptog_put_clean(sink, words);
    }
}

/* ---- as compilers write them ---- */

/* "file:14:5"; without a line, "file". */
static void put_numbers(const struct ptog_sink *sink, const struct ptog_where *where)
{
    ptog_put_clean(sink, file_of(where));
    if (where->line > 0)
        put_number(sink, ":", where->line);
    if (where->line > 0 && where->column > 0)
        put_number(sink, ":", where->column);
}

/* "file:14:5: error: " */
static void put_line_place(const struct ptog_sink *sink, const struct ptog_where *where, const char *level)
{
    put_numbers(sink, where);
    ptog_put(sink, ": ");
    ptog_put(sink, level);
    ptog_put(sink, ": ");
}

/* " (on a2a3 and a5)", where a program was judged for several targets. */
static void put_targets(const struct ptog_sink *sink, const char *targets)
{
    ptog_put(sink, ptog_when(targets[0], " (on "));
    ptog_put(sink, targets);
    ptog_put(sink, ptog_when(targets[0], ")"));
}

static void put_note(const struct ptog_sink *sink, const struct ptog_where *where, const char *message)
{
    put_line_place(sink, where, "note");
    ptog_put_clean(sink, message);
    ptog_put(sink, "\n");
}

/* Who calls the author's own line, and what was generated of it. */
static void put_line_origin(const struct ptog_sink *sink, const struct ptog_diag *diag)
{
    for (const struct ptog_where *caller = diag->where.origin->origin; caller; caller = caller->origin)
        put_note(sink, caller, "called from here");
    put_note(sink, &diag->where, "in the generated program");
}

/* Writes a diagnostic as gcc does: a line each for message, related places, origin and fix. */
static void put_gcc(const struct ptog_sink *sink, const struct ptog_diag *diag, const char *targets)
{
    put_line_place(sink, ptog_headline(&diag->where), ptog_severity_name(diag->severity));
    ptog_put_clean(sink, diag->message);
    put_targets(sink, targets);
    ptog_put(sink, " [");
    ptog_put(sink, diag->id);
    ptog_put(sink, "]\n");
    for (size_t i = 0; i < diag->related_count; i++)
        put_note(sink, ptog_headline(&diag->related[i].where), diag->related[i].message);
    if (diag->where.origin)
        put_line_origin(sink, diag);
    if (diag->fix_count > 0) {
        put_line_place(sink, &diag->where, "note");
        ptog_put(sink, "fix: ");
        put_steps(sink, diag, "; ");
        ptog_put(sink, "\n");
    }
}

void ptog_report_gcc(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink)
{
    struct ptog_walk walk = {.list = checked, .count = count};
    const struct ptog_diag *diag;
    char targets[PTOG_MAX_TARGETS];
    if (!ptog_report_is_possible(checked, count, sink))
        return;
    while ((diag = ptog_walk_next_new(&walk)) != NULL) {
        ptog_walk_targets(&walk, diag, targets);
        put_gcc(sink, diag, targets);
    }
}

/* ---- as GitHub reads them ---- */

/* Where escaped text goes, and which characters a workflow command would give a meaning there. */
struct escape {
    const struct ptog_sink *to;
    const char *special;
};

/* A sink that passes text on, with special characters as %XX. */
static void write_escaped(void *user, const char *text, size_t length)
{
    const struct escape *escape = user;
    for (size_t i = 0; i < length; i++) {
        char code[8];
        if (text[i] && strchr(escape->special, text[i])) {
            snprintf(code, sizeof code, "%%%02X", (unsigned)(unsigned char)text[i]);
            ptog_put(escape->to, code);
        } else {
            escape->to->write(escape->to->user, &text[i], 1);
        }
    }
}

/* "::error file=k.pto,line=14,col=5,endColumn=16,title=race-raw::" */
static void put_command(const struct ptog_sink *sink, const struct ptog_diag *diag)
{
    static const char *const commands[] = {
        [PTOG_NOTE] = "::notice file=", [PTOG_WARNING] = "::warning file=", [PTOG_ERROR] = "::error file="};
    struct escape escape = {sink, "%\r\n:,"};
    const struct ptog_sink property = {.write = write_escaped, .user = &escape};
    ptog_put(sink, commands[diag->severity]);
    const struct ptog_where *where = ptog_headline(&diag->where);
    ptog_put_clean(&property, file_of(where));
    if (where->line > 0)
        put_number(sink, ",line=", where->line);
    if (where->line > 0 && where->column > 0)
        put_number(sink, ",col=", where->column);
    if (where->end_column > where->column)
        put_number(sink, ",endColumn=", where->end_column);
    ptog_put(sink, ",title=");
    ptog_put(sink, diag->id);
    ptog_put(sink, "::");
}

/* Writes a diagnostic as a command of GitHub's workflows. */
static void put_github(const struct ptog_sink *sink, const struct ptog_diag *diag, const char *targets)
{
    struct escape escape = {sink, "%\r\n"};
    const struct ptog_sink message = {.write = write_escaped, .user = &escape};
    put_command(sink, diag);
    ptog_put_clean(&message, diag->message);
    put_targets(&message, targets);
    if (diag->where.origin) {
        for (const struct ptog_where *caller = diag->where.origin->origin; caller; caller = caller->origin) {
            ptog_put(&message, "\ncalled from: ");
            put_numbers(&message, caller);
        }
        ptog_put(&message, "\ngenerated: ");
        put_numbers(&message, &diag->where);
    }
    if (diag->fix_count > 0) {
        ptog_put(&message, "\nfix: ");
        put_steps(&message, diag, "\n");
    }
    ptog_put(sink, "\n");
}

void ptog_report_github(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink)
{
    struct ptog_walk walk = {.list = checked, .count = count};
    const struct ptog_diag *diag;
    char targets[PTOG_MAX_TARGETS];
    if (!ptog_report_is_possible(checked, count, sink))
        return;
    while ((diag = ptog_walk_next_new(&walk)) != NULL) {
        ptog_walk_targets(&walk, diag, targets);
        put_github(sink, diag, targets);
    }
}
