/* inputs: which scalar arguments are offsets of parts of views. All arguments with one value would be offsets behind
 * the end, or sizes of nothing; with offsets of 0 every size that is possible fits. */
#include <string.h>

#include "inputs/inputs.h"
#include "lower/lowered.h"

#define MAX_ALIASES 64

/* Values that are an argument, or a cast of it. */
struct alias_list {
    struct {
        ptog_symbol name;
        size_t argument;
    } of[MAX_ALIASES];
    size_t count;
};

/* The number of the argument that a value is; SIZE_MAX: it is none. */
static size_t find_alias(const struct alias_list *list, ptog_symbol name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].name == name)
            return list->of[i].argument;
    return SIZE_MAX;
}

static void add_alias(struct alias_list *list, ptog_symbol name, size_t argument)
{
    if (list->count == MAX_ALIASES || argument == SIZE_MAX)
        return;
    list->of[list->count].name = name;
    list->of[list->count++].argument = argument;
}

/* Adds the arguments of the program that are numbers to the list, each as a name of itself. */
static void add_arguments(struct alias_list *list, const ptog_program *program, const struct ptog_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const char *name = inputs->of[i].name;
        ptog_symbol symbol = ptog_symbol_find(&program->tree.symbols, name, strlen(name));
        if (inputs->of[i].slot.kind == PTOG_SLOT_NUMBER && symbol != 0)
            add_alias(list, symbol, i);
    }
}

/* The result of a cast is what its operand is. */
static void add_cast(struct alias_list *list, const struct ptog_op *op)
{
    const struct ptog_part *part = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    if (op->result_count == 1 && part && part->count == 1 && part->items[0].kind == PTOG_ITEM_VALUE)
        add_alias(list, op->results[0].name, find_alias(list, part->items[0].name));
}

/* Marks the arguments among the offsets of a part. */
static void mark_offsets(struct ptog_inputs *inputs, const struct alias_list *list, const ptog_program *program,
                         const struct ptog_op *op)
{
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        if (!part->word || strcmp(ptog_tree_text(&program->tree, part->word), "offsets") != 0 || part->count != 1 ||
            part->items[0].kind != PTOG_ITEM_ARRAY)
            continue;
        const struct ptog_item *array = &part->items[0];
        for (uint32_t k = 0; k < array->count; k++) {
            size_t argument =
                array->items[k].kind == PTOG_ITEM_VALUE ? find_alias(list, array->items[k].name) : SIZE_MAX;
            if (argument != SIZE_MAX)
                inputs->of[argument].is_offset = true;
        }
    }
}

void ptog_inputs_find_offsets(struct ptog_inputs *inputs, const ptog_program *program,
                              const struct ptog_execution *execution)
{
    struct alias_list list = {.count = 0};
    const struct ptog_function *function = ptog_function_find(program, execution->function);
    if (!function)
        return;
    const struct ptog_target *target = execution->target ? execution->target : ptog_function_target(function);
    struct ptog_lowered *lowered = ptog_lowered_get(program, function, target, NULL, NULL);
    if (!lowered)
        return;
    const struct ptog_code_list *code = &lowered->e.code_of[function - program->functions];
    add_arguments(&list, program, inputs);
    for (uint32_t i = 0; i < code->count; i++)
        if (code->of[i].kind == PTOG_CODE_RESIZE)
            add_cast(&list, code->of[i].op);
        else if (code->of[i].kind == PTOG_CODE_PARTITION)
            mark_offsets(inputs, &list, program, code->of[i].op);
    ptog_lowered_release(lowered);
}
