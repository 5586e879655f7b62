/* inputs: the integers that a function mentions: constants, and the extents of tiles. It compares its arguments with
 * them and makes views of them, so they are good values for scalar arguments. */
#include "inputs/inputs.h"
#include "lower/lowered.h"

#define MAX_CONSTANT 65536

struct constant_list {
    int64_t *numbers;
    size_t count, most;
};

/* Appends a number from 1 to MAX_CONSTANT that is not in the list yet, while there is room. */
static void add_number(struct constant_list *list, int64_t number)
{
    if (number <= 0 || number > MAX_CONSTANT)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (list->numbers[i] == number)
            return;
    if (list->count < list->most)
        list->numbers[list->count++] = number;
}

/* Appends the integers that the records define; true and false are none. */
static void add_constants(struct constant_list *list, const struct ptog_code_list *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        const struct ptog_code *record = &code->of[i];
        if (record->kind == PTOG_CODE_CONSTANT && !record->scalar.is_real && record->scalar.width > 1)
            add_number(list, (int64_t)record->scalar.bits);
    }
}

/* Appends the rows and columns of the tiles that the records allocate, where their types say them. */
static void add_extents(struct constant_list *list, const struct ptog_code_list *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        const struct ptog_type_use *use = code->of[i].kind == PTOG_CODE_TILE ? code->of[i].made->use : NULL;
        if (!use)
            continue;
        add_number(list, use->type->field[PTOG_FIELD_ROWS].value);
        add_number(list, use->type->field[PTOG_FIELD_COLS].value);
    }
}

size_t ptog_function_constants(const ptog_program *program, const struct ptog_execution *execution, int64_t *numbers,
                               size_t most)
{
    struct constant_list list = {.numbers = numbers, .most = most};
    const struct ptog_function *function = ptog_function_find(program, execution->function);
    if (!function)
        return 0;
    const struct ptog_target *target = execution->target ? execution->target : ptog_function_target(function);
    struct ptog_lowered *lowered = ptog_lowered_get(program, function, target, NULL, NULL);
    if (lowered) {
        const struct ptog_code_list *code = &lowered->e.code_of[function - program->functions];
        add_constants(&list, code);
        add_extents(&list, code);
    }
    ptog_lowered_release(lowered);
    return list.count;
}
