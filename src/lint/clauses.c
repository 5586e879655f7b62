/* lint: walking the clauses of an operation, and what is known of their items. */
#include "lint/clauses.h"

#include "asm/op_parts.h"
#include "asm/types.h"
#include "base/text.h"

/* ---- the walk */

static bool has_operands(const struct ptog_part *part)
{
    return part->kind == PTOG_PART_ITEMS || part->kind == PTOG_PART_PARENS;
}

/* Advances to the next word among the operands of a part, and fills in *clause; false: no more. */
static bool next_item(const struct ptog_part *part, struct ptog_clause_walk *walk, struct ptog_clause *clause)
{
    while (walk->item < part->count) {
        const struct ptog_item *item = &part->items[walk->item++];
        uint32_t before = walk->values;
        walk->values += ptog_run_values(item, 1);
        if (item->kind != PTOG_ITEM_WORD || item->lead & PTOG_LEAD_KEY)
            continue;
        *clause = (struct ptog_clause){.word = item->name, .before = before};
        clause->span = item->span;
        if (item->called) {
            clause->items = item->items;
            clause->count = item->count;
        }
        return true;
    }
    return false;
}

/* The span of a part begins with the comma before it; that of a clause with its word. */
static struct ptog_span clause_span(const struct ptog_part *part)
{
    return (struct ptog_span){part->word_at, part->span.at + part->span.length - part->word_at};
}

bool ptog_clause_next(const struct ptog_lint_ctx *ctx, struct ptog_clause_walk *walk, struct ptog_clause *clause)
{
    for (; walk->part < ctx->op->part_count; walk->part++, walk->item = 0) {
        const struct ptog_part *part = &ctx->op->parts[walk->part];
        if (has_operands(part) && next_item(part, walk, clause))
            return true;
        bool alone = part->kind == PTOG_PART_WORD && !part->listed;
        if (!alone && part->kind != PTOG_PART_CLAUSE)
            continue;
        *clause = (struct ptog_clause){.word = part->word, .before = walk->values};
        clause->span = clause_span(part);
        if (!alone) {
            clause->items = part->items;
            clause->count = part->count;
            walk->values += ptog_run_values(part->items, part->count);
        }
        walk->part++;
        walk->item = 0;
        return true;
    }
    return false;
}

struct ptog_clause ptog_clause_of(const struct ptog_lint_ctx *ctx, const char *words)
{
    struct ptog_clause_walk walk = {0};
    struct ptog_clause clause;
    while (ptog_clause_next(ctx, &walk, &clause))
        if (ptog_tree_is_listed(ctx->tree, clause.word, words)) {
            clause.operands = ptog_operands_of(ctx->op);
            return clause;
        }
    return (struct ptog_clause){0};
}

bool ptog_clause_has(const struct ptog_lint_ctx *ctx, const char *words)
{
    return ptog_clause_of(ctx, words).word != 0;
}

struct ptog_span ptog_clause_span(const struct ptog_lint_ctx *ctx, const char *words)
{
    struct ptog_clause clause = ptog_clause_of(ctx, words);
    if (clause.word)
        return clause.span;
    return ctx->op->name_span;
}

/* ---- items */

const struct ptog_item *ptog_clause_plain(const struct ptog_clause *clause)
{
    for (uint32_t i = 0; i < clause->count; i++)
        if (!(clause->items[i].lead & PTOG_LEAD_KEY))
            return &clause->items[i];
    return NULL;
}

const struct ptog_item *ptog_clause_key(const struct ptog_lint_ctx *ctx, const struct ptog_clause *clause,
                                        const char *key)
{
    for (uint32_t i = 0; i < clause->count; i++) {
        const struct ptog_item *item = &clause->items[i];
        if (item->lead & PTOG_LEAD_KEY && ptog_tree_is(ctx->tree, item->lead_word, key))
            return item;
    }
    return NULL;
}

bool ptog_clause_is(const struct ptog_lint_ctx *ctx, const struct ptog_item *item, const char *words)
{
    if (item && item->kind == PTOG_ITEM_WORD)
        return ptog_tree_is_listed(ctx->tree, item->name, words);
    bool type = item && item->kind == PTOG_ITEM_TYPE && item->type && item->type->kind == PTOG_TYPE_SCALAR;
    return type && ptog_tree_is_listed(ctx->tree, item->type->element.name, words);
}

/* The type of the value with this number among those of the operation. */
static const struct ptog_type *type_of(const struct ptog_lint_ctx *ctx, const struct ptog_clause *clause,
                                       const struct ptog_item *item, uint32_t number)
{
    const struct ptog_value *value = ptog_lint_named(ctx, item->name);
    if (value && value->type)
        return value->type;
    return ptog_used_type(ptog_operand_type(&clause->operands, number));
}

const struct ptog_type *ptog_clause_type(const struct ptog_lint_ctx *ctx, const struct ptog_clause *clause,
                                         const struct ptog_item *item)
{
    if (!ptog_item_is_value(item))
        return NULL;
    uint32_t within = ptog_run_values(clause->items, (uint32_t)(item - clause->items));
    return type_of(ctx, clause, item, clause->before + within);
}

const struct ptog_type *ptog_clause_type_at(const struct ptog_lint_ctx *ctx, const struct ptog_clause *clause,
                                            uint32_t i)
{
    if (clause->items[i].kind != PTOG_ITEM_VALUE)
        return NULL;
    return type_of(ctx, clause, &clause->items[i], clause->before + i);
}

bool ptog_lint_known(const struct ptog_lint_ctx *ctx, uint32_t n, int64_t *number)
{
    struct ptog_operands operands = ptog_operands_of(ctx->op);
    return n < operands.count && ptog_lint_known_number(ctx, &operands.items[n], number);
}

/* ---- types */

/* The memory that a pointer or a memref points into: a word of the text; 0 when its type does not say. */
static ptog_symbol space_of(const struct ptog_type *type)
{
    if (type->kind == PTOG_TYPE_PTR)
        return type->space ? type->space : (ptog_symbol)PTOG_WORD_gm;
    for (uint32_t i = 0; type->kind == PTOG_TYPE_MEMREF && i < type->rest_count; i++) {
        const struct ptog_item *item = &type->rest[i];
        if (item->kind == PTOG_ITEM_ATTR && item->name == PTOG_WORD_address_space)
            return item->value;
    }
    return 0;
}

bool ptog_type_lies(const struct ptog_lint_ctx *ctx, const struct ptog_type *type, const char *places)
{
    static const char *const buffers[][2] = {{"l1", "mat"}, {"l0a", "left"}, {"l0b", "right"},  {"l0c", "acc"},
                                             {"ub", "vec"}, {"bt", "bias"},  {"fb", "scaling"}, {"zero", "gm"}};
    ptog_symbol space = type && !type->elided ? space_of(type) : 0;
    for (size_t i = 0; space != 0 && i < sizeof buffers / sizeof buffers[0]; i++)
        if (ptog_tree_is(ctx->tree, space, buffers[i][0]))
            return ptog_word_listed(buffers[i][1], places);
    return space == 0 || ptog_tree_is_listed(ctx->tree, space, places);
}

const char *ptog_type_element_name(const struct ptog_lint_ctx *ctx, const struct ptog_type *type)
{
    if (!type || type->elided || type->element.placeholder)
        return NULL;
    if (type->element.dtype != PTOG_DTYPE_NONE)
        return ptog_dtype_name(type->element.dtype);
    if (type->element.name != 0)
        return ptog_tree_text(ctx->tree, type->element.name);
    return NULL;
}

static bool has_known_element(const struct ptog_type *type)
{
    return type && !type->elided && type->element.name != 0;
}

bool ptog_elements_match(const struct ptog_type *a, const struct ptog_type *b)
{
    return !has_known_element(a) || !has_known_element(b) || ptog_elements_agree(&a->element, &b->element);
}

bool ptog_type_holds(const struct ptog_lint_ctx *ctx, const struct ptog_type *type, const char *elements)
{
    const char *element = ptog_type_element_name(ctx, type);
    return !element || ptog_word_listed(element, elements);
}
