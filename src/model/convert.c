/* model: numbers as elements of other types. */
#include "model/convert.h"

#include <math.h>
#include <stdbool.h>

#include "model/dtype.h"

/* cvttsd2si of so many bits: everything that does not fit, and NaN, is the lowest number. */
static int64_t truncated(double value, int bits)
{
    double limit = ldexp(1.0, bits - 1), whole = trunc(value);
    return whole >= -limit && whole < limit ? (int64_t)whole : -(INT64_C(1) << (bits - 2)) * 2;
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
