/* The batch program of tests/enumerate: programs and their data come in on stdin; what a run of each reports and leaves
 * in memory goes out, then its repaired text, or the text with automatic flags, where that is wanted.
 *
 * The format is native 64-bit words and raw bytes, as in the other batch programs; tool.py is its other side. */
#include "batch.h"

#define CASE_MARK INT64_C(0x314e5552454e4754) /* "TGNERUN1" */
#define MAX_BINDINGS 16

enum wanted { RUN, REPAIR, COMPLETE };

struct program_case {
    int64_t wanted;
    struct text target, source;
    struct ptog_execution execution;
    struct ptog_binding bindings[MAX_BINDINGS];
};

static bool read_case(struct program_case *c)
{
    if (!read_mark(CASE_MARK))
        return false;
    c->wanted = read_word();
    c->target = read_text();
    c->source = read_text();
    c->execution = (struct ptog_execution){.target = ptog_target_find(c->target.bytes), .bindings = c->bindings};
    if (!c->execution.target)
        fail("a case names an unknown target");
    c->execution.blocks = read_word();
    c->execution.binding_count = read_count(MAX_BINDINGS);
    for (size_t i = 0; i < c->execution.binding_count; i++) {
        c->bindings[i] = (struct ptog_binding){.name = read_text().bytes};
        c->bindings[i].data.data = read_buffer(&c->bindings[i].data.bytes);
    }
    return true;
}

static void free_case(struct program_case *c)
{
    free(c->target.bytes);
    free(c->source.bytes);
    for (size_t i = 0; i < c->execution.binding_count; i++) {
        free((char *)c->bindings[i].name);
        free(c->bindings[i].data.data);
    }
}

static void write_diags(const ptog_diags *diags)
{
    size_t count = ptog_diags_count(diags);
    write_word((int64_t)count);
    for (size_t i = 0; i < count; i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        write_word(diag->severity);
        write_word(diag->where.line);
        write_word(diag->related_count > 0 ? diag->related[0].where.line : 0);
        write_text(diag->id, strlen(diag->id));
        write_text(diag->message, strlen(diag->message));
    }
}

static void write_sink(enum ptog_status status, struct text *text)
{
    write_word(status);
    write_text(text->bytes, text->length);
    free(text->bytes);
}

/* Before the run, which changes the memory; a repair leaves it as it was. */
static void write_repaired(const struct program_case *c, const ptog_program *program)
{
    struct text text = {0};
    struct ptog_sink sink = {.write = append, .user = &text};
    enum ptog_status status = program ? ptog_program_repair(program, &c->execution, &sink, NULL) : PTOG_ILLEGAL;
    write_sink(status, &text);
}

static void write_completed(const ptog_result *result)
{
    struct text text = {0};
    struct ptog_sink sink = {.write = append, .user = &text};
    enum ptog_status status = result ? ptog_result_program(result, &sink, NULL) : PTOG_ILLEGAL;
    write_sink(status, &text);
}

static bool next_case(ptog_diags *diags)
{
    static struct program_case c;
    ptog_program *program = NULL;
    ptog_result *result = NULL;
    if (!read_case(&c))
        return false;
    if (ptog_program_parse(&program, "program.pto", c.source.bytes, c.source.length, diags) == PTOG_NO_MEMORY)
        fail("out of memory");
    write_word(BATCH_RESULT_MARK);
    if (c.wanted == REPAIR)
        write_repaired(&c, program);
    write_word(program ? ptog_program_run(program, &c.execution, diags, &result) : PTOG_ILLEGAL);
    write_diags(diags);
    for (size_t i = 0; i < c.execution.binding_count; i++)
        write_text(c.bindings[i].data.data, c.bindings[i].data.bytes);
    if (c.wanted == COMPLETE)
        write_completed(result);
    ptog_result_free(result);
    ptog_program_free(program);
    free_case(&c);
    return true;
}

int main(void)
{
    return run_batch(next_case);
}
