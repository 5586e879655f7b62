/* report: what was found, in the page: each finding with its lines, its fix and its witness. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/pick.h"
#include "report/page.h"

#define MAX_QUOTED 400 /* bytes of a line */

static size_t bytes_of_character(const char *s)
{
    size_t n = 1;
    while ((s[n] & 0xC0) == 0x80)
        n++;
    return n;
}

/* "model.py:12:3" */
static void put_page_place(const struct ptog_sink *page, const struct ptog_where *where)
{
    ptog_page_text(page, ptog_or(where->file, "-"));
    ptog_page_format(page, ":%" PRIu32, where->line);
    if (where->column > 0)
        ptog_page_format(page, ":%" PRIu32, where->column);
}

/* A line with what is meant marked, and a word about it. Columns are characters. The number of a line of the program is
 * a link to it. */
static void put_marked(const struct ptog_sink *page, const struct ptog_where *where, const char *word, bool in_program)
{
    bool marked = false;
    uint32_t column = 1;
    if (where->line == 0 || !where->text)
        return;
    for (uint32_t ten = 10000; ten > where->line && ten > 1; ten /= 10)
        ptog_put(page, " ");
    if (in_program)
        ptog_page_line(page, where->line);
    else
        ptog_page_format(page, "%" PRIu32, where->line);
    ptog_put(page, "  ");
    for (const char *at = where->text; *at; column++) {
        size_t n = bytes_of_character(at);
        bool inside = column >= where->column && column < where->end_column;
        if (inside != marked)
            ptog_put(page, inside ? "<mark>" : "</mark>");
        marked = inside;
        ptog_page_text_n(page, at, n);
        at += n;
    }
    ptog_put(page, ptog_when(marked, "</mark>"));
    if (word) {
        ptog_put(page, "  <span class=\"said\">");
        ptog_page_text(page, word);
        ptog_put(page, "</span>");
    }
    ptog_put(page, "\n");
}

/* A line of the program: findings in C++ and Python have no text of their own, since only the page reads the source. */
static void put_program_line(const struct ptog_sink *page, const struct ptog_page *about,
                             const struct ptog_where *where, const char *word)
{
    char text[MAX_QUOTED];
    struct ptog_where quoted = *where;
    const char *at = about->text, *end = at + about->text_bytes, *newline = NULL;
    bool ours = !where->text && where->line > 0 && where->file && strcmp(where->file, about->name) == 0;
    for (uint32_t line = 1; ours && at < end; line++, at = newline + 1) {
        newline = memchr(at, '\n', (size_t)(end - at));
        newline = newline ? newline : end;
        if (line < where->line)
            continue;
        snprintf(text, sizeof text, "%.*s", (int)ptog_min((size_t)(newline - at), sizeof text - 1), at);
        quoted.text = text;
        break;
    }
    put_marked(page, &quoted, word, true);
}

/* The author's own lines, as far as they are known, and who calls them. What follows is of the generated program. */
static void put_page_origin(const struct ptog_sink *page, const struct ptog_diag *diag)
{
    const struct ptog_where *here = diag->where.origin;
    ptog_put(page, "<pre>");
    put_marked(page, here, NULL, false);
    for (size_t i = 0; i < diag->related_count; i++) {
        const struct ptog_where *origin = diag->related[i].where.origin;
        bool shown = origin && origin->text && strcmp(origin->file, here->file) == 0;
        if (shown)
            put_marked(page, origin, diag->related[i].message, false);
        if (!origin || shown)
            continue;
        put_page_place(page, origin);
        ptog_put(page, "  <span class=\"said\">");
        ptog_page_text(page, diag->related[i].message);
        ptog_put(page, "</span>\n");
    }
    for (const struct ptog_where *caller = diag->where.origin->origin; caller; caller = caller->origin) {
        ptog_put(page, "<span class=\"said\">called from</span> ");
        put_page_place(page, caller);
        ptog_put(page, "\n");
    }
    ptog_put(page, "<span class=\"said\">generated</span> ");
    put_page_place(page, &diag->where);
    ptog_put(page, "</pre>\n");
}

static void put_term(const struct ptog_sink *page, const char *name, const char *text)
{
    if (!text)
        return;
    ptog_page_format(page, "<dt>%s</dt><dd>", name);
    ptog_page_text(page, text);
    ptog_put(page, "</dd>\n");
}

/* A fix has one or more steps, a line each. */
static void put_fix(const struct ptog_sink *page, const struct ptog_diag *diag)
{
    char words[PTOG_MAX_STEP];
    if (diag->fix_count == 0)
        return;
    ptog_put(page, "<dt>fix</dt><dd><pre>");
    for (size_t i = 0; i < diag->fix_count; i++) {
        ptog_fix_words(&diag->fix[i], words, sizeof words);
        ptog_page_text(page, words);
        ptog_put(page, ptog_when(i + 1 < diag->fix_count, "\n"));
    }
    ptog_put(page, "</pre></dd>\n");
}

static void add_text(void *page, const char *text, size_t length)
{
    ptog_page_text_n(page, text, length);
}

/* The words of ptog_report_documented, with what HTML would take for its own escaped. */
static void put_documented(const struct ptog_sink *page, const char *documented)
{
    struct ptog_sink words = {.write = add_text, .user = (void *)(uintptr_t)page};
    if (!documented)
        return;
    ptog_page_format(page, "<dt>source</dt><dd>");
    ptog_report_documented(documented, &words);
    ptog_page_format(page, "</dd>\n");
}

/* Writes a finding as an article of the page: message, lines, fix, witness and links. */
static void put_finding(const struct ptog_sink *page, const struct ptog_page *about, const struct ptog_diag *diag,
                        size_t number)
{
    const char *level = ptog_severity_name(diag->severity);
    ptog_page_format(page, "<article class=\"%s\" id=\"F%zu\"", level, number + 1);
    if (diag->related_count > 0 &&
        (diag->witness || strncmp(diag->id, "race-", 5) == 0)) /* a script shows both in the timeline */
        ptog_page_format(page, " data-line=\"%" PRIu32 "\" data-other=\"%" PRIu32 "\"", diag->where.line,
                         diag->related[0].where.line);
    ptog_put(page, ">\n<h3>");
    if (diag->where.origin) {
        ptog_put(page, "<code>");
        put_page_place(page, diag->where.origin);
        ptog_put(page, "</code> ");
    }
    ptog_page_format(page, "<span class=\"level\">%s</span> ", level);
    ptog_page_text(page, diag->message);
    if (diag->count > 1)
        ptog_page_format(page, " (%" PRIu64 " times)", diag->count);
    ptog_page_format(page, " <code>[%s]</code></h3>\n", diag->id);
    if (diag->where.origin)
        put_page_origin(page, diag);
    ptog_put(page, "<pre>");
    put_program_line(page, about, &diag->where, NULL);
    for (size_t i = 0; i < diag->related_count; i++)
        put_program_line(page, about, &diag->related[i].where, diag->related[i].message);
    ptog_put(page, "</pre>\n<dl>\n");
    put_fix(page, diag);
    put_term(page, "witness", diag->witness);
    put_documented(page, diag->documented);
    ptog_page_format(page, "<dt>explain</dt><dd><code>ptog explain %s</code></dd>\n</dl>\n</article>\n", diag->id);
}

void ptog_page_findings(const struct ptog_sink *page, const struct ptog_page *about)
{
    bool timed = about->target->ub_bytes > 0, passed = ptog_diags_verdict(about->diags) == PTOG_PASSED;
    bool proved = about->ran && timed && !about->unchecked && passed;
    ptog_put(page, "<section id=\"findings\">\n<h2>Findings</h2>\n");
    size_t count = ptog_diags_count(about->diags), shown = ptog_min(count, PTOG_PAGE_FINDINGS);
    for (size_t i = 0; i < shown; i++)
        put_finding(page, about, ptog_diags_at(about->diags, i), i);
    if (shown < count)
        ptog_page_format(page, "<p>%zu more are not shown.</p>\n", count - shown);
    if (ptog_page_count(about->diags, PTOG_ERROR) == 0)
        ptog_page_format(page, "<p>%s%s</p>\n", proved ? "No error, for all timings." : "No error.",
                         ptog_when(about->ran && !timed, " This target has no pipes, so races were not looked for."));
    ptog_put(page, "</section>\n");
}
