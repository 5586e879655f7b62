/* program: the functions of a text, and the target its module names. */
#include <stdlib.h>
#include <string.h>

#include "program/allow.h"
#include "program/program.h"

static bool is_frame(const struct ptog_op *op)
{
    enum ptog_op_kind kind = ptog_op_info(op->name)->kind;
    return kind == PTOG_KIND_MODULE || kind == PTOG_KIND_FUNC;
}

static bool has_bare(const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op; op = op->next)
        if (!is_frame(op))
            return true;
    return false;
}

static bool add(struct ptog_program *program, size_t *room, struct ptog_function function)
{
    if (program->function_count == *room) {
        size_t more = *room ? *room * 2 : 8;
        struct ptog_function *functions = realloc(program->functions, more * sizeof *functions);
        if (!functions)
            return false;
        program->functions = functions;
        *room = more;
    }
    program->functions[program->function_count++] = function;
    return true;
}

/* One target for the whole text. */
static void take_target(struct ptog_program *program, const struct ptog_item *item)
{
    bool named = item->kind == PTOG_ITEM_STRING;
    const struct ptog_target *target = named ? ptog_target_find(ptog_tree_text(&program->tree, item->name)) : NULL;
    if (!target || (program->target && program->target != target))
        program->no_target = item;
    else
        program->target = target;
}

static void read_target(struct ptog_program *program, const struct ptog_op *module)
{
    const struct ptog_part *dict = ptog_op_part(module, PTOG_PART_DICT, PTOG_WORD_attributes);
    for (uint32_t i = 0; dict && i < dict->count; i++) {
        const struct ptog_entry *entry = &dict->entries[i];
        if (strcmp(ptog_tree_text(&program->tree, entry->key), "pto.target_arch") == 0)
            take_target(program, &entry->value);
    }
}

static bool list_region(struct ptog_program *program, size_t *room, const struct ptog_region *region);

static bool list_op(struct ptog_program *program, size_t *room, const struct ptog_op *op)
{
    const struct ptog_part *body = ptog_op_part(op, PTOG_PART_REGION, 0);
    if (ptog_op_info(op->name)->kind == PTOG_KIND_MODULE) {
        read_target(program, op);
        return !body || list_region(program, room, body->region);
    }
    const struct ptog_part *name = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    if (!body || !body->region->body || !name)
        return true;
    return add(program, room,
               (struct ptog_function){ptog_tree_text(&program->tree, name->items[0].name), op, body->region});
}

/* Modules nest no deeper than the parser lets them. */
static bool list_region(struct ptog_program *program, size_t *room, const struct ptog_region *region)
{
    if (has_bare(region) && !add(program, room, (struct ptog_function){"", NULL, region}))
        return false;
    for (const struct ptog_op *op = region->first; op; op = op->next)
        if (is_frame(op) && !list_op(program, room, op))
            return false;
    return true;
}

bool ptog_functions_list(struct ptog_program *program)
{
    size_t room = 0;
    return list_region(program, &room, &program->tree.root);
}

/* ---- what is wrong with them */

static void check_target(const struct ptog_program *program, struct ptog_finds *finds)
{
    const struct ptog_item *item = program->no_target;
    if (program->target)
        ptog_say(finds, "text-attribute", item->span, "another module names another target: choose one with --target");
    else
        ptog_say(finds, "text-attribute", item->span,
                 "pto.target_arch is \"a2a3\", \"a3\", \"a5\" or another name that 'ptog targets' lists");
}

/* `--func` and calls could mean either. Symbols are small numbers: the first of each name is found in one step. */
void ptog_functions_check(const struct ptog_program *program, bool chosen, struct ptog_finds *finds)
{
    ptog_allow_check(&program->source, finds);
    const struct ptog_item **first = calloc((size_t)program->tree.symbols.count + 1, sizeof *first);
    finds->no_memory = finds->no_memory || !first;
    for (size_t i = 0; first && i < program->function_count; i++) {
        const struct ptog_op *op = program->functions[i].op;
        const struct ptog_item *name = op ? &ptog_op_part(op, PTOG_PART_ITEMS, 0)->items[0] : NULL;
        if (name && first[name->name])
            ptog_say_related(
                ptog_say(finds, "text-redefined", name->span, "@%.80s is defined twice", program->functions[i].name),
                first[name->name]->span, "first defined here");
        else if (name)
            first[name->name] = name;
    }
    free(first);
    if (program->no_target && !chosen)
        check_target(program, finds);
}

const struct ptog_function *ptog_function_find(const struct ptog_program *program, const char *name)
{
    if (!name)
        return program->function_count == 1 ? program->functions : NULL;
    for (size_t i = 0; i < program->function_count; i++)
        if (strcmp(program->functions[i].name, name) == 0)
            return &program->functions[i];
    return NULL;
}
