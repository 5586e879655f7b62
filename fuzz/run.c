/* fuzz: a program, and a run of it with any options: target, blocks, schedule, checks, launch, bindings of the right
 * and of other sizes, few steps. Then everything that a result can be asked for. */
#include "bind.h"
#include "report.h"

struct options {
    struct ptog_execution execution;
    struct ptog_binding bindings[MAX_SLOTS];
    struct ptog_latency late[2];
    struct ptog_sink trace;
    struct ptog_gather_watch watch;
    size_t sum;
};

static void see_gather(void *user, const struct ptog_gather_seen *seen)
{
    size_t *sum = user;
    *sum += seen->line;
}

static void see_access(void *user, const struct ptog_access_seen *seen)
{
    size_t *sum = user;
    if (seen->data)
        drop(sum, seen->data, seen->bytes);
}

static void choose_machine(struct options *o, struct input *in)
{
    struct ptog_execution *e = &o->execution;
    unsigned flags = byte(in);
    e->schedule = (enum ptog_schedule)(byte(in) % 6);
    e->launch = (enum ptog_launch)(byte(in) % 3);
    e->seed = byte(in);
    e->dyn_ub = flags & 1 ? (uint64_t)byte(in) << 10 : 0;
    e->no_sanitize = flags & 2;
    e->threads = flags & 4 ? 2 : 0;
    for (size_t i = 0; flags & 8 && i < 2; i++)
        o->late[e->late_count++] =
            (struct ptog_latency){.block = byte(in) % 3, .instruction = byte(in) % 16, .cycles = byte(in) * 1e10};
    e->late = o->late;
    o->trace = (struct ptog_sink){.write = drop, .user = &o->sum};
    e->trace = flags & 16 ? &o->trace : NULL;
    o->watch = (struct ptog_gather_watch){see_gather, &o->sum, flags & 32 ? see_access : NULL, {0}};
    e->watch = flags >= 192 ? &o->watch : NULL;
}

static void choose(struct options *o, const ptog_program *program, struct input *in)
{
    struct ptog_execution *e = &o->execution;
    e->target = ptog_target_at(byte(in) % (PTOG_TARGETS + 1)); /* NULL: the program's own */
    e->function = ptog_program_function_at(program, byte(in) % 3);
    e->blocks = (int64_t)(byte(in) % 5) - 1;
    e->max_steps = 1 + byte(in) * 4u;
    choose_machine(o, in);
    e->bindings = o->bindings;
    e->binding_count = bind_slots(program, e->function, o->bindings, in);
}

static void read_tiles(const ptog_result *result)
{
    struct ptog_tile tile;
    struct ptog_result_tile valid;
    const char *name;
    for (size_t i = 0; ptog_result_tile_at(result, i, &name, &tile); i++) {
        if (ptog_result_tile(result, name, &valid) != PTOG_OK)
            abort();
        size_t bytes = (size_t)(valid.rows * valid.cols) * ptog_dtype_size(valid.dtype);
        void *data = malloc(bytes ? bytes : 1);
        if (data)
            ptog_result_copy(result, name, data, bytes);
        free(data);
    }
}

static void read_result(const ptog_result *result, const struct options *o, ptog_diags *diags)
{
    size_t sum = 0;
    struct ptog_sink sink = {.write = drop, .user = &sum};
    struct ptog_stats stats;
    struct ptog_ub_entry entry;
    struct ptog_ub_layout layout;
    struct ptog_placed placed;
    bool machine = ptog_result_stats(result, &stats) == PTOG_OK;
    render(diags, o->execution.target, machine ? &stats : NULL);
    for (size_t i = 0; ptog_result_ub_at(result, i, &entry); i++)
        sum += entry.bytes;
    for (size_t i = 0; ptog_result_placed_at(result, i, &placed); i++)
        sum += placed.bytes;
    ptog_result_ub_layout(result, &layout);
    read_tiles(result);
    ptog_result_program(result, &sink, diags);
}

static void run(const ptog_program *program, struct input *in, ptog_diags *diags)
{
    struct options o = {0};
    ptog_result *result = NULL;
    choose(&o, program, in);
    ptog_diags_clear(diags);
    enum ptog_status status = ptog_program_run(program, &o.execution, diags, &result);
    read_diags(diags);
    if (status == PTOG_OK && !result)
        abort();
    if (result)
        read_result(result, &o, diags);
    ptog_result_free(result);
    unbind(o.bindings, o.execution.binding_count);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct input in = choices_of(data, &size);
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program = NULL;
    if (diags && ptog_program_parse(&program, "fuzz", data, size, diags) == PTOG_OK) {
        ptog_program_be_strict(program, byte(&in) == 1);
        for (int i = 0; i < 3; i++)
            run(program, &in, diags);
    }
    ptog_program_free(program);
    ptog_diags_free(diags);
    return 0;
}
