/* repair: the flags and barriers of a text. */
#include "repair/edits/text_flags.h"

#include <string.h>

#include "base/array.h"
#include "lower/eval.h"
#include "repair/edits/places.h"
#include "repair/reference.h"

bool ptog_is_same_flag(const struct ptog_sync *a, const struct ptog_sync *b)
{
    return a->src == b->src && a->dst == b->dst && a->id == b->id;
}

bool ptog_are_partners(const struct ptog_sync *a, const struct ptog_sync *b)
{
    return ptog_is_same_flag(a, b) && !ptog_sync_is_barrier(a) && a->part != b->part;
}

bool ptog_is_alone(const struct ptog_text_flags *flags, const struct ptog_sync *sync)
{
    for (uint32_t i = 0; i < flags->count; i++)
        if (ptog_are_partners(&flags->of[i].sync, sync))
            return false;
    return true;
}

bool ptog_op_is_flag(const struct ptog_op *op)
{
    return op->name == PTOG_OP_NAME_SET_FLAG || op->name == PTOG_OP_NAME_WAIT_FLAG || op->name == PTOG_OP_NAME_BARRIER;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_on_one_line(const struct ptog_source *source, const struct ptog_op *op)
{
    return memchr(source->bytes + op->span.at, '\n', op->span.length) == NULL;
}

/* Whether an operation stands on a line of its own, where nothing but a comment may follow it. */
static bool has_line(const struct ptog_source *source, const struct ptog_op *op)
{
    uint32_t start = op->span.at, end = op->span.at + op->span.length;
    while (start > 0 && is_blank(source->bytes[start - 1]))
        start--;
    while (end < source->size && is_blank(source->bytes[end]))
        end++;
    return (start == 0 || source->bytes[start - 1] == '\n') && (end == source->size || source->bytes[end] == '\n' ||
                                                                source->bytes[end] == '/' || source->bytes[end] == ';');
}

/* Appends an operation to the list if it is a flag or barrier that can be edited. False when out of memory. */
static bool add_flag(struct ptog_text_flags *flags, const struct ptog_tries *tries, const struct ptog_region *region,
                     const struct ptog_op *op)
{
    static const struct ptog_sync none;
    const struct ptog_source *source = &tries->e->program->source;
    const struct ptog_added *added = tries->added;
    const struct ptog_edit *edit = &added->edits[op->number];
    const struct ptog_sync *sync = &tries->reference->flags[op->number];
    if (!ptog_op_is_flag(op) || memcmp(sync, &none, sizeof none) == 0 || ptog_op_is_gone(added, op) ||
        !is_on_one_line(source, op))
        return true;
    if (!ptog_array_reserve(&flags->of, flags->count + 1, &flags->room))
        return false;
    bool is_used = added->before[op->number].count + added->after[op->number].count > 0; /* others were put there */
    flags->of[flags->count++] = (struct ptog_text_flag){.op = op,
                                                        .region = region,
                                                        .sync = edit->kind == PTOG_EDIT_REPLACE ? edit->sync : *sync,
                                                        .changed = edit->kind == PTOG_EDIT_REPLACE,
                                                        .has_line = has_line(source, op) && !is_used};
    return true;
}

/* Appends the flags and barriers of a region and of those inside it. False when out of memory. */
static bool list_region(struct ptog_text_flags *flags, const struct ptog_tries *tries, const struct ptog_region *region)
{
    bool good = true;
    for (const struct ptog_op *op = region->first; op && good; op = op->next) {
        good = add_flag(flags, tries, region, op);
        for (uint32_t i = 0; i < op->part_count && good; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                good = list_region(flags, tries, op->parts[i].region);
    }
    return good;
}

bool ptog_text_flags_list(struct ptog_text_flags *flags, const struct ptog_tries *tries)
{
    *flags = (struct ptog_text_flags){0};
    return list_region(flags, tries, tries->function->region);
}

const struct ptog_text_flag *ptog_text_flag_at(const struct ptog_text_flags *flags, const struct ptog_source *source,
                                               const struct ptog_where *where)
{
    for (uint32_t i = 0; i < flags->count; i++) {
        struct ptog_place place = ptog_source_place(source, flags->of[i].op->name_span);
        if (place.line == where->line && place.column == where->column)
            return &flags->of[i];
    }
    return NULL;
}
