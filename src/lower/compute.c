/* lower: the arithmetic of scalar operations. */
#include "lower/compute.h"

#include <math.h>

#include "asm/words.h"
#include "base/pick.h"

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

/* ---- integers */

/* The quotient or the remainder of a signed division, rounded as the operation does; b is not 0. */
static int64_t divide_signed(ptog_symbol name, int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    if (name == PTOG_OP_NAME_REMSI)
        return a % b;
    bool up = name == PTOG_OP_NAME_CEILDIVSI && a % b != 0 && (a < 0) == (b < 0);
    return quotient + up;
}

/* Computes one of arith's operations on integers that have signs, into *out. Returns why it cannot be computed, else
 * NULL. */
static const char *compute_signed(ptog_symbol name, int64_t a, int64_t b, unsigned width, int64_t *out)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (name) {
    case PTOG_OP_NAME_ADDI: *out = ptog_sign_extend(x + y, width); return NULL;
    case PTOG_OP_NAME_SUBI: *out = ptog_sign_extend(x - y, width); return NULL;
    case PTOG_OP_NAME_MULI: *out = ptog_sign_extend(x * y, width); return NULL;
    case PTOG_OP_NAME_MINSI: *out = ptog_min(a, b); return NULL;
    case PTOG_OP_NAME_MAXSI: *out = ptog_max(a, b); return NULL;
    case PTOG_OP_NAME_MINUI: *out = ptog_low_bits(a, width) < ptog_low_bits(b, width) ? a : b; return NULL;
    default: break;
    }
    if (b == 0)
        return "division by zero";
    if (b == -1 && a == ptog_sign_extend(UINT64_C(1) << (width - 1), width))
        return "the quotient does not fit";
    *out = ptog_sign_extend((uint64_t)divide_signed(name, a, b), width);
    return NULL;
}

/* Computes an operation of arith that looks at the low `width` bits of integers, into *out. Returns why it cannot be
 * computed, else NULL. */
static const char *compute_unsigned(ptog_symbol name, uint64_t a, uint64_t b, unsigned width, uint64_t *out)
{
    bool is_shift = name == PTOG_OP_NAME_SHLI || name == PTOG_OP_NAME_SHRUI || name == PTOG_OP_NAME_SHRSI;
    bool divides = name == PTOG_OP_NAME_DIVUI || name == PTOG_OP_NAME_REMUI || name == PTOG_OP_NAME_CEILDIVUI;
    *out = 0;
    if (is_shift && b >= width)
        return "shift by more bits than the number has";
    if (divides && b == 0)
        return "division by zero";
    switch (name) {
    case PTOG_OP_NAME_ANDI: *out = a & b; break;
    case PTOG_OP_NAME_ORI: *out = a | b; break;
    case PTOG_OP_NAME_XORI: *out = a ^ b; break;
    case PTOG_OP_NAME_MAXUI: *out = ptog_max(a, b); break;
    case PTOG_OP_NAME_DIVUI: *out = a / b; break;
    case PTOG_OP_NAME_REMUI: *out = a % b; break;
    case PTOG_OP_NAME_CEILDIVUI: *out = a / b + (a % b != 0); break;
    case PTOG_OP_NAME_SHLI: *out = a << b; break;
    case PTOG_OP_NAME_SHRUI: *out = a >> b; break;
    default: *out = (uint64_t)(ptog_sign_extend(a, width) >> b); break; /* shrsi */
    }
    return NULL;
}

/* Whether an operation is defined on integers with a sign; the others take the bits as they are. */
static bool is_signed_op(ptog_symbol name)
{
    switch (name) {
    case PTOG_OP_NAME_ADDI:
    case PTOG_OP_NAME_SUBI:
    case PTOG_OP_NAME_MULI:
    case PTOG_OP_NAME_DIVSI:
    case PTOG_OP_NAME_REMSI:
    case PTOG_OP_NAME_CEILDIVSI:
    case PTOG_OP_NAME_MINUI:
    case PTOG_OP_NAME_MINSI:
    case PTOG_OP_NAME_MAXSI: return true;
    default: return false;
    }
}

const char *ptog_compute_integers(ptog_symbol name, int64_t a, int64_t b, unsigned width, int64_t *out)
{
    if (is_signed_op(name))
        return compute_signed(name, ptog_sign_extend((uint64_t)a, width), ptog_sign_extend((uint64_t)b, width), width,
                              out);
    uint64_t bits;
    const char *problem = compute_unsigned(name, ptog_low_bits(a, width), ptog_low_bits(b, width), width, &bits);
    *out = (int64_t)bits;
    return problem;
}

/* The result of arith.cmpi on integers of a width; predicates have MLIR's numbers. */
bool ptog_compare_integers(int predicate, int64_t a, int64_t b, unsigned width)
{
    uint64_t x = ptog_low_bits(a, width), y = ptog_low_bits(b, width);
    switch (predicate) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return a >= b;
    case 6: return x < y;
    case 7: return x <= y;
    case 8: return x > y;
    default: return x >= y;
    }
}

/* ---- floating point */

/* The result of an operation on two floating-point numbers, by its name. */
double ptog_compute_reals(ptog_symbol name, double a, double b)
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

/* How one number stands to another. */
enum { LESS = 1, EQUAL = 2, MORE = 4, UNORDERED = 8 };

/* How two numbers compare: EQUAL, LESS, MORE or UNORDERED, each a bit of a predicate's mask. */
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

/* The result of arith.cmpf; predicates have MLIR's numbers. */
bool ptog_compare_reals(int predicate, double a, double b)
{
    /* The relations for which each holds: false, oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge, ult, ule, une, uno,
     * true. */
    static const unsigned holds[PTOG_REAL_PREDICATES] = {0,
                                                         EQUAL,
                                                         MORE,
                                                         MORE | EQUAL,
                                                         LESS,
                                                         LESS | EQUAL,
                                                         LESS | MORE,
                                                         LESS | EQUAL | MORE,
                                                         UNORDERED | EQUAL,
                                                         UNORDERED | MORE,
                                                         UNORDERED | MORE | EQUAL,
                                                         UNORDERED | LESS,
                                                         UNORDERED | LESS | EQUAL,
                                                         UNORDERED | LESS | MORE,
                                                         UNORDERED,
                                                         UNORDERED | LESS | EQUAL | MORE};
    return (holds[predicate] & relation(a, b)) != 0;
}

/* ---- from one to the other */

/* -(2^(width-1)) .. 2^(width-1) - 1, or 0 .. 2^width - 1, after the fraction was cut off. */
bool ptog_integer_of_real(double value, unsigned width, bool is_signed, int64_t *out)
{
    double whole = trunc(value), end = ldexp(1, (int)width - is_signed);
    if (!(whole < end && whole >= (is_signed ? -end : 0)))
        return false;
    *out = is_signed ? (int64_t)value : (int64_t)(uint64_t)value;
    return true;
}

/* An integer as a double that rounds to any smaller type as the integer would: beyond 53 bits, the last one stays odd
 * when something was cut off. */
double ptog_real_of_integer(int64_t value, unsigned width, bool is_signed)
{
    bool negative = is_signed && value < 0, odd = false;
    uint64_t magnitude = negative ? 0 - (uint64_t)value : ptog_low_bits(value, width);
    int shift = 0;
    while (magnitude >> 53 != 0) {
        odd = odd || (magnitude & 1);
        magnitude >>= 1;
        shift++;
    }
    double real = ldexp((double)(magnitude | odd), shift);
    return negative ? -real : real;
}
