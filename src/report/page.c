/* report: one page that needs nothing else. What was found, the timeline, figures, the on-chip buffer, and the program.
 * All of it is there without JavaScript but for the drawing of the timeline. */
#include "report/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/version.h>

#include "base/pick.h"
#include "base/reserved.h"
#include "report/page_text.h" /* page_css, page_js: made from src/report/page */

/* ---- the verdict ---- */

static size_t first_of(const ptog_diags *diags, enum ptog_severity severity)
{
    size_t i = 0;
    while (ptog_diags_at(diags, i)->severity != severity)
        i++;
    return i;
}

/* "2 errors, 7 notes", each with a link to the first one. */
static void put_verdict(const struct ptog_sink *page, const ptog_diags *diags)
{
    bool judged = ptog_diags_verdict(diags) != PTOG_NOT_JUDGED,
         fine = ptog_page_count(diags, PTOG_WARNING) == 0 && judged;
    const char *look = fine ? "clean" : "warned", *separator = ptog_when(!judged, "not judged: ");
    ptog_page_format(page, "<p class=\"verdict %s\">", ptog_page_count(diags, PTOG_ERROR) > 0 ? "wrong" : look);
    for (int severity = PTOG_ERROR; severity >= PTOG_NOTE; severity--) {
        size_t count = ptog_page_count(diags, (enum ptog_severity)severity), first = 0;
        if (count == 0)
            continue;
        first = first_of(diags, (enum ptog_severity)severity);
        ptog_put(page, separator);
        if (first < PTOG_PAGE_FINDINGS)
            ptog_page_format(page, "<a href=\"#F%zu\">", first + 1);
        ptog_page_format(page, "%zu %s%s%s", count, ptog_severity_name((enum ptog_severity)severity),
                         ptog_plural(count), ptog_when(first < PTOG_PAGE_FINDINGS, "</a>"));
        separator = ", ";
    }
    ptog_put(page, ptog_diags_count(diags) == 0 ? "clean</p>\n" : "</p>\n");
}

/* Links to the sections that the page has. */
static void put_contents(const struct ptog_sink *page, const struct ptog_page *about)
{
    ptog_put(page, "<nav><a href=\"#findings\">Findings</a>");
    if (about->trace && about->trace_bytes > 0)
        ptog_put(page, "<a href=\"#timeline\">Timeline</a>");
    if (about->stats)
        ptog_put(page, "<a href=\"#figures\">Figures</a><a href=\"#memory\">On-chip buffer</a>");
    ptog_put(page, "<a href=\"#program\">Program</a></nav>\n");
}

/* Writes the head of the page up to its contents, with style and verdict. */
static void put_head(const struct ptog_sink *page, const struct ptog_page *about)
{
    ptog_put(page, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    ptog_page_text(page, about->name);
    ptog_page_format(page, " on %s</title>\n<style>\n", about->target->name);
    page->write(page->user, (const char *)page_css, sizeof page_css);
    ptog_put(page, "</style>\n</head>\n<body>\n<header>\n<h1>");
    ptog_page_text(page, about->name);
    ptog_put(page, "</h1>\n");
    put_verdict(page, about->diags);
    ptog_page_format(page, "<p class=\"facts\">%s, ptogather %s</p>\n", about->target->name, ptog_version());
    put_contents(page, about);
    ptog_put(page, "</header>\n");
}

/* ---- the program ---- */

/* The gravest finding of each line: its number, from 1; 0: none. NULL when out of memory. */
static size_t *findings_by_line(const ptog_diags *diags, const char *name)
{
    size_t *worst = calloc(PTOG_PAGE_LINES + 1, sizeof *worst);
    for (size_t i = 0; worst && i < ptog_diags_count(diags) && i < PTOG_PAGE_FINDINGS; i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        if (diag->where.file && strcmp(diag->where.file, name) != 0)
            continue; /* of another file */
        size_t *of = &worst[diag->where.line <= PTOG_PAGE_LINES ? diag->where.line : 0];
        if (*of == 0 || diag->severity > ptog_diags_at(diags, *of - 1)->severity)
            *of = i + 1;
    }
    return worst;
}

/* A line, its number a link to what was found there, or to itself. */
static void put_line(const struct ptog_sink *page, uint32_t line, const ptog_diags *diags, size_t finding,
                     const char *text, size_t length)
{
    ptog_page_format(page, "<li id=\"L%" PRIu32 "\"", line);
    if (finding > 0)
        ptog_page_format(page, " class=\"%s\"><a href=\"#F%zu\">",
                         ptog_severity_name(ptog_diags_at(diags, finding - 1)->severity), finding);
    else
        ptog_page_format(page, "><a href=\"#L%" PRIu32 "\">", line);
    ptog_page_format(page, "%" PRIu32 "</a><span>", line);
    ptog_page_text_n(page, text, length);
    ptog_put(page, "</span></li>\n");
}

/* Writes the program with its line numbers and marks of findings, up to a limit of lines. */
static void put_program(const struct ptog_sink *page, const struct ptog_page *about, const size_t *findings)
{
    const char *at = about->text, *end = at + about->text_bytes;
    ptog_put(page, "<section id=\"program\">\n<h2>Program</h2>\n<ol class=\"lines\">\n");
    /* a finding may be at the end of the text, on a line of no bytes */
    for (uint32_t line = 1; line <= PTOG_PAGE_LINES && (at < end || findings[line] > 0); line++) {
        const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL, *stop = newline ? newline : end;
        put_line(page, line, about->diags, findings[line], at, (size_t)(stop - at));
        at = newline ? newline + 1 : end;
    }
    ptog_put(page, "</ol>\n");
    if (at < end)
        ptog_page_format(page, "<p class=\"hint\">These are the first %d lines.</p>\n", PTOG_PAGE_LINES);
    if (about->text_bytes == 0)
        ptog_put(page,
                 "<p class=\"hint\">The source is empty, or could not be read where the report was written.</p>\n");
    ptog_put(page, "</section>\n");
}

/* ---- all of it ---- */

enum ptog_status ptog_report_page(const struct ptog_page *about, const struct ptog_sink *page)
{
    if (!about || !ptog_sink_is_usable(page) || !about->name || !about->target ||
        (!about->text && about->text_bytes > 0) || !ptog_is_unreserved(about))
        return PTOG_BAD_ARGUMENT;
    size_t *findings = findings_by_line(about->diags, about->name);
    if (!findings)
        return PTOG_NO_MEMORY;
    put_head(page, about);
    ptog_put(page, "<main>\n");
    ptog_page_findings(page, about);
    ptog_page_timeline(page, about);
    if (about->stats) {
        ptog_page_figures(page, about->stats);
        ptog_page_memory(page, about);
    }
    put_program(page, about, findings);
    ptog_put(page, "</main>\n<script>\n");
    page->write(page->user, (const char *)page_js, sizeof page_js);
    ptog_put(page, "</script>\n</body>\n</html>\n");
    free(findings);
    return PTOG_OK;
}
