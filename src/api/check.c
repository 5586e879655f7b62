/* api: ptog_program_check. */
#include "base/diag.h"
#include "lint/lint.h"
#include "program/place.h"

/* Checks the functions from number *i on, as far as they are for the target. */
static enum ptog_status check_functions(const ptog_program *program, const struct ptog_fifo *fifo,
                                        const struct ptog_target *target, bool chosen, size_t *i,
                                        struct ptog_finds *finds)
{
    struct ptog_eval e;
    enum ptog_status status = ptog_eval_open(&e, program, target, finds);
    e.fifo = fifo;
    for (; status == PTOG_OK && *i < program->function_count; (*i)++) {
        if (!chosen && ptog_function_target(&program->functions[*i]) != target)
            break;
        ptog_eval_function(&e, &program->functions[*i]);
        ptog_say_misaligned(&e);
        ptog_place_all(&e);
        ptog_eval_clear(&e);
        if (e.no_memory || finds->no_memory)
            status = PTOG_NO_MEMORY;
    }
    ptog_eval_close(&e);
    return status;
}

enum ptog_status ptog_program_check(const ptog_program *program, const struct ptog_target *target, ptog_diags *diags)
{
    if (!program)
        return ptog_bad_argument(diags, "ptog_program_check", "program", "is NULL");
    struct ptog_finds finds = {.source = &program->source, .tree = &program->tree};
    ptog_functions_check(program, target != NULL, &finds);
    struct ptog_fifo *fifo = program->tree.has_fifo ? ptog_fifo_read(program) : NULL;
    enum ptog_status status = program->tree.has_fifo && !fifo ? PTOG_NO_MEMORY : PTOG_OK;
    for (size_t i = 0; status == PTOG_OK && i < program->function_count;) {
        const struct ptog_target *next = target;
        if (!next)
            next = ptog_function_target(&program->functions[i]);
        status = check_functions(program, fifo, next, target != NULL, &i, &finds);
    }
    ptog_fifo_free(fifo);
    if (!ptog_finds_give(&finds, diags))
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK && finds.errors > 0)
        status = PTOG_ILLEGAL;
    ptog_finds_free(&finds);
    return status;
}
