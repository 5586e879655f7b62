/* model: the arithmetic of tcvt. A number is taken apart into sign, whole mantissa and exponent, so that every mode
 * rounds it once and exactly, 64-bit integers included. */
#include "model/convert.h"

#include <math.h>

#include "base/pick.h"
#include "base/small_float.h"
#include "model/dtype.h"

/* ---- numbers taken apart */

struct number {
    bool negative, infinite, nan;
    uint64_t whole; /* the magnitude is whole * 2^exponent */
    int exponent;
};

/* The number that the bits of an integer type are. */
static struct number number_of_integer(enum ptog_dtype dtype, uint64_t bits)
{
    unsigned drop = 64u - 8u * (unsigned)ptog_dtype_size(dtype);
    bits <<= drop;
    bool negative = ptog_dtype_is_signed(dtype) && bits >> 63;
    if (negative)
        return (struct number){.negative = true, .whole = 0 - (uint64_t)((int64_t)bits >> drop)};
    return (struct number){.whole = bits >> drop};
}

/* A floating-point number in parts, exactly. */
static struct number number_of_real(double value)
{
    struct number n = {.negative = signbit(value), .infinite = isinf(value), .nan = isnan(value)};
    if (isfinite(value) && value != 0) {
        double fraction = frexp(fabs(value), &n.exponent);
        n.whole = (uint64_t)ldexp(fraction, 53);
        n.exponent -= 53;
    }
    return n;
}

/* The magnitude as a multiple of 2^unit, rounded by the mode. What has more than 64 bits is UINT64_MAX. */
static uint64_t rounded_to(const struct number *n, int unit, enum ptog_round mode)
{
    int shift = unit - n->exponent;
    if (n->whole == 0)
        return 0;
    if (shift <= -64 || (shift < 0 && n->whole > UINT64_MAX >> -shift))
        return UINT64_MAX;
    if (shift <= 0)
        return n->whole << -shift;
    uint64_t kept = 0, rest = n->whole, half = UINT64_MAX; /* beyond 64 bits, half is never reached */
    if (shift < 64) {
        kept = n->whole >> shift;
        rest = n->whole & ((UINT64_C(1) << shift) - 1);
    }
    if (shift <= 64)
        half = UINT64_C(1) << (shift - 1);
    if (rest == 0)
        return kept;
    switch (mode) {
    case PTOG_ROUND_AWAY: return kept + (rest >= half);
    case PTOG_ROUND_FLOOR: return kept + n->negative;
    case PTOG_ROUND_CEIL: return kept + !n->negative;
    case PTOG_ROUND_TRUNC: return kept;
    case PTOG_ROUND_ODD: return kept | 1;
    default: return kept + (rest > half || (rest == half && (kept & 1)));
    }
}

/* ---- to floating point */

/* The layout of a floating-point type: bits of exponent and mantissa, and whether it has infinities. */
static struct ptog_float_format format_of(enum ptog_dtype dtype)
{
    switch (dtype) {
    case PTOG_F16: return (struct ptog_float_format){5, 10, true};
    case PTOG_BF16: return (struct ptog_float_format){8, 7, true};
    case PTOG_F8E5M2: return (struct ptog_float_format){5, 2, true};
    case PTOG_F8E4M3: return (struct ptog_float_format){4, 3, false};
    default: return (struct ptog_float_format){8, 23, true};
    }
}

/* Infinity, or NaN where there is none; `saturates`: the largest number. */
static uint64_t beyond(struct ptog_float_format f, bool saturates)
{
    uint64_t top = (UINT64_C(1) << f.exponent) - 1;
    if (!f.infinite)
        return (top << f.mantissa | ((UINT64_C(1) << f.mantissa) - 1)) - saturates;
    return (top << f.mantissa) - saturates;
}

/* The bits of a number in a floating-point format, rounded. */
static uint64_t to_float(struct ptog_float_format f, const struct number *n, enum ptog_round mode, bool saturates)
{
    const int bias = (1 << (f.exponent - 1)) - 1;
    const uint64_t sign = (uint64_t)n->negative << (f.exponent + f.mantissa);
    if (n->nan) /* quiet, in every format */
        return sign | ((UINT64_C(1) << f.exponent) - 1) << f.mantissa | ((UINT64_C(1) << f.mantissa) - 1);
    if (n->infinite)
        return sign | beyond(f, !f.infinite && saturates);
    if (n->whole == 0)
        return sign;
    int highest = n->exponent + 63;
    for (uint64_t bit = UINT64_C(1) << 63; !(n->whole & bit); bit >>= 1)
        highest--;
    int unit = ptog_max_int(highest, 1 - bias) - f.mantissa;
    uint64_t kept = rounded_to(n, unit, mode); /* one bit more where rounding carries: it moves into the exponent */
    uint64_t bits = kept + ((uint64_t)(unit + f.mantissa + bias - 1) << f.mantissa);
    bool fits = unit + f.mantissa + bias - 1 <= 1 << f.exponent && bits < beyond(f, false);
    if (!fits)
        bits = beyond(f, saturates);
    return sign | bits;
}

/* ---- to integers */

/* The two's complement of a whole number without saturation. Beyond 64 bits, infinities included: all ones above, 0
 * below. */
static uint64_t to_bits(const struct number *n, uint64_t magnitude, bool is_signed)
{
    uint64_t most = is_signed ? (uint64_t)INT64_MAX + n->negative : UINT64_MAX;
    if (!n->infinite && magnitude <= most)
        return ptog_negated_if(n->negative, magnitude);
    if (n->negative)
        return 0;
    return UINT64_MAX;
}

/* An integer of a type that is as near to the number as it can be. */
static uint64_t clamped(enum ptog_dtype to, const struct number *n, uint64_t magnitude)
{
    unsigned width = 8 * (unsigned)ptog_dtype_size(to);
    bool is_signed = ptog_dtype_is_signed(to);
    uint64_t most = (UINT64_MAX >> (64 - width)) >> is_signed, least = is_signed ? most + 1 : 0;
    if (n->infinite)
        magnitude = UINT64_MAX;
    if (n->negative)
        return 0 - ptog_min(magnitude, least);
    return ptog_min(magnitude, most);
}

/* The bits of a number in an integer type, rounded, and saturated or wrapped. */
static uint64_t to_integer(const struct ptog_conversion *c, const struct number *n)
{
    uint64_t magnitude = rounded_to(n, 0, c->round);
    if (n->nan)
        return 0;
    if (c->saturates)
        return clamped(c->to, n, magnitude);
    if (c->through_int32)
        return clamped(PTOG_I32, n, magnitude);
    return to_bits(n, magnitude, c->to != PTOG_U64 || n->negative);
}

/* ---- as C++ does it */

/* cvttsd2si of so many bits: everything that does not fit, and NaN, is the lowest number. */
static int64_t truncated(double value, int bits)
{
    double limit = ldexp(1.0, bits - 1), whole = trunc(value);
    if (whole >= -limit && whole < limit)
        return (int64_t)whole;
    return -(INT64_C(1) << (bits - 2)) * 2;
}

/* Compilers convert what has 32 bits with a sign, or less, through int32_t, uint32_t through int64_t, and the upper
 * half of uint64_t with its top bit apart. */
uint64_t ptog_cast_as_x86(enum ptog_dtype to, double value)
{
    if (to == PTOG_U64 && value >= 0x1p63)
        return (uint64_t)truncated(value - 0x1p63, 64) ^ UINT64_C(1) << 63;
    bool wide = to == PTOG_U32 || to == PTOG_I64 || to == PTOG_U64;
    return (uint64_t)truncated(value, wide ? 64 : 32);
}

/* The largest finite number of a type, and with the sign of `negative` the lowest. */
static double limit_of(enum ptog_dtype dtype, bool negative)
{
    if (ptog_dtype_is_float(dtype)) {
        double most = ptog_dtype_to_float(dtype, beyond(format_of(dtype), true));
        if (negative)
            return -most;
        return most;
    }
    double most = ldexp(1.0, 8 * (int)ptog_dtype_size(dtype) - ptog_dtype_is_signed(dtype));
    if (negative)
        return ptog_dtype_is_signed(dtype) ? -most : 0;
    if (most < 0x1p53)
        return most - 1;
    return most;
}

/* The number that the bits of a type are. */
static double value_of(enum ptog_dtype dtype, uint64_t bits)
{
    if (ptog_dtype_is_float(dtype))
        return ptog_dtype_to_float(dtype, bits);
    struct number n = number_of_integer(dtype, bits);
    if (n.negative)
        return -(double)n.whole;
    return (double)n.whole;
}

/* A cast between any two types. Integers among each other keep the low bits. */
static uint64_t cast(enum ptog_dtype to, enum ptog_dtype from, uint64_t bits, double value)
{
    if (!ptog_dtype_is_float(to) && !ptog_dtype_is_float(from)) {
        struct number n = number_of_integer(from, bits);
        return ptog_negated_if(n.negative, n.whole);
    }
    if (!ptog_dtype_is_float(to))
        return ptog_cast_as_x86(to == PTOG_U8 ? PTOG_I64 : to, value);
    struct number n = number_of_real(value);
    bool small = to == PTOG_F8E4M3 || to == PTOG_F8E5M2;
    return to_float(format_of(to), &n, small ? PTOG_ROUND_TRUNC : PTOG_ROUND_RINT, false);
}

/* To a whole number, but ties to odd where the mode is that. */
static double to_whole(double value, enum ptog_round mode)
{
    switch (mode) {
    case PTOG_ROUND_AWAY: return round(value);
    case PTOG_ROUND_FLOOR: return floor(value);
    case PTOG_ROUND_CEIL: return ceil(value);
    case PTOG_ROUND_ODD: {
        double below = floor(value), rest = value - below;
        if (rest != 0.5)
            return rest > 0.5 ? below + 1 : below;
        if (fmod(below, 2) != 0)
            return below;
        return below + 1;
    }
    case PTOG_ROUND_NONE:
    case PTOG_ROUND_TRUNC: return value; /* the cast cuts */
    default: {
        struct number n = number_of_real(value); /* nearbyint would ask the process for its mode */
        double whole = n.exponent < 0 ? (double)rounded_to(&n, 0, PTOG_ROUND_RINT) : fabs(value);
        return copysign(whole, value);
    }
    }
}

/* Saturation clamps the source, in its own type, before anything is rounded; NaN becomes the largest number. */
static uint64_t convert_by_cast(const struct ptog_conversion *c, uint64_t bits)
{
    double value = value_of(c->from, bits);
    if (c->saturates) {
        double most = fmin(limit_of(c->from, false), limit_of(c->to, false));
        double least = fmax(limit_of(c->from, true), limit_of(c->to, true));
        value = ptog_min(value, most);
        value = ptog_max(value, least);
        bits = ptog_dtype_is_float(c->from) ? ptog_dtype_from_real(c->from, value) : ptog_cast_as_x86(c->from, value);
        value = value_of(c->from, bits);
    }
    if (c->from == c->to)
        return bits;
    if (ptog_dtype_is_float(c->from) && !ptog_dtype_is_float(c->to))
        value = to_whole(value, c->round);
    return cast(c->to, c->from, bits, value);
}

/* ---- one element */

uint64_t ptog_convert(const struct ptog_conversion *c, uint64_t bits)
{
    if (c->by_cast)
        return convert_by_cast(c, bits);
    struct number n = ptog_dtype_is_float(c->from) ? number_of_real(ptog_dtype_to_float(c->from, bits))
                                                   : number_of_integer(c->from, bits);
    if (!ptog_dtype_is_float(c->to))
        return to_integer(c, &n);
    if (c->from == PTOG_F32 && c->to == PTOG_F32 && !n.nan && !n.infinite && n.exponent < 0) { /* to a whole number */
        n.whole = rounded_to(&n, 0, c->round);
        n.exponent = 0;
    }
    return to_float(format_of(c->to), &n, c->round, c->saturates);
}
