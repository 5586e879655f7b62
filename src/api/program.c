/* api: programs of ptog/program.h: parsed, asked for their functions and target, printed. The other calls have files of
 * their own: check.c, run.c, repair.c, result.c, slots.c, walk.c. */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/pick.h"
#include "base/reserved.h"
#include "lower/lowered.h"
#include "lower/program.h"

/* ---- parsing */

/* Keeps copies of name and text, which spans point into; false when out of memory. */
static bool copy_input(ptog_program *program, const char *name, const void *bytes, size_t size)
{
    name = ptog_or(name, "-");
    program->name = malloc(strlen(name) + 1);
    program->bytes = malloc(size + 1);
    if (!program->name || !program->bytes)
        return false;
    strcpy(program->name, name);
    if (size > 0)
        memcpy(program->bytes, bytes, size);
    program->bytes[size] = '\0';
    return true;
}

/* Reads the text into the program's tree, lists its functions, and gives what was said to `diags`. */
static enum ptog_status read_program(ptog_program *program, const char *name, const void *bytes, size_t size,
                                     ptog_diags *diags)
{
    struct ptog_diag_list said = {.source = &program->source};
    if (!copy_input(program, name, bytes, size))
        return PTOG_NO_MEMORY;
    enum ptog_status status = ptog_source_open(&program->source, program->name, program->bytes, size);
    if (status != PTOG_OK)
        return status;
    status = ptog_parse(&program->tree, &program->source, &said);
    if (!ptog_diag_list_give(&said, NULL, diags))
        status = PTOG_NO_MEMORY;
    ptog_diag_list_free(&said);
    if (status == PTOG_OK && !ptog_functions_list(program))
        status = PTOG_NO_MEMORY;
    program->slots = calloc(program->function_count + 1, sizeof *program->slots);
    program->lowered = calloc(program->function_count + 1, sizeof *program->lowered);
    if (program->slots && program->lowered)
        return status;
    return PTOG_NO_MEMORY;
}

enum ptog_status ptog_program_parse(ptog_program **program, const char *name, const void *bytes, size_t size,
                                    ptog_diags *diags)
{
    if (!program)
        return ptog_bad_argument(diags, "ptog_program_parse", "program", "is NULL");
    *program = NULL;
    if (!bytes && size > 0)
        return ptog_bad_argument(diags, "ptog_program_parse", "bytes", "is NULL");
    if (size >= UINT32_MAX)
        return ptog_bad_argument(diags, "ptog_program_parse", "size", "is 4 GiB or more");
    ptog_program *made = calloc(1, sizeof *made);
    if (!made)
        return PTOG_NO_MEMORY;
    enum ptog_status status = read_program(made, name, bytes, size, diags);
    if (status == PTOG_OK)
        *program = made;
    else
        ptog_program_free(made);
    return status;
}

void ptog_program_free(ptog_program *program)
{
    if (!program)
        return;
    for (size_t i = 0; program->slots && i < program->function_count; i++)
        ptog_slot_table_free(program->slots[i]);
    free(program->slots);
    ptog_lowered_free_all(program);
    ptog_tree_free(&program->tree);
    ptog_source_close(&program->source);
    free(program->functions);
    free(program->named);
    free(program->declared);
    free(program->name);
    free(program->bytes);
    free(program);
}

const struct ptog_target *ptog_program_target(const ptog_program *program)
{
    if (program)
        return program->target;
    return NULL;
}

void ptog_program_be_strict(ptog_program *program, bool strict)
{
    if (program)
        program->strict = strict;
}

const char *ptog_program_entry(const ptog_program *program)
{
    const struct ptog_function *function = program ? ptog_function_find(program, NULL) : NULL;
    if (function)
        return function->name;
    return NULL;
}

const char *ptog_program_function_at(const ptog_program *program, size_t i)
{
    if (program && i < program->function_count)
        return program->functions[i].name;
    return NULL;
}

/* ---- printing */

enum ptog_status ptog_program_print(const ptog_program *program, enum ptog_form_text form, const struct ptog_sink *sink,
                                    ptog_diags *diags)
{
    static const enum ptog_text_form forms[] = {
        [PTOG_AS_WRITTEN] = PTOG_TEXT_WRITTEN,
        [PTOG_AS_DPS] = PTOG_TEXT_DPS,
        [PTOG_AS_SSA] = PTOG_TEXT_SSA,
        [PTOG_AS_ASM] = PTOG_TEXT_AS,
    };
    if (!program)
        return ptog_bad_argument(diags, "ptog_program_print", "program", "is NULL");
    if (!ptog_sink_is_usable(sink))
        return ptog_bad_argument(diags, "ptog_program_print", "sink", PTOG_NO_SINK);
    if ((unsigned)form >= sizeof forms / sizeof forms[0])
        return ptog_bad_argument(diags, "ptog_program_print", "form", "is invalid");
    struct ptog_diag_list said = {.source = &program->source};
    enum ptog_status status = ptog_print(&program->tree, forms[form], sink, &said);
    if (!ptog_diag_list_give(&said, NULL, diags))
        status = PTOG_NO_MEMORY;
    ptog_diag_list_free(&said);
    return status;
}
