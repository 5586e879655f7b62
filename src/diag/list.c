/* diag: the list that collects diagnostics with their spans, until they are handed out in the order of the text. */
#include "diag/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/rule.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/pick.h"
#include "diag/allow.h"
#include "diag/kind.h"
#include "diag/where.h"

#define MAX_MESSAGE 512 /* whoever quotes text cuts it */

/* Room for one more entry, which does not count yet; NULL when out of memory. */
static struct ptog_diag_entry *reserve_entry(struct ptog_diag_list *list)
{
    if (!ptog_array_reserve(&list->list, list->count + 1, &list->room)) {
        list->no_memory = true;
        return NULL;
    }
    return &list->list[list->count];
}

/* A copy that lives as long as the list; NULL of NULL, or when out of memory. */
static const char *copy_words(struct ptog_diag_list *list, const char *text)
{
    const char *copy = text ? ptog_arena_copy(&list->arena, text, strlen(text)) : NULL;
    if (text && !copy)
        list->no_memory = true;
    return copy;
}

/* Whether a diagnostic keeps the program from running. */
static bool is_refusal(const struct ptog_diag *diag)
{
    return diag->severity == PTOG_ERROR && diag->refuses;
}

/* One operand that stands twice in an operation with one type would be reported twice. What a run found and counted is
 * one entry already: the same words again are about another place. */
static bool is_repeated(const struct ptog_diag_list *list, const struct ptog_diag *diag, struct ptog_span span)
{
    const struct ptog_diag_entry *last = list->count > 0 ? &list->list[list->count - 1] : NULL;
    return last && diag->count == 0 && last->span.at == span.at && last->span.length == span.length &&
           last->diag.kind == diag->kind && strcmp(last->diag.message, diag->message) == 0;
}

/* Only some compilers or libraries accept it. */
static bool is_strict_error(const char *id)
{
    const struct ptog_rule *rule = ptog_rule_find(id);
    const struct ptog_text_rule *text = rule ? NULL : ptog_text_rule_find(id);
    return (rule && rule->strict) || (text && text->strict);
}

/* Its severity as the list wants it: --strict raises it, a branch that is never taken lowers it. */
static void adjust_severity(const struct ptog_diag_list *list, struct ptog_diag *diag)
{
    if (list->strict && is_strict_error(diag->id)) {
        diag->severity = PTOG_ERROR;
        diag->refuses = true;
    }
    if (list->unreached > 0 && is_refusal(diag)) {
        diag->severity = PTOG_WARNING;
        diag->refuses = false;
    }
}

/* Adds a copy of a diagnostic at a span, with its severity adjusted. NULL: it was not added, as it is repeated, the
 * list is full or off, or memory ran out; it counts all the same. */
struct ptog_diag_entry *ptog_diag_emit_copy(struct ptog_diag_list *list, const struct ptog_diag *diag,
                                            struct ptog_span span)
{
    struct ptog_diag copy = *diag;
    adjust_severity(list, &copy);
    list->errors += copy.severity == PTOG_ERROR;
    list->refusals += is_refusal(&copy);
    if (list->off || list->count > PTOG_MAX_DIAGS || is_repeated(list, &copy, span))
        return NULL;
    struct ptog_diag_entry *entry = reserve_entry(list);
    if (!entry)
        return NULL;
    *entry = (struct ptog_diag_entry){.diag = copy, .span = span, .stands_at = span.at, .number = list->count};
    if (list->count == PTOG_MAX_DIAGS)
        entry->diag = (struct ptog_diag){
            .id = PTOG_ID_TOO_MANY, .severity = PTOG_NOTE, .message = "too many findings; the rest is not shown"};
    entry->diag.message = copy_words(list, entry->diag.message);
    if (!ptog_diag_copy_fix(&list->arena, &entry->diag))
        list->no_memory = true;
    entry->diag.witness = copy_words(list, entry->diag.witness);
    if (list->no_memory)
        return NULL;
    list->count++;
    return entry;
}

static uint16_t kind_of_rule(const struct ptog_text_rule *rule)
{
    if (rule)
        return (uint16_t)(PTOG_DIAG_TEXT + (rule - ptog_text_rule_at(0)));
    return PTOG_DIAG_OTHER;
}

/* Adds the diagnostic of a text rule at a span, with severity and kind of the rule. Returns it to be completed; NULL:
 * it was not added. */
struct ptog_diag_entry *ptog_diag_emit(struct ptog_diag_list *list, const char *id, struct ptog_span span,
                                       const char *format, ...)
{
    char message[MAX_MESSAGE];
    const struct ptog_text_rule *rule = ptog_text_rule_find(id);
    enum ptog_severity severity = rule ? rule->severity : PTOG_ERROR;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct ptog_diag diag = {.id = id,
                             .kind = kind_of_rule(rule),
                             .severity = severity,
                             .refuses = severity == PTOG_ERROR,
                             .unjudged = rule && rule->unjudged,
                             .message = message};
    return ptog_diag_emit_copy(list, &diag, span);
}

bool ptog_diag_is_listed(const struct ptog_diag_list *list, const char *id, struct ptog_span span)
{
    uint16_t kind = kind_of_rule(ptog_text_rule_find(id));
    for (uint32_t i = 0; i < list->count; i++)
        if (list->list[i].diag.kind == kind && list->list[i].span.at == span.at)
            return true;
    return false;
}

void ptog_diag_relate(struct ptog_diag_entry *entry, struct ptog_span span, const char *message)
{
    if (entry && entry->diag.related_count < PTOG_MAX_RELATED)
        entry->related[entry->diag.related_count++] = (struct ptog_related){message, span};
}

void ptog_diag_add_fix(struct ptog_diag_list *list, struct ptog_diag_entry *entry, const char *fix)
{
    struct ptog_fix step = ptog_fix_of_words(fix);
    if (!entry)
        return;
    entry->diag.fix = &step;
    entry->diag.fix_count = 1;
    if (!ptog_diag_copy_fix(&list->arena, &entry->diag)) {
        entry->diag.fix_count = 0;
        list->no_memory = true;
    }
}

void ptog_diag_set_severity(struct ptog_diag_list *list, struct ptog_diag_entry *entry, enum ptog_severity severity)
{
    if (severity == PTOG_ERROR && list->unreached > 0)
        severity = PTOG_WARNING;
    if (severity == PTOG_ERROR && (!entry || entry->diag.severity != PTOG_ERROR)) {
        list->errors++;
        list->refusals++;
    }
    if (!entry)
        return;
    if (severity != PTOG_ERROR && entry->diag.severity == PTOG_ERROR) {
        list->errors--;
        list->refusals -= entry->diag.refuses;
    }
    entry->diag.severity = severity;
    entry->diag.refuses = severity == PTOG_ERROR;
}

/* Bytes that nothing has written come first: what follows from their values is no news then. */
static bool is_cause(const struct ptog_diag_entry *entry)
{
    return entry->diag.kind == PTOG_DIAG_UNINIT_READ || entry->diag.kind == PTOG_DIAG_PAD_READ;
}

/* A flag that is still set when an instruction uses it itself: the race there says which wait is missing. */
static bool is_consequence(const struct ptog_diag_entry *entry)
{
    return entry->diag.kind == PTOG_DIAG_FLAG_ID_CLASH;
}

/* qsort's comparison: the order in which entries are handed out. */
static int compare_entries(const void *a, const void *b)
{
    const struct ptog_diag_entry *x = a, *y = b;
    if (x->first != y->first)
        return x->first ? -1 : 1;
    if (x->stands_at != y->stands_at)
        return ptog_order(x->stands_at, y->stands_at);
    if (x->follows != y->follows)
        return x->follows ? 1 : -1;
    if (x->span.at != y->span.at)
        return ptog_order(x->span.at, y->span.at);
    if (is_cause(x) != is_cause(y))
        return is_cause(x) ? -1 : 1;
    if (is_consequence(x) != is_consequence(y))
        return is_consequence(x) ? 1 : -1;
    int ids = strcmp(x->diag.id, y->diag.id);
    if (ids != 0)
        return ids;
    return ptog_order(x->number, y->number);
}

/* A span as a place, with the author's own line behind it. */
static struct ptog_where where_of(struct ptog_diag_list *list, const struct ptog_origin_lookup *origins,
                                  struct ptog_span span, struct ptog_line_text *line)
{
    struct ptog_where where = ptog_where_of(list->source, span, line);
    if (origins && !origins->find(origins->user, span.at, &list->arena, &where.origin))
        list->no_memory = true;
    return where;
}

/* Copies an entry with its places and origins into the caller's list; false when out of memory. */
static bool give_entry(struct ptog_diag_list *list, const struct ptog_origin_lookup *origins,
                       const struct ptog_diag_entry *entry, ptog_diags *diags)
{
    struct ptog_line_text lines[PTOG_MAX_RELATED + 1];
    struct ptog_related_place related[PTOG_MAX_RELATED];
    struct ptog_diag diag = entry->diag;
    diag.where = entry->nowhere ? (struct ptog_where){.file = list->source->name}
                                : where_of(list, origins, entry->span, &lines[0]);
    for (size_t i = 0; i < diag.related_count; i++)
        related[i] =
            (struct ptog_related_place){.message = entry->related[i].message,
                                        .where = where_of(list, origins, entry->related[i].span, &lines[i + 1])};
    diag.related = related;
    return ptog_diags_add(diags, &diag);
}

/* Takes out what the text allows, and counts it in `diags`. */
static void remove_allowed(struct ptog_diag_list *list, ptog_diags *diags)
{
    struct ptog_allowed allowed = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (ptog_allows(&allowed, list->source, &list->list[i]))
            list->errors -= list->list[i].diag.severity == PTOG_ERROR;
        else
            list->list[kept++] = list->list[i];
    }
    ptog_diags_suppress(diags, list->count - kept);
    list->count = kept;
}

bool ptog_diag_list_give(struct ptog_diag_list *list, const struct ptog_origin_lookup *origins, ptog_diags *diags)
{
    if (list->count > 1)
        qsort(list->list, list->count, sizeof *list->list, compare_entries);
    remove_allowed(list, diags);
    for (uint32_t i = 0; diags && i < list->count; i++)
        if (!give_entry(list, origins, &list->list[i], diags))
            list->no_memory = true;
    return !list->no_memory;
}

void ptog_diag_list_free(struct ptog_diag_list *list)
{
    ptog_arena_free(&list->arena);
    ptog_index_free(&list->index);
    free(list->list);
    list->list = NULL;
    list->count = 0;
    list->room = 0;
}
