/* The batch program of tests/oracle: kernels and their data come in on stdin; what a run of each reports goes out, or
 * its repaired text.
 *
 * The format is native 64-bit words and raw bytes, as in the other batch programs; wire.py is its other side, and the
 * order of the fields is the format. Any I/O error ends the program with a message and exit status 2. */
#include "batch.h"

#define CASE_MARK INT64_C(0x31454c4341524f54) /* "TORACLE1" */
#define MAX_BINDINGS 32

/* What is asked for. */
enum { RUN, REPAIR };

struct kernel_case {
    int64_t what;
    struct text target, source;
    struct ptog_execution execution;
    struct ptog_binding bindings[MAX_BINDINGS];
};

static void read_binding(struct ptog_binding *binding)
{
    *binding = (struct ptog_binding){.name = read_text().bytes};
    binding->is_number = read_word() != 0;
    binding->number = read_word();
    binding->data.data = read_buffer(&binding->data.bytes);
}

/* False at the end of the input. */
static bool read_case(struct kernel_case *c)
{
    if (!read_mark(CASE_MARK))
        return false;
    c->what = read_word();
    c->target = read_text();
    c->source = read_text();
    c->execution = (struct ptog_execution){.target = ptog_target_find(c->target.bytes), .bindings = c->bindings};
    if (!c->execution.target)
        fail("a case names an unknown target");
    c->execution.blocks = read_word();
    c->execution.launch = (enum ptog_launch)read_word();
    c->execution.dyn_ub = (uint64_t)read_word();
    c->execution.binding_count = read_count(MAX_BINDINGS);
    for (size_t i = 0; i < c->execution.binding_count; i++)
        read_binding(&c->bindings[i]);
    return true;
}

static void free_case(struct kernel_case *c)
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
        write_text(diag->id, strlen(diag->id));
        write_text(diag->message, strlen(diag->message));
    }
}

static void write_run(const struct kernel_case *c, const ptog_program *program, ptog_diags *diags)
{
    write_word(program ? ptog_program_run(program, &c->execution, diags, NULL) : PTOG_ILLEGAL);
    write_diags(diags);
    for (size_t i = 0; i < c->execution.binding_count; i++)
        write_text(c->bindings[i].data.data, c->bindings[i].data.bytes);
}

static void write_repaired(const struct kernel_case *c, const ptog_program *program)
{
    struct text repaired = {0};
    struct ptog_sink sink = {.write = append, .user = &repaired};
    write_word(program ? ptog_program_repair(program, &c->execution, &sink, NULL) : PTOG_ILLEGAL);
    write_text(repaired.bytes, repaired.length);
    free(repaired.bytes);
}

static bool next_case(ptog_diags *diags)
{
    static struct kernel_case c;
    ptog_program *program = NULL;
    if (!read_case(&c))
        return false;
    if (ptog_program_parse(&program, "kernel.pto", c.source.bytes, c.source.length, diags) == PTOG_NO_MEMORY)
        fail("out of memory");
    write_word(BATCH_RESULT_MARK);
    if (c.what == REPAIR)
        write_repaired(&c, program);
    else
        write_run(&c, program, diags);
    ptog_program_free(program);
    free_case(&c);
    return true;
}

int main(void)
{
    return run_batch(next_case);
}
