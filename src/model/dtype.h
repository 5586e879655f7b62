/* model: what the other modules ask of element types beyond ptog/dtype.h. */
#ifndef PTOG_MODEL_DTYPE_H
#define PTOG_MODEL_DTYPE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <ptog/dtype.h>

static inline bool ptog_dtype_is_signed(enum ptog_dtype dtype)
{
    return dtype == PTOG_I8 || dtype == PTOG_I16 || dtype == PTOG_I32 || dtype == PTOG_I64;
}

/* The floating-point types with a published order; hif8 is not one of them. */
static inline bool ptog_dtype_is_float(enum ptog_dtype dtype)
{
    return dtype >= PTOG_F16 && dtype <= PTOG_F8E5M2;
}

/* How many numbers an element holds: two in a pair of numbers of 4 bits. */
static inline int ptog_dtype_numbers(enum ptog_dtype dtype)
{
    return 1 + (dtype >= PTOG_F4E2M1X2 && dtype <= PTOG_I4X2);
}

/* The types of exponents and of numbers of 4 bits. They are moved and converted; nothing else computes with them. */
static inline bool ptog_dtype_is_tiny(enum ptog_dtype dtype)
{
    return dtype >= PTOG_F8E8M0;
}

/* The top bit of an element. */
static inline uint64_t ptog_dtype_sign_bit(enum ptog_dtype dtype)
{
    return (uint64_t)1 << (8 * ptog_dtype_size(dtype) - 1);
}

/* The value of an element of a floating-point type, of an exponent, or of one number of a pair. */
float ptog_dtype_to_float(enum ptog_dtype dtype, uint64_t bits);

/* The bits of the f32 that is nearest to a value, ties to even: the processor's own conversion. Of a NaN the sign is
 * kept, and nothing else. */
static inline uint32_t ptog_f32_of_real(double value)
{
    float nearest = (float)value;
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    if (value != value)
        return (bits & UINT32_C(0x80000000)) | UINT32_C(0x7fc00000);
    return bits;
}

#endif
