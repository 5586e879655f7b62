/* lint: asking the rows of the tables of an operation, and the words that they are written in. */
#include "lint/rules.h"

#include <string.h>

#include "asm/op_parts.h"
#include "asm/types.h"
#include "base/text.h"
#include "lint/clauses.h"

/* ---- operands */

/* The items of a list, and where their types are written. */
static const struct ptog_part *part_of(const struct ptog_lint_ctx *ctx, enum ptog_lint_list list)
{
    if (list == PTOG_LINT_INS)
        return ctx->op->ins;
    if (list == PTOG_LINT_OUTS)
        return ctx->op->outs;
    return NULL;
}

uint32_t ptog_lint_count(const struct ptog_lint_ctx *ctx, enum ptog_lint_list list)
{
    const struct ptog_part *part = part_of(ctx, list);
    if (list == PTOG_LINT_RESULTS)
        return ctx->op->result_count;
    if (list == PTOG_LINT_ARGS)
        return ptog_operands_of(ctx->op).count;
    return part ? part->count : 0;
}

/* The item that a rule calls operand `n` of a list; NULL: there is none. */
static const struct ptog_item *item_of(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    const struct ptog_part *part = part_of(ctx, operand.list);
    if (operand.n >= ptog_lint_count(ctx, operand.list))
        return NULL;
    if (part)
        return &part->items[operand.n];
    if (operand.list == PTOG_LINT_RESULTS)
        return &ctx->op->results[operand.n];
    return &ptog_operands_of(ctx->op).items[operand.n];
}

/* The type that is written for an operand; NULL: none is. */
static const struct ptog_type_use *written_type(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    struct ptog_operands operands = ptog_operands_of(ctx->op);
    if (operand.list == PTOG_LINT_ARGS)
        return ptog_operand_type(&operands, operand.n);
    if (operand.list != PTOG_LINT_RESULTS)
        return ptog_part_type(part_of(ctx, operand.list), operand.n);
    if (operand.n < operands.result_count)
        return &operands.results[operand.n];
    return NULL;
}

const struct ptog_type *ptog_lint_type(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    const struct ptog_item *item = item_of(ctx, operand);
    bool defined = item && item->kind == PTOG_ITEM_VALUE && operand.list != PTOG_LINT_RESULTS;
    const struct ptog_value *value = defined ? ptog_lint_named(ctx, item->name) : NULL;
    if (value && value->type)
        return value->type;
    return ptog_used_type(written_type(ctx, operand));
}

int64_t ptog_lint_field(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, enum ptog_tile_field field)
{
    const struct ptog_type *type = ptog_lint_type(ctx, operand);
    if (!type || !ptog_type_is_tile(type) || type->elided || type->field[field].name != 0)
        return PTOG_DYN;
    return type->field[field].value;
}

bool ptog_lint_loc(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, const char *words)
{
    static const char *const names[] = {"vec", "mat", "left", "right", "acc", "bias", "scaling"};
    int64_t loc = ptog_lint_field(ctx, operand, PTOG_FIELD_LOC);
    if (loc < 0 || (size_t)loc >= sizeof names / sizeof names[0])
        return true;
    return ptog_word_listed(names[loc], words);
}

bool ptog_lint_element(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand, const char *words)
{
    return ptog_type_holds(ctx, ptog_lint_type(ctx, operand), words);
}

bool ptog_lint_same_element(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand x, struct ptog_lint_operand y)
{
    return ptog_elements_match(ptog_lint_type(ctx, x), ptog_lint_type(ctx, y));
}

struct ptog_span ptog_lint_span(const struct ptog_lint_ctx *ctx, struct ptog_lint_operand operand)
{
    const struct ptog_item *item = item_of(ctx, operand);
    return item ? item->span : ctx->op->name_span;
}

/* ---- attributes */

const struct ptog_item *ptog_lint_key(const struct ptog_lint_ctx *ctx, const char *key)
{
    for (uint32_t i = 0; i < ctx->op->part_count; i++) {
        const struct ptog_part *part = &ctx->op->parts[i];
        if (part->kind == PTOG_PART_KEY && ptog_tree_is(ctx->tree, part->word, key))
            return &part->items[0];
    }
    return ptog_op_attribute(ctx->tree, ctx->op, key);
}

static bool number_of(const struct ptog_item *item, int64_t *number)
{
    if (item->kind != PTOG_ITEM_INT || item->number > INT64_MAX)
        return false;
    *number = item->negative ? -(int64_t)item->number : (int64_t)item->number;
    return true;
}

bool ptog_lint_number(const struct ptog_lint_ctx *ctx, const char *key, int64_t least, int64_t most)
{
    const struct ptog_item *item = ptog_lint_key(ctx, key);
    int64_t number = 0;
    if (!item || item->kind == PTOG_ITEM_ATTR || item->kind == PTOG_ITEM_RAW) /* #x: a name that the text gives it */
        return true;
    return number_of(item, &number) && number >= least && number <= most;
}

int64_t ptog_lint_value(const struct ptog_lint_ctx *ctx, const char *key)
{
    const struct ptog_item *item = ptog_lint_key(ctx, key);
    int64_t number;
    if (item && number_of(item, &number) && number >= 0)
        return number;
    return PTOG_DYN;
}

bool ptog_lint_known_number(const struct ptog_lint_ctx *ctx, const struct ptog_item *item, int64_t *number)
{
    const struct ptog_value *value = item && item->kind == PTOG_ITEM_VALUE ? ptog_lint_named(ctx, item->name) : NULL;
    if (!value || value->kind != PTOG_VALUE_NUMBER || !value->number.known)
        return false;
    *number = value->number.value;
    return true;
}

bool ptog_lint_word(const struct ptog_lint_ctx *ctx, const char *key, const char *word)
{
    return ptog_item_is_word(ctx->tree, ptog_lint_key(ctx, key), word);
}

struct ptog_span ptog_lint_key_span(const struct ptog_lint_ctx *ctx, const char *key)
{
    const struct ptog_item *item = ptog_lint_key(ctx, key);
    return item ? item->span : ctx->op->name_span;
}

/* ---- the tables */

void ptog_lint_say(const struct ptog_lint_ctx *ctx, const char *id, struct ptog_span at, const char *message)
{
    ptog_diag_emit(ctx->diags, id, at, "'%s' %s", ptog_op_info(ctx->op->name)->name, message);
}
