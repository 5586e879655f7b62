/* api: ptog_program_check: every function of a program against the rules of a target, without running it. */
#include "asm/loc.h"
#include "base/diag.h"
#include "lint/lint.h"
#include "lower/lowered.h"
#include "lower/place.h"

/* Checks the functions from number *i on, as far as they are for the target. */
static enum ptog_status check_functions(const ptog_program *program, const struct ptog_fifo *fifo,
                                        const struct ptog_target *target, bool chosen, size_t *i,
                                        struct ptog_diag_list *list)
{
    struct ptog_eval e;
    enum ptog_status status = ptog_eval_open(&e, program, target, list);
    e.fifo = fifo;
    for (; status == PTOG_OK && *i < program->function_count; (*i)++) {
        if (!chosen && ptog_function_target(&program->functions[*i]) != target)
            break;
        ptog_eval_function(&e, &program->functions[*i]);
        ptog_say_misaligned(&e);
        ptog_place_all(&e);
        ptog_eval_clear(&e);
        if (e.no_memory || list->no_memory)
            status = PTOG_NO_MEMORY;
    }
    ptog_eval_close(&e);
    return status;
}

/* Checks functions by their lowering, which is made or was kept, and adds what the walk over each had to say. `used`
 * keeps the lowerings until the list is handed out. */
static enum ptog_status check_lowered(const ptog_program *program, const struct ptog_target *target,
                                      struct ptog_lowered *used[], struct ptog_diag_list *list)
{
    for (size_t i = 0; i < program->function_count; i++) {
        const struct ptog_function *function = &program->functions[i];
        used[i] = ptog_lowered_get(program, function, target ? target : ptog_function_target(function), NULL, NULL);
        if (!used[i])
            return PTOG_NO_MEMORY;
        ptog_lowered_say_walk(used[i], list);
        ptog_lowered_say_places(used[i], list);
    }
    return PTOG_OK;
}

/* Checks every function for `target`, or for its own, with what is known of the FIFO between the cores. Findings go to
 * `list`. */
static enum ptog_status check_all(const ptog_program *program, const struct ptog_target *target,
                                  struct ptog_diag_list *list)
{
    struct ptog_fifo *fifo = program->tree.has_fifo ? ptog_fifo_read(program) : NULL;
    enum ptog_status status = program->tree.has_fifo && !fifo ? PTOG_NO_MEMORY : PTOG_OK;
    for (size_t i = 0; status == PTOG_OK && i < program->function_count;) {
        const struct ptog_target *next = target;
        if (!next)
            next = ptog_function_target(&program->functions[i]);
        status = check_functions(program, fifo, next, target != NULL, &i, list);
    }
    ptog_fifo_free(fifo);
    return status;
}

enum ptog_status ptog_program_check(const ptog_program *program, const struct ptog_target *target, ptog_diags *diags)
{
    if (!program)
        return ptog_bad_argument(diags, "ptog_program_check", "program", "is NULL");
    struct ptog_diag_list list = {.source = &program->source};
    ptog_functions_check(program, target != NULL, &list);
    struct ptog_lowered *used[PTOG_MAX_LOWERED] = {NULL};
    bool keeps = program->function_count <= PTOG_MAX_LOWERED && !program->tree.has_fifo;
    enum ptog_status status = keeps ? check_lowered(program, target, used, &list) : check_all(program, target, &list);
    if (!ptog_loc_give(&list, &program->tree, diags))
        status = PTOG_NO_MEMORY;
    if (status == PTOG_OK && list.errors > 0)
        status = PTOG_ILLEGAL;
    ptog_diag_list_free(&list);
    for (size_t i = 0; i < PTOG_MAX_LOWERED; i++)
        ptog_lowered_release(used[i]);
    return status;
}
