/* reduce: values that take the place of others, clauses and arguments that are left out. */
#include <stdlib.h>
#include <string.h>

#include "reduce/reduce.h"

/* ---- values ---- */

static const char *result_name(const struct ptog_program *program, const struct ptog_op *op)
{
    if (op->result_count != 1)
        return NULL;
    return ptog_tree_text(&program->tree, op->results[0].name);
}

/* Uses `value` in the place of what the operation defines, which goes. */
static bool use_instead(struct ptog_reduced *r, const struct ptog_op *op, const char *value)
{
    struct ptog_text_edits edits = {0};
    struct ptog_span all = {0, r->program->source.size};
    const char *name = result_name(r->program, op);
    if (!value || strcmp(value, name) == 0)
        return false;
    ptog_edits_remove_op(&edits, r->program, op);
    ptog_edits_rename(&edits, r->program, all, name, value);
    return ptog_try_edits(r, &edits);
}

/* What an operation of the same name defined before; or one of its own operands. */
static bool replace_value(struct ptog_reduced *r, const struct ptog_op **ops, size_t i)
{
    const struct ptog_op *op = ops[i];
    for (size_t k = 0; k < i; k++)
        if (ops[k]->name == op->name && use_instead(r, op, result_name(r->program, ops[k])))
            return true;
    for (uint32_t p = 0; p < op->part_count; p++) {
        const struct ptog_part *part = &op->parts[p];
        bool has_items = part->kind >= PTOG_PART_ITEMS && part->kind <= PTOG_PART_WORD;
        for (uint32_t n = 0; has_items && n < part->count; n++)
            if (part->items[n].kind == PTOG_ITEM_VALUE &&
                use_instead(r, op, ptog_tree_text(&r->program->tree, part->items[n].name)))
                return true;
    }
    return false;
}

/* Replaces the last value that can be; false: there is none. */
static bool merge_value(struct ptog_reduced *r)
{
    size_t count;
    bool merged = false;
    const struct ptog_op **ops = ptog_ops_list(r, &count);
    for (size_t i = count; i-- > 0 && !merged && !ptog_reduction_is_over(r);)
        if (result_name(r->program, ops[i]))
            merged = replace_value(r, ops, i);
    free(ops);
    return merged;
}

bool ptog_merge_values(struct ptog_reduced *r)
{
    bool merged = false;
    while (!ptog_reduction_is_over(r) && merge_value(r))
        merged = true;
    return merged;
}

/* ---- parts of views ---- */

/* "8x16xf32" of the first type at or behind `at`; false: there is none before `end`. */
static bool find_extents(const struct ptog_source *source, uint32_t at, uint32_t end, struct ptog_span *extents)
{
    while (at < end && source->bytes[at] != '<')
        at++;
    extents->at = ++at;
    while (at < end && source->bytes[at] != '>' && source->bytes[at] != ',')
        at++;
    extents->length = at < end ? at - extents->at : 0;
    return at < end && extents->length < MAX_NAME;
}

/* Finds the extents of both types of "... : WHOLE -> PART"; false: there are none, or they are the same. */
static bool find_both_extents(const struct ptog_source *source, struct ptog_span op, struct ptog_span *whole,
                              struct ptog_span *part)
{
    const char *bytes = source->bytes;
    uint32_t colon = op.at, arrow, end = op.at + op.length;
    while (colon < end && bytes[colon] != ':')
        colon++;
    for (arrow = colon; arrow + 1 < end && (bytes[arrow] != '-' || bytes[arrow + 1] != '>');)
        arrow++;
    return find_extents(source, colon, arrow, whole) && find_extents(source, arrow, end, part) &&
           (whole->length != part->length || memcmp(bytes + whole->at, bytes + part->at, whole->length) != 0);
}

/* Writes the extents at `with` for those at `of` in all types: what held the part has to hold the whole. */
static void replace_extents(struct ptog_text_edits *edits, const struct ptog_source *source, struct ptog_span of,
                            struct ptog_span with)
{
    const char *bytes = source->bytes;
    char text[MAX_NAME];
    memcpy(text, bytes + with.at, with.length);
    text[with.length] = '\0';
    for (uint32_t at = 1; at + of.length < source->size; at++)
        if (memcmp(bytes + at, bytes + of.at, of.length) == 0 && strchr("< ,", bytes[at - 1]) &&
            strchr(">, ", bytes[at + of.length]))
            ptog_edits_replace(edits, (struct ptog_span){at, of.length}, text);
}

/* Uses a view in the place of a part of it. */
static bool use_whole_view(struct ptog_reduced *r, const struct ptog_op *op)
{
    const struct ptog_source *source = &r->program->source;
    struct ptog_text_edits edits = {0};
    struct ptog_span whole, part, all = {0, source->size};
    const struct ptog_part *items = ptog_op_part(op, PTOG_PART_ITEMS, 0);
    if (strcmp(ptog_tree_text(&r->program->tree, op->name), "pto.partition_view") != 0 ||
        !result_name(r->program, op) || !items || items->count == 0 || items->items[0].kind != PTOG_ITEM_VALUE ||
        !find_both_extents(source, op->span, &whole, &part))
        return false;
    ptog_edits_remove_op(&edits, r->program, op);
    ptog_edits_rename(&edits, r->program, all, result_name(r->program, op),
                      ptog_tree_text(&r->program->tree, items->items[0].name));
    replace_extents(&edits, source, part, whole);
    return ptog_try_edits(r, &edits);
}

/* Uses the first view that can be in the place of its part; false: there is none. */
static bool use_some_whole_view(struct ptog_reduced *r)
{
    size_t count;
    bool used = false;
    const struct ptog_op **ops = ptog_ops_list(r, &count);
    for (size_t i = 0; i < count && !used && !ptog_reduction_is_over(r); i++)
        used = use_whole_view(r, ops[i]);
    free(ops);
    return used;
}

bool ptog_use_whole_views(struct ptog_reduced *r)
{
    bool used = false;
    while (!ptog_reduction_is_over(r) && use_some_whole_view(r))
        used = true;
    return used;
}

/* ---- clauses ---- */

/* `addr = %a`, `{k = v}`, `else {...}`, `attributes {...}`. */
static bool can_be_left_out(const struct ptog_part *part)
{
    return part->kind == PTOG_PART_KEY || part->kind == PTOG_PART_DICT ||
           (part->kind == PTOG_PART_REGION && part->word);
}

/* All clauses of a word at once: tiles have addresses, or none has. */
static bool remove_clauses(struct ptog_reduced *r, const struct ptog_op **ops, size_t count, ptog_symbol word)
{
    struct ptog_text_edits edits = {0};
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < ops[i]->part_count; k++)
            if (ops[i]->parts[k].word == word && can_be_left_out(&ops[i]->parts[k]))
                ptog_edits_replace(&edits, ops[i]->parts[k].span, "");
    return ptog_try_edits(r, &edits);
}

/* Leaves a part out, or all of its word. */
static bool remove_part_of(struct ptog_reduced *r, const struct ptog_op **ops, size_t count,
                           const struct ptog_part *part)
{
    struct ptog_text_edits edits = {0};
    ptog_symbol word = part->word;
    if (!can_be_left_out(part))
        return false;
    ptog_edits_replace(&edits, part->span, "");
    return ptog_try_edits(r, &edits) || (word && remove_clauses(r, ops, count, word));
}

/* The first part that can be; the operations of the list are gone with the old program then. */
static bool remove_part(struct ptog_reduced *r)
{
    size_t count;
    bool removed = false;
    const struct ptog_op **ops = ptog_ops_list(r, &count);
    for (size_t i = 0; i < count && !removed; i++)
        for (uint32_t k = 0; !removed && k < ops[i]->part_count && !ptog_reduction_is_over(r); k++)
            removed = remove_part_of(r, ops, count, &ops[i]->parts[k]);
    free(ops);
    return removed;
}

bool ptog_remove_parts(struct ptog_reduced *r)
{
    bool removed = false;
    while (!ptog_reduction_is_over(r) && remove_part(r))
        removed = true;
    return removed;
}

/* ---- arguments ---- */

/* An argument with the comma that separates it from the next, or the one before. */
static bool remove_argument(struct ptog_reduced *r, const struct ptog_region *region, uint32_t i)
{
    struct ptog_text_edits edits = {0};
    const struct ptog_arg *arg = &region->args[i];
    uint32_t at = arg->span.at, end = arg->type.span.at + arg->type.span.length;
    if (!arg->type.type || arg->has_dict)
        return false;
    if (i + 1 < region->arg_count)
        end = region->args[i + 1].span.at;
    else if (i > 0)
        at = region->args[i - 1].type.span.at + region->args[i - 1].type.span.length;
    ptog_edits_replace(&edits, (struct ptog_span){at, end - at}, "");
    return ptog_try_edits(r, &edits);
}

/* Removes parameters of functions that the finding does not need (calls stay as they are); true when there were some.
 * The program is parsed anew for each. */
bool ptog_remove_arguments(struct ptog_reduced *r)
{
    bool removed = false;
    for (size_t f = 0; f < r->program->function_count; f++) {
        const struct ptog_region *region = r->program->functions[f].region;
        for (uint32_t i = region ? region->arg_count : 0; i-- > 0 && !ptog_reduction_is_over(r);)
            if (remove_argument(r, region, i)) {
                removed = true;
                region = r->program->functions[f].region;
            }
    }
    return removed;
}
