/* interp: records of scalar operations: numbers of the block, constants, arithmetic, comparisons, conversions. */
#include "interp/run_scalars.h"

#include "interp/slots.h"
#include "lower/alive.h"
#include "lower/compute.h"
#include "lower/ops/flow.h"
#include "lower/scope.h"
#include "model/dtype.h"

/* The result is a number; one of a type whose values are not modelled, such as f64, makes those unknown that depend on
 * it. */
static void define_number(struct ptog_eval *e, const struct ptog_code *code, struct ptog_number number)
{
    struct ptog_value value = {.kind = PTOG_VALUE_NUMBER, .width = code->scalar.width, .type = code->scalar.type};
    if (number.known)
        value.number = (struct ptog_number){ptog_sign_extend((uint64_t)number.value, code->scalar.width), true};
    ptog_define_result(e, code->op, 0, &value);
}

/* Defines the result as a floating-point number with these bits. */
static void define_bits(struct ptog_eval *e, const struct ptog_code *code, uint64_t bits, bool known)
{
    struct ptog_value value = {.kind = PTOG_VALUE_REAL, .type = code->scalar.type};
    value.real.dtype = (enum ptog_dtype)code->scalar.dtype;
    value.real.bits = bits;
    value.real.known = known;
    ptog_define_result(e, code->op, 0, &value);
}

/* Defines the result of a record as a floating-point number, rounded to the type that it has. */
static void define_real(struct ptog_eval *e, const struct ptog_code *code, double real, bool known)
{
    enum ptog_dtype dtype = (enum ptog_dtype)code->scalar.dtype;
    known = known && dtype != PTOG_DTYPE_NONE;
    define_bits(e, code, known ? ptog_dtype_from_real(dtype, real) : 0, known);
}

/* A floating-point number of a slot; false, and the run stops, when it holds none. */
static bool read_real(struct ptog_eval *e, const struct ptog_code_arg *arg, double *real, bool *known)
{
    const struct ptog_value *value = ptog_slot_value(e, arg);
    bool good = value->kind == PTOG_VALUE_REAL;
    *known = good && value->real.known && ptog_dtype_is_float(value->real.dtype);
    *real = *known ? (double)ptog_dtype_to_float(value->real.dtype, value->real.bits) : 0;
    e->stopped = e->stopped || !good;
    return good;
}

/* Reports an error of arithmetic, and stops the run. */
static void stop_scalar(struct ptog_eval *e, const struct ptog_op *op, const char *message)
{
    ptog_diag_emit(e->diags, "text-division", op->name_span, "%s", message);
    e->stopped = true;
}

/* Defines a number of the text. */
static void run_constant(struct ptog_eval *e, const struct ptog_code *code)
{
    if (code->scalar.is_real)
        define_bits(e, code, code->scalar.bits, true);
    else
        define_number(e, code, (struct ptog_number){(int64_t)code->scalar.bits, true});
}

/* Defines the number of the block, or how many there are. */
static void run_block_number(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_number number = {0, true};
    if (code->op->name == PTOG_OP_NAME_GET_BLOCK_IDX)
        number.value = e->block;
    else if (code->op->name == PTOG_OP_NAME_GET_BLOCK_NUM)
        number.value = e->blocks;
    else if (code->op->name == PTOG_OP_NAME_GET_SUBBLOCK_NUM)
        number.value = e->on == PTOG_SIDE_CUBE ? 1 : e->subblocks;
    else
        number.value = e->subblock;
    define_number(e, code, number);
}

/* Computes with two integers; a division by zero stops the run. */
static void run_integers(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_number a, b, out = {0, false};
    const char *problem = NULL;
    if (!ptog_read_number(e, &code->args[0], &a) || !ptog_read_number(e, &code->args[1], &b))
        return;
    out.known = a.known && b.known;
    if (out.known)
        problem = ptog_compute_integers(code->op->name, a.value, b.value, code->scalar.width, &out.value);
    if (problem)
        stop_scalar(e, code->op, problem);
    else
        define_number(e, code, out);
}

/* Compares two integers. */
static void run_comparison(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_number a, b, out = {0, false};
    if (!ptog_read_number(e, &code->args[0], &a) || !ptog_read_number(e, &code->args[1], &b))
        return;
    ptog_tell_flow(e, code->op, PTOG_FLOW_COMPARE, a.value, b.value);
    out.known = a.known && b.known;
    out.value = ptog_compare_integers(code->scalar.predicate, a.value, b.value, code->scalar.from_width);
    define_number(e, code, out);
}

/* Compares two floating-point numbers. */
static void run_real_comparison(struct ptog_eval *e, const struct ptog_code *code)
{
    double a, b;
    bool known_a, known_b;
    if (!read_real(e, &code->args[0], &a, &known_a) || !read_real(e, &code->args[1], &b, &known_b))
        return;
    struct ptog_number out = {ptog_compare_reals(code->scalar.predicate, a, b), known_a && known_b};
    define_number(e, code, out);
}

/* Computes with two floating-point numbers. */
static void run_reals(struct ptog_eval *e, const struct ptog_code *code)
{
    double a, b;
    bool known_a, known_b;
    if (read_real(e, &code->args[0], &a, &known_a) && read_real(e, &code->args[1], &b, &known_b))
        define_real(e, code, ptog_compute_reals(code->op->name, a, b), known_a && known_b);
}

/* Defines one of two values as the result, by the condition. If they are tiles, both may live on under the new name. */
static void run_select(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_number condition;
    struct ptog_value *a = ptog_slot_value(e, &code->args[1]), *b = ptog_slot_value(e, &code->args[2]);
    if (!ptog_read_number(e, &code->args[0], &condition))
        return;
    if (b->kind == PTOG_VALUE_TILE)
        ptog_life_lend(e, b);
    if (a->kind == PTOG_VALUE_TILE)
        ptog_life_lend(e, a);
    struct ptog_value value = condition.value != 0 ? *a : *b;
    ptog_define_result(e, code->op, 0, &value);
}

/* trunci keeps the low bits, extsi the sign, extui none: the value is what its low bits are. */
static void run_resize(struct ptog_eval *e, const struct ptog_code *code)
{
    struct ptog_number number;
    bool is_unsigned = code->op->name == PTOG_OP_NAME_EXTUI || code->op->name == PTOG_OP_NAME_INDEX_CASTUI;
    if (!ptog_read_number(e, &code->args[0], &number))
        return;
    if (is_unsigned)
        number.value = (int64_t)ptog_low_bits(number.value, code->scalar.from_width);
    define_number(e, code, number);
}

/* Converts a floating-point number to an integer. */
static void run_to_integer(struct ptog_eval *e, const struct ptog_code *code)
{
    double real;
    struct ptog_number out = {0, false};
    if (!read_real(e, &code->args[0], &real, &out.known))
        return;
    bool is_signed = code->op->name == PTOG_OP_NAME_FPTOSI;
    if (out.known && !ptog_integer_of_real(real, code->scalar.width, is_signed, &out.value))
        stop_scalar(e, code->op, "the number does not fit in the integer");
    else
        define_number(e, code, out);
}

/* Converts a number to a floating-point number of another type. */
static void run_to_real(struct ptog_eval *e, const struct ptog_code *code)
{
    bool known;
    double real;
    struct ptog_number number;
    if (code->op->name == PTOG_OP_NAME_EXTF || code->op->name == PTOG_OP_NAME_TRUNCF) {
        if (read_real(e, &code->args[0], &real, &known))
            define_real(e, code, real, known);
    } else if (ptog_read_number(e, &code->args[0], &number)) {
        bool is_signed = code->op->name == PTOG_OP_NAME_SITOFP;
        define_real(e, code, ptog_real_of_integer(number.value, code->scalar.from_width, is_signed), number.known);
    }
}

/* Defines the result of a bitcast: the bits of its operand as another type of their width. */
static void run_bitcast(struct ptog_eval *e, const struct ptog_code *code)
{
    const struct ptog_value *value = ptog_slot_value(e, &code->args[0]);
    bool is_real = value->kind == PTOG_VALUE_REAL, known = is_real ? value->real.known : value->number.known;
    uint64_t bits = is_real ? value->real.bits : ptog_low_bits(value->number.value, code->scalar.from_width);
    if (code->scalar.is_real)
        define_bits(e, code, bits, known);
    else
        define_number(e, code, (struct ptog_number){(int64_t)bits, known});
}

void ptog_run_scalar(struct ptog_eval *e, const struct ptog_code *code)
{
    switch ((enum ptog_code_kind)code->kind) {
    case PTOG_CODE_CONSTANT: run_constant(e, code); break;
    case PTOG_CODE_BLOCK_NUMBER: run_block_number(e, code); break;
    case PTOG_CODE_INTEGERS: run_integers(e, code); break;
    case PTOG_CODE_COMPARE: run_comparison(e, code); break;
    case PTOG_CODE_REALS: run_reals(e, code); break;
    case PTOG_CODE_COMPARE_REALS: run_real_comparison(e, code); break;
    case PTOG_CODE_SELECT: run_select(e, code); break;
    case PTOG_CODE_RESIZE: run_resize(e, code); break;
    case PTOG_CODE_TO_INTEGER: run_to_integer(e, code); break;
    case PTOG_CODE_TO_REAL: run_to_real(e, code); break;
    default: run_bitcast(e, code); break;
    }
}
