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
#include "report/text_group.h"

static void put_line(const struct ptog_sink *sink, const char *label, const char *text)
{
    ptog_put(sink, "  = ");
    ptog_put(sink, label);
    ptog_put(sink, ": ");
    ptog_put_clean(sink, text);
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
    char words[PTOG_MAX_STEP];
    for (size_t i = 0; i < diag->fix_count; i++) {
        ptog_fix_words(&diag->fix[i], words, sizeof words);
        ptog_put(sink, i == 0 ? "  = fix: " : "         ");
        ptog_put_clean(sink, words);
        ptog_put(sink, "\n");
    }
}

/* Writes the line with the targets that accept the instruction. */
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

/* "file:14:5" */
static void put_numbers(const struct ptog_sink *sink, const struct ptog_where *where)
{
    char numbers[32];
    if (where->column > 0)
        snprintf(numbers, sizeof numbers, ":%" PRIu32 ":%" PRIu32, where->line, where->column);
    else
        snprintf(numbers, sizeof numbers, ":%" PRIu32, where->line);
    ptog_put_clean(sink, ptog_or(where->file, "-"));
    ptog_put(sink, numbers);
}

/* "file:14:5: " */
static void put_place(const struct ptog_sink *sink, const struct ptog_where *where)
{
    if (where->line == 0)
        return;
    ptog_put(sink, ptog_when(sink->colour, "\033[1m"));
    put_numbers(sink, where);
    ptog_put(sink, sink->colour ? ":\033[0m " : ": ");
}

/* Writes the first line of a diagnostic: place, severity, message, how often, id. */
static void put_title(const struct ptog_sink *sink, const struct ptog_diag *diag)
{
    char times[40] = "";
    put_place(sink, ptog_headline(&diag->where));
    ptog_put_level(sink, diag);
    ptog_put_clean(sink, diag->message);
    if (diag->count > 1)
        snprintf(times, sizeof times, " (%" PRIu64 " times)", diag->count);
    ptog_put(sink, times);
    ptog_put(sink, " [");
    ptog_put(sink, diag->id);
    ptog_put(sink, "]\n");
}

/* ---- lines of the source. Those of an author's own file are shown first, then those of the generated program. */

/* A place of a diagnostic in one of the two texts; NULL: it has none there. */
typedef const struct ptog_where *side(const struct ptog_where *where);

/* The place in the source that the author wrote; NULL: the program is what was written. */
static const struct ptog_where *author_side(const struct ptog_where *where)
{
    return where->origin;
}

/* The place in the program. */
static const struct ptog_where *program_side(const struct ptog_where *where)
{
    return where;
}

/* Whether the line of a place can be quoted. */
static bool is_shown(const struct ptog_where *where)
{
    return where && where->line > 0 && where->text && ptog_excerpt_holds(where);
}

/* Whether a place can be quoted below another one, from the same file. */
static bool is_here(const struct ptog_where *a, const struct ptog_where *b)
{
    return is_shown(b) && (!a->file || !b->file || strcmp(a->file, b->file) == 0);
}

/* How many digits the largest line number that is shown with a diagnostic has. */
static int digits_of(const struct ptog_diag *diag, side *on)
{
    char number[16];
    const struct ptog_where *here = on(&diag->where);
    uint32_t most = here->line;
    for (size_t i = 0; i < diag->related_count; i++) {
        const struct ptog_where *there = on(&diag->related[i].where);
        if (is_here(here, there) && there->line > most)
            most = there->line;
    }
    return snprintf(number, sizeof number, "%" PRIu32, most);
}

/* A place in another text, or one that cannot be shown, is named only. */
static void put_other_file(const struct ptog_sink *sink, const struct ptog_where *where, const char *message)
{
    ptog_put(sink, "  = see: ");
    put_place(sink, where);
    ptog_put_clean(sink, message);
    ptog_put(sink, "\n");
}

/* Writes the source line of a diagnostic with carets, and those of its related places. */
static void put_source(const struct ptog_sink *sink, const struct ptog_diag *diag, side *on)
{
    const struct ptog_mark caret = {'^', '~', NULL, ptog_severity_colour(diag->severity)};
    const struct ptog_where *here = on(&diag->where), *shown = NULL;
    int digits = digits_of(diag, on);
    if (is_shown(here)) {
        ptog_excerpt(sink, here, caret, digits, false);
        shown = here;
    }
    for (size_t i = 0; i < diag->related_count; i++) {
        const struct ptog_related_place *related = &diag->related[i];
        const struct ptog_where *there = on(&related->where);
        if (!there)
            continue;
        if (!is_here(here, there)) {
            put_other_file(sink, there, related->message);
            continue;
        }
        const struct ptog_mark mark = {'-', '-', related->message, "\033[1;34m"};
        bool same_line = shown && shown->line == there->line && ptog_excerpt_fits(shown);
        ptog_excerpt(sink, there, mark, digits, same_line);
        shown = there;
    }
}

/* Authors' own lines of related places, where the diagnostic itself has none. */
static void put_related_origins(const struct ptog_sink *sink, const struct ptog_diag *diag)
{
    for (size_t i = 0; i < diag->related_count; i++)
        if (diag->related[i].where.origin)
            put_other_file(sink, diag->related[i].where.origin, diag->related[i].message);
}

static void put_labelled(const struct ptog_sink *sink, const char *label, const struct ptog_where *where)
{
    ptog_put(sink, label);
    put_numbers(sink, where);
    ptog_put(sink, "\n");
}

/* The author's own lines, who calls them, and which line of the generated program is meant. */
static void put_origin(const struct ptog_sink *sink, const struct ptog_diag *diag)
{
    put_source(sink, diag, author_side);
    for (const struct ptog_where *caller = diag->where.origin->origin; caller; caller = caller->origin)
        put_labelled(sink, "  = called from: ", caller);
    put_labelled(sink, "  = generated: ", &diag->where);
}

/* The diagnostic that `walk` gave last, in full, and the others of its group. */
static void put_diag(const struct ptog_sink *sink, const struct ptog_walk *walk, const struct ptog_diag *diag)
{
    char targets[PTOG_MAX_TARGETS];
    bool again = ptog_walk_is_variant(walk, diag); /* its lines and sources were shown */
    ptog_walk_targets(walk, diag, targets);
    put_title(sink, diag);
    if (diag->where.origin && !again)
        put_origin(sink, diag);
    if (!again)
        put_source(sink, diag, program_side);
    if (!diag->where.origin && !again)
        put_related_origins(sink, diag);
    put_fix(sink, diag);
    if (diag->witness)
        put_line(sink, "witness", diag->witness);
    if (targets[0])
        put_line(sink, "on", targets);
    ptog_put_group(sink, *walk, diag);
    if (again)
        return;
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
    if (!ptog_report_is_possible(checked, count, sink))
        return;
    while ((diag = ptog_walk_next_group(&walk)) != NULL)
        put_diag(sink, &walk, diag);
}

void ptog_report_text(const ptog_diags *diags, const struct ptog_sink *sink)
{
    const struct ptog_checked checked = {.diags = diags};
    ptog_report_text_all(&checked, 1, sink);
}
