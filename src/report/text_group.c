/* report: the findings of a group after its first, as lines of text. */
#include "report/text_group.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/pick.h"
#include "report/put.h"

#define MAX_LISTED 12 /* lines that are named, and notes with words of their own */

static bool same_file(const struct ptog_diag *a, const struct ptog_diag *b)
{
    const struct ptog_where *one = ptog_headline(&a->where), *other = ptog_headline(&b->where);
    return one->line > 0 && other->line > 0 && strcmp(ptog_or(one->file, ""), ptog_or(other->file, "")) == 0;
}

/* Whether only the lines differ. */
static bool says_the_same(const struct ptog_diag *a, const struct ptog_diag *b)
{
    return same_file(a, b) && strcmp(a->message, b->message) == 0 && strcmp(a->id, b->id) == 0;
}

static void put_count(const struct ptog_sink *sink, const char *before, size_t count, const char *after)
{
    char text[64];
    snprintf(text, sizeof text, "%s%zu%s", before, count, after);
    ptog_put(sink, text);
}

/* "  = also at lines 12, 31 and 40": where the first of the group would be said again. */
static void put_same(const struct ptog_sink *sink, struct ptog_walk walk, const struct ptog_diag *first)
{
    uint32_t lines[MAX_LISTED], last = ptog_headline(&first->where)->line;
    size_t count = 0, more = 0;
    const struct ptog_diag *diag;
    while ((diag = ptog_walk_next_member(&walk, first)) != NULL) {
        uint32_t line = ptog_headline(&diag->where)->line;
        if (!says_the_same(first, diag) || line == last)
            continue;
        last = line;
        if (count < MAX_LISTED)
            lines[count++] = line;
        else
            more++;
    }
    for (size_t i = 0; i < count; i++) {
        const char *before = i + 1 < count || more > 0 ? ", " : " and ";
        if (i == 0)
            before = count > 1 ? "  = also at lines " : "  = also at line ";
        put_count(sink, before, lines[i], "");
    }
    if (more > 0)
        put_count(sink, " and ", more, " more");
    ptog_put(sink, ptog_when(count > 0, "\n"));
}

/* "  = also at line 12 on a5: race: ... [race-war]" */
static void put_other(const struct ptog_sink *sink, const struct ptog_diag *first, const struct ptog_diag *diag,
                      const char *targets)
{
    const struct ptog_where *where = ptog_headline(&diag->where);
    ptog_put(sink, "  = also");
    if (same_file(first, diag)) {
        put_count(sink, " at line ", where->line, "");
    } else if (where->line > 0) {
        ptog_put(sink, " at ");
        ptog_put_clean(sink, ptog_or(where->file, "-"));
        put_count(sink, ":", where->line, "");
    }
    ptog_put(sink, ptog_when(targets[0], " on "));
    ptog_put(sink, targets);
    ptog_put(sink, ": ");
    ptog_put_clean(sink, diag->message);
    ptog_put(sink, " [");
    ptog_put(sink, diag->id);
    ptog_put(sink, "]\n");
}

void ptog_put_group(const struct ptog_sink *sink, struct ptog_walk walk, const struct ptog_diag *first)
{
    char targets[PTOG_MAX_TARGETS];
    const struct ptog_diag *diag;
    size_t listed = 0, more = 0;
    put_same(sink, walk, first);
    while ((diag = ptog_walk_next_member(&walk, first)) != NULL) {
        if (says_the_same(first, diag))
            continue;
        if (diag->severity == PTOG_NOTE && ++listed > MAX_LISTED) {
            more++;
            continue;
        }
        ptog_walk_targets(&walk, diag, targets);
        put_other(sink, first, diag, targets);
    }
    if (more > 0)
        put_count(sink, "  = and ", more, " more notes like it\n");
}
