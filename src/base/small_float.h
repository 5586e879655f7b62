/* base: the small floating-point formats as float values. Every one of them fits in a float exactly. */
#ifndef PTOG_BASE_SMALL_FLOAT_H
#define PTOG_BASE_SMALL_FLOAT_H

#include <stdint.h>
#include <string.h>

static inline float ptog_f32_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float ptog_f16_to_f32(uint16_t bits);
float ptog_bf16_to_f32(uint16_t bits);
float ptog_f8e4m3_to_f32(uint8_t bits); /* the FN kind: no infinities, 0x7f and 0xff are NaN */
float ptog_f8e5m2_to_f32(uint8_t bits);

/* To the nearest integer, ties to even; out of range saturates, NaN is 0. Does not depend on the rounding mode. */
int32_t ptog_f32_to_i32(float value);

#endif
