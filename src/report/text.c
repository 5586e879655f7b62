/* report: diagnostics as people read them. */
#include <inttypes.h>
#include <stdio.h>

#include <ptog/target.h>

#include "base/pick.h"
#include "base/reserved.h"
#include "report/checked.h"
#include "report/excerpt.h"
#include "report/put.h"
#include "report/severity.h"

static void put_line(const struct ptog_sink *sink, const char *label, const char *text)
{
    ptog_put(sink, "  = ");
    ptog_put(sink, label);
    ptog_put(sink, ": ");
    ptog_put(sink, text);
    ptog_put(sink, "\n");
}

static void put_documented(const struct ptog_sink *sink, const char *documented)
{
    ptog_put(sink, "  = source: ");
    ptog_report_documented(documented, sink);
    ptog_put(sink, "\n");
}

/* A fix has one or more steps: the others stand below the first. */
static void put_fix(const struct ptog_sink *sink, const struct ptog_diag *diag)
{
    char words[PTOG_LONGEST_STEP];
    for (size_t i = 0; i < diag->fix_count; i++) {
        ptog_fix_words(&diag->fix[i], words, sizeof words);
        ptog_put(sink, i == 0 ? "  = fix: " : "         ");
        ptog_put(sink, words);
        ptog_put(sink, "\n");
    }
}

static void put_targets(const struct ptog_sink *sink, uint32_t targets)
{
    const struct ptog_target *target;
    const char *separator = "";
    ptog_put(sink, "  = accepted by: ");
    for (size_t i = 0; (target = ptog_target_at(i)) != NULL; i++)
        if (targets & target->bit) {
            ptog_put(sink, separator);
            ptog_put(sink, target->name);
            separator = ", ";
        }
    ptog_put(sink, "\n");
}

static void put_explain(const struct ptog_sink *sink, const char *id)
{
    ptog_put(sink, "  = explain: ptog explain ");
    ptog_put(sink, id);
    ptog_put(sink, "\n");
}

/* "file:14:5: " */
static void put_place(const struct ptog_sink *sink, const struct ptog_where *where)
{
    char numbers[32];
    if (where->line == 0)
        return;
    if (where->column > 0)
        snprintf(numbers, sizeof numbers, ":%" PRIu32 ":%" PRIu32 ":", where->line, where->column);
    else
        snprintf(numbers, sizeof numbers, ":%" PRIu32 ":", where->line);
    ptog_put(sink, ptog_when(sink->colour, "\033[1m"));
    ptog_put_clean(sink, ptog_or(where->file, "-"));
    ptog_put(sink, numbers);
    ptog_put(sink, sink->colour ? "\033[0m " : " ");
}

static void put_title(const struct ptog_sink *sink, const struct ptog_diag *diag)
{
    char times[40] = "";
    put_place(sink, &diag->where);
    ptog_put_level(sink, diag);
    ptog_put_clean(sink, diag->message);
    if (diag->count > 1)
        snprintf(times, sizeof times, " (%" PRIu64 " times)", diag->count);
    ptog_put(sink, times);
    ptog_put(sink, " [");
    ptog_put(sink, diag->id);
    ptog_put(sink, "]\n");
}

static bool is_shown(const struct ptog_where *where)
{
    return where->line > 0 && where->text && ptog_excerpt_holds(where);
}

static bool is_here(const struct ptog_where *a, const struct ptog_where *b)
{
    return is_shown(b) && (!a->file || !b->file || strcmp(a->file, b->file) == 0);
}

/* Columns for the largest line number that is shown. */
static int digits_of(const struct ptog_diag *diag)
{
    char number[16];
    uint32_t most = diag->where.line;
    for (size_t i = 0; i < diag->related_count; i++)
        if (is_here(&diag->where, &diag->related[i].where) && diag->related[i].where.line > most)
            most = diag->related[i].where.line;
    return snprintf(number, sizeof number, "%" PRIu32, most);
}

/* A related place in another text, or one that cannot be shown, is named only. */
static void put_elsewhere(const struct ptog_sink *sink, const struct ptog_related_place *related)
{
    ptog_put(sink, "  = see: ");
    put_place(sink, &related->where);
    ptog_put_clean(sink, related->message);
    ptog_put(sink, "\n");
}

static void put_source(const struct ptog_sink *sink, const struct ptog_diag *diag)
{
    const struct ptog_mark caret = {'^', '~', NULL, ptog_severity_colour(diag->severity)};
    const struct ptog_where *shown = NULL;
    int digits = digits_of(diag);
    if (is_shown(&diag->where)) {
        ptog_excerpt(sink, &diag->where, caret, digits, false);
        shown = &diag->where;
    }
    for (size_t i = 0; i < diag->related_count; i++) {
        const struct ptog_related_place *related = &diag->related[i];
        if (!is_here(&diag->where, &related->where)) {
            put_elsewhere(sink, related);
            continue;
        }
        const struct ptog_mark mark = {'-', '-', related->message, "\033[1;34m"};
        bool same_line = shown && shown->line == related->where.line && ptog_excerpt_fits(shown);
        ptog_excerpt(sink, &related->where, mark, digits, same_line);
        shown = &related->where;
    }
}

static void put_diag(const struct ptog_sink *sink, const struct ptog_diag *diag, const char *targets)
{
    put_title(sink, diag);
    put_source(sink, diag);
    put_fix(sink, diag);
    if (diag->witness)
        put_line(sink, "witness", diag->witness);
    if (targets[0])
        put_line(sink, "on", targets);
    if (diag->accepted_by)
        put_targets(sink, diag->accepted_by);
    if (diag->documented)
        put_documented(sink, diag->documented);
    put_explain(sink, diag->id);
}

void ptog_report_text_all(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink)
{
    struct ptog_walk walk = {.list = checked, .count = count};
    const struct ptog_diag *diag;
    char targets[PTOG_LONGEST_TARGETS];
    if (!ptog_report_is_possible(checked, count, sink))
        return;
    while ((diag = ptog_walk_next_new(&walk)) != NULL) {
        ptog_walk_targets(&walk, diag, targets);
        put_diag(sink, diag, targets);
    }
}

void ptog_report_text(const ptog_diags *diags, const struct ptog_sink *sink)
{
    const struct ptog_diag *diag;
    if (!ptog_sink_is_usable(sink))
        return;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        put_diag(sink, diag, "");
}
