/* lower: arith.* on two operands: integers, floating point, comparisons of the latter. What they compute is in
 * lower/compute.h. */
#include "base/pick.h"
#include "lower/ops/ops.h"
#include "lower/ops/scalars.h"
#include "lower/parts.h"
#include "lower/real.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/dtype.h"

/* ---- integers */

struct ptog_scalar_code *ptog_emit_scalar(struct ptog_eval *e, enum ptog_code_kind kind, const struct ptog_op *op,
                                          const struct ptog_item *items, uint32_t count)
{
    struct ptog_code *code = ptog_emit(e, kind, op);
    ptog_emit_args(e, code, items, count);
    return &code->scalar;
}

struct ptog_scalar ptog_scalar_use(const struct ptog_eval *e, const struct ptog_type_use *use)
{
    if (use)
        return ptog_scalar_of(e->tree, use->type);
    return (struct ptog_scalar){.width = 64};
}

unsigned ptog_scalar_bits(struct ptog_scalar scalar)
{
    if (scalar.real)
        return 8u * (unsigned)ptog_dtype_size(scalar.dtype);
    return scalar.width;
}

void ptog_define_integer(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type *type, unsigned width,
                         struct ptog_number number)
{
    struct ptog_value value = {.kind = PTOG_VALUE_NUMBER, .width = (uint8_t)width, .type = type};
    if (number.known)
        value.number = (struct ptog_number){ptog_sign_extend((uint64_t)number.value, width), true};
    ptog_define_result(e, op, 0, &value);
}

/* Lowers an operation on two integers: computes the result where both are known, reports what cannot be computed, and
 * appends a record. */
static void eval_integers(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    const struct ptog_type_use *use = ptog_operand_type(operands, 0);
    const struct ptog_type_use *second = operands->type_count > 1 ? ptog_operand_type(operands, 1) : use;
    struct ptog_number a, b, out = {0, false};
    bool good = ptog_use_number(e, &operands->items[0], use, &a);
    good = ptog_use_number(e, &operands->items[1], second, &b) && good;
    unsigned width = ptog_integer_bits(ptog_scalar_use(e, use));
    if (good && a.known && b.known) {
        const char *problem = ptog_compute_integers(op->name, a.value, b.value, width, &out.value);
        out.known = !problem;
        if (problem)
            ptog_refuse(e, "text-division", op->name_span, problem);
    }
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_INTEGERS, op, operands->items, 2);
    *code = (struct ptog_scalar_code){.type = ptog_used_type(use), .width = (uint8_t)width};
    ptog_define_integer(e, op, ptog_used_type(use), width, out);
}

/* ---- floating point */

void ptog_define_real(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_type *type,
                      enum ptog_dtype dtype, bool known, uint64_t bits)
{
    struct ptog_value value = {.kind = PTOG_VALUE_REAL, .type = type};
    value.real.dtype = dtype;
    value.real.bits = bits;
    value.real.known = known;
    ptog_define_result(e, op, 0, &value);
}

/* Sets *to to a floating-point operand, and *known to whether its value is. False after an error, or when nothing is
 * known about the operand. */
bool ptog_use_real(struct ptog_eval *e, const struct ptog_item *item, const struct ptog_type_use *use, double *to,
                   bool *known)
{
    struct ptog_value *value = ptog_use_as(e, item, use, PTOG_VALUE_REAL);
    *to = 0;
    *known = false;
    if (!value)
        return false;
    *known = value->real.known && ptog_real_value(value->real.dtype, value->real.bits, to);
    return true;
}

/* Lowers an operation on two floating-point numbers, computed already where both are known. */
static void eval_reals(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    const struct ptog_type_use *use = ptog_operand_type(operands, 0);
    double a, b;
    bool known_a, known_b;
    bool good = ptog_use_real(e, &operands->items[0], use, &a, &known_a);
    good = ptog_use_real(e, &operands->items[1], use, &b, &known_b) && good;
    enum ptog_dtype dtype = ptog_scalar_use(e, use).dtype;
    bool known = good && known_a && known_b && dtype != PTOG_DTYPE_NONE;
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_REALS, op, operands->items, 2);
    *code = (struct ptog_scalar_code){.type = ptog_used_type(use), .dtype = (uint8_t)dtype, .is_real = true};
    ptog_define_real(e, op, ptog_used_type(use), dtype, known,
                     known ? ptog_dtype_from_real(dtype, ptog_compute_reals(op->name, a, b)) : 0);
}

/* In the order of MLIR's numbers for them. */
static const enum ptog_word predicates[PTOG_REAL_PREDICATES] = {
    PTOG_WORD_false, PTOG_WORD_oeq, PTOG_WORD_ogt, PTOG_WORD_oge, PTOG_WORD_olt, PTOG_WORD_ole,
    PTOG_WORD_one,   PTOG_WORD_ord, PTOG_WORD_ueq, PTOG_WORD_ugt, PTOG_WORD_uge, PTOG_WORD_ult,
    PTOG_WORD_ule,   PTOG_WORD_une, PTOG_WORD_uno, PTOG_WORD_true};

/* The predicate of arith.cmpf, from an attribute or from the first operand, which is taken off the list. -1 after a
 * report. */
static int predicate_of(struct ptog_eval *e, const struct ptog_op *op, struct ptog_operands *operands)
{
    const struct ptog_item *attr = ptog_op_word_attr(op, PTOG_WORD_predicate);
    if (attr && attr->kind == PTOG_ITEM_INT && attr->number < PTOG_REAL_PREDICATES && !attr->negative)
        return (int)attr->number;
    const struct ptog_item *word = attr ? attr : operands->items;
    if (!attr && operands->count > 0) {
        operands->items++;
        operands->count--;
    }
    for (int i = 0; word && word->kind == PTOG_ITEM_WORD && i < PTOG_REAL_PREDICATES; i++)
        if (word->name == (ptog_symbol)predicates[i])
            return i;
    ptog_diag_emit(e->diags, "text-attribute", word ? word->span : op->name_span,
                   "expected a predicate such as oeq, ogt, olt, une or uno");
    return -1;
}

/* Lowers arith.cmpf; its result is one bit. */
static void eval_cmpf(struct ptog_eval *e, const struct ptog_op *op, struct ptog_operands *operands)
{
    int predicate = predicate_of(e, op, operands);
    if (!ptog_want_operands(e, op, operands->count, 2, 2) || !ptog_want_results(e, op, 1))
        return;
    const struct ptog_type_use *use = ptog_operand_type(operands, 0);
    double a, b;
    bool known_a, known_b;
    bool good = ptog_use_real(e, &operands->items[0], use, &a, &known_a);
    good = ptog_use_real(e, &operands->items[1], use, &b, &known_b) && good && predicate >= 0;
    struct ptog_number out = {0, good && known_a && known_b};
    if (out.known)
        out.value = ptog_compare_reals(predicate, a, b);
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_COMPARE_REALS, op, operands->items, 2);
    *code = (struct ptog_scalar_code){.width = 1, .predicate = (uint8_t)ptog_max(predicate, 0)};
    ptog_define_integer(e, op, NULL, 1, out);
}

/* ---- all of them */

/* Whether an operation computes with floating-point numbers. */
static bool is_real(ptog_symbol name)
{
    switch (name) {
    case PTOG_OP_NAME_ADDF:
    case PTOG_OP_NAME_SUBF:
    case PTOG_OP_NAME_MULF:
    case PTOG_OP_NAME_DIVF:
    case PTOG_OP_NAME_MAXIMUMF:
    case PTOG_OP_NAME_MINIMUMF: return true;
    default: return false;
    }
}

/* Lowers an arith operation with one or two operands, and defines its result. */
void ptog_eval_arith(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    if (op->name == PTOG_OP_NAME_CMPF) {
        eval_cmpf(e, op, &operands);
        return;
    }
    uint32_t count = ptog_op_is_cast(op->name) ? 1 : 2;
    if (!ptog_want_operands(e, op, operands.count, count, count) || !ptog_want_results(e, op, 1))
        return;
    if (ptog_op_is_cast(op->name))
        ptog_eval_cast(e, op, &operands);
    else if (is_real(op->name))
        eval_reals(e, op, &operands);
    else
        eval_integers(e, op, &operands);
}
