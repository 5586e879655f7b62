/* report: what the machine did, in the page: the timeline, the figures, and who sat where in the on-chip buffer. */
#include <inttypes.h>
#include <string.h>

#include "base/pick.h"
#include "base/text.h"
#include "report/page.h"

/* ---- the timeline ---- */

static const char after_events[] = "],\"otherData\":{", events_cut[] = "\"events cut\":true";

/* What comes after the events: tiles, values and drawings. It follows the last event, on the last line; NULL: the trace
 * is not complete. */
static const char *find_other(const char *trace, size_t bytes)
{
    size_t length = sizeof after_events - 1;
    if (bytes < length || trace[bytes - 1] != '\n')
        return NULL;
    for (size_t at = bytes - length; at > 0 && trace[at] != '\n'; at--)
        if (memcmp(trace + at, after_events, length) == 0)
            return trace + at;
    return NULL;
}

/* The bytes of events up to the last whole one that a page shows. They stand on lines of their own, with ",\n" between
 * them: src/report/trace.c. */
static size_t whole_events(const char *trace, size_t bytes)
{
    size_t length = ptog_min(bytes, PTOG_PAGE_TRACE);
    while (length > 0 && trace[length - 1] != '\n')
        length--;
    return ptog_left(length, 2);
}

/* How a page shows a trace. */
struct shown_trace {
    const char *other; /* from there on; NULL: it has none */
    size_t events;     /* bytes */
    bool cut;
};

/* The part of a trace that the page shows: events that fit, and what follows them. */
static struct shown_trace shown_of(const struct ptog_page *about)
{
    const char *trace = about->trace;
    struct shown_trace shown = {.other = find_other(trace, about->trace_bytes), .events = about->trace_bytes};
    if (shown.other) {
        shown.events = (size_t)(shown.other - trace);
        shown.cut = strncmp(shown.other + sizeof after_events - 1, events_cut, sizeof events_cut - 1) == 0;
    }
    /* a writer that leaves events out has ended with a whole one, a little later */
    if (!shown.cut && shown.events > PTOG_PAGE_TRACE) {
        shown.cut = true;
        shown.events = whole_events(trace, shown.events);
    }
    return shown;
}

static void put_trace(const struct ptog_sink *page, const struct ptog_page *about, const struct shown_trace *shown)
{
    ptog_page_json(page, about->trace, shown->events);
    if (shown->other)
        ptog_page_json(page, shown->other, about->trace_bytes - (size_t)(shown->other - about->trace));
    else if (shown->cut)
        ptog_page_format(page, "],\"otherData\":{\"MHz\":%.0f}}", about->stats ? about->stats->mhz : 1);
}

void ptog_page_timeline(const struct ptog_sink *page, const struct ptog_page *about)
{
    if (!about->trace || about->trace_bytes == 0)
        return;
    struct shown_trace shown = shown_of(about);
    ptog_put(
        page,
        "<section id=\"timeline\">\n<h2>Timeline</h2>\n<p class=\"hint\">Cycles are estimates, see 'ptog targets "
        "--costs'. Drag to move, Ctrl+wheel to zoom, click a box to see its line. The slider sets the cycle that is "
        "shown below it, its buttons step from instruction to instruction. A dashed red arrow is the order that a race "
        "lacks.");
    if (shown.cut)
        ptog_page_format(page,
                         " The run is longer than what is shown: these are its first %zu MiB; --trace writes all of "
                         "it.",
                         PTOG_PAGE_TRACE >> 20);
    ptog_put(page, "</p>\n<div id=\"lanes\"></div>\n<noscript><p>The drawing needs JavaScript.</p></noscript>\n"
                   "<script type=\"application/json\" id=\"trace\">\n");
    put_trace(page, about, &shown);
    ptog_put(page, "\n</script>\n</section>\n");
}

/* ---- figures, and the on-chip buffer ---- */

/* The text with its whole numbers as "196,608"; `to` has twice its room. Returns it. */
static const char *group_digits(const char *text, char *to)
{
    char *next = to;
    for (const char *at = text; *at;) {
        size_t digits = strspn(at, "0123456789");
        bool part = at > text && at[-1] == '.'; /* of a fraction */
        for (size_t i = 0; i < digits; i++) {
            if (!part && i > 0 && (digits - i) % 3 == 0)
                *next++ = ',';
            *next++ = at[i];
        }
        at += digits;
        if (digits == 0)
            *next++ = *at++;
    }
    *next = '\0';
    return to;
}

void ptog_page_figures(const struct ptog_sink *page, const struct ptog_stats *stats)
{
    struct ptog_figure figures[PTOG_MAX_FIGURES];
    size_t count = ptog_report_figures(stats, figures);
    char grouped[2 * sizeof figures->text];
    ptog_put(page, "<section id=\"figures\">\n<h2>Figures</h2>\n<table>\n");
    for (size_t i = 0; i < count; i++)
        ptog_page_format(page, "<tr><th>%s</th><td>%s</td></tr>\n", figures[i].name,
                         group_digits(figures[i].text, grouped));
    ptog_put(page, "</table>\n</section>\n");
}

/* "line 12", "model.py:12 (line 31)" */
static void put_use(const struct ptog_sink *page, const struct ptog_where *where)
{
    if (where->origin) {
        ptog_page_text(page, where->origin->file);
        ptog_page_format(page, ":%" PRIu32 " (", where->origin->line);
    }
    ptog_put(page, "line ");
    ptog_page_line(page, where->line);
    ptog_put(page, ptog_when(where->origin, ")"));
}

/* A tile's own name where the caller or the run knows it, else what it was for the first instruction that used it. */
static void put_entry_name(const struct ptog_sink *page, const struct ptog_ub_entry *entry, const char *name)
{
    ptog_put(page, ptog_when(name, "%"));
    ptog_page_text(page, ptog_or(name, ptog_or(entry->name, entry->operand)));
}

/* Writes the row of a tile in the page's map of UB. */
static void put_entry(const struct ptog_sink *page, const struct ptog_ub_entry *entry, const char *name, uint64_t whole)
{
    double left = 100.0 * (double)entry->addr / (double)whole, width = 100.0 * (double)entry->bytes / (double)whole;
    ptog_page_format(page, "<tr data-from=\"%" PRIu64 "\" data-to=\"%" PRIu64 "\"><td>", entry->addr,
                     entry->addr + entry->bytes);
    put_entry_name(page, entry, name);
    ptog_page_format(page, "</td><td>0x%05" PRIx64 "..0x%05" PRIx64 "</td><td>%" PRId64 "x%" PRId64 " %s</td><td>",
                     entry->addr, entry->addr + entry->bytes - 1, entry->rows, entry->cols,
                     ptog_dtype_name(entry->dtype));
    if (entry->first.line > 0) {
        put_use(page, &entry->first);
        ptog_put(page, " to ");
        put_use(page, &entry->last);
    }
    ptog_page_format(
        page, "</td><td class=\"life\"></td><td class=\"bar\"><i style=\"left:%.3f%%;width:%.3f%%\"></i></td></tr>\n",
        left, left + width > 100 ? 100 - left : width);
}

/* Writes the section of the page with the tiles of UB and their lives, to the scale of what is used. */
void ptog_page_memory(const struct ptog_sink *page, const struct ptog_page *about)
{
    uint64_t top = about->stats->ub_top;
    char reached[PTOG_GROUPED], all[PTOG_GROUPED], fixed[PTOG_GROUPED];
    ptog_page_format(
        page,
        "<section id=\"memory\">\n<h2>On-chip buffer</h2>\n<p class=\"hint\">%s of %s bytes are reached, %s "
        "are static.</p>\n<div class=\"wide\">\n<table class=\"ub\">\n"
        "<tr><th>tile</th><th>bytes</th><th>type</th><th>used</th><th>over time</th><th>where</th></tr>\n",
        ptog_grouped(top, reached), ptog_grouped(about->target->ub_bytes, all),
        ptog_grouped(about->stats->ub_static, fixed));
    for (size_t i = 0; i < about->entry_count; i++)
        put_entry(page, &about->entries[i], about->entry_names ? about->entry_names[i] : NULL, ptog_max(top, 1));
    ptog_put(page, "</table>\n</div>\n</section>\n");
}
