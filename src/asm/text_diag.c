/* asm: diagnostics about text, collected with their byte ranges; lines and columns are worked out later, for those that
 * are shown. */
#include "asm/text_diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static struct ptog_text_diag *new_entry(struct ptog_text_diags *diags)
{
    if (!ptog_array_reserve(&diags->list, diags->count + 1, &diags->room))
        return NULL;
    return &diags->list[diags->count];
}

struct ptog_text_diag *ptog_text_diag_add(struct ptog_text_diags *diags, const char *id, enum ptog_severity severity,
                                          struct ptog_span span, const char *format, ...)
{
    char message[512]; /* whoever quotes text cuts it: see ptog_quote */
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct ptog_text_diag *diag = new_entry(diags);
    const char *copy = diag ? ptog_arena_copy(&diags->arena, message, strlen(message)) : NULL;
    if (!copy)
        return NULL;
    *diag = (struct ptog_text_diag){.id = id, .severity = severity, .message = copy, .span = span};
    diags->count++;
    diags->error_count += severity == PTOG_ERROR;
    return diag;
}

bool ptog_text_diag_relate(struct ptog_text_diags *diags, struct ptog_text_diag *diag, struct ptog_span span,
                           const char *message)
{
    if (!diag)
        return false;
    size_t n = diag->related_count;
    struct ptog_related *related = ptog_arena_alloc(&diags->arena, (n + 1) * sizeof *related);
    const char *copy = ptog_arena_copy(&diags->arena, message, strlen(message));
    if (!related || !copy)
        return false;
    if (n > 0)
        memcpy(related, diag->related, n * sizeof *related);
    related[n] = (struct ptog_related){copy, span};
    diag->related = related;
    diag->related_count = n + 1;
    return true;
}

bool ptog_text_diag_fix(struct ptog_text_diags *diags, struct ptog_text_diag *diag, const char *line)
{
    if (!diag)
        return false;
    size_t n = diag->fix_count;
    const char **fix = ptog_arena_alloc(&diags->arena, (n + 1) * sizeof *fix);
    const char *copy = ptog_arena_copy(&diags->arena, line, strlen(line));
    if (!fix || !copy)
        return false;
    if (n > 0)
        memcpy(fix, diag->fix, n * sizeof *fix);
    fix[n] = copy;
    diag->fix = fix;
    diag->fix_count = n + 1;
    return true;
}

void ptog_text_diags_free(struct ptog_text_diags *diags)
{
    ptog_arena_free(&diags->arena);
    free(diags->list);
    *diags = (struct ptog_text_diags){0};
}
