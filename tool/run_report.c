/* tool: ptog run --report: one page that needs nothing else. What was found, the timeline, figures, the on-chip buffer,
 * and the program. All of it is there without JavaScript but for the drawing of the timeline. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "page_text.h" /* page_css, page_js: made from tool/page */
#include "run.h"

/* What a page holds at most. */
#define MOST_TRACE ((size_t)4 << 20) /* bytes of timeline: some ten thousand boxes */
#define MOST_FINDINGS 1000
#define MOST_LINES 20000
#define LONGEST_STEP 2048 /* bytes of a step of a fix */

/* ---- bytes of the page ---- */

static void put_n(struct tool_buffer *page, const char *text, size_t length)
{
    struct ptog_sink sink = tool_buffer_sink(page);
    sink.write(sink.user, text, length);
}

static void put(struct tool_buffer *page, const char *text)
{
    put_n(page, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void putf(struct tool_buffer *page, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(page, text);
}

/* Text of others: in a page, or in an attribute. A byte that is no character becomes one in the browser. */
static void put_text_n(struct tool_buffer *page, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case '<': put(page, "&lt;"); break;
        case '>': put(page, "&gt;"); break;
        case '&': put(page, "&amp;"); break;
        case '"': put(page, "&quot;"); break;
        case '\0': put(page, "\xEF\xBF\xBD"); break;
        default: put_n(page, &text[i], 1);
        }
}

static void put_text(struct tool_buffer *page, const char *text)
{
    put_text_n(page, text, strlen(text));
}

/* JSON inside a script element: nothing in it may end that. */
static void put_json(struct tool_buffer *page, const char *json, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (json[i] == '<')
            put(page, "\\u003c");
        else
            put_n(page, &json[i], 1);
}

/* ---- the verdict ---- */

static size_t count_of(const ptog_diags *diags, enum ptog_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        count += ptog_diags_at(diags, i)->severity == severity;
    return count;
}

static void put_verdict(struct tool_buffer *page, const ptog_diags *diags)
{
    const char *separator = "";
    putf(page, "<p class=\"verdict %s\">", count_of(diags, PTOG_ERROR) > 0 ? "wrong" : "clean");
    for (int severity = PTOG_ERROR; severity >= PTOG_NOTE; severity--) {
        size_t count = count_of(diags, (enum ptog_severity)severity);
        if (count == 0)
            continue;
        putf(page, "%s%zu %s%s", separator, count, ptog_severity_name((enum ptog_severity)severity),
             count == 1 ? "" : "s");
        separator = ", ";
    }
    put(page, ptog_diags_count(diags) == 0 ? "clean</p>\n" : "</p>\n");
}

static void put_head(struct tool_buffer *page, const struct run_page *about)
{
    put(page, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    put_text(page, about->name);
    putf(page, " on %s</title>\n<style>\n", about->target->name);
    put_n(page, (const char *)page_css, sizeof page_css);
    put(page, "</style>\n</head>\n<body>\n<header>\n<h1>");
    put_text(page, about->name);
    put(page, "</h1>\n");
    put_verdict(page, about->diags);
    putf(page, "<p class=\"facts\">%s, ptogather %s</p>\n</header>\n", about->target->name, ptog_version());
}

/* ---- findings ---- */

/* A link to a line of the program, if that is in the page. */
static void put_number(struct tool_buffer *page, uint32_t line)
{
    if (line <= MOST_LINES)
        putf(page, "<a href=\"#L%" PRIu32 "\">%" PRIu32 "</a>", line, line);
    else
        putf(page, "%" PRIu32, line);
}

static size_t bytes_of_character(const char *s)
{
    size_t n = 1;
    while ((s[n] & 0xC0) == 0x80)
        n++;
    return n;
}

/* A line of the program with what is meant marked, and a word about it. Columns are characters. */
static void put_marked(struct tool_buffer *page, const struct ptog_where *where, const char *word)
{
    bool marked = false;
    uint32_t column = 1;
    if (where->line == 0 || !where->text)
        return;
    for (uint32_t ten = 10000; ten > where->line && ten > 1; ten /= 10)
        put(page, " ");
    put_number(page, where->line);
    put(page, "  ");
    for (const char *at = where->text; *at; column++) {
        size_t n = bytes_of_character(at);
        bool inside = column >= where->column && column < where->end_column;
        if (inside != marked)
            put(page, inside ? "<mark>" : "</mark>");
        marked = inside;
        put_text_n(page, at, n);
        at += n;
    }
    put(page, marked ? "</mark>" : "");
    if (word) {
        put(page, "  <span class=\"said\">");
        put_text(page, word);
        put(page, "</span>");
    }
    put(page, "\n");
}

static void put_term(struct tool_buffer *page, const char *name, const char *text)
{
    if (!text)
        return;
    putf(page, "<dt>%s</dt><dd>", name);
    put_text(page, text);
    put(page, "</dd>\n");
}

static void put_fix(struct tool_buffer *page, const struct ptog_diag *diag)
{
    char words[LONGEST_STEP];
    if (diag->fix_count == 0)
        return;
    put(page, "<dt>fix</dt><dd><pre>");
    for (size_t i = 0; i < diag->fix_count; i++) {
        ptog_fix_words(&diag->fix[i], words, sizeof words);
        put(page, i > 0 ? "\n" : "");
        put_text(page, words);
    }
    put(page, "</pre></dd>\n");
}

static void put_finding(struct tool_buffer *page, const struct ptog_diag *diag, size_t number)
{
    const char *level = ptog_severity_name(diag->severity);
    putf(page, "<article class=\"%s\" id=\"F%zu\">\n<h3><span class=\"level\">%s</span> ", level, number + 1, level);
    put_text(page, diag->message);
    if (diag->count > 1)
        putf(page, " (%" PRIu64 " times)", diag->count);
    putf(page, " <code>[%s]</code></h3>\n", diag->id);
    put(page, "<pre>");
    put_marked(page, &diag->where, NULL);
    for (size_t i = 0; i < diag->related_count; i++)
        put_marked(page, &diag->related[i].where, diag->related[i].message);
    put(page, "</pre>\n<dl>\n");
    put_fix(page, diag);
    put_term(page, "witness", diag->witness);
    put_term(page, "documented", diag->seed);
    putf(page, "<dt>explain</dt><dd><code>ptog explain %s</code></dd>\n</dl>\n</article>\n", diag->id);
}

static void put_findings(struct tool_buffer *page, const struct run_page *about)
{
    bool proved = about->result && about->target->ub_bytes > 0 && !about->unchecked;
    put(page, "<section id=\"findings\">\n<h2>Findings</h2>\n");
    size_t count = ptog_diags_count(about->diags), shown = count < MOST_FINDINGS ? count : MOST_FINDINGS;
    for (size_t i = 0; i < shown; i++)
        put_finding(page, ptog_diags_at(about->diags, i), i);
    if (shown < count)
        putf(page, "<p>%zu more are not shown.</p>\n", count - shown);
    if (count_of(about->diags, PTOG_ERROR) == 0)
        putf(page, "<p>%s</p>\n", proved ? "No error, for all timings." : "No error.");
    put(page, "</section>\n");
}

/* ---- the timeline ---- */

/* The trace up to its last whole event. Events stand on lines of their own: src/report/trace.c. */
static size_t whole_events(const struct run_report *report)
{
    size_t length = report->trace.used;
    while (report->cut && length > 0 && report->trace.bytes[length - 1] != '\n')
        length--;
    return length;
}

static void put_timeline(struct tool_buffer *page, const struct run_report *report)
{
    size_t length = whole_events(report);
    if (length == 0 || report->trace.no_memory)
        return;
    put(page,
        "<section id=\"timeline\">\n<h2>Timeline</h2>\n<p class=\"hint\">Estimates: 'ptog targets --costs' has each "
        "figure and its source. Drag to move, ctrl and wheel to zoom; click a box for its line.");
    if (report->cut)
        putf(page, " The run is longer than what is shown: these are its first %zu MiB; --trace writes all of it.",
             MOST_TRACE >> 20);
    put(page, "</p>\n<div id=\"lanes\"></div>\n<noscript><p>The drawing needs JavaScript.</p></noscript>\n"
              "<script type=\"application/json\" id=\"trace\">\n");
    if (report->cut) { /* the last event ends in ",\n" */
        put_json(page, report->trace.bytes, length - 2);
        putf(page, "],\"otherData\":{\"MHz\":%.0f}}", report->mhz);
    } else {
        put_json(page, report->trace.bytes, length);
    }
    put(page, "\n</script>\n</section>\n");
}

/* ---- figures, and the on-chip buffer ---- */

static void put_figures(struct tool_buffer *page, const struct ptog_stats *stats)
{
    struct run_figure figures[RUN_MOST_FIGURES];
    size_t count = run_figures(stats, figures);
    put(page, "<section id=\"figures\">\n<h2>Figures</h2>\n<table>\n");
    for (size_t i = 0; i < count; i++)
        putf(page, "<tr><th>%s</th><td>%s</td></tr>\n", figures[i].name, figures[i].text);
    put(page, "</table>\n</section>\n");
}

static void put_entry(struct tool_buffer *page, const struct ptog_ub_entry *entry, uint64_t whole)
{
    double left = 100.0 * (double)entry->addr / (double)whole, width = 100.0 * (double)entry->bytes / (double)whole;
    putf(page, "<tr><td>0x%05" PRIx64 "..0x%05" PRIx64 "</td><td>%" PRId64 "x%" PRId64 " %s</td><td>", entry->addr,
         entry->addr + entry->bytes - 1, entry->rows, entry->cols, ptog_dtype_name(entry->dtype));
    put_text(page, entry->operand);
    put(page, "</td><td>");
    if (entry->first.line > 0) {
        put(page, "line ");
        put_number(page, entry->first.line);
        put(page, " to ");
        put_number(page, entry->last.line);
    }
    putf(page, "</td><td class=\"bar\"><i style=\"left:%.3f%%;width:%.3f%%\"></i></td></tr>\n", left,
         left + width > 100 ? 100 - left : width);
}

/* To the scale of what is used. */
static void put_memory(struct tool_buffer *page, const struct run_page *about, uint64_t top)
{
    struct ptog_ub_entry entry;
    putf(page,
         "<section id=\"memory\">\n<h2>On-chip buffer</h2>\n<p class=\"hint\">%" PRIu64 " of %" PRIu64
         " bytes are reached.</p>\n<table class=\"ub\">\n",
         top, about->target->ub_bytes);
    for (size_t i = 0; ptog_result_ub_at(about->result, i, &entry); i++)
        put_entry(page, &entry, top > 0 ? top : 1);
    put(page, "</table>\n</section>\n");
}

/* ---- the program ---- */

/* The gravest finding of each line: its number, from 1; 0: none. NULL when out of memory. */
static size_t *findings_by_line(const ptog_diags *diags)
{
    size_t *worst = calloc(MOST_LINES + 1, sizeof *worst);
    for (size_t i = 0; worst && i < ptog_diags_count(diags) && i < MOST_FINDINGS; i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        size_t *of = &worst[diag->where.line <= MOST_LINES ? diag->where.line : 0];
        if (*of == 0 || diag->severity > ptog_diags_at(diags, *of - 1)->severity)
            *of = i + 1;
    }
    return worst;
}

/* A line, its number a link to what was found there, or to itself. */
static void put_line(struct tool_buffer *page, uint32_t line, const ptog_diags *diags, size_t finding, const char *text,
                     size_t length)
{
    putf(page, "<li id=\"L%" PRIu32 "\"", line);
    if (finding > 0)
        putf(page, " class=\"%s\"><a href=\"#F%zu\">", ptog_severity_name(ptog_diags_at(diags, finding - 1)->severity),
             finding);
    else
        putf(page, "><a href=\"#L%" PRIu32 "\">", line);
    putf(page, "%" PRIu32 "</a><span>", line);
    put_text_n(page, text, length);
    put(page, "</span></li>\n");
}

static void put_program(struct tool_buffer *page, const struct run_page *about)
{
    const char *at = about->text, *end = at + about->text_bytes;
    size_t *findings = findings_by_line(about->diags);
    page->no_memory |= !findings;
    put(page, "<section id=\"program\">\n<h2>Program</h2>\n<ol class=\"lines\">\n");
    /* a finding may be at the end of the text, on a line of no bytes */
    for (uint32_t line = 1; findings && line <= MOST_LINES && (at < end || findings[line] > 0); line++) {
        const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL, *stop = newline ? newline : end;
        put_line(page, line, about->diags, findings[line], at, (size_t)(stop - at));
        at = newline ? newline + 1 : end;
    }
    put(page, "</ol>\n");
    if (at < end)
        putf(page, "<p class=\"hint\">These are the first %d lines.</p>\n", MOST_LINES);
    put(page, "</section>\n");
    free(findings);
}

/* ---- all of it ---- */

static void take_trace(void *user, const char *text, size_t length)
{
    struct run_report *report = user;
    size_t room = MOST_TRACE - report->trace.used;
    report->cut |= length > room;
    put_n(&report->trace, text, length < room ? length : room);
}

struct ptog_sink run_report_sink(struct run_report *report)
{
    return (struct ptog_sink){.write = take_trace, .user = report};
}

bool run_report_write(struct run_report *report, const struct run_page *about)
{
    struct tool_buffer page = {0};
    struct ptog_stats stats;
    if (!report->path)
        return true;
    bool figures = about->result && ptog_result_stats(about->result, &stats) == PTOG_OK;
    report->mhz = figures ? stats.mhz : 1;
    put_head(&page, about);
    put(&page, "<main>\n");
    put_findings(&page, about);
    put_timeline(&page, report);
    if (figures) {
        put_figures(&page, &stats);
        put_memory(&page, about, stats.ub_top);
    }
    put_program(&page, about);
    put(&page, "</main>\n<script>\n");
    put_n(&page, (const char *)page_js, sizeof page_js);
    put(&page, "</script>\n</body>\n</html>\n");
    bool done = !page.no_memory || (tool_fail("run", "%s: out of memory", report->path), false);
    done = done && tool_buffer_write("run", &page, report->path);
    free(page.bytes);
    free(report->trace.bytes);
    report->trace = (struct tool_buffer){0};
    return done;
}
