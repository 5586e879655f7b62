/* base: the list of diagnostics behind ptog/diag.h. */
#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/diag_list.h"
#include "base/origin.h"
#include "base/pick.h"
#include "base/zeroed.h"

ptog_diags *ptog_diags_new(void)
{
    return ptog_zeroed(sizeof(ptog_diags));
}

void ptog_diags_clear(ptog_diags *diags)
{
    if (!diags)
        return;
    ptog_arena_free(&diags->arena);
    diags->count = 0;
    diags->suppressed = 0;
    diags->file_count = 0;
}

void ptog_diags_keep(ptog_diags *diags, enum ptog_severity least)
{
    size_t kept = 0;
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        if (diags->entries[i]->severity >= least || diags->entries[i]->unjudged)
            diags->entries[kept++] = diags->entries[i];
    if (diags)
        diags->count = kept;
}

void ptog_diags_remove(ptog_diags *diags, size_t i)
{
    if (i >= ptog_diags_count(diags))
        return;
    diags->count--;
    memmove(&diags->entries[i], &diags->entries[i + 1], (diags->count - i) * sizeof(struct ptog_diag *));
}

void ptog_diags_free(ptog_diags *diags)
{
    if (!diags)
        return;
    ptog_diags_clear(diags);
    free(diags->entries);
    free(diags);
}

size_t ptog_diags_count(const ptog_diags *diags)
{
    if (diags)
        return diags->count;
    return 0;
}

const struct ptog_diag *ptog_diags_at(const ptog_diags *diags, size_t i)
{
    if (i < ptog_diags_count(diags))
        return diags->entries[i];
    return NULL;
}

void ptog_diags_suppress(ptog_diags *diags, size_t count)
{
    if (diags)
        diags->suppressed += count;
}

size_t ptog_diags_suppressed(const ptog_diags *diags)
{
    if (diags)
        return diags->suppressed;
    return 0;
}

bool ptog_diags_not_for(ptog_diags *diags, const char *target)
{
    char message[1024];
    size_t i = 0;
    while (i < ptog_diags_count(diags) && diags->entries[i]->severity != PTOG_ERROR)
        i++;
    if (i >= ptog_diags_count(diags) || !target)
        return true;
    struct ptog_diag *first = diags->entries[i];
    int length = snprintf(message, sizeof message, "not for %s: %s", target, first->message);
    char *copy = ptog_arena_copy(&diags->arena, message, ptog_min((size_t)length, sizeof message - 1));
    if (!copy)
        return false;
    first->message = copy;
    first->severity = PTOG_NOTE;
    first->refuses = first->unjudged = false;
    diags->entries[0] = first;
    diags->count = 1;
    return true;
}

/* What a list says of a program: failed with any error, else not judged if a diagnostic says so, else passed. */
enum ptog_verdict ptog_diags_verdict(const ptog_diags *diags)
{
    enum ptog_verdict verdict = PTOG_PASSED;
    for (size_t i = 0; i < ptog_diags_count(diags); i++) {
        if (diags->entries[i]->unjudged)
            verdict = PTOG_NOT_JUDGED;
        else if (diags->entries[i]->severity == PTOG_ERROR)
            return PTOG_FAILED;
    }
    return verdict;
}

/* Replaces a text by a copy in the arena; false when out of memory. NULL stays. */
static bool copy_text(struct ptog_arena *arena, const char **text)
{
    if (!*text)
        return true;
    *text = ptog_arena_copy(arena, *text, strlen(*text));
    return *text != NULL;
}

/* Replaces the texts of a place, and its origin, by copies in the arena; false when out of memory. */
static bool copy_where(struct ptog_arena *arena, struct ptog_where *where)
{
    return copy_text(arena, &where->file) && copy_text(arena, &where->text) && ptog_origin_copy(arena, &where->origin);
}

/* Replaces the steps of a diagnostic's fix by a copy in the arena; false when out of memory. */
bool ptog_diag_copy_fix(struct ptog_arena *arena, struct ptog_diag *diag)
{
    if (diag->fix_count == 0) {
        diag->fix = NULL;
        return true;
    }
    struct ptog_fix *copy = ptog_arena_alloc(arena, diag->fix_count * sizeof *copy);
    if (!copy)
        return false;
    memcpy(copy, diag->fix, diag->fix_count * sizeof *copy);
    diag->fix = copy;
    for (size_t i = 0; i < diag->fix_count; i++)
        if (!copy_where(arena, &copy[i].where) || !copy_text(arena, &copy[i].name) ||
            !copy_text(arena, &copy[i].text) || !copy_text(arena, &copy[i].more))
            return false;
    return true;
}

/* Replaces the related places of a diagnostic by a copy in the arena; false when out of memory. */
static bool copy_related(struct ptog_arena *arena, struct ptog_diag *entry)
{
    if (entry->related_count == 0)
        return true;
    size_t bytes = entry->related_count * sizeof *entry->related;
    struct ptog_related_place *copy = ptog_arena_alloc(arena, bytes);
    if (!copy)
        return false;
    memcpy(copy, entry->related, bytes);
    entry->related = copy;
    for (size_t i = 0; i < entry->related_count; i++)
        if (!copy_text(arena, &copy[i].message) || !copy_where(arena, &copy[i].where))
            return false;
    return true;
}

/* A fix that names a line names the file with it, where the diagnostic itself is reported in another one. */
static void name_files(struct ptog_diag *entry)
{
    struct ptog_fix *steps = (struct ptog_fix *)(uintptr_t)entry->fix; /* the list's own copy */
    for (size_t i = 0; entry->where.origin && i < entry->fix_count; i++)
        steps[i].names_file = steps[i].where.file != NULL;
}

bool ptog_diags_add(ptog_diags *diags, const struct ptog_diag *diag)
{
    struct ptog_arena *arena = &diags->arena;
    struct ptog_diag *entry = ptog_arena_alloc(arena, sizeof *entry);
    if (!entry || !ptog_array_reserve(&diags->entries, diags->count + 1, &diags->room))
        return false;
    *entry = *diag;
    if (!copy_text(arena, &entry->message) || !ptog_diag_copy_fix(arena, entry) || !copy_text(arena, &entry->witness) ||
        !copy_where(arena, &entry->where) || !copy_related(arena, entry))
        return false;
    name_files(entry);
    ptog_diags_list_files(diags, entry);
    diags->entries[diags->count++] = entry;
    return true;
}

enum ptog_status ptog_diags_append(ptog_diags *diags, const struct ptog_diag *diag)
{
    if (!diag || !diag->id || !diag->message)
        return PTOG_BAD_ARGUMENT;
    if (!diags)
        return PTOG_OK;
    struct ptog_diag copy = *diag;
    bool copied = copy_text(&diags->arena, &copy.id) && copy_text(&diags->arena, &copy.operand) &&
                  copy_text(&diags->arena, &copy.documented);
    if (copied && ptog_diags_add(diags, &copy))
        return PTOG_OK;
    return PTOG_NO_MEMORY;
}

const char *ptog_severity_name(enum ptog_severity severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    if ((unsigned)severity < 3)
        return names[severity];
    return "?";
}

const char *ptog_verdict_name(enum ptog_verdict verdict)
{
    static const char *const names[] = {"passed", "not judged", "failed"};
    if ((unsigned)verdict < 3)
        return names[verdict];
    return "?";
}

enum ptog_status ptog_bad_argument(ptog_diags *diags, const char *call, const char *argument, const char *problem)
{
    char message[200];
    if (diags) {
        snprintf(message, sizeof message, "%s: %s %s", call, argument, problem);
        ptog_diags_add(diags, &(struct ptog_diag){
                                  .id = "bad-argument", .severity = PTOG_ERROR, .refuses = true, .message = message});
    }
    return PTOG_BAD_ARGUMENT;
}
