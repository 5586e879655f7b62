/* program: numbers to the bits of floating-point types. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/eval.h"

struct format {
    int exponent, mantissa; /* bits */
    bool infinite;          /* has infinities; else the largest pattern is NaN */
};

static struct format format_of(enum ptog_dtype dtype)
{
    switch (dtype) {
    case PTOG_F16: return (struct format){5, 10, true};
    case PTOG_BF16: return (struct format){8, 7, true};
    case PTOG_F32: return (struct format){8, 23, true};
    case PTOG_F8E5M2: return (struct format){5, 2, true};
    case PTOG_F8E4M3: return (struct format){4, 3, false};
    default: return (struct format){11, 52, true};
    }
}

/* Ties to even, whatever the rounding mode. `value` is not negative and below 2^53. */
static uint64_t round_even(double value)
{
    uint64_t whole = (uint64_t)value;
    double rest = value - (double)whole;
    return whole + (rest > 0.5 || (rest == 0.5 && (whole & 1)));
}

uint64_t ptog_real_bits(enum ptog_dtype dtype, double value)
{
    struct format f = format_of(dtype);
    uint64_t bits;
    if (dtype == PTOG_DTYPE_NONE || dtype == PTOG_HIF8) {
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
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
    bits = down > 0 ? mantissa : ((uint64_t)(exponent - 1) << f.mantissa) + mantissa;
    return sign | (bits >= past ? past : bits);
}

double ptog_real_read(const char *digits)
{
    char probe[8], local[128];
    const char *point = strchr(digits, '.');
    snprintf(probe, sizeof probe, "%.1f", 0.5);
    if (!point || probe[1] == '.' || strlen(digits) >= sizeof local)
        return strtod(digits, NULL);
    memcpy(local, digits, strlen(digits) + 1);
    local[point - digits] = probe[1];
    return strtod(local, NULL);
}
