/* report: the diagnostics of several programs as one sequence. */
#include "report/checked.h"

#include <string.h>

#include "base/reserved.h"
#include "base/text.h"
#include "report/put.h"

#define MAX_COMPARED 4096

/* Advances the walk to the next diagnostic of all lists, and returns it; NULL after the last. */
const struct ptog_diag *ptog_walk_next(struct ptog_walk *walk)
{
    for (; walk->program < walk->count; walk->program++, walk->diag = 0) {
        const struct ptog_diag *diag = ptog_diags_at(walk->list[walk->program].diags, walk->diag);
        if (!diag)
            continue;
        walk->diag++;
        walk->seen++;
        return diag;
    }
    return NULL;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether two diagnostics advise the same steps, word for word. */
static bool same_fix(const struct ptog_diag *a, const struct ptog_diag *b)
{
    char one[PTOG_MAX_STEP], other[PTOG_MAX_STEP];
    bool same = a->fix_count == b->fix_count;
    for (size_t i = 0; same && i < a->fix_count; i++) {
        ptog_fix_words(&a->fix[i], one, sizeof one);
        ptog_fix_words(&b->fix[i], other, sizeof other);
        same = strcmp(one, other) == 0;
    }
    return same;
}

static bool same_places(const struct ptog_diag *a, const struct ptog_diag *b)
{
    bool same = a->related_count == b->related_count;
    for (size_t i = 0; same && i < a->related_count; i++)
        same = a->related[i].where.line == b->related[i].where.line &&
               a->related[i].where.column == b->related[i].where.column;
    return same;
}

/* Whether two targets say the same at the same place, with the same fix. */
static bool is_same_diag(const struct ptog_diag *a, const struct ptog_diag *b)
{
    return a->where.line == b->where.line && a->where.column == b->where.column && a->severity == b->severity &&
           same_text(a->where.file, b->where.file) && same_text(a->id, b->id) && same_text(a->message, b->message) &&
           same_text(a->witness, b->witness) && a->count == b->count && same_places(a, b) && same_fix(a, b);
}

/* Whether two entries are about one program. */
static bool same_program(const struct ptog_checked *a, const struct ptog_checked *b)
{
    return same_text(a->file, b->file);
}

/* Whether the one that `walk` gave last was given before. */
static bool is_repeated(const struct ptog_walk *walk, const struct ptog_diag *diag)
{
    struct ptog_walk earlier = {walk->list, walk->count, 0, 0, 0};
    if (walk->seen > MAX_COMPARED)
        return false;
    while (earlier.seen + 1 < walk->seen) {
        const struct ptog_diag *other = ptog_walk_next(&earlier);
        if (same_program(&walk->list[earlier.program], &walk->list[walk->program]) && is_same_diag(other, diag))
            return true;
    }
    return false;
}

const struct ptog_diag *ptog_walk_next_new(struct ptog_walk *walk)
{
    const struct ptog_diag *diag;
    do {
        diag = ptog_walk_next(walk);
    } while (diag && is_repeated(walk, diag));
    return diag;
}

/* ---- groups */

static bool same_step(const struct ptog_fix *a, const struct ptog_fix *b)
{
    return a->kind == b->kind && a->side == b->side && a->src == b->src && a->dst == b->dst && a->id == b->id &&
           a->where.line == b->where.line && a->where.column == b->where.column && a->from_line == b->from_line &&
           same_text(a->name, b->name) && same_text(a->where.file, b->where.file) && same_text(a->text, b->text) &&
           same_text(a->more, b->more);
}

/* Whether a fix has statements that can be inserted. */
static bool has_statements(const struct ptog_diag *diag)
{
    for (size_t i = 0; i < diag->fix_count; i++)
        if (diag->fix[i].kind != PTOG_FIX_WORDS && diag->fix[i].side != PTOG_FIX_ANYWHERE)
            return true;
    return false;
}

/* Whether one change fixes both: flags and barriers to add at the same places. */
static bool same_change(const struct ptog_diag *a, const struct ptog_diag *b)
{
    bool same = has_statements(a) && a->fix_count == b->fix_count;
    for (size_t i = 0; same && i < a->fix_count; i++)
        same = same_step(&a->fix[i], &b->fix[i]);
    return same;
}

/* Notes are grouped by id, findings by what fixes them. */
static bool is_grouped(const struct ptog_diag *a, const struct ptog_diag *b)
{
    if (a->severity != b->severity || a->unjudged != b->unjudged)
        return false;
    if (a->severity == PTOG_NOTE && !a->unjudged)
        return same_text(a->id, b->id);
    return same_change(a, b);
}

const struct ptog_diag *ptog_walk_next_member(struct ptog_walk *walk, const struct ptog_diag *first)
{
    const struct ptog_checked *program = &walk->list[walk->program];
    const struct ptog_diag *diag;
    while (walk->seen < MAX_COMPARED && (diag = ptog_walk_next(walk)) != NULL)
        if (is_grouped(first, diag) && same_program(program, &walk->list[walk->program]) && !is_repeated(walk, diag))
            return diag;
    return NULL;
}

/* Whether an earlier one starts the group of the one that `walk` gave last. */
static bool is_member(const struct ptog_walk *walk, const struct ptog_diag *diag)
{
    struct ptog_walk earlier = {walk->list, walk->count, 0, 0, 0};
    if (walk->seen > MAX_COMPARED)
        return false;
    while (earlier.seen + 1 < walk->seen) {
        const struct ptog_diag *other = ptog_walk_next(&earlier);
        if (is_grouped(other, diag) && same_program(&walk->list[earlier.program], &walk->list[walk->program]))
            return true;
    }
    return false;
}

/* Whether the text shows the one that `walk` gave last as an earlier one of its group. */
static bool is_shown(const struct ptog_walk *walk, const struct ptog_diag *diag)
{
    struct ptog_walk earlier = {walk->list, walk->count, 0, 0, 0};
    const struct ptog_where *here = ptog_headline(&diag->where);
    if (walk->seen > MAX_COMPARED)
        return false;
    while (earlier.seen + 1 < walk->seen) {
        const struct ptog_diag *other = ptog_walk_next(&earlier);
        const struct ptog_where *there = ptog_headline(&other->where);
        if (here->line > 0 && here->line == there->line && same_text(here->file, there->file) &&
            same_text(diag->id, other->id) && same_text(diag->message, other->message) && is_grouped(other, diag) &&
            same_program(&walk->list[earlier.program], &walk->list[walk->program]))
            return true;
    }
    return false;
}

size_t ptog_report_count(const struct ptog_checked *checked, size_t count, enum ptog_severity severity)
{
    struct ptog_walk walk = {.list = checked, .count = checked ? count : 0};
    const struct ptog_diag *diag;
    size_t found = 0;
    while ((diag = ptog_walk_next_new(&walk)) != NULL)
        found += diag->severity == severity && !is_shown(&walk, diag);
    return found;
}

const struct ptog_diag *ptog_walk_next_group(struct ptog_walk *walk)
{
    const struct ptog_diag *diag;
    do {
        diag = ptog_walk_next_new(walk);
    } while (diag && is_member(walk, diag));
    return diag;
}

bool ptog_walk_is_variant(const struct ptog_walk *walk, const struct ptog_diag *diag)
{
    struct ptog_walk earlier = {walk->list, walk->count, 0, 0, 0};
    while (walk->seen <= MAX_COMPARED && earlier.seen + 1 < walk->seen) {
        const struct ptog_diag *other = ptog_walk_next(&earlier);
        if (earlier.program != walk->program && diag->where.line > 0 && other->where.line == diag->where.line &&
            other->where.column == diag->where.column && same_text(other->id, diag->id) &&
            same_text(other->message, diag->message) && same_places(other, diag) &&
            same_program(&walk->list[earlier.program], &walk->list[walk->program]) && !is_member(&earlier, other))
            return true;
    }
    return false;
}

size_t ptog_report_changes(const struct ptog_checked *checked, size_t count, size_t *errors)
{
    struct ptog_walk walk = {.list = checked, .count = checked ? count : 0};
    const struct ptog_diag *diag;
    size_t changes = 0, found = 0;
    bool all = true;
    while ((diag = ptog_walk_next_new(&walk)) != NULL) {
        if (diag->severity != PTOG_ERROR)
            continue;
        found += !is_shown(&walk, diag);
        changes += !is_member(&walk, diag);
        all = all && has_statements(diag);
    }
    if (errors)
        *errors = found;
    return all ? changes : 0;
}

/* ---- targets */

/* The entries of the program that the walk is at stand side by side: *first to *end. False when they have one target.
 */
static bool find_targets(const struct ptog_walk *walk, size_t *first, size_t *end)
{
    const struct ptog_checked *here = &walk->list[walk->program];
    bool several = false;
    for (*first = walk->program; *first > 0 && same_program(here, &walk->list[*first - 1]);)
        --*first;
    for (*end = *first; *end < walk->count && same_program(here, &walk->list[*end]); ++*end) {
        const char *target = walk->list[*end].target;
        several |= target && here->target && strcmp(target, here->target) != 0;
    }
    return several;
}

const char *ptog_walk_target(const struct ptog_walk *walk)
{
    size_t first, end;
    return find_targets(walk, &first, &end) ? walk->list[walk->program].target : NULL;
}

/* Whether a list has this diagnostic. */
static bool has_same(const struct ptog_checked *checked, const struct ptog_diag *diag)
{
    const struct ptog_diag *other;
    for (size_t i = 0; (other = ptog_diags_at(checked->diags, i)) != NULL; i++)
        if (is_same_diag(other, diag))
            return true;
    return false;
}

/* The targets that the diagnostic at hand is about, in words; empty where its program is checked on one alone. */
void ptog_walk_targets(const struct ptog_walk *walk, const struct ptog_diag *diag, char text[PTOG_MAX_TARGETS])
{
    const char *names[8];
    size_t first, end, count = 0;
    struct ptog_text joined;
    ptog_text_init(&joined, text, PTOG_MAX_TARGETS);
    if (!find_targets(walk, &first, &end))
        return;
    for (size_t i = first; i < end && count < sizeof names / sizeof names[0]; i++)
        if (walk->list[i].target && (i == walk->program || has_same(&walk->list[i], diag)))
            names[count++] = walk->list[i].target;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            ptog_text_add(&joined, i + 1 < count ? ", " : " and ");
        ptog_text_add(&joined, names[i]);
    }
}

bool ptog_report_is_possible(const struct ptog_checked *checked, size_t count, const struct ptog_sink *sink)
{
    for (size_t i = 0; checked && i < count; i++)
        if (!ptog_is_unreserved(&checked[i]))
            return false;
    return ptog_sink_is_usable(sink) && (checked || count == 0);
}
