/* report: what the files of the page share. A page is written from top to bottom into a sink. */
#ifndef PTOG_REPORT_PAGE_H
#define PTOG_REPORT_PAGE_H

#include <ptog/core.h>

#include "report/put.h"

/* What a page holds at most. */
#define PTOG_PAGE_FINDINGS 1000
#define PTOG_PAGE_LINES 20000

/* The page's own words; what is printed is cut at 511 bytes. */
__attribute__((format(printf, 2, 3))) void ptog_page_format(const struct ptog_sink *page, const char *format, ...);

/* Text of others: in a page, or in an attribute. A byte that is no character becomes one in the browser. */
void ptog_page_text(const struct ptog_sink *page, const char *text);
void ptog_page_text_n(const struct ptog_sink *page, const char *text, size_t length);

/* JSON inside a script element: nothing in it may end that. */
void ptog_page_json(const struct ptog_sink *page, const char *json, size_t length);

/* The number of a line, as a link to it if that line is in the page. */
void ptog_page_line(const struct ptog_sink *page, uint32_t line);

/* How many of the diagnostics have this severity. */
size_t ptog_page_count(const ptog_diags *diags, enum ptog_severity severity);

/* The sections. */
void ptog_page_findings(const struct ptog_sink *page, const struct ptog_page *about);
void ptog_page_timeline(const struct ptog_sink *page, const struct ptog_page *about);
void ptog_page_figures(const struct ptog_sink *page, const struct ptog_stats *stats);
void ptog_page_memory(const struct ptog_sink *page, const struct ptog_page *about);

#endif
