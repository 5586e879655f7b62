/* fuzz: any program is repaired; what comes out is read, repaired again and run. */
#include "bind.h"
#include "report.h"

/* The text is the caller's. */
static enum ptog_status repair(const ptog_program *program, const struct ptog_execution *execution,
                               struct ptog_output *text, ptog_diags *diags)
{
    struct ptog_sink sink = ptog_output_sink(text);
    ptog_diags_clear(diags);
    enum ptog_status status = ptog_program_repair(program, execution, &sink, diags);
    read_diags(diags);
    return text->no_memory ? PTOG_NO_MEMORY : status;
}

static void run(const ptog_program *program, const struct ptog_execution *execution, ptog_diags *diags)
{
    ptog_result *result;
    ptog_diags_clear(diags);
    ptog_program_run(program, execution, diags, &result);
    read_diags(diags);
    render(diags, execution->target, NULL);
    ptog_result_free(result);
}

/* A repaired text is a program. */
static void use(const struct ptog_output *text, const struct ptog_execution *execution, ptog_diags *diags)
{
    struct ptog_output again = {0};
    ptog_program *repaired;
    ptog_diags_clear(diags);
    if (ptog_program_parse(&repaired, "repaired", text->bytes, text->used, diags) != PTOG_OK)
        abort();
    run(repaired, execution, diags);
    if (repair(repaired, execution, &again, diags) == PTOG_ILLEGAL)
        abort(); /* what was accepted is refused */
    ptog_output_free(&again);
    ptog_program_free(repaired);
}

static void repair_on(const char *target, const ptog_program *program, struct input in, ptog_diags *diags)
{
    struct ptog_binding bindings[MAX_SLOTS];
    struct ptog_execution execution = {.target = ptog_target_find(target), .max_steps = 200, .bindings = bindings};
    struct ptog_output text = {0};
    execution.function = ptog_program_function_at(program, byte(&in) % 2);
    execution.blocks = byte(&in) % 3;
    execution.binding_count = bind_slots(program, execution.function, bindings, &in);
    if (repair(program, &execution, &text, diags) == PTOG_OK)
        use(&text, &execution, diags);
    ptog_output_free(&text);
    unbind(bindings, execution.binding_count);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct input in = choices_of(data, &size);
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program = NULL;
    if (diags && ptog_program_parse(&program, "fuzz", data, size, diags) == PTOG_OK) {
        repair_on("a2a3", program, in, diags);
        repair_on("a5", program, in, diags);
    }
    ptog_program_free(program);
    ptog_diags_free(diags);
    return 0;
}
