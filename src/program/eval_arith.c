/* program: arith.* beyond what loops and addresses need: unsigned division, bits, floating point.
 *
 * Integers have a width and wrap; index has 64 bits. Floating-point numbers are computed in double and rounded once to
 * their type: for + - * / of f32 and smaller types that is the IEEE result. A conversion to an integer that does not
 * fit stops a run, because LLVM leaves its value open. */
#include <math.h>

#include "base/pick.h"
#include "model/dtype.h"
#include "program/ops.h"
#include "program/parts.h"
#include "program/real.h"
#include "program/scalars.h"
#include "program/scope.h"
#include "program/types.h"

/* ---- integers */

uint64_t ptog_low_bits(int64_t value, unsigned width)
{
    if (width >= 64)
        return (uint64_t)value;
    return (uint64_t)value & ((UINT64_C(1) << width) - 1);
}

int64_t ptog_sign_extend(uint64_t bits, unsigned width)
{
    unsigned drop = 64u - width;
    return (int64_t)(bits << drop) >> drop;
}

static bool is_shift(ptog_symbol name)
{
    return name == PTOG_OP_NAME_SHLI || name == PTOG_OP_NAME_SHRUI || name == PTOG_OP_NAME_SHRSI;
}

static bool divides(ptog_symbol name)
{
    return name == PTOG_OP_NAME_DIVUI || name == PTOG_OP_NAME_REMUI || name == PTOG_OP_NAME_CEILDIVUI;
}

/* False: there is no result, because of a division by zero or a shift by more bits than there are. */
static bool compute(ptog_symbol name, uint64_t a, uint64_t b, unsigned width, uint64_t *out)
{
    int64_t x = ptog_sign_extend(a, width);
    *out = 0;
    if ((is_shift(name) && b >= width) || (divides(name) && b == 0))
        return false;
    switch (name) {
    case PTOG_OP_NAME_ANDI: *out = a & b; return true;
    case PTOG_OP_NAME_ORI: *out = a | b; return true;
    case PTOG_OP_NAME_XORI: *out = a ^ b; return true;
    case PTOG_OP_NAME_MAXUI: *out = ptog_max(a, b); return true;
    case PTOG_OP_NAME_DIVUI: *out = a / b; return true;
    case PTOG_OP_NAME_REMUI: *out = a % b; return true;
    case PTOG_OP_NAME_CEILDIVUI: *out = a / b + (a % b != 0); return true;
    case PTOG_OP_NAME_SHLI: *out = a << b; return true;
    case PTOG_OP_NAME_SHRUI: *out = a >> b; return true;
    default: *out = (uint64_t)(x >> b); return true; /* shrsi */
    }
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

static void eval_integers(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    const struct ptog_type_use *use = ptog_operand_type(operands, 0);
    struct ptog_number a, b, out = {0, false};
    bool good = ptog_use_number(e, &operands->items[0], use, &a);
    good = ptog_use_number(e, &operands->items[1], use, &b) && good;
    unsigned width = ptog_integer_bits(ptog_scalar_use(e, use));
    uint64_t bits = 0;
    if (good && a.known && b.known) {
        out.known = compute(op->name, ptog_low_bits(a.value, width), ptog_low_bits(b.value, width), width, &bits);
        out.value = (int64_t)bits;
        if (!out.known)
            ptog_refuse(e, "text-division", op->name_span,
                        is_shift(op->name) ? "shift by more bits than the number has" : "division by zero");
    }
    e->stopped = e->stopped || (!good && e->running);
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

/* A floating-point operand; false after an error, or when nothing is known about it. */
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

static double compute_real(ptog_symbol name, double a, double b)
{
    switch (name) {
    case PTOG_OP_NAME_ADDF: return a + b;
    case PTOG_OP_NAME_SUBF: return a - b;
    case PTOG_OP_NAME_MULF: return a * b;
    case PTOG_OP_NAME_DIVF: return a / b;
    case PTOG_OP_NAME_MAXIMUMF: return isnan(a) || a > b || (a == b && !signbit(a)) ? a : b;
    default: return isnan(a) || a < b || (a == b && signbit(a)) ? a : b; /* minimumf */
    }
}

static void eval_reals(struct ptog_eval *e, const struct ptog_op *op, const struct ptog_operands *operands)
{
    const struct ptog_type_use *use = ptog_operand_type(operands, 0);
    double a, b;
    bool known_a, known_b;
    bool good = ptog_use_real(e, &operands->items[0], use, &a, &known_a);
    good = ptog_use_real(e, &operands->items[1], use, &b, &known_b) && good;
    enum ptog_dtype dtype = ptog_scalar_use(e, use).dtype;
    bool known = good && known_a && known_b && dtype != PTOG_DTYPE_NONE;
    e->stopped = e->stopped || (!good && e->running);
    ptog_define_real(e, op, ptog_used_type(use), dtype, known,
                     known ? ptog_dtype_from_real(dtype, compute_real(op->name, a, b)) : 0);
}

/* How one number stands to another: a predicate is the set of those for which it holds. */
enum { LESS = 1, EQUAL = 2, MORE = 4, UNORDERED = 8 };

/* In the order of MLIR's numbers for them. */
static const struct {
    enum ptog_word name;
    unsigned holds;
} predicates[] = {
    {PTOG_WORD_false, 0},
    {PTOG_WORD_oeq, EQUAL},
    {PTOG_WORD_ogt, MORE},
    {PTOG_WORD_oge, MORE | EQUAL},
    {PTOG_WORD_olt, LESS},
    {PTOG_WORD_ole, LESS | EQUAL},
    {PTOG_WORD_one, LESS | MORE},
    {PTOG_WORD_ord, LESS | EQUAL | MORE},
    {PTOG_WORD_ueq, UNORDERED | EQUAL},
    {PTOG_WORD_ugt, UNORDERED | MORE},
    {PTOG_WORD_uge, UNORDERED | MORE | EQUAL},
    {PTOG_WORD_ult, UNORDERED | LESS},
    {PTOG_WORD_ule, UNORDERED | LESS | EQUAL},
    {PTOG_WORD_une, UNORDERED | LESS | MORE},
    {PTOG_WORD_uno, UNORDERED},
    {PTOG_WORD_true, UNORDERED | LESS | EQUAL | MORE},
};
enum { PREDICATES = sizeof predicates / sizeof predicates[0] };

static unsigned relation(double a, double b)
{
    if (isnan(a) || isnan(b))
        return UNORDERED;
    if (a == b)
        return EQUAL;
    if (a < b)
        return LESS;
    return MORE;
}

/* The predicate is a first word, or an attribute of the generic form; -1 after an error. */
static int predicate_of(struct ptog_eval *e, const struct ptog_op *op, struct ptog_operands *operands)
{
    const struct ptog_item *attr = ptog_op_word_attr(op, PTOG_WORD_predicate);
    if (attr && attr->kind == PTOG_ITEM_INT && attr->number < PREDICATES && !attr->negative)
        return (int)attr->number;
    const struct ptog_item *word = attr ? attr : operands->items;
    if (!attr && operands->count > 0) {
        operands->items++;
        operands->count--;
    }
    for (int i = 0; word && word->kind == PTOG_ITEM_WORD && i < PREDICATES; i++)
        if (word->name == (ptog_symbol)predicates[i].name)
            return i;
    ptog_say(e->finds, "text-attribute", word ? word->span : op->name_span,
             "expected a predicate such as oeq, ogt, olt, une or uno");
    return -1;
}

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
        out.value = (predicates[predicate].holds & relation(a, b)) != 0;
    e->stopped = e->stopped || (!good && e->running);
    ptog_define_integer(e, op, NULL, 1, out);
}

/* ---- all of them */

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
