/* program: a completed program as text: with addresses and flags written out, or its own text with lines added. */
#include <stdio.h>
#include <string.h>

#include "program/propose.h"
#include "program/run.h"

/* ---- lines */

void ptog_sync_line(char line[PTOG_LONGEST_LINE], const struct ptog_sync *sync, enum ptog_sync_part part)
{
    const char *src = ptog_pipe_name((enum ptog_pipe)sync->src), *dst = ptog_pipe_name((enum ptog_pipe)sync->dst);
    if (ptog_sync_is_barrier(sync))
        snprintf(line, PTOG_LONGEST_LINE, "pto.barrier <PIPE_%s>", src);
    else
        snprintf(line, PTOG_LONGEST_LINE, "pto.%s_flag[<PIPE_%s>, <PIPE_%s>, <EVENT_ID%u>]",
                 part == PTOG_SYNC_WAIT ? "wait" : "set", src, dst, (unsigned)sync->id);
}

/* Line i of those before or after an operation: a barrier is one, a pair two. */
static const char *line_of(const struct ptog_lines *lines, uint32_t i, char line[PTOG_LONGEST_LINE])
{
    for (uint32_t k = 0; k < lines->count; k++) {
        const struct ptog_sync *sync = &lines->of[k];
        uint32_t count = ptog_sync_is_barrier(sync) || sync->part != PTOG_SYNC_WHOLE ? 1 : 2;
        if (i >= count) {
            i -= count;
            continue;
        }
        ptog_sync_line(line, sync, i == 1 || sync->part == PTOG_SYNC_WAIT ? PTOG_SYNC_WAIT : PTOG_SYNC_SET);
        return line;
    }
    return NULL;
}

/* ---- level 3 */

struct printing {
    const ptog_result *result;
    char line[PTOG_LONGEST_LINE];
};

static const char *added_line(void *user, const struct ptog_op *op, uint32_t i)
{
    struct printing *printing = user;
    const struct ptog_completion *completion = &printing->result->completion;
    return completion->before ? line_of(&completion->before[op->number], i, printing->line) : NULL;
}

static bool added_address(void *user, const struct ptog_op *op, uint32_t which, uint64_t *addr)
{
    const ptog_result *result = ((struct printing *)user)->result;
    const struct ptog_tile_place *place = ptog_place_find(result->places, result->place_count, op->number, which + 1);
    if (!place || !place->needed)
        return false;
    *addr = place->addr;
    return true;
}

enum ptog_status ptog_result_program(const ptog_result *result, const struct ptog_sink *sink, ptog_diags *diags)
{
    struct ptog_text_diags said = {0};
    struct printing printing = {.result = result};
    struct ptog_additions additions = {&printing, added_line, added_address};
    if (!result || !sink || !sink->write)
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_print_with(&result->program->tree, PTOG_TEXT_DPS, &additions, sink, &said);
    if (!ptog_text_diags_give(&result->program->source, &said, diags))
        status = PTOG_NO_MEMORY;
    ptog_text_diags_free(&said);
    return status;
}

/* ---- the same text with lines added */

struct writing {
    const struct ptog_program *program;
    const struct ptog_completion *completion;
    const struct ptog_sink *sink;
    size_t done; /* bytes of the source written so far */
};

static void write_up_to(struct writing *w, size_t at)
{
    if (at > w->done)
        w->sink->write(w->sink->user, w->program->source.bytes + w->done, at - w->done);
    w->done = at > w->done ? at : w->done;
}

/* As the first line of the text ends. */
static const char *end_of_line(const struct ptog_source *source)
{
    uint32_t second = source->line_count > 1 ? source->lines[1] : 0;
    return second > 1 && source->bytes[second - 2] == '\r' ? "\r\n" : "\n";
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

static void write_text(struct writing *w, const char *text, size_t length)
{
    if (length > 0)
        w->sink->write(w->sink->user, text, length);
}

/* Lines go where the operation starts, indented as its line is. */
static void write_before(struct writing *w, const struct ptog_op *op, const struct ptog_lines *lines)
{
    const struct ptog_source *source = &w->program->source;
    const char *line, *end = end_of_line(source);
    struct ptog_span indent = indent_of(source, op);
    char text[PTOG_LONGEST_LINE];
    write_up_to(w, op->span.at);
    for (uint32_t i = 0; (line = line_of(lines, i, text)) != NULL; i++) {
        write_text(w, line, strlen(line));
        write_text(w, end, strlen(end));
        write_text(w, source->bytes + indent.at, indent.length);
    }
}

/* Where an operation ends, and the comment that stands behind it. */
static uint32_t end_with_comment(const struct ptog_source *source, const struct ptog_op *op)
{
    uint32_t end = op->span.at + op->span.length, at = end;
    while (at < source->size && (source->bytes[at] == ' ' || source->bytes[at] == '\t'))
        at++;
    if (at == source->size || (source->bytes[at] != '/' && source->bytes[at] != ';'))
        return end;
    while (at < source->size && source->bytes[at] != '\n' && source->bytes[at] != '\r')
        at++;
    return at;
}

/* Lines after the last operation of a region. */
static void write_behind(struct writing *w, const struct ptog_op *op, const struct ptog_lines *lines)
{
    const struct ptog_source *source = &w->program->source;
    const char *line, *end = end_of_line(source);
    struct ptog_span indent = indent_of(source, op);
    char text[PTOG_LONGEST_LINE];
    write_up_to(w, end_with_comment(source, op));
    for (uint32_t i = 0; (line = line_of(lines, i, text)) != NULL; i++) {
        write_text(w, end, strlen(end));
        write_text(w, source->bytes + indent.at, indent.length);
        write_text(w, line, strlen(line));
    }
}

static void write_region(struct writing *w, const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        const struct ptog_lines *before = &w->completion->before[op->number];
        const struct ptog_lines *after = &w->completion->after[op->number];
        if (before->count > 0)
            write_before(w, op, before);
        for (uint32_t i = 0; i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                write_region(w, op->parts[i].region);
        if (after->count > 0 && op->next)
            write_before(w, op->next, after);
        else if (after->count > 0)
            write_behind(w, op, after);
    }
}

enum ptog_status ptog_program_repair(const ptog_program *program, const struct ptog_execution *execution,
                                     const struct ptog_sink *sink, ptog_diags *diags)
{
    static const struct ptog_execution nothing;
    struct ptog_completion completion = {0};
    struct ptog_eval e;
    execution = execution ? execution : &nothing;
    if (!program || !sink || !sink->write || execution->blocks < 0 ||
        (!execution->bindings && execution->binding_count > 0))
        return PTOG_BAD_ARGUMENT;
    struct ptog_finds finds = {.source = &program->source};
    enum ptog_status status = ptog_eval_open(&e, program, ptog_run_target(program, execution), &finds);
    const struct ptog_function *function = ptog_run_function(program, execution, &finds);
    if (status == PTOG_OK)
        status = function ? ptog_run_prepare(&e, execution, function) : PTOG_ILLEGAL;
    if (status == PTOG_OK)
        status = ptog_completion_open(&completion, program);
    if (status == PTOG_OK && e.target->ub_bytes > 0)
        status = ptog_complete(&completion, &e, execution, function, true);
    if (status == PTOG_OK) {
        struct writing w = {program, &completion, sink, 0};
        sink->write(sink->user, program->bytes, (size_t)(program->source.bytes - program->bytes)); /* its mark */
        write_region(&w, &program->tree.root);
        write_up_to(&w, program->source.size);
    } else if (!ptog_finds_give(&finds, diags)) {
        status = PTOG_NO_MEMORY;
    }
    ptog_completion_close(&completion);
    ptog_finds_free(&finds);
    ptog_eval_close(&e);
    return status;
}
