/* base: floating-point formats, from bits to values and back. Every small one fits in a float exactly. */
#ifndef PTOG_BASE_SMALL_FLOAT_H
#define PTOG_BASE_SMALL_FLOAT_H

#include <stdbool.h>
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
float ptog_f8e8m0_to_f32(uint8_t bits); /* a power of 2 */
float ptog_hif8_to_f32(uint8_t bits); /* between 2 and 0 bits of mantissa, fewer the farther its exponent is from 0 */
/* Numbers of 4 bits: sign, exponent, mantissa; neither infinities nor NaN. Higher bits are ignored. */
float ptog_f4e2m1_to_f32(uint8_t bits);
float ptog_f4e1m2_to_f32(uint8_t bits);

/* To the nearest integer, ties to even; out of range saturates, NaN is 0. Does not depend on the rounding mode. */
int32_t ptog_f32_to_i32(float value);

/* sign | exponent | mantissa */
struct ptog_float_format {
    int exponent, mantissa; /* bits */
    bool infinite;          /* has infinities; else the largest pattern is NaN */
};

/* The bits of the nearest number of a format, ties to even, whatever the rounding mode of the process is. What is too
 * large becomes infinite, or NaN in a format without infinities. */
uint64_t ptog_float_encode(struct ptog_float_format f, double value);

#endif
