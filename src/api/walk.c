/* api: every operation in the order of the text, as a visitor sees it. */
#include "base/stack.h"
#include "lower/program.h"

struct list_walk {
    const struct ptog_program *program;
    bool (*visit)(void *user, const struct ptog_op_seen *op);
    void *user;
    struct ptog_stack names; /* const char * */
    bool over, no_memory;
};

/* Appends a name to those of the operation at hand. */
static void add_name(struct list_walk *w, ptog_symbol name)
{
    const char *text = ptog_tree_text(&w->program->tree, name);
    w->no_memory = w->no_memory || !ptog_stack_push(&w->names, &text, sizeof text);
}

/* Nested no deeper than the parser lets them be. */
static void add_values(struct list_walk *w, const struct ptog_item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct ptog_item *item = &items[i];
        if (item->kind == PTOG_ITEM_VALUE)
            add_name(w, item->name);
        if (item->kind == PTOG_ITEM_ARRAY || (item->kind == PTOG_ITEM_VALUE && item->called))
            add_values(w, item->items, item->count);
    }
}

/* Whether a part of an operation lists values. */
static bool has_items(const struct ptog_part *part)
{
    switch (part->kind) {
    case PTOG_PART_ITEMS:
    case PTOG_PART_LIST:
    case PTOG_PART_PARENS:
    case PTOG_PART_CLAUSE:
    case PTOG_PART_KEY:
    case PTOG_PART_WORD: return true;
    default: return false;
    }
}

/* Gives one operation to the caller's function: its name, place, operands and results. Notes when that wants no
 * more. */
static void visit_op(struct list_walk *w, const struct ptog_op *op, int depth)
{
    const struct ptog_op_info *info = ptog_op_info(op->name);
    struct ptog_place place = ptog_source_place(&w->program->source, op->name_span);
    w->names.used = 0;
    if (op->defines && op->outs)
        add_values(w, op->outs->items, op->outs->count);
    for (uint32_t i = 0; i < op->result_count; i++)
        add_name(w, op->results[i].name);
    size_t results = w->names.used / sizeof(const char *);
    for (uint32_t i = 0; i < op->part_count; i++)
        if (has_items(&op->parts[i]) && !(op->defines && &op->parts[i] == op->outs))
            add_values(w, op->parts[i].items, op->parts[i].count);
    if (w->no_memory)
        return;
    const char *const *names = (const char *const *)(const void *)w->names.data;
    struct ptog_op_seen seen = {
        .name = ptog_tree_text(&w->program->tree, op->name),
        .modelled = info->modelled,
        .depth = depth,
        .line = place.line,
        .column = place.column,
        .result_count = results,
        .operand_count = w->names.used / sizeof(const char *) - results,
        .results = names,
        .operands = names ? names + results : NULL,
    };
    w->over = !w->visit(w->user, &seen);
}

/* Visits all operations of a region, those of inner regions behind the one that holds them. */
static void walk_region(struct list_walk *w, const struct ptog_region *region, int depth)
{
    for (const struct ptog_op *op = region->first; op && !w->over && !w->no_memory; op = op->next) {
        visit_op(w, op, depth);
        for (uint32_t i = 0; i < op->part_count && !w->over; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                walk_region(w, op->parts[i].region, depth + 1);
    }
}

enum ptog_status ptog_program_walk(const ptog_program *program,
                                   bool (*visit)(void *user, const struct ptog_op_seen *op), void *user)
{
    if (!program || !visit)
        return PTOG_BAD_ARGUMENT;
    struct list_walk w = {.program = program, .visit = visit, .user = user};
    walk_region(&w, &program->tree.root, 0);
    ptog_stack_free(&w.names);
    if (w.no_memory)
        return PTOG_NO_MEMORY;
    return PTOG_OK;
}
