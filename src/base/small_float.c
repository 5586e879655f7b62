/* base: the small floating-point formats as float values. */
#include "base/small_float.h"

#include <math.h>

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

static float decode_ieee(uint32_t bits, int ebits, int mbits)
{
    uint32_t ones = (1u << ebits) - 1;
    if ((bits >> mbits & ones) != ones)
        return decode(bits, ebits, mbits);
    if (bits & ((1u << mbits) - 1))
        return NAN;
    return bits >> (ebits + mbits) & 1 ? -INFINITY : INFINITY;
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
    return (bits & 0x7f) == 0x7f ? NAN : decode(bits, 4, 3);
}

float ptog_f8e5m2_to_f32(uint8_t bits)
{
    return decode_ieee(bits, 5, 2);
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
    return rest > 0.5f || (rest == 0.5f && (whole & 1)) ? whole + 1 : whole;
}
