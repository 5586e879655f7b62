/* repair: a program with changes, as text: in level 3 with all addresses, or its own text and the changes. */
#include "repair/write.h"

#include <stdio.h>
#include <string.h>

#include "interp/result.h"
#include "lower/place.h"
#include "repair/edits/flush.h"
#include "repair/edits/moved.h"
#include "repair/edits/places.h"

#define MAX_LINE 96

/* ---- lines */

/* One half of a pair, or a barrier. */
static void write_line(char line[MAX_LINE], const struct ptog_sync *sync, enum ptog_fix_kind kind)
{
    struct ptog_fix step = {.kind = ptog_sync_is_barrier(sync) ? ptog_single_fix(sync) : kind,
                            .src = (enum ptog_pipe)sync->src,
                            .dst = (enum ptog_pipe)sync->dst,
                            .id = sync->id,
                            .spelling = PTOG_SPELL_TEXT};
    ptog_fix_statement(&step, line, MAX_LINE);
}

/* The number of the pair or barrier that line *i is of: a barrier is one line, a pair two. *i becomes the number of the
 * line among those. */
static uint32_t sync_of_line(const struct ptog_lines *lines, uint32_t *i)
{
    uint32_t k = 0;
    for (; k < lines->count; k++) {
        uint32_t count = ptog_sync_is_barrier(&lines->of[k]) || lines->of[k].part != PTOG_SYNC_WHOLE ? 1 : 2;
        if (*i < count)
            break;
        *i -= count;
    }
    return k;
}

/* Line i of those before or after an operation; NULL past the end. */
static const char *line_of(const struct ptog_lines *lines, uint32_t i, char line[MAX_LINE])
{
    uint32_t k = sync_of_line(lines, &i);
    if (k == lines->count)
        return NULL;
    const struct ptog_sync *sync = &lines->of[k];
    write_line(line, sync, i == 1 || sync->part == PTOG_SYNC_WAIT ? PTOG_FIX_WAIT : PTOG_FIX_SET);
    return line;
}

/* ---- level 3 */

struct printing {
    const ptog_result *result;
    char line[MAX_LINE];
};

/* Which tiles above it a tile has bytes with: a comment, before the operation that makes it. */
static const char *comment_of(const ptog_result *result, const struct ptog_op *op, char line[MAX_LINE])
{
    const struct ptog_tile_place *mine = ptog_place_find(result->places, result->place_count, op->number, 1);
    size_t used = 0, count = 0;
    for (const struct ptog_tile_place *other = result->places; mine && other < mine; other++) {
        if (!ptog_places_overlap(mine, other))
            continue;
        if (used + 48 > MAX_LINE)
            return count > 0 ? strcat(line, ", ...") : NULL;
        used += (size_t)snprintf(line + used, MAX_LINE - used, "%s%%%.32s", count++ ? ", " : "// over ",
                                 ptog_tree_text(&result->program->tree, other->name));
    }
    if (count > 0)
        return line;
    return NULL;
}

/* For the printer: the text of line i before an operation; NULL when there are no more. Valid until the next call. */
static const char *added_line(void *user, const struct ptog_op *op, uint32_t i)
{
    struct printing *printing = user;
    const struct ptog_lines *before = printing->result->added.before;
    const char *comment = printing->result->shared ? comment_of(printing->result, op, printing->line) : NULL;
    if (comment && i-- == 0)
        return comment;
    if (before)
        return line_of(&before[op->number], i, printing->line);
    return NULL;
}

/* For the printer: sets *addr to the address that a run gave tile `which` of an operation. False when it gave none. */
static bool added_address(void *user, const struct ptog_op *op, uint32_t which, uint64_t *addr)
{
    const ptog_result *result = ((struct printing *)user)->result;
    const struct ptog_tile_place *place = ptog_place_find(result->places, result->place_count, op->number, which + 1);
    if (!place)
        return false;
    *addr = place->addr;
    return true;
}

/* For the printer: the mode that mgather had in the run, where the text names none; NULL: none. */
static const char *added_attrs(void *user, const struct ptog_op *op)
{
    struct printing *printing = user;
    const uint8_t *modes = printing->result->modes;
    if (!modes || modes[op->number] == 0)
        return NULL;
    snprintf(printing->line, sizeof printing->line, "{coalesce = #pto<coalesce %s>}",
             ptog_coalesce_name((enum ptog_coalesce)(modes[op->number] - 1)));
    return printing->line;
}

enum ptog_status ptog_write_result(const ptog_result *result, const struct ptog_sink *sink, struct ptog_diag_list *said)
{
    struct printing printing = {.result = result};
    struct ptog_additions additions = {&printing, added_line, added_address, added_attrs};
    return ptog_print_with(&result->program->tree, PTOG_TEXT_DPS, &additions, sink, said);
}

/* ---- the same text with changes */

struct writing {
    const struct ptog_program *program;
    const struct ptog_added *added;
    const struct ptog_sink *sink;
    size_t done; /* bytes of the source written so far */
};

/* Writes the source up to an offset, unless that is written. */
static void write_up_to(struct writing *w, size_t at)
{
    if (at > w->done)
        w->sink->write(w->sink->user, w->program->source.bytes + w->done, at - w->done);
    if (at > w->done)
        w->done = at;
}

/* As the first line of the text ends. */
static const char *end_of_line(const struct ptog_source *source)
{
    uint32_t second = source->line_count > 1 ? source->lines[1] : 0;
    if (second > 1 && source->bytes[second - 2] == '\r')
        return "\r\n";
    return "\n";
}

/* The indentation of the line that an operation starts in. */
static struct ptog_span indent_of(const struct ptog_source *source, const struct ptog_op *op)
{
    uint32_t start = op->span.at, end;
    while (start > 0 && source->bytes[start - 1] != '\n')
        start--;
    for (end = start; end < op->span.at && (source->bytes[end] == ' ' || source->bytes[end] == '\t');)
        end++;
    return (struct ptog_span){start, end - start};
}

/* Writes text that is not of the source. */
static void write_text(struct writing *w, const char *text, size_t length)
{
    if (length > 0)
        w->sink->write(w->sink->user, text, length);
}

/* ---- statements that are moved */

uint32_t ptog_end_with_comment(const struct ptog_source *source, struct ptog_span op)
{
    uint32_t end = op.at + op.length, at = end;
    while (at < source->size && (source->bytes[at] == ' ' || source->bytes[at] == '\t'))
        at++;
    if (at == source->size || (source->bytes[at] != '/' && source->bytes[at] != ';'))
        return end;
    while (at < source->size && source->bytes[at] != '\n' && source->bytes[at] != '\r')
        at++;
    return at;
}

/* A line that is added, with the tail of the statement that it was moved from. */
static void write_added(struct writing *w, const struct ptog_op *at, bool after, const struct ptog_lines *lines,
                        uint32_t i, const char *line)
{
    const struct ptog_op *from = ptog_moved_from(&w->program->tree, w->added, at, after, sync_of_line(lines, &i));
    char tail[PTOG_LONGEST_TAIL];
    write_text(w, line, strlen(line));
    if (from)
        write_text(w, tail, ptog_statement_tail(w->program, from, tail));
}

/* ---- lines that are added */

/* Lines go where the operation starts, indented as its line is. They belong to `owner`, which is the operation, or the
 * one before it, `after` which they stand. */
static void write_before(struct writing *w, const struct ptog_op *op, const struct ptog_op *owner,
                         const struct ptog_lines *lines)
{
    const struct ptog_source *source = &w->program->source;
    const char *line, *end = end_of_line(source);
    struct ptog_span indent = indent_of(source, op);
    char text[MAX_LINE];
    write_up_to(w, op->span.at);
    for (uint32_t i = 0; (line = line_of(lines, i, text)) != NULL; i++) {
        write_added(w, owner, owner != op, lines, i, line);
        write_text(w, end, strlen(end));
        write_text(w, source->bytes + indent.at, indent.length);
    }
}

/* Writes the lines that follow an operation, behind it and its comment, with its indent. */
static void write_behind(struct writing *w, const struct ptog_op *op, const struct ptog_lines *lines)
{
    const struct ptog_source *source = &w->program->source;
    const char *line, *end = end_of_line(source);
    struct ptog_span indent = indent_of(source, op);
    char text[MAX_LINE];
    write_up_to(w, ptog_end_with_comment(source, op->span));
    for (uint32_t i = 0; (line = line_of(lines, i, text)) != NULL; i++) {
        write_text(w, end, strlen(end));
        write_text(w, source->bytes + indent.at, indent.length);
        write_added(w, op, true, lines, i, line);
    }
}

const struct ptog_op *ptog_op_behind(const struct ptog_source *source, const struct ptog_added *added,
                                     const struct ptog_op *op)
{
    if (!memchr(source->bytes + op->span.at, '\n', op->span.length) || !op->next || ptog_op_is_gone(added, op->next))
        return NULL;
    return op->next;
}

/* Writes another statement in the place of this one; or leaves its line out, if it was moved or removed. */
static void write_edit(struct writing *w, const struct ptog_op *op, const struct ptog_edit *edit)
{
    const struct ptog_source *source = &w->program->source;
    char text[MAX_LINE];
    uint32_t start = op->span.at, end = op->span.at + op->span.length;
    if (edit->kind == PTOG_EDIT_REPLACE) {
        write_up_to(w, start);
        write_line(text, &edit->sync, edit->sync.part == PTOG_SYNC_WAIT ? PTOG_FIX_WAIT : PTOG_FIX_SET);
        write_text(w, text, strlen(text));
        w->done = end;
        return;
    }
    while (start > 0 && source->bytes[start - 1] != '\n')
        start--;
    while (end < source->size && source->bytes[end - 1] != '\n')
        end++;
    write_up_to(w, start);
    w->done = end;
}

/* Writes the changes before, at and behind the operations of a region, nested ones included. */
static void write_region(struct writing *w, const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        const struct ptog_lines *before = &w->added->before[op->number];
        const struct ptog_lines *after = &w->added->after[op->number];
        if (before->count > 0)
            write_before(w, op, op, before);
        if (w->added->edits[op->number].kind != PTOG_EDIT_NONE)
            write_edit(w, op, &w->added->edits[op->number]);
        for (uint32_t i = 0; i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                write_region(w, op->parts[i].region);
        const struct ptog_op *behind = ptog_op_behind(&w->program->source, w->added, op);
        if (after->count > 0 && behind)
            write_before(w, behind, op, after);
        else if (after->count > 0)
            write_behind(w, op, after);
    }
}

void ptog_write_program(const struct ptog_program *program, const struct ptog_added *added,
                        const struct ptog_sink *sink)
{
    struct writing w = {program, added, sink, 0};
    sink->write(sink->user, program->bytes, (size_t)(program->source.bytes - program->bytes)); /* its mark */
    write_region(&w, &program->tree.root);
    write_up_to(&w, program->source.size);
}
