/* lint: asking the rows of the tables of an operation, and the words that they are written in. */
#include "lint/rules.h"

#include <string.h>

#include "base/text.h"
#include "lint/clauses.h"
#include "program/parts.h"
#include "program/scope.h"
#include "program/types.h"

/* ---- operands */

/* The items of a list, and where their types are written. */
static const struct ptog_part *part_of(const struct ptog_asked *a, enum ptog_asked_list list)
{
    if (list == PTOG_ASKED_INS)
        return a->op->ins;
    if (list == PTOG_ASKED_OUTS)
        return a->op->outs;
    return NULL;
}

uint32_t ptog_asked_count(const struct ptog_asked *a, enum ptog_asked_list list)
{
    const struct ptog_part *part = part_of(a, list);
    if (list == PTOG_ASKED_RESULTS)
        return a->op->result_count;
    if (list == PTOG_ASKED_ARGS)
        return ptog_operands_of(a->op).count;
    return part ? part->count : 0;
}

static const struct ptog_item *item_of(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    const struct ptog_part *part = part_of(a, operand.list);
    if (operand.n >= ptog_asked_count(a, operand.list))
        return NULL;
    if (part)
        return &part->items[operand.n];
    if (operand.list == PTOG_ASKED_RESULTS)
        return &a->op->results[operand.n];
    return &ptog_operands_of(a->op).items[operand.n];
}

static const struct ptog_type_use *written_type(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    struct ptog_operands operands = ptog_operands_of(a->op);
    if (operand.list == PTOG_ASKED_ARGS)
        return ptog_operand_type(&operands, operand.n);
    if (operand.list != PTOG_ASKED_RESULTS)
        return ptog_part_type(part_of(a, operand.list), operand.n);
    if (operand.n < operands.result_count)
        return &operands.results[operand.n];
    return NULL;
}

const struct ptog_type *ptog_asked_type(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    const struct ptog_item *item = item_of(a, operand);
    bool defined = item && item->kind == PTOG_ITEM_VALUE && operand.list != PTOG_ASKED_RESULTS;
    const struct ptog_value *value = defined ? ptog_value_named(a->e, item->name) : NULL;
    if (value && value->type)
        return value->type;
    return ptog_used_type(written_type(a, operand));
}

int64_t ptog_asked_field(const struct ptog_asked *a, struct ptog_asked_operand operand, enum ptog_tile_field field)
{
    const struct ptog_type *type = ptog_asked_type(a, operand);
    if (!type || !ptog_type_is_tile(type) || type->elided || type->field[field].name != 0)
        return PTOG_DYN;
    return type->field[field].value;
}

bool ptog_asked_loc(const struct ptog_asked *a, struct ptog_asked_operand operand, const char *words)
{
    static const char *const names[] = {"vec", "mat", "left", "right", "acc", "bias", "scaling"};
    int64_t loc = ptog_asked_field(a, operand, PTOG_FIELD_LOC);
    if (loc < 0 || (size_t)loc >= sizeof names / sizeof names[0])
        return true;
    return ptog_word_listed(names[loc], words);
}

bool ptog_asked_element(const struct ptog_asked *a, struct ptog_asked_operand operand, const char *words)
{
    return ptog_type_holds(a, ptog_asked_type(a, operand), words);
}

bool ptog_asked_same_element(const struct ptog_asked *a, struct ptog_asked_operand x, struct ptog_asked_operand y)
{
    const char *one = ptog_type_element_name(a, ptog_asked_type(a, x));
    const char *other = ptog_type_element_name(a, ptog_asked_type(a, y));
    return !one || !other || strcmp(one, other) == 0;
}

struct ptog_span ptog_asked_span(const struct ptog_asked *a, struct ptog_asked_operand operand)
{
    const struct ptog_item *item = item_of(a, operand);
    return item ? item->span : a->op->name_span;
}

/* ---- attributes */

const struct ptog_item *ptog_asked_key(const struct ptog_asked *a, const char *key)
{
    for (uint32_t i = 0; i < a->op->part_count; i++) {
        const struct ptog_part *part = &a->op->parts[i];
        if (part->kind == PTOG_PART_KEY && strcmp(ptog_tree_text(a->e->tree, part->word), key) == 0)
            return &part->items[0];
    }
    return ptog_attr_of(a->e, a->op, key);
}

static bool number_of(const struct ptog_item *item, int64_t *number)
{
    if (item->kind != PTOG_ITEM_INT || item->number > INT64_MAX)
        return false;
    *number = item->negative ? -(int64_t)item->number : (int64_t)item->number;
    return true;
}

bool ptog_asked_number(const struct ptog_asked *a, const char *key, int64_t least, int64_t most)
{
    const struct ptog_item *item = ptog_asked_key(a, key);
    int64_t number;
    if (!item || item->kind == PTOG_ITEM_ATTR || item->kind == PTOG_ITEM_RAW) /* #x: a name that the text gives it */
        return true;
    return number_of(item, &number) && number >= least && number <= most;
}

int64_t ptog_asked_value(const struct ptog_asked *a, const char *key)
{
    const struct ptog_item *item = ptog_asked_key(a, key);
    int64_t number;
    if (item && number_of(item, &number) && number >= 0)
        return number;
    return PTOG_DYN;
}

bool ptog_asked_known_number(const struct ptog_asked *a, const struct ptog_item *item, int64_t *number)
{
    const struct ptog_value *value = item && item->kind == PTOG_ITEM_VALUE ? ptog_value_named(a->e, item->name) : NULL;
    if (!value || value->kind != PTOG_VALUE_NUMBER || !value->number.known)
        return false;
    *number = value->number.value;
    return true;
}

bool ptog_asked_word(const struct ptog_asked *a, const char *key, const char *word)
{
    const struct ptog_item *item = ptog_asked_key(a, key);
    bool named =
        item && (item->kind == PTOG_ITEM_ATTR || item->kind == PTOG_ITEM_WORD || item->kind == PTOG_ITEM_STRING);
    return named && strcmp(ptog_item_word(a->e->tree, item), word) == 0;
}

struct ptog_span ptog_asked_key_span(const struct ptog_asked *a, const char *key)
{
    const struct ptog_item *item = ptog_asked_key(a, key);
    return item ? item->span : a->op->name_span;
}

/* ---- the tables */

void ptog_asked_say(const struct ptog_asked *a, const char *id, struct ptog_span at, const char *message)
{
    ptog_say(a->e->finds, id, at, "'%s' %s", ptog_op_info(a->op->name)->name, message);
}

/* In the generic form optional operands stand where the compiler has them, which need not be before the destination. */
static bool has_operands_in_order(const struct ptog_op *op)
{
    return op->form != PTOG_OP_GENERIC || !op->ins;
}

bool ptog_check_asks(struct ptog_eval *e, const struct ptog_op *op)
{
    const struct ptog_asked a = {e, op};
    size_t errors = e->finds->errors;
    if (e->running || !has_operands_in_order(op))
        return true;
#define ASK_TABLE(name) ptog_asks_##name(&a);
    PTOG_ASKS_TABLES(ASK_TABLE)
    return e->finds->errors == errors;
}
