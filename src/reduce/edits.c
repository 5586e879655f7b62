/* reduce: edits of a text, made together, and judged by a run of what they make. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "reduce/reduce.h"

/* Adds an edit: the text of a span becomes another one. Sets `too_long` or `no_memory` where it cannot be kept. */
void ptog_edits_replace(struct ptog_text_edits *edits, struct ptog_span span, const char *with)
{
    edits->too_long = edits->too_long || strlen(with) >= MAX_NAME;
    if (!ptog_array_reserve(&edits->of, edits->count + 1, &edits->room)) {
        edits->no_memory = true;
        return;
    }
    struct ptog_text_edit *edit = &edits->of[edits->count++];
    struct ptog_text text;
    edit->span = span;
    ptog_text_init(&text, edit->with, sizeof edit->with);
    ptog_text_add(&text, with);
}

/* ---- statements ---- */

static bool is_blank_in_line(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The span with the rest of its line, when nothing else stands on it. */
static struct ptog_span whole_line(const struct ptog_source *source, struct ptog_span span)
{
    uint32_t at = span.at, end = span.at + span.length;
    while (at > 0 && is_blank_in_line(source->bytes[at - 1]))
        at--;
    while (end < source->size && is_blank_in_line(source->bytes[end]))
        end++;
    bool comment = end + 1 < source->size && source->bytes[end] == '/' && source->bytes[end + 1] == '/';
    while (comment && end < source->size && source->bytes[end] != '\n')
        end++;
    bool alone = (at == 0 || source->bytes[at - 1] == '\n') && (end == source->size || source->bytes[end] == '\n');
    if (!alone)
        return span;
    end += end < source->size;
    return (struct ptog_span){at, end - at};
}

void ptog_edits_remove_op(struct ptog_text_edits *edits, const struct ptog_program *program, const struct ptog_op *op)
{
    ptog_edits_replace(edits, whole_line(&program->source, op->span), "");
    for (const struct ptog_comment *comment = op->comments; comment; comment = comment->next)
        ptog_edits_replace(edits, whole_line(&program->source, comment->span), "");
}

/* ---- values ---- */

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '.' || c == '-';
}

void ptog_edits_rename(struct ptog_text_edits *edits, const struct ptog_program *program, struct ptog_span where,
                       const char *name, const char *with)
{
    const char *bytes = program->source.bytes;
    uint32_t length = (uint32_t)strlen(name), end = where.at + where.length;
    char text[MAX_NAME + 1]; /* one more: a name that does not fit is too long for an edit, too */
    struct ptog_text value;
    ptog_text_init(&value, text, sizeof text);
    ptog_text_addf(&value, "%%%s", with);
    for (uint32_t at = where.at; at + length < end; at++)
        if (bytes[at] == '%' && memcmp(bytes + at + 1, name, length) == 0 &&
            (at + 1 + length == end || !is_name_char(bytes[at + 1 + length])))
            ptog_edits_replace(edits, (struct ptog_span){at, length + 1}, text);
}

/* ---- the new text ---- */

static int compare_edits(const void *a, const void *b)
{
    const struct ptog_text_edit *x = a, *y = b;
    if (x->span.at != y->span.at)
        return x->span.at < y->span.at ? -1 : 1;
    return (x->span.length < y->span.length) - (x->span.length > y->span.length);
}

/* The text with the edits made, to be freed; an edit inside another one is left out. */
static char *edited_text(const struct ptog_source *source, struct ptog_text_edits *edits, size_t *size)
{
    char *bytes = malloc(source->size + edits->count * MAX_NAME + 1);
    uint32_t at = 0;
    *size = 0;
    qsort(edits->of, edits->count, sizeof *edits->of, compare_edits);
    for (size_t i = 0; bytes && i < edits->count; i++) {
        const struct ptog_text_edit *edit = &edits->of[i];
        size_t length = strlen(edit->with);
        if (edit->span.at < at)
            continue;
        memcpy(bytes + *size, source->bytes + at, edit->span.at - at);
        memcpy(bytes + *size + (edit->span.at - at), edit->with, length);
        *size += edit->span.at - at + length;
        at = edit->span.at + edit->span.length;
    }
    if (bytes) {
        memcpy(bytes + *size, source->bytes + at, source->size - at);
        *size += source->size - at;
    }
    return bytes;
}

bool ptog_try_text(struct ptog_reduced *r, const char *bytes, size_t size)
{
    ptog_program *program = NULL;
    if (ptog_reduction_is_over(r))
        return false;
    enum ptog_status status = ptog_program_parse(&program, r->program->name, bytes, size, NULL);
    r->no_memory = r->no_memory || status == PTOG_NO_MEMORY;
    if (status != PTOG_OK)
        return false;
    ptog_program_be_strict(program, r->program->strict);
    bool holds = ptog_has_goal(r, program, &r->inputs);
    if (holds) {
        ptog_program *old = r->program;
        r->program = program;
        program = old;
    }
    ptog_program_free(program);
    return holds;
}

bool ptog_try_edits(struct ptog_reduced *r, struct ptog_text_edits *edits)
{
    size_t size = 0;
    bool holds = false;
    r->no_memory = r->no_memory || edits->no_memory;
    if (edits->count > 0 && !edits->too_long && !r->no_memory) {
        char *bytes = edited_text(&r->program->source, edits, &size);
        r->no_memory = !bytes;
        holds = bytes && ptog_try_text(r, bytes, size);
        free(bytes);
    }
    free(edits->of);
    *edits = (struct ptog_text_edits){0};
    return holds;
}
