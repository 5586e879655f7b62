/* fuzz: any bytes as a program: parse, check on every target, print in every form, and bounded runs.
 */
#include "report.h"

static void check_all(const ptog_program *program, ptog_diags *diags)
{
    const struct ptog_target *target;
    for (size_t i = 0; (target = ptog_target_at(i)) != NULL; i++) {
        ptog_diags_clear(diags);
        enum ptog_status status = ptog_program_check(program, target, diags);
        if (status != PTOG_OK && status != PTOG_ILLEGAL)
            abort();
        read_diags(diags);
    }
}

static bool visit(void *user, const struct ptog_op_seen *op)
{
    size_t *count = user;
    *count += op->operand_count + op->result_count;
    return *count < 10000;
}

#define MAX_SLOTS 8
static unsigned char memory[MAX_SLOTS][4096];

/* Something for every slot; a tile of another size than its buffer is refused. */
static size_t bind(const ptog_program *program, const char *name, struct ptog_binding *bindings)
{
    struct ptog_slot slot;
    size_t count = 0;
    for (; count < MAX_SLOTS && ptog_program_slot_at(program, name, count, &slot); count++) {
        size_t bytes = sizeof memory[0];
        for (int d = 0; slot.kind == PTOG_SLOT_TILE && d < slot.rank; d++)
            bytes = d == 0 ? ptog_dtype_size(slot.dtype) * (size_t)slot.shape[0] : bytes * (size_t)slot.shape[d];
        bindings[count] = (struct ptog_binding){.name = slot.name, .number = 3};
        bindings[count].is_number = slot.kind == PTOG_SLOT_NUMBER;
        bindings[count].data.data = memory[count];
        bindings[count].data.bytes = bytes < sizeof memory[0] ? bytes : sizeof memory[0];
    }
    return count;
}

static void run_on(const ptog_program *program, const char *name, const struct ptog_target *target, ptog_diags *diags)
{
    struct ptog_binding bindings[MAX_SLOTS];
    struct ptog_execution execution = {
        .target = target, .function = name, .max_steps = 1000, .blocks = 2, .bindings = bindings};
    struct ptog_stats stats;
    ptog_result *result;
    ptog_diags_clear(diags);
    execution.binding_count = bind(program, name, bindings);
    ptog_program_run(program, &execution, diags, &result);
    ptog_result_stats(result, &stats);
    read_diags(diags);
    ptog_result_free(result);
}

static void run_all(const ptog_program *program, ptog_diags *diags)
{
    const char *name;
    for (size_t i = 0; i < 4 && (name = ptog_program_function_at(program, i)) != NULL; i++) {
        run_on(program, name, NULL, diags);
        run_on(program, name, ptog_target_find("a2a3"), diags);
        run_on(program, name, ptog_target_find("a5"), diags);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    ptog_diags *diags = ptog_diags_new();
    ptog_program *program;
    size_t sum = 0;
    if (diags && ptog_program_parse(&program, "fuzz", data, size, diags) == PTOG_OK) {
        struct ptog_sink sink = {.write = drop, .user = &sum};
        check_all(program, diags);
        for (int form = PTOG_AS_WRITTEN; form <= PTOG_AS_ASM; form++)
            ptog_program_print(program, (enum ptog_form_text)form, &sink, diags);
        ptog_program_walk(program, visit, &sum);
        run_all(program, diags);
        ptog_program_free(program);
    }
    ptog_diags_free(diags);
    return 0;
}
