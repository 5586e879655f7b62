/* program: what was found, until it is handed out in the order of the text. */
#include "program/found.h"
#include "base/pick.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/rule.h>

#include "asm/loc.h"
#include "base/array.h"
#include "base/diag.h"
#include "diag/kind.h"
#include "program/allow.h"
#include "program/where.h"

#define LONGEST_MESSAGE 512

static struct ptog_found *new_found(struct ptog_finds *finds)
{
    if (!ptog_array_reserve(&finds->list, finds->count + 1, &finds->room)) {
        finds->no_memory = true;
        return NULL;
    }
    return &finds->list[finds->count];
}

static const char *copy_text(struct ptog_finds *finds, const char *text)
{
    const char *copy = text ? ptog_arena_copy(&finds->arena, text, strlen(text)) : NULL;
    if (text && !copy)
        finds->no_memory = true;
    return copy;
}

static bool refuses(const struct ptog_diag *diag)
{
    return diag->severity == PTOG_ERROR && diag->refuses;
}

/* One operand that stands twice in an operation with one type would be reported twice. What a run found and counted is
 * one entry already: the same words again are about another place. */
static bool is_repeated(const struct ptog_finds *finds, const struct ptog_diag *diag, struct ptog_span span)
{
    const struct ptog_found *last = finds->count > 0 ? &finds->list[finds->count - 1] : NULL;
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

struct ptog_found *ptog_say_diag(struct ptog_finds *finds, const struct ptog_diag *said, struct ptog_span span)
{
    struct ptog_diag copy = *said, *diag = &copy;
    if (finds->strict && is_strict_error(diag->id)) {
        diag->severity = PTOG_ERROR;
        diag->refuses = true;
    }
    if (finds->unreached > 0 && refuses(diag)) {
        diag->severity = PTOG_WARNING;
        diag->refuses = false;
    }
    finds->errors += diag->severity == PTOG_ERROR;
    finds->refusals += refuses(diag);
    if (finds->off || finds->count > PTOG_MOST_FOUND || is_repeated(finds, diag, span))
        return NULL;
    struct ptog_found *found = new_found(finds);
    if (!found)
        return NULL;
    *found = (struct ptog_found){.diag = *diag, .span = span, .stands_at = span.at, .order = finds->count};
    if (finds->count == PTOG_MOST_FOUND)
        found->diag = (struct ptog_diag){
            .id = PTOG_ID_TOO_MANY, .severity = PTOG_NOTE, .message = "too many findings; the rest is not shown"};
    found->diag.message = copy_text(finds, found->diag.message);
    if (!ptog_diag_copy_fix(&finds->arena, &found->diag))
        finds->no_memory = true;
    found->diag.witness = copy_text(finds, found->diag.witness);
    if (finds->no_memory)
        return NULL;
    finds->count++;
    return found;
}

static uint16_t kind_of(const struct ptog_text_rule *rule)
{
    if (rule)
        return (uint16_t)(PTOG_DIAG_TEXT + (rule - ptog_text_rule_at(0)));
    return PTOG_DIAG_OTHER;
}

struct ptog_found *ptog_say(struct ptog_finds *finds, const char *id, struct ptog_span span, const char *format, ...)
{
    char message[LONGEST_MESSAGE];
    const struct ptog_text_rule *rule = ptog_text_rule_find(id);
    enum ptog_severity severity = rule ? rule->severity : PTOG_ERROR;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct ptog_diag diag = {.id = id,
                             .kind = kind_of(rule),
                             .severity = severity,
                             .refuses = severity == PTOG_ERROR,
                             .unjudged = rule && rule->unjudged,
                             .message = message};
    return ptog_say_diag(finds, &diag, span);
}

void ptog_say_related(struct ptog_found *found, struct ptog_span span, const char *message)
{
    if (found && found->diag.related_count < PTOG_MOST_RELATED)
        found->related[found->diag.related_count++] = (struct ptog_related){message, span};
}

void ptog_say_fix(struct ptog_finds *finds, struct ptog_found *found, const char *fix)
{
    struct ptog_fix step = ptog_fix_of_words(fix);
    if (!found)
        return;
    found->diag.fix = &step;
    found->diag.fix_count = 1;
    if (!ptog_diag_copy_fix(&finds->arena, &found->diag)) {
        found->diag.fix_count = 0;
        finds->no_memory = true;
    }
}

void ptog_say_severity(struct ptog_finds *finds, struct ptog_found *found, enum ptog_severity severity)
{
    if (severity == PTOG_ERROR && finds->unreached > 0)
        severity = PTOG_WARNING;
    if (severity == PTOG_ERROR && (!found || found->diag.severity != PTOG_ERROR)) {
        finds->errors++;
        finds->refusals++;
    }
    if (!found)
        return;
    if (severity != PTOG_ERROR && found->diag.severity == PTOG_ERROR) {
        finds->errors--;
        finds->refusals -= found->diag.refuses;
    }
    found->diag.severity = severity;
    found->diag.refuses = severity == PTOG_ERROR;
}

/* Bytes that nothing has written come first: what follows from their values is no news then. */
static bool is_cause(const struct ptog_found *found)
{
    return found->diag.kind == PTOG_DIAG_UNINIT_READ || found->diag.kind == PTOG_DIAG_PAD_READ;
}

/* A flag that is still set when an instruction uses it itself: the race there says which wait is missing. */
static bool is_consequence(const struct ptog_found *found)
{
    return found->diag.kind == PTOG_DIAG_FLAG_ID_CLASH;
}

static int by_place(const void *a, const void *b)
{
    const struct ptog_found *x = a, *y = b;
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
    return ptog_order(x->order, y->order);
}

/* A span as a place, with the author's own line behind it. */
static struct ptog_where where_of(struct ptog_finds *finds, const struct ptog_loc_map *locs, struct ptog_span span,
                                  struct ptog_line_text *line)
{
    struct ptog_where where = ptog_where_of(finds->source, span, line);
    if (!ptog_loc_origin(finds->tree, ptog_loc_map_find(locs, span.at), &finds->arena, &where.origin))
        finds->no_memory = true;
    return where;
}

static bool give_one(struct ptog_finds *finds, const struct ptog_loc_map *locs, const struct ptog_found *found,
                     ptog_diags *diags)
{
    struct ptog_line_text lines[PTOG_MOST_RELATED + 1];
    struct ptog_related_place related[PTOG_MOST_RELATED];
    struct ptog_diag diag = found->diag;
    diag.where = found->nowhere ? (struct ptog_where){.file = finds->source->name}
                                : where_of(finds, locs, found->span, &lines[0]);
    for (size_t i = 0; i < diag.related_count; i++)
        related[i] = (struct ptog_related_place){.message = found->related[i].message,
                                                 .where = where_of(finds, locs, found->related[i].span, &lines[i + 1])};
    diag.related = related;
    return ptog_diags_add(diags, &diag);
}

/* Takes out what the text allows, and counts it in `diags`. */
static void leave_out_allowed(struct ptog_finds *finds, ptog_diags *diags)
{
    struct ptog_allowed allowed = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < finds->count; i++) {
        if (ptog_allows(&allowed, finds->source, &finds->list[i]))
            finds->errors -= finds->list[i].diag.severity == PTOG_ERROR;
        else
            finds->list[kept++] = finds->list[i];
    }
    ptog_diags_suppress(diags, finds->count - kept);
    finds->count = kept;
}

bool ptog_finds_give(struct ptog_finds *finds, ptog_diags *diags)
{
    if (finds->count > 1)
        qsort(finds->list, finds->count, sizeof *finds->list, by_place);
    leave_out_allowed(finds, diags);
    struct ptog_loc_map locs = {0};
    if (diags && finds->count > 0 && !ptog_loc_map_open(&locs, finds->tree))
        finds->no_memory = true;
    for (uint32_t i = 0; diags && i < finds->count; i++)
        if (!give_one(finds, &locs, &finds->list[i], diags))
            finds->no_memory = true;
    ptog_loc_map_close(&locs);
    return !finds->no_memory;
}

void ptog_finds_free(struct ptog_finds *finds)
{
    ptog_arena_free(&finds->arena);
    free(finds->list);
    finds->list = NULL;
    finds->count = 0;
    finds->room = 0;
}

/* ---- what the parser or printer said */

/* Its fix, a step for each line. False when out of memory. */
static bool fix_of(struct ptog_finds *finds, const struct ptog_text_diag *from, struct ptog_diag *diag)
{
    struct ptog_fix *steps = ptog_arena_alloc(&finds->arena, (from->fix_count + 1) * sizeof *steps);
    for (size_t i = 0; steps && i < from->fix_count; i++)
        steps[i] = ptog_fix_of_words(from->fix[i]);
    diag->fix = steps;
    diag->fix_count = steps ? from->fix_count : 0;
    return steps != NULL;
}

bool ptog_text_diags_give(const struct ptog_source *source, const struct ptog_text_diags *from, ptog_diags *diags)
{
    struct ptog_finds finds = {.source = source};
    for (size_t i = 0; diags && i < from->count; i++) {
        const struct ptog_text_diag *said = &from->list[i];
        struct ptog_diag diag = {.id = said->id,
                                 .kind = kind_of(ptog_text_rule_find(said->id)),
                                 .severity = said->severity,
                                 .refuses = said->severity == PTOG_ERROR,
                                 .message = said->message};
        finds.no_memory |= said->fix_count > 0 && !fix_of(&finds, said, &diag);
        struct ptog_found *found = ptog_say_diag(&finds, &diag, said->span);
        for (size_t k = 0; k < said->related_count; k++)
            ptog_say_related(found, said->related[k].span, said->related[k].message);
    }
    bool good = ptog_finds_give(&finds, diags) && !finds.no_memory;
    ptog_finds_free(&finds);
    return good;
}
