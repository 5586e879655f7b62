/* report: a C++ source with the flags and barriers that are missing in it. A statement over several lines gets its flag
 * before or after the whole. What stands in a macro, in a header, or alone after an if has no place for one: that is
 * said, and left to the author. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/report.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/pick.h"
#include "base/reserved.h"
#include "report/statements.h"

#define MAX_STATEMENT 200

/* The intrinsics, and the calls for flags and barriers, as words of a source. */
static const char *const intrinsics[] = {
#define INSN(OPCODE, ...) #OPCODE,
#include <ptog/spec/insns.def>
    "TMOV", "TASSIGN", "TSYNC", "set_flag", "wait_flag", "pipe_barrier", "PtoSetWaitFlag", NULL};
static const char *const control_words[] = {"if", "else", "for", "while", "do", "switch", "case", "default", NULL};

/* A line that is added. */
struct insertion {
    size_t at, number;
    const char *words;
};

struct fixing {
    const struct ptog_fixed_source *source;
    struct ptog_statements statements;
    struct ptog_arena arena; /* of the words */
    struct insertion *lines;
    size_t count, room;
    bool no_memory;
};

/* ---- which file */

/* Whether a file is one of C++ by its name. */
static bool is_source(const char *file)
{
    static const char *const endings[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".cce", ".asc"};
    size_t length = 0;
    if (file)
        length = strlen(file);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t end = strlen(endings[i]);
        if (length > end && strcmp(file + length - end, endings[i]) == 0)
            return true;
    }
    return false;
}

const char *ptog_fixed_file(const ptog_diags *diags)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++)
        for (size_t k = 0; k < diag->fix_count; k++)
            if (diag->fix[k].kind != PTOG_FIX_WORDS && is_source(diag->fix[k].where.file))
                return diag->fix[k].where.file;
    return NULL;
}

/* ---- one line */

static bool is_added(const struct fixing *f, size_t at, const char *words)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->lines[i].at == at && strcmp(f->lines[i].words, words) == 0)
            return true;
    return false;
}

/* Keeps a line to be inserted at a byte, each once. Sets `no_memory` when it cannot. */
static void add_fixed_line(struct fixing *f, size_t at, const char *words)
{
    if (is_added(f, at, words))
        return; /* another finding asked for it */
    if (ptog_array_reserve(&f->lines, f->count + 1, &f->room)) {
        f->lines[f->count] = (struct insertion){at, f->count, words};
        f->count++;
    } else {
        f->no_memory = true;
    }
}

/* The blanks that the line of a statement begins with. */
static const char *indent_of(const struct fixing *f, const struct ptog_statement *s, size_t *length)
{
    const char *text = f->statements.text;
    size_t line = s->start;
    while (line > 0 && text[line - 1] != '\n')
        line--;
    for (*length = 0; line + *length < s->start && strchr(" \t", text[line + *length]); (*length)++)
        ;
    return text + line;
}

/* Inserts the statement of a step behind or before another one, on a line of its own: "\n    set_flag(...);". Sets
 * no_memory on failure. */
static void put_step(struct fixing *f, const struct ptog_fix *step, const struct ptog_statement *s)
{
    char words[MAX_STATEMENT];
    size_t blanks;
    const char *indent = indent_of(f, s, &blanks);
    ptog_fix_statement(step, words, sizeof words);
    size_t size = strlen(words) + blanks + sizeof ";\n";
    char *line = ptog_arena_alloc(&f->arena, size);
    if (!line)
        f->no_memory = true;
    else if (step->side == PTOG_FIX_BEFORE)
        snprintf(line, size, "%s;\n%.*s", words, (int)blanks, indent);
    else
        snprintf(line, size, "\n%.*s%s;", (int)blanks, indent, words);
    if (line && step->side == PTOG_FIX_BEFORE)
        add_fixed_line(f, s->start, line);
    else if (line)
        add_fixed_line(f, s->end, line);
}

/* Why a step cannot be applied; NULL: it was, or adds nothing. */
static const char *add_step(struct fixing *f, const struct ptog_fix *step)
{
    if (step->kind == PTOG_FIX_WORDS || (step->side != PTOG_FIX_BEFORE && step->side != PTOG_FIX_AFTER) ||
        step->from_line > 0)
        return "it does not add a line";
    if (!step->where.file || strcmp(step->where.file, f->source->file) != 0)
        return "it is in another file";
    const struct ptog_statement *s = ptog_statement_on(&f->statements, step->where.line);
    if (!s || !ptog_statement_has(&f->statements, s, intrinsics, false))
        return "it is in a macro";
    if (ptog_statement_has(&f->statements, s, control_words, true))
        return "the statement is the whole body of an if, a loop or a label: add braces first";
    put_step(f, step, s);
    return NULL;
}

/* ---- all of them */

/* Adds a note that a fix is not applied, and why. */
static void say_left_out(struct fixing *f, const struct ptog_diag *diag, const char *why, ptog_diags *left_out)
{
    char message[400];
    snprintf(message, sizeof message, "the fix of %s cannot be applied: %s", diag->id, why);
    struct ptog_diag note = {.id = diag->id, .severity = PTOG_NOTE, .message = message, .where = diag->where};
    if (left_out && !ptog_diags_add(left_out, &note))
        f->no_memory = true;
}

/* Inserts all steps of a finding's fix, or none, as half a pair of flags is worse than none: then `left_out` gets a
 * note why. */
static void apply(struct fixing *f, const struct ptog_diag *diag, ptog_diags *left_out)
{
    size_t before = f->count;
    const char *why = NULL;
    for (size_t k = 0; k < diag->fix_count && !why; k++)
        why = add_step(f, &diag->fix[k]);
    if (!why)
        return;
    f->count = before;
    say_left_out(f, diag, why, left_out);
}

static int by_edit_place(const void *a, const void *b)
{
    const struct insertion *x = a, *y = b;
    if (x->at != y->at)
        return ptog_order(x->at, y->at);
    return ptog_order(x->number, y->number);
}

/* Writes the source with all insertions to the sink. */
static void write_all(struct fixing *f, const struct ptog_sink *sink)
{
    const char *text = f->source->text;
    size_t at = 0;
    if (f->count > 0)
        qsort(f->lines, f->count, sizeof *f->lines, by_edit_place);
    for (size_t i = 0; i < f->count; i++) {
        const struct insertion *line = &f->lines[i];
        if (line->at > at)
            sink->write(sink->user, text + at, line->at - at);
        at = line->at;
        sink->write(sink->user, line->words, strlen(line->words));
    }
    if (f->source->bytes > at)
        sink->write(sink->user, text + at, f->source->bytes - at);
}

/* Whether the caller gave everything that is needed. */
static bool is_complete(const struct ptog_fixed_source *source, const struct ptog_sink *sink)
{
    return source && source->file && (source->text || source->bytes == 0) && ptog_is_unreserved(source) &&
           ptog_sink_is_usable(sink);
}

enum ptog_status ptog_report_fixed(struct ptog_fixed_source *source, const ptog_diags *diags,
                                   const struct ptog_sink *sink, ptog_diags *left_out)
{
    if (!is_complete(source, sink))
        return PTOG_BAD_ARGUMENT;
    struct fixing f = {.source = source};
    const struct ptog_diag *diag;
    source->added = 0;
    f.no_memory = !ptog_statements_find(&f.statements, source->text, source->bytes);
    for (size_t i = 0; !f.no_memory && (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (diag->fix_count > 0 && diag->severity >= PTOG_WARNING)
            apply(&f, diag, left_out);
    if (!f.no_memory) {
        source->added = f.count;
        write_all(&f, sink);
    }
    ptog_statements_free(&f.statements);
    ptog_arena_free(&f.arena);
    free(f.lines);
    if (f.no_memory)
        return PTOG_NO_MEMORY;
    return PTOG_OK;
}
