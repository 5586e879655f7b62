/* lower: conversions of numbers: arith.trunci, sitofp, bitcast and their like. A conversion to an integer that does
 * not fit stops a run, because LLVM leaves its value open. */
#include "lower/ops/ops.h"
#include "lower/ops/scalars.h"
#include "lower/parts.h"
#include "lower/scope.h"
#include "lower/types.h"
#include "model/dtype.h"

/* Whether an operation converts a number to another type. */
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
    case PTOG_OP_NAME_CONVERSION_CAST:
    case PTOG_OP_NAME_ARITH_BITCAST: return true;
    default: return false;
    }
}

/* Lowers a cast of a floating-point number to an integer; reports a known one that does not fit. */
static void cast_to_integer(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                            const struct ptog_type *type, struct ptog_scalar to)
{
    double value;
    bool known, is_signed = op->name == PTOG_OP_NAME_FPTOSI;
    struct ptog_number out = {0, false};
    unsigned width = ptog_integer_bits(to);
    if (ptog_use_real(e, &operands->items[0], ptog_operand_type(operands, 0), &value, &known) && known) {
        out.known = ptog_integer_of_real(value, width, is_signed, &out.value);
        if (!out.known)
            ptog_refuse(e, "text-division", op->name_span, "the number does not fit in the integer");
    }
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_TO_INTEGER, op, operands->items, 1);
    *code = (struct ptog_scalar_code){.type = type, .width = (uint8_t)width};
    ptog_define_integer(e, op, type, width, out);
}

/* Lowers a cast of an integer or a floating-point number to a floating-point number. */
static void cast_to_real(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands,
                         const struct ptog_type *type, struct ptog_scalar from, struct ptog_scalar to)
{
    struct ptog_number number;
    double value = 0;
    bool known = false, is_float = op->name == PTOG_OP_NAME_EXTF || op->name == PTOG_OP_NAME_TRUNCF;
    const struct ptog_type_use *use = ptog_operand_type(operands, 0);
    if (is_float) {
        ptog_use_real(e, &operands->items[0], use, &value, &known);
    } else if (ptog_use_number(e, &operands->items[0], use, &number) && number.known) {
        value = ptog_real_of_integer(number.value, ptog_integer_bits(from), op->name == PTOG_OP_NAME_SITOFP);
        known = true;
    }
    known = known && to.dtype != PTOG_DTYPE_NONE;
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_TO_REAL, op, operands->items, 1);
    *code = (struct ptog_scalar_code){
        .type = type, .from_width = ptog_integer_bits(from), .dtype = (uint8_t)to.dtype, .is_real = true};
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
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_RESIZE, op, operands->items, 1);
    *code =
        (struct ptog_scalar_code){.type = type, .from_width = ptog_integer_bits(from), .width = ptog_integer_bits(to)};
    ptog_define_integer(e, op, type, ptog_integer_bits(to), number);
}

/* Lowers arith.bitcast: the bits of the operand as another type of their width. */
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
    struct ptog_scalar_code *code = ptog_emit_scalar(e, PTOG_CODE_BITCAST, op, operands->items, 1);
    *code = (struct ptog_scalar_code){.type = type,
                                      .from_width = (uint8_t)width,
                                      .width = (uint8_t)width,
                                      .dtype = (uint8_t)to.dtype,
                                      .is_real = to.real};
    bool real = value->kind == PTOG_VALUE_REAL, known = real ? value->real.known : value->number.known;
    uint64_t bits = real ? value->real.bits : ptog_low_bits(value->number.value, width);
    if (to.real)
        ptog_define_real(e, op, type, to.dtype, known, bits);
    else
        ptog_define_integer(e, op, type, width, (struct ptog_number){(int64_t)bits, known});
}

/* Lowers a cast of arith; its operand and result are counted already. */
void ptog_eval_cast(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    const struct ptog_type_use *use = ptog_result_type(operands);
    const struct ptog_type *type = ptog_used_type(use);
    struct ptog_scalar from = ptog_scalar_use(e, ptog_operand_type(operands, 0)), to = ptog_scalar_use(e, use);
    switch (op->name) {
    case PTOG_OP_NAME_FPTOSI:
    case PTOG_OP_NAME_FPTOUI: cast_to_integer(e, op, operands, type, to); break;
    case PTOG_OP_NAME_SITOFP:
    case PTOG_OP_NAME_UITOFP:
    case PTOG_OP_NAME_EXTF:
    case PTOG_OP_NAME_TRUNCF: cast_to_real(e, op, operands, type, from, to); break;
    case PTOG_OP_NAME_CONVERSION_CAST:
    case PTOG_OP_NAME_ARITH_BITCAST: bitcast(e, op, operands, type, from, to); break;
    default: to_width(e, op, operands, type, from, to); break;
    }
}

/* Lowers a compiler's cast that later passes remove: between numbers of one width, such as i32 and ui32, the bits
 * stay; casts of anything else are not simulated. */
void ptog_eval_conversion(struct ptog_eval *e, const struct ptog_op *op)
{
    struct ptog_operands operands = ptog_operands_of(op);
    unsigned from = ptog_scalar_bits(ptog_scalar_use(e, ptog_operand_type(&operands, 0)));
    unsigned to = ptog_scalar_bits(ptog_scalar_use(e, ptog_result_type(&operands)));
    if (operands.count == 1 && from > 0 && from == to) {
        ptog_eval_arith(e, op);
        return;
    }
    ptog_use_all(e, ptog_op_part(op, PTOG_PART_ITEMS, 0), NULL, 0);
    ptog_say_not_modelled(e, op->name_span, "'%s' is simulated between numbers of the same width only",
                          ptog_op_info(op->name)->name);
    ptog_define_any(e, op);
}
