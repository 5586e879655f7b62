/* reduce: statements, branches and loops that are left out. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "explore/explore.h"
#include "reduce/reduce.h"

/* ---- lists ---- */

struct op_array {
    const struct ptog_op **of;
    size_t count, room;
    bool no_memory;
};

/* Appends all operations of a region, those of inner ones behind the one that holds them. */
static void list_region(struct op_array *list, const struct ptog_region *region)
{
    for (const struct ptog_op *op = region->first; op && !list->no_memory; op = op->next) {
        if (!ptog_array_reserve(&list->of, list->count + 1, &list->room)) {
            list->no_memory = true;
            return;
        }
        list->of[list->count++] = op;
        for (uint32_t i = 0; i < op->part_count; i++)
            if (op->parts[i].kind == PTOG_PART_REGION)
                list_region(list, op->parts[i].region);
    }
}

const struct ptog_op **ptog_ops_list(struct ptog_reduced *r, size_t *count)
{
    struct op_array list = {NULL, 0, 0, false};
    list_region(&list, &r->program->tree.root);
    r->no_memory = r->no_memory || list.no_memory;
    *count = r->no_memory ? 0 : list.count;
    return list.of;
}

bool ptog_is_statement(const struct ptog_program *program, const struct ptog_op *op)
{
    return !ptog_is_structure_name(ptog_tree_text(&program->tree, op->name));
}

size_t ptog_statement_count(struct ptog_reduced *r)
{
    size_t count, statements = 0;
    const struct ptog_op **ops = ptog_ops_list(r, &count);
    for (size_t i = 0; i < count; i++)
        statements += ptog_is_statement(r->program, ops[i]);
    free(ops);
    return statements;
}

/* ---- removing ---- */

/* Removes operations from `first` on, at most `size` of them. True: that was possible. */
static bool remove_some(struct ptog_reduced *r, size_t first, size_t size)
{
    struct ptog_text_edits edits = {0};
    size_t count;
    const struct ptog_op **ops = ptog_ops_list(r, &count);
    for (size_t i = first; i < count && i < first + size; i++)
        if (ptog_is_statement(r->program, ops[i]))
            ptog_edits_remove_op(&edits, r->program, ops[i]);
    free(ops);
    return ptog_try_edits(r, &edits);
}

/* Leaves out statements as long as the finding stays: many at once first, and from the end, where values are used that
 * are defined before. Whether the program became smaller. */
bool ptog_remove_statements(struct ptog_reduced *r)
{
    bool removed = false;
    for (size_t size = (size_t)r->program->tree.op_count / 2; size > 0; size /= 2)
        for (size_t end = r->program->tree.op_count; end > 0 && !ptog_reduction_is_over(r);) {
            size_t first = end > size ? end - size : 0;
            removed |= remove_some(r, first, size);
            end = first;
        }
    return removed;
}

/* Removes two operations of the list. */
static bool remove_two(struct ptog_reduced *r, const struct ptog_op *one, const struct ptog_op *other)
{
    struct ptog_text_edits edits = {0};
    ptog_edits_remove_op(&edits, r->program, one);
    ptog_edits_remove_op(&edits, r->program, other);
    return ptog_try_edits(r, &edits);
}

static bool is_sync(const struct ptog_program *program, const struct ptog_op *op)
{
    return ptog_is_sync_name(ptog_tree_text(&program->tree, op->name));
}

/* Removes the first two flags that the finding does not need; false: it needs each pair of them. */
static bool remove_pair(struct ptog_reduced *r)
{
    size_t count;
    bool removed = false;
    const struct ptog_op **ops = ptog_ops_list(r, &count);
    for (size_t i = 0; i < count && !removed; i++)
        for (size_t k = i + 1; k < count && !removed && is_sync(r->program, ops[i]); k++)
            if (is_sync(r->program, ops[k]))
                removed = remove_two(r, ops[i], ops[k]);
    free(ops);
    return removed;
}

/* A set without its wait is another finding: both go at once. */
bool ptog_remove_pairs(struct ptog_reduced *r)
{
    bool removed = false;
    while (!ptog_reduction_is_over(r) && remove_pair(r))
        removed = true;
    return removed;
}

/* ---- unwrapping ---- */

/* Operand k of an operation among those that are values; NULL past the end. */
static const struct ptog_item *operand_of(const struct ptog_op *op, size_t k)
{
    for (uint32_t i = 0; i < op->part_count; i++) {
        const struct ptog_part *part = &op->parts[i];
        bool has_items = part->kind >= PTOG_PART_ITEMS && part->kind <= PTOG_PART_WORD;
        for (uint32_t n = 0; has_items && n < part->count; n++)
            if (part->items[n].kind == PTOG_ITEM_VALUE && k-- == 0)
                return &part->items[n];
    }
    return NULL;
}

static const struct ptog_op *last_op(const struct ptog_region *region)
{
    const struct ptog_op *op = region->first;
    while (op && op->next)
        op = op->next;
    return op;
}

/* Leaves the inside of a region in the place of its operation; its arguments become `value`. */
static bool unwrap_with(struct ptog_reduced *r, const struct ptog_op *op, const struct ptog_region *region,
                        const struct ptog_item *value)
{
    const struct ptog_tree *tree = &r->program->tree;
    struct ptog_text_edits edits = {0};
    const struct ptog_op *first = region->first, *last = last_op(region);
    if (first && r->program->source.bytes[first->span.at] == '^') /* a label, with the arguments of the block */
        first = first->next;
    if (!first)
        return false;
    uint32_t begin = first->span.at, end = op->span.at + op->span.length;
    bool yields = !ptog_is_statement(r->program, last);
    uint32_t stop = yields ? last->span.at : last->span.at + last->span.length;
    ptog_edits_replace(&edits, (struct ptog_span){op->span.at, begin - op->span.at}, "");
    ptog_edits_replace(&edits, (struct ptog_span){stop, end - stop}, "");
    for (uint32_t i = 0; value && i < region->arg_count; i++)
        ptog_edits_rename(&edits, r->program, (struct ptog_span){begin, stop - begin},
                          ptog_tree_text(tree, region->args[i].name), ptog_tree_text(tree, value->name));
    return ptog_try_edits(r, &edits);
}

/* Arguments that the inside does not use, if any, need no value. */
static bool unwrap_region(struct ptog_reduced *r, const struct ptog_op *op, const struct ptog_region *region)
{
    const struct ptog_item *value;
    if (unwrap_with(r, op, region, NULL))
        return true;
    for (size_t k = 0; region->arg_count > 0 && (value = operand_of(op, k)) != NULL; k++)
        if (unwrap_with(r, op, region, value))
            return true;
    return false;
}

static bool is_function(const struct ptog_op *op)
{
    return ptog_op_info(op->name)->kind == PTOG_KIND_FUNC;
}

static bool is_branch_or_loop(const struct ptog_op *op)
{
    enum ptog_op_kind kind = ptog_op_info(op->name)->kind;
    return kind == PTOG_KIND_FOR || kind == PTOG_KIND_IF || kind == PTOG_KIND_WHILE;
}

/* Unwraps the first region that can be; false: there is none. */
static bool unwrap_one(struct ptog_reduced *r)
{
    size_t count;
    bool done = false;
    const struct ptog_op **ops = ptog_ops_list(r, &count);
    for (size_t i = 0; i < count && !done; i++)
        for (uint32_t k = ops[i]->part_count; k-- > 0 && !done && !is_function(ops[i]);)
            if (ops[i]->parts[k].kind == PTOG_PART_REGION)
                done = unwrap_region(r, ops[i], ops[i]->parts[k].region);
    free(ops);
    return done;
}

/* A barrier of one pipe in the place of a branch or loop: without flags of its own a program would
 * be completed. */
static bool replace_region(struct ptog_reduced *r)
{
    size_t count;
    bool done = false;
    const struct ptog_op **ops = ptog_ops_list(r, &count);
    for (size_t i = 0; i < count && !done; i++) {
        struct ptog_text_edits edits = {0};
        if (!is_branch_or_loop(ops[i]) || ops[i]->result_count > 0)
            continue;
        ptog_edits_replace(&edits, ops[i]->span, "pto.barrier <PIPE_V>");
        done = ptog_try_edits(r, &edits);
    }
    free(ops);
    return done;
}

bool ptog_unwrap_regions(struct ptog_reduced *r)
{
    bool unwrapped = false;
    while (!ptog_reduction_is_over(r) && (unwrap_one(r) || replace_region(r)))
        unwrapped = true;
    return unwrapped;
}
