/* The batch program of tests/oracle: kernels and their data come in on stdin, what a run of each reports goes out.
 *
 * The format is native 64-bit words and raw bytes, as in the other batch programs; wire.py is its other side, and the
 * order of the fields is the format. Any I/O error ends the program with a message and exit status 2. */
#include <string.h>

#include <ptog/ptog.h>

#include "batch.h"

#define CASE_MARK INT64_C(0x31454c4341524f54) /* "TORACLE1" */
#define MAX_BINDINGS 32

struct kernel_case {
    char *target, *source;
    size_t source_bytes;
    struct ptog_execution execution;
    struct ptog_binding bindings[MAX_BINDINGS];
};

static char *read_text(size_t *length)
{
    *length = read_count(BATCH_MAX_BYTES);
    char *text = allocate(*length + 1);
    read_bytes(text, *length);
    text[*length] = '\0';
    return text;
}

static void read_binding(struct ptog_binding *binding)
{
    size_t length;
    *binding = (struct ptog_binding){.name = read_text(&length)};
    binding->is_number = read_word() != 0;
    binding->number = read_word();
    binding->data.bytes = read_count(BATCH_MAX_BYTES);
    binding->data.data = allocate(binding->data.bytes);
    read_bytes(binding->data.data, binding->data.bytes);
}

/* False at the end of the input. */
static bool read_case(struct kernel_case *c)
{
    size_t length;
    if (!read_mark(CASE_MARK))
        return false;
    c->target = read_text(&length);
    c->source = read_text(&c->source_bytes);
    c->execution = (struct ptog_execution){.target = ptog_target_find(c->target), .bindings = c->bindings};
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
    free(c->target);
    free(c->source);
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

static void run_case(const struct kernel_case *c, ptog_diags *diags)
{
    ptog_program *program = NULL;
    ptog_diags_clear(diags);
    enum ptog_status status = ptog_program_parse(&program, "kernel.pto", c->source, c->source_bytes, diags);
    if (status == PTOG_OK)
        status = ptog_program_run(program, &c->execution, diags, NULL);
    write_word(BATCH_RESULT_MARK);
    write_word(status);
    write_diags(diags);
    for (size_t i = 0; i < c->execution.binding_count; i++)
        write_text(c->bindings[i].data.data, c->bindings[i].data.bytes);
    ptog_program_free(program);
    if (fflush(stdout) != 0)
        fail("cannot write stdout");
}

int main(void)
{
    static struct kernel_case c;
    ptog_diags *diags = ptog_diags_new();
    if (!diags)
        fail("out of memory");
    while (read_case(&c)) {
        run_case(&c, diags);
        free_case(&c);
    }
    ptog_diags_free(diags);
    return 0;
}
