/* base: floating-point formats, from bits to values and back. */
#include "base/small_float.h"

#include <math.h>

#include "base/pick.h"

/* sign | exponent (`ebits`) | mantissa (`mbits`), IEEE style: all-ones exponent is not a number yet, the caller
 * decides. */
static float decode(uint32_t bits, int ebits, int mbits)
{
    uint32_t mantissa = bits & ((1u << mbits) - 1);
    int exponent = (int)(bits >> mbits & ((1u << ebits) - 1));
    int bias = (1 << (ebits - 1)) - 1;
    float sign = bits >> (ebits + mbits) & 1 ? -1.0f : 1.0f;
    if (exponent == 0)
        return sign * ldexpf((float)mantissa, 1 - bias - mbits);
    return sign * ldexpf((float)(mantissa | 1u << mbits), exponent - bias - mbits);
}

/* The value of a small float that has infinities and NaN as IEEE formats do. */
static float decode_ieee(uint32_t bits, int ebits, int mbits)
{
    uint32_t ones = (1u << ebits) - 1;
    if ((bits >> mbits & ones) != ones)
        return decode(bits, ebits, mbits);
    if (bits & ((1u << mbits) - 1))
        return NAN;
    if (bits >> (ebits + mbits) & 1)
        return -INFINITY;
    return INFINITY;
}

float ptog_f16_to_f32(uint16_t bits)
{
    return decode_ieee(bits, 5, 10);
}

float ptog_bf16_to_f32(uint16_t bits)
{
    return ptog_f32_from_bits((uint32_t)bits << 16);
}

float ptog_f8e4m3_to_f32(uint8_t bits)
{
    if ((bits & 0x7f) == 0x7f)
        return NAN;
    return decode(bits, 4, 3);
}

float ptog_f8e5m2_to_f32(uint8_t bits)
{
    return decode_ieee(bits, 5, 2);
}

/* After the sign, a prefix says how many bits the exponent has: 11 four, 10 three, 01 two, 001 one, 0001 none; the rest is
 * the mantissa. The exponent has a sign of its own, and a leading 1 that is not stored. 0000 and a number M is 2^(M-23). */
float ptog_hif8_to_f32(uint8_t bits)
{
    float sign = 1.0f - 2.0f * (bits >> 7);
    int rest = bits & 0x1f, width = bits >> 5 & 3, exponent = 0;
    if (bits == 0x80)
        return NAN;
    if (bits == 0)
        return 0.0f;
    if ((bits & 0x7f) == 0x6f)
        return sign * INFINITY;
    if ((bits & 0x78) == 0)
        return sign * ldexpf(1, (bits & 7) - 23);
    if (width == 0) {
        width = (bits & 0x10) != 0;
        rest = bits & (7 + 8 * width);
    } else {
        width++;
    }
    int mantissa = ptog_min_int(5 - width, 3);
    if (width > 0) {
        int stored = rest >> mantissa, top = 1 << (width - 1);
        exponent = top | (stored & (top - 1));
        if (stored & top)
            exponent = -exponent;
    }
    int fraction = rest & ((1 << mantissa) - 1);
    return sign * ldexpf((float)(fraction | 1 << mantissa), exponent - mantissa);
}

float ptog_f8e8m0_to_f32(uint8_t bits)
{
    if (bits == 0xff)
        return NAN;
    return ldexpf(1, bits - 127);
}

float ptog_f4e2m1_to_f32(uint8_t bits)
{
    return decode(bits & 15, 2, 1);
}

float ptog_f4e1m2_to_f32(uint8_t bits)
{
    float magnitude = (float)(bits & 7) / 4;
    if (bits & 8)
        return -magnitude;
    return magnitude;
}

int32_t ptog_f32_to_i32(float value)
{
    if (isnan(value))
        return 0;
    if (value >= 2147483648.0f)
        return INT32_MAX;
    if (value < -2147483648.0f)
        return INT32_MIN;
    float below = floorf(value), rest = value - below;
    int32_t whole = (int32_t)below;
    if (rest > 0.5f || (rest == 0.5f && (whole & 1)))
        return whole + 1;
    return whole;
}

/* ---- encoding */

/* Ties to even, whatever the rounding mode. `value` is not negative and below 2^53. */
static uint64_t round_even(double value)
{
    uint64_t whole = (uint64_t)value;
    double rest = value - (double)whole;
    return whole + (rest > 0.5 || (rest == 0.5 && (whole & 1)));
}

uint64_t ptog_float_encode(struct ptog_float_format f, double value)
{
    int bias = (1 << (f.exponent - 1)) - 1;
    uint64_t top = ((UINT64_C(1) << f.exponent) - 1) << f.mantissa; /* infinity, where there is one */
    uint64_t nan = f.infinite ? top | UINT64_C(1) << (f.mantissa - 1) : top | ((UINT64_C(1) << f.mantissa) - 1);
    uint64_t sign = signbit(value) ? UINT64_C(1) << (f.exponent + f.mantissa) : 0;
    if (isnan(value))
        return sign | nan;
    uint64_t past = f.infinite ? top : nan;
    if (isinf(value))
        return sign | past;
    int exponent;
    double fraction = frexp(fabs(value), &exponent); /* in [0.5, 1) */
    if (fraction == 0)
        return sign;
    exponent = exponent - 1 + bias; /* as stored */
    int down = exponent < 1 ? 1 - exponent : 0;
    if (exponent > (1 << f.exponent))
        return sign | past;
    if (down > f.mantissa + 2)
        return sign;
    uint64_t mantissa = round_even(ldexp(fraction, f.mantissa + 1 - down));
    /* The hidden bit adds itself to the exponent, and so does a carry. */
    uint64_t bits = down > 0 ? mantissa : ((uint64_t)(exponent - 1) << f.mantissa) + mantissa;
    return sign | ptog_min(past, bits);
}
