/* lower: arith.* and the numbers of the block. Integers have a width and wrap; an unknown operand gives an unknown
 * result. */
#include <stdlib.h>

#include "base/pick.h"
#include "lower/bind.h"
#include "lower/emit.h"
#include "lower/ops/flow.h"
#include "lower/ops/ops.h"
#include "lower/ops/scalars.h"
#include "lower/parts.h"
#include "lower/place.h"
#include "lower/real.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/dtype.h"

/* ---- constants */

/* Where a constant has its number. */
static const struct ptog_item *constant_item(const struct ptog_op *op, const struct ptog_operands *operands)
{
    if (operands->count > 0)
        return &operands->items[0];
    return ptog_op_word_attr(op, PTOG_WORD_value);
}

/* Defines a floating-point constant by its bits, and appends its record. */
static void define_constant_bits(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type *type,
                                 enum ptog_dtype dtype, uint64_t bits)
{
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_CONSTANT, op, NULL, 0);
    *code = (struct ptog_scalar_code){.type = type, .bits = bits, .dtype = (uint8_t)dtype, .is_real = true};
    ptog_define_real(e, op, type, dtype, true, bits);
}

/* Defines a floating-point constant, rounded to its type, and appends its record. */
static void define_constant_real(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type *type,
                                 enum ptog_dtype dtype, double number)
{
    define_constant_bits(e, op, type, dtype, ptog_dtype_from_real(dtype, number));
}

/* Defines an integer constant, and appends its record. */
static void define_constant_integer(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type *type,
                                    unsigned width, uint64_t bits)
{
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_CONSTANT, op, NULL, 0);
    *code = (struct ptog_scalar_code){.type = type, .bits = bits, .width = (uint8_t)width};
    ptog_define_integer(e, op, type, width, (struct ptog_number){(int64_t)bits, true});
}

/* An integer of so many bits may be written with a sign or without; index has 64. */
static bool fits(const struct ptog_item *item, unsigned width)
{
    if (width >= 64)
        return true;
    if (item->negative)
        return item->number <= UINT64_C(1) << (width - 1);
    return item->number < UINT64_C(1) << width;
}

/* Defines the result of a constant and appends its record; reports a number that does not fit its type. */
static void eval_constant_of(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_item *item,
                             const struct ptog_type *type, struct ptog_scalar scalar)
{
    unsigned width = ptog_scalar_bits(scalar);
    bool bits_given = scalar.width > 0 || (scalar.real && item->style == PTOG_ITEM_HEX && width > 0);
    if (item->kind == PTOG_ITEM_INT && bits_given && !fits(item, width)) {
        ptog_diag_emit(e->diags, "text-number", item->span, "the number does not fit in the %u bits of its type",
                       width);
        ptog_define_any(e, op);
    } else if (scalar.width > 0 && item->kind == PTOG_ITEM_INT) {
        define_constant_integer(e, op, type, scalar.width, ptog_negated_if(item->negative, item->number));
    } else if (scalar.real && item->kind == PTOG_ITEM_FLOAT) {
        define_constant_real(e, op, type, scalar.dtype, ptog_real_read(ptog_tree_text(e->tree, item->name)));
    } else if (scalar.real && item->kind == PTOG_ITEM_INT && item->style == PTOG_ITEM_HEX) {
        define_constant_bits(e, op, type, scalar.dtype, item->number); /* 0x7fc0 : bf16 gives the bits */
    } else if (scalar.real && item->kind == PTOG_ITEM_INT) {
        define_constant_real(e, op, type, scalar.dtype, item->negative ? -(double)item->number : (double)item->number);
    } else if (type && ptog_is_merge_counts(e, type)) {
        ptog_emit(e, PTOG_CODE_ANY, op);
        ptog_define_any(e, op);
    } else if (scalar.width == 0 && !scalar.real) {
        struct ptog_diag_entry *found = ptog_diag_emit(e->diags, "text-not-modelled", item->span,
                                                       "a constant of more than one number is not simulated");
        if (ptog_is_bound(e))
            ptog_diag_set_severity(e->diags, found, PTOG_ERROR);
        ptog_define_any(e, op);
    } else {
        ptog_diag_emit(e->diags, "text-operand", item->span, "expected a number of the constant's type");
        ptog_define_any(e, op);
    }
}

/* Lowers arith.constant: its number is an operand, an attribute, or true and false. */
static void eval_constant(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_part *word = ptog_op_part(op, PTOG_PART_WORD, 0);
    const struct ptog_item *item = constant_item(op, &operands);
    const struct ptog_type_use *use = ptog_operand_type(&operands, 0);
    const struct ptog_type *type = NULL;
    if (!use && operands.result_count > 0)
        use = operands.results;
    if (use)
        type = use->type;
    else if (item)
        type = item->type;
    bool is_true = word && word->word == PTOG_WORD_true, is_false = word && word->word == PTOG_WORD_false;
    if (!ptog_want_results(e, op, 1))
        return;
    if (!item && (is_true || is_false)) {
        define_constant_integer(e, op, type, 1, is_true);
        return;
    }
    if (!ptog_want_operands(e, op, item != NULL, 1, 1))
        return;
    struct ptog_scalar scalar = {.width = 64};
    if (type)
        scalar = ptog_scalar_of(e->tree, type);
    eval_constant_of(e, op, item, type, scalar);
}

/* ---- two operands */

/* ---- comparison, selection, casts */

/* In the order of MLIR's numbers for them. */
static const enum ptog_word predicates[] = {PTOG_WORD_eq,  PTOG_WORD_ne,  PTOG_WORD_slt, PTOG_WORD_sle, PTOG_WORD_sgt,
                                            PTOG_WORD_sge, PTOG_WORD_ult, PTOG_WORD_ule, PTOG_WORD_ugt, PTOG_WORD_uge};

/* The predicate of arith.cmpi, from an attribute or from the first operand, which is taken off the list. -1 when there
 * is none, after a report if it is unknown. */
static int predicate_of(struct ptog_eval *e, const struct ptog_op *op, struct ptog_operands *operands)
{
    const struct ptog_item *attr = ptog_op_word_attr(op, PTOG_WORD_predicate);
    if (attr && attr->kind == PTOG_ITEM_INT && attr->number < 10 && !attr->negative)
        return (int)attr->number;
    if (operands->count == 0)
        return -1;
    const struct ptog_item *word = attr;
    if (!word) {
        word = operands->items++;
        operands->count--;
    }
    if (word->kind == PTOG_ITEM_WORD || word->kind == PTOG_ITEM_STRING)
        for (int i = 0; i < 10; i++)
            if (word->name == (ptog_symbol)predicates[i])
                return i;
    ptog_diag_emit(e->diags, "text-attribute", word->span,
                   "expected a predicate: eq, ne, slt, sle, sgt, sge, ult, ule, ugt or uge");
    return -1;
}

/* Lowers arith.cmpi; its result is one bit, known where both numbers are. */
static void eval_cmpi(struct ptog_eval *e, const struct ptog_op *op, struct ptog_operands *operands)
{
    int predicate = predicate_of(e, op, operands);
    if (!ptog_want_operands(e, op, operands->count, 2, 2) || !ptog_want_results(e, op, 1))
        return;
    const struct ptog_type_use *use = ptog_operand_type(operands, 0);
    struct ptog_number a, b, out = {0, false};
    bool good = ptog_use_number(e, &operands->items[0], use, &a);
    good = ptog_use_number(e, &operands->items[1], use, &b) && good && predicate >= 0;
    struct ptog_scalar scalar = ptog_scalar_use(e, use);
    unsigned width = ptog_integer_bits(scalar);
    if (good && a.known && b.known)
        out = (struct ptog_number){ptog_compare_integers(predicate, a.value, b.value, width), true};
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_COMPARE, op, operands->items, 2);
    *code = (struct ptog_scalar_code){
        .from_width = (uint8_t)width, .width = 1, .predicate = (uint8_t)ptog_max(predicate, 0)};
    ptog_define_integer(e, op, NULL, 1, out);
}

/* A tile may be used under another name from now on: its place lives as long as that one. */
static void lend_tile(struct ptog_eval *e, struct ptog_value *value)
{
    if (value->kind == PTOG_VALUE_TILE)
        ptog_life_lend(e, value);
}

/* An unknown condition gives the first value, with its numbers unknown. */
static void eval_select(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    if (!ptog_want_operands(e, op, operands->count, 3, 3) || !ptog_want_results(e, op, 1))
        return;
    const struct ptog_type_use *use = ptog_operand_type(operands, operands->type_count > 1);
    struct ptog_number condition;
    bool good = ptog_use_number(e, &operands->items[0], NULL, &condition);
    ptog_check_condition(e, op, &operands->items[0]);
    struct ptog_value *a = ptog_use(e, &operands->items[1], use, PTOG_VALUE_NUMBER);
    struct ptog_value *b = ptog_use(e, &operands->items[2], use, PTOG_VALUE_NUMBER);
    struct ptog_value value = {0};
    if (a && b) {
        lend_tile(e, b);
        lend_tile(e, a);
    }
    if (good && a && b) {
        value = *a;
        if (condition.known && condition.value == 0)
            value = *b;
        if (!condition.known && value.kind == PTOG_VALUE_NUMBER)
            value.number.known = false;
        if (!condition.known && value.kind == PTOG_VALUE_REAL)
            value.real.known = false;
    }
    ptog_emit_scalar(e, PTOG_CODE_SELECT, op, operands->items, 3);
    ptog_define_result(e, op, 0, &value);
}

/* Lowers arith.index_cast: the same number with the width of another type. */
static void eval_index_cast(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    if (!ptog_want_operands(e, op, operands->count, 1, 1) || !ptog_want_results(e, op, 1))
        return;
    struct ptog_number number;
    ptog_use_number(e, &operands->items[0], ptog_operand_type(operands, 0), &number);
    const struct ptog_type_use *use = ptog_result_type(operands);
    uint8_t width = ptog_integer_bits(ptog_scalar_use(e, use));
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_RESIZE, op, operands->items, 1);
    *code = (struct ptog_scalar_code){.type = ptog_used_type(use), .width = width};
    ptog_define_integer(e, op, ptog_used_type(use), width, number);
}

/* Lowers a scalar operation of arith, and defines its result. */
void ptog_eval_scalar(struct ptog_eval *e, const struct ptog_op *op)
{
    if (op->name == PTOG_OP_NAME_CONSTANT) {
        eval_constant(e, op);
        return;
    }
    struct ptog_operands operands = ptog_operands_of(op);
    switch (op->name) {
    case PTOG_OP_NAME_CMPI: eval_cmpi(e, op, &operands); break;
    case PTOG_OP_NAME_SELECT: eval_select(e, op, &operands); break;
    case PTOG_OP_NAME_INDEX_CAST: eval_index_cast(e, op, &operands); break;
    default: ptog_eval_arith(e, op); break;
    }
}

/* ---- the block */

/* Lowers the operations that give the number of the block or sub-block, or how many there are. A check does not know
 * them. */
void ptog_eval_block(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    const struct ptog_type_use *use = ptog_only_type(&operands);
    struct ptog_number number = {0, false};
    if (!ptog_want_operands(e, op, operands.count, 0, 0) || !ptog_want_results(e, op, 1))
        return;
    uint8_t width = ptog_integer_bits(ptog_scalar_use(e, use));
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_BLOCK_NUMBER, op, NULL, 0);
    *code = (struct ptog_scalar_code){.type = ptog_used_type(use), .width = width};
    ptog_define_integer(e, op, ptog_used_type(use), width, number);
}
