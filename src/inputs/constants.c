/* inputs: the integers that a function mentions: constants, and the extents of tiles. It compares its arguments with
 * them and makes views of them, so they are good values for scalar arguments. */
#include <string.h>

#include "inputs/inputs.h"
#include "lower/program.h"

#define MAX_CONSTANT 65536

struct constant_list {
    const struct ptog_tree *tree;
    int64_t *numbers;
    size_t count, most;
};

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

static void add_constant(struct constant_list *list, const struct ptog_item *item)
{
    if (item->kind == PTOG_ITEM_INT && !item->negative && item->number <= MAX_CONSTANT)
        add_number(list, (int64_t)item->number);
}

/* Nested no deeper than the parser lets them be. */
static void walk_region(struct constant_list *list, const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op; op = op->next) {
        bool is_constant = op->name == PTOG_OP_NAME_CONSTANT;
        for (uint32_t i = 0; i < op->part_count; i++) {
            const struct ptog_part *part = &op->parts[i];
            if (part->kind == PTOG_PART_REGION)
                walk_region(list, part->region);
            else if (is_constant && part->kind == PTOG_PART_ITEMS && part->count > 0)
                add_constant(list, &part->items[0]);
        }
    }
}

/* The rows and columns of the tiles that a function allocates. */
static void walk_extents(struct constant_list *list, const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op; op = op->next)
        for (uint32_t i = 0; i < op->part_count; i++) {
            const struct ptog_part *part = &op->parts[i];
            if (part->kind == PTOG_PART_REGION)
                walk_extents(list, part->region);
            for (uint32_t k = 0; op->name == PTOG_OP_NAME_ALLOC_TILE && k < part->type_count; k++) {
                add_number(list, part->types[k].type->field[PTOG_FIELD_ROWS].value);
                add_number(list, part->types[k].type->field[PTOG_FIELD_COLS].value);
            }
        }
}

size_t ptog_function_constants(const ptog_program *program, const char *function, int64_t *numbers, size_t most)
{
    struct constant_list list = {.tree = &program->tree, .numbers = numbers, .most = most};
    const struct ptog_function *found = ptog_function_find(program, function);
    if (found && found->region) {
        walk_region(&list, found->region);
        walk_extents(&list, found->region);
    }
    return list.count;
}
