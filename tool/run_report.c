/* tool: ptog run --report: what the page of ptog_report_page is about, and the file it goes to. */
#include "run.h"

#include <stdlib.h>

#define MAX_NAMED 1000 /* entries whose names are looked up: each is compared with every tile */

struct ptog_sink run_report_sink(struct run_report *report)
{
    return ptog_output_sink(&report->trace);
}

/* The map of UB as a list, to be freed. False when out of memory. */
static bool list_map(const ptog_result *result, struct ptog_ub_entry **list, size_t *count)
{
    struct ptog_ub_entry entry;
    size_t room = 0;
    *list = NULL;
    for (*count = 0; ptog_result_ub_at(result, *count, &entry); ++*count) {
        if (!tool_reserve(list, *count + 1, &room))
            return false;
        (*list)[*count] = entry;
    }
    return true;
}

/* The name of the tile that lies where an entry does, has its type and was placed there; NULL: none, or several. */
static const char *name_of_entry(const ptog_result *result, const struct ptog_ub_entry *entry)
{
    const char *name, *found = NULL;
    struct ptog_tile tile;
    for (size_t i = 0; ptog_result_tile_at(result, i, &name, &tile); i++) {
        if (!tile.placed || tile.addr != entry->addr || tile.dtype != entry->dtype || tile.rows != entry->rows ||
            tile.cols != entry->cols)
            continue;
        if (found)
            return NULL;
        found = name;
    }
    return found;
}

/* The names of all entries, to be freed; NULL when out of memory: then the page has none. */
static const char **list_names(const ptog_result *result, const struct ptog_ub_entry *entries, size_t count)
{
    const char **names = calloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count && i < MAX_NAMED; i++)
        names[i] = name_of_entry(result, &entries[i]);
    return names;
}

bool run_report_write(struct run_report *report, struct ptog_page *page, const ptog_result *result)
{
    struct ptog_output text = {0};
    struct ptog_sink sink = ptog_output_sink(&text);
    struct ptog_stats stats;
    if (!report->path)
        return true;
    struct ptog_ub_entry *entries;
    bool done = list_map(result, &entries, &page->entry_count) && !report->trace.no_memory;
    page->entries = entries;
    const char **names = list_names(result, entries, page->entry_count);
    page->entry_names = names;
    page->ran = result != NULL;
    page->stats = ptog_result_stats(result, &stats) == PTOG_OK ? &stats : NULL;
    if (result) { /* as --trace: of a run that did not come to its end there is no timeline */
        page->trace = report->trace.bytes;
        page->trace_bytes = report->trace.used;
    }
    done = done && ptog_report_page(page, &sink) == PTOG_OK && !text.no_memory;
    if (!done)
        tool_fail("run", "%s: out of memory", report->path);
    done = done && tool_output_write("run", &text, report->path);
    ptog_output_free(&text);
    ptog_output_free(&report->trace);
    free(names);
    free(entries);
    return done;
}
