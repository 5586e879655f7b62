/* model: the arithmetic of tcvt. A number is taken apart into sign, whole mantissa and exponent, so that every mode
 * rounds it once and exactly, 64-bit integers included. */
#include "model/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pick.h"
#include "base/small_float.h"
#include "model/dtype.h"

/* ---- numbers taken apart */

struct number {
    bool negative, infinite, nan;
    uint64_t whole; /* the magnitude is whole * 2^exponent */
    int exponent;
};

static bool is_int4(enum ptog_dtype dtype)
{
    return dtype == PTOG_I4X2 || dtype == PTOG_I4;
}
static bool is_float4(enum ptog_dtype dtype)
{
    return dtype == PTOG_F4E2M1X2 || dtype == PTOG_F4E1M2X2;
}
static bool has_sign(enum ptog_dtype dtype)
{
    return ptog_dtype_is_signed(dtype) || is_int4(dtype);
}
static bool is_real(enum ptog_dtype dtype)
{
    return ptog_dtype_is_float(dtype) || is_float4(dtype) || dtype == PTOG_HIF8;
}

/* Bits of a number, of which a pair holds two. */
static unsigned width_of(enum ptog_dtype dtype)
{
    if (is_int4(dtype) || is_float4(dtype))
        return 4;
    return 8 * (unsigned)ptog_dtype_size(dtype);
}

/* The number that the bits of an integer type are. */
static struct number number_of_integer(enum ptog_dtype dtype, uint64_t bits)
{
    unsigned drop = 64u - width_of(dtype);
    bits <<= drop;
    bool negative = has_sign(dtype) && bits >> 63;
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
    case PTOG_F4E2M1X2: return (struct ptog_float_format){2, 1, false};
    case PTOG_F4E1M2X2: return (struct ptog_float_format){1, 2, false};
    default: return (struct ptog_float_format){8, 23, true};
    }
}

/* Formats of 4 bits have neither infinities nor NaN. */
static bool has_numbers_only(struct ptog_float_format f)
{
    return f.exponent + f.mantissa == 3;
}

/* Infinity, or NaN where there is none; `saturates`: the largest number. */
static uint64_t beyond(struct ptog_float_format f, bool saturates)
{
    uint64_t top = (UINT64_C(1) << f.exponent) - 1;
    if (has_numbers_only(f))
        return 7;
    if (!f.infinite)
        return (top << f.mantissa | ((UINT64_C(1) << f.mantissa) - 1)) - saturates;
    return (top << f.mantissa) - saturates;
}

/* The bits of a number in a floating-point format, rounded. */
static uint64_t to_float(struct ptog_float_format f, const struct number *n, enum ptog_round mode, bool saturates)
{
    const int bias = ptog_max_int((1 << (f.exponent - 1)) - 1, 1);
    const uint64_t sign = (uint64_t)n->negative << (f.exponent + f.mantissa);
    if (n->nan && has_numbers_only(f))
        return 0;
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

/* ---- to hif8 */

/* How many bits of mantissa numbers with an exponent have. */
static int hif8_mantissa(int exponent)
{
    int size = abs(exponent);
    if (exponent < -15)
        return 0;
    if (size <= 3)
        return 3;
    return 1 + (size <= 7);
}

/* The bits of 1.mantissa * 2^exponent, without a sign. */
static uint64_t hif8_bits(int exponent, uint64_t mantissa)
{
    uint64_t size = (uint64_t)abs(exponent), sign = exponent < 0;
    if (exponent > 15 || (exponent == 15 && mantissa > 0))
        return 0x6f; /* infinity */
    if (exponent < -15)
        return (uint64_t)(exponent + 23);
    if (size == 0)
        return 0x08 | mantissa;
    if (size == 1)
        return 0x10 | sign << 3 | mantissa;
    if (size <= 3)
        return 0x20 | sign << 4 | (size - 2) << 3 | mantissa;
    if (size <= 7)
        return 0x40 | sign << 4 | (size - 4) << 2 | mantissa;
    return 0x60 | sign << 4 | (size - 8) << 1 | mantissa;
}

/* Rounded to as many bits as its exponent leaves. There is one zero. */
static uint64_t to_hif8(const struct number *n, enum ptog_round mode)
{
    const uint64_t sign = (uint64_t)n->negative << 7;
    if (n->nan)
        return 0x80;
    if (n->infinite)
        return sign | 0x6f;
    if (n->whole == 0)
        return 0;
    int highest = n->exponent + 63;
    for (uint64_t bit = UINT64_C(1) << 63; !(n->whole & bit); bit >>= 1)
        highest--;
    highest = ptog_max_int(highest, -22);
    int mantissa = hif8_mantissa(highest);
    uint64_t kept = rounded_to(n, highest - mantissa, mode), one = UINT64_C(1) << mantissa;
    if (kept == 0)
        return 0;
    if (kept == 2 * one)
        return sign | hif8_bits(highest + 1, 0);
    return sign | hif8_bits(highest, kept - one);
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
    unsigned width = width_of(to);
    bool is_signed = has_sign(to);
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
    if (dtype == PTOG_F4E1M2X2) /* what the simulator takes for them */
        return 3.5 - 7.5 * negative;
    if (is_real(dtype)) {
        double most = ptog_dtype_to_float(dtype, beyond(format_of(dtype), true));
        if (negative)
            return -most;
        return most;
    }
    double most = ldexp(1.0, (int)width_of(dtype) - has_sign(dtype));
    if (negative)
        return has_sign(dtype) ? -most : 0;
    if (most < 0x1p53)
        return most - 1;
    return most;
}

/* The number that the bits of a type are. */
static double value_of(enum ptog_dtype dtype, uint64_t bits)
{
    if (is_real(dtype))
        return ptog_dtype_to_float(dtype, bits);
    struct number n = number_of_integer(dtype, bits);
    if (n.negative)
        return -(double)n.whole;
    return (double)n.whole;
}

/* A double cut to a format of 4 bits as the simulator cuts it: mantissa and exponent lose what does not fit. */
static uint64_t cut_to_float4(struct ptog_float_format f, double value)
{
    uint64_t bits, low = (UINT64_C(1) << f.mantissa) - 1;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff) + 1 - 1023; /* both formats have a bias of 1 */
    uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) >> (52 - f.mantissa);
    if ((bits >> 52 & 0x7ff) == 0)
        return 0;
    if (exponent < 0) {
        mantissa = (mantissa | (low + 1)) >> ptog_min_int(1 - exponent, 63);
        exponent = 0;
    }
    uint64_t kept = (uint64_t)exponent & ((UINT64_C(1) << f.exponent) - 1);
    return bits >> 63 << 3 | kept << f.mantissa | (mantissa & low);
}

/* A cast between any two types. Integers among each other keep the low bits; those of 4 bits are clamped. */
static uint64_t cast(enum ptog_dtype to, enum ptog_dtype from, uint64_t bits, double value)
{
    if (is_float4(to))
        return cut_to_float4(format_of(to), value);
    if (is_int4(to))
        return (uint64_t)truncated(fmax(fmin(value, 7), -8), 32) & 15;
    if (!ptog_dtype_is_float(to) && !is_real(from)) {
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

/* The same, whole in every mode but NONE. */
static double cut_to_whole(double value, enum ptog_round mode)
{
    if (mode == PTOG_ROUND_TRUNC)
        return trunc(value);
    return to_whole(value, mode);
}

/* Saturation clamps the source, in its own type, before anything is rounded; NaN becomes the largest number. */
static uint64_t convert_by_cast(const struct ptog_conversion *c, uint64_t bits)
{
    double value = value_of(c->from, bits);
    if (c->saturates && !is_float4(c->from)) {
        double most = fmin(limit_of(c->from, false), limit_of(c->to, false));
        double least = fmax(limit_of(c->from, true), limit_of(c->to, true));
        value = ptog_min(value, most);
        value = ptog_max(value, least);
        bits = is_real(c->from) ? ptog_dtype_from_real(c->from, value) : ptog_cast_as_x86(c->from, value);
        value = value_of(c->from, bits);
    }
    if (c->from == c->to || (is_float4(c->from) && is_float4(c->to)))
        return bits;
    if (is_float4(c->from) || is_float4(c->to)) /* that is what it does */
        value = cut_to_whole(value, c->round);
    else if (is_real(c->from) && !is_real(c->to))
        value = to_whole(value, c->round);
    return cast(c->to, c->from, bits, value);
}

/* ---- one element */

uint64_t ptog_convert(const struct ptog_conversion *c, uint64_t bits)
{
    if (c->by_cast)
        return convert_by_cast(c, bits);
    struct number n = is_real(c->from) ? number_of_real(ptog_dtype_to_float(c->from, bits))
                                       : number_of_integer(c->from, bits);
    if (!is_real(c->to))
        return to_integer(c, &n);
    if (c->from == PTOG_F32 && c->to == PTOG_F32 && !n.nan && !n.infinite && n.exponent < 0) { /* to a whole number */
        n.whole = rounded_to(&n, 0, c->round);
        n.exponent = 0;
    }
    if (c->to == PTOG_HIF8)
        return to_hif8(&n, c->round);
    return to_float(format_of(c->to), &n, c->round, c->saturates);
}

/* The `half`-th number of a pair, converted. */
static uint64_t convert_half(const struct ptog_conversion *c, uint64_t pair, int half)
{
    return ptog_convert(c, pair >> 4 * half & 15);
}

uint64_t ptog_convert_element(const struct ptog_conversion *conversion, uint64_t bits, int64_t c)
{
    unsigned width = 8 * (unsigned)ptog_dtype_size(conversion->from);
    if (ptog_conversion_unpacks(conversion))
        return convert_half(conversion, bits, (int)(c & 1));
    if (ptog_dtype_numbers(conversion->to) == 1)
        return ptog_convert(conversion, bits) & UINT64_MAX >> (64 - 8 * ptog_dtype_size(conversion->to));
    if (!ptog_conversion_packs(conversion))
        return (convert_half(conversion, bits, 0) & 15) | (convert_half(conversion, bits, 1) & 15) << 4;
    uint64_t first = ptog_convert(conversion, bits & ((UINT64_C(1) << width) - 1));
    return (first & 15) | (ptog_convert(conversion, bits >> width) & 15) << 4;
}
