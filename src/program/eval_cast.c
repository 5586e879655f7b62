/* program: conversions of numbers: arith.trunci, sitofp, bitcast and their like. A conversion to an integer that does
 * not fit stops a run, because LLVM leaves its value open. */
#include <math.h>

#include "model/dtype.h"
#include "program/parts.h"
#include "program/scalars.h"
#include "program/scope.h"
#include "program/types.h"

bool ptog_op_is_cast(ptog_symbol name)
{
    switch (name) {
    case PTOG_OP_NAME_FPTOSI:
    case PTOG_OP_NAME_FPTOUI:
    case PTOG_OP_NAME_SITOFP:
    case PTOG_OP_NAME_UITOFP:
    case PTOG_OP_NAME_EXTF:
    case PTOG_OP_NAME_TRUNCF:
    case PTOG_OP_NAME_EXTSI:
    case PTOG_OP_NAME_EXTUI:
    case PTOG_OP_NAME_TRUNCI:
    case PTOG_OP_NAME_INDEX_CASTUI:
    case PTOG_OP_NAME_ARITH_BITCAST: return true;
    default: return false;
    }
}

/* -(2^(width-1)) .. 2^(width-1) - 1, or 0 .. 2^width - 1, after the fraction was cut off. */
static bool fits(double whole, unsigned width, bool is_signed)
{
    double end = ldexp(1, (int)width - is_signed);
    return whole < end && whole >= (is_signed ? -end : 0);
}

static void to_integer(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                       const struct ptog_type *type, struct ptog_scalar to)
{
    double value;
    bool known, is_signed = op->name == PTOG_OP_NAME_FPTOSI;
    struct ptog_number out = {0, false};
    unsigned width = ptog_integer_bits(to);
    if (ptog_use_real(e, &operands->items[0], ptog_operand_type(operands, 0), &value, &known) && known) {
        out.known = fits(trunc(value), width, is_signed);
        if (out.known)
            out.value = is_signed ? (int64_t)value : (int64_t)(uint64_t)value;
        else
            ptog_refuse(e, "text-division", op->name_span, "the number does not fit in the integer");
    }
    ptog_define_integer(e, op, type, width, out);
}

/* An integer as a double that rounds to any smaller type as the integer itself would: beyond 53 bits, the last one
 * stays odd when something was cut off. */
static double double_of(uint64_t magnitude, bool negative)
{
    int shift = 0;
    bool odd = false;
    while (magnitude >> 53 != 0) {
        odd = odd || (magnitude & 1);
        magnitude >>= 1;
        shift++;
    }
    double value = ldexp((double)(magnitude | odd), shift);
    if (negative)
        return -value;
    return value;
}

static void to_real(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                    const struct ptog_type *type, struct ptog_scalar from, struct ptog_scalar to)
{
    struct ptog_number number;
    double value = 0;
    bool known = false, is_float = op->name == PTOG_OP_NAME_EXTF || op->name == PTOG_OP_NAME_TRUNCF;
    const struct ptog_type_use *use = ptog_operand_type(operands, 0);
    if (is_float) {
        ptog_use_real(e, &operands->items[0], use, &value, &known);
    } else if (ptog_use_number(e, &operands->items[0], use, &number) && number.known) {
        bool negative = op->name == PTOG_OP_NAME_SITOFP && number.value < 0;
        uint64_t magnitude = ptog_low_bits(number.value, ptog_integer_bits(from));
        if (negative)
            magnitude = 0 - (uint64_t)number.value;
        value = double_of(magnitude, negative);
        known = true;
    }
    known = known && to.dtype != PTOG_DTYPE_NONE;
    ptog_define_real(e, op, type, to.dtype, known, known ? ptog_dtype_from_real(to.dtype, value) : 0);
}

/* trunci keeps the low bits, extsi the sign, extui none: the value is what its low bits are. */
static void to_width(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                     const struct ptog_type *type, struct ptog_scalar from, struct ptog_scalar to)
{
    struct ptog_number number;
    bool is_unsigned = op->name == PTOG_OP_NAME_EXTUI || op->name == PTOG_OP_NAME_INDEX_CASTUI;
    ptog_use_number(e, &operands->items[0], ptog_operand_type(operands, 0), &number);
    if (is_unsigned)
        number.value = (int64_t)ptog_low_bits(number.value, ptog_integer_bits(from));
    ptog_define_integer(e, op, type, ptog_integer_bits(to), number);
}

/* The same bits as another type of their width. */
static void bitcast(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                    const struct ptog_type *type, struct ptog_scalar from, struct ptog_scalar to)
{
    struct ptog_value *value = ptog_use(e, &operands->items[0], ptog_operand_type(operands, 0),
                                        from.real ? PTOG_VALUE_REAL : PTOG_VALUE_NUMBER);
    unsigned width = ptog_scalar_bits(to);
    if (!value || value->kind == PTOG_VALUE_ANY || width == 0 || width != ptog_scalar_bits(from)) {
        if (value && value->kind != PTOG_VALUE_ANY)
            ptog_refuse(e, "text-operand", op->name_span, "a bitcast must keep the number of bits");
        ptog_define_any(e, op);
        return;
    }
    bool real = value->kind == PTOG_VALUE_REAL, known = real ? value->real.known : value->number.known;
    uint64_t bits = real ? value->real.bits : ptog_low_bits(value->number.value, width);
    if (to.real)
        ptog_define_real(e, op, type, to.dtype, known, bits);
    else
        ptog_define_integer(e, op, type, width, (struct ptog_number){(int64_t)bits, known});
}

void ptog_eval_cast(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    const struct ptog_type_use *use = ptog_result_type(operands);
    const struct ptog_type *type = ptog_used_type(use);
    struct ptog_scalar from = ptog_scalar_use(e, ptog_operand_type(operands, 0)), to = ptog_scalar_use(e, use);
    switch (op->name) {
    case PTOG_OP_NAME_FPTOSI:
    case PTOG_OP_NAME_FPTOUI: to_integer(e, op, operands, type, to); break;
    case PTOG_OP_NAME_SITOFP:
    case PTOG_OP_NAME_UITOFP:
    case PTOG_OP_NAME_EXTF:
    case PTOG_OP_NAME_TRUNCF: to_real(e, op, operands, type, from, to); break;
    case PTOG_OP_NAME_ARITH_BITCAST: bitcast(e, op, operands, type, from, to); break;
    default: to_width(e, op, operands, type, from, to); break;
    }
}
