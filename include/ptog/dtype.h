/* Element types. A gather moves bits: there a type matters only for its size, for what a target accepts, and for
 * printing. Instructions that compute take the bits for numbers: two's complement, IEEE 754 halves and singles,
 * bfloat16, and the 8-bit floats E4M3 (no infinities) and E5M2. Nothing is published about the order of the numbers of
 * hif8: it is moved and printed as bits, and no arithmetic is done with it. Exponents and numbers of 4 bits are moved,
 * and the latter converted by tcvt. */
#ifndef PTOG_DTYPE_H
#define PTOG_DTYPE_H

#include <stddef.h>
#include <stdint.h>

#include <ptog/export.h>

/* The numbers are part of the ABI: they are pinned, and new types come behind. */
enum ptog_dtype {
    PTOG_DTYPE_NONE = 0, /* not set: no operand has it */
    PTOG_I8 = 1,         /* integers of 1, 2, 4 and 8 bytes, with a sign and without */
    PTOG_U8 = 2,
    PTOG_I16 = 3,
    PTOG_U16 = 4,
    PTOG_I32 = 5,
    PTOG_U32 = 6,
    PTOG_I64 = 7,
    PTOG_U64 = 8,
    PTOG_F16 = 9,     /* IEEE 754: 5 bits of exponent, 10 of fraction; C++: half */
    PTOG_BF16 = 10,   /* the upper half of an f32: 8 bits of exponent, 7 of fraction */
    PTOG_F32 = 11,    /* IEEE 754; C++: float */
    PTOG_F8E4M3 = 12, /* 4 bits of exponent, 3 of fraction, no infinities */
    PTOG_F8E5M2 = 13, /* 5 bits of exponent, 2 of fraction */
    PTOG_HIF8 = 14,   /* 1 byte; its numbers are not published */
    PTOG_F8E8M0 = 15, /* 8 bits of exponent and no sign: powers of 2, 0xff is NaN; a scale of a block */
    /* Pairs: a byte is one element of a tile or tensor, and holds two numbers of 4 bits, the first in its low half.
     * Extents, strides and offsets count pairs. */
    PTOG_F4E2M1X2 = 16, /* 2 bits of exponent, 1 of fraction: 0, 0.5, 1, 1.5, 2, 3, 4, 6, and their negatives */
    PTOG_F4E1M2X2 = 17, /* 1 bit of exponent, 2 of fraction: multiples of 0.25 up to 1.75, and their negatives */
    PTOG_I4X2 = 18,     /* integers from -8 to 7 */
    PTOG_I4 = 19,       /* one such integer in a byte, as the CPU simulator stores them; its high half is ignored */
};
/* For arrays by type, and for loops over all of them. */
#define PTOG_DTYPE_COUNT 20 /* PTOG_DTYPE_NONE included */

/* Bytes per element: 1, 2, 4 or 8; 0 for a value that is not a type, PTOG_DTYPE_NONE included. */
PTOG_API size_t ptog_dtype_size(enum ptog_dtype dtype);

/* The short name that diagnostics and the text forms use, "f32"; "none" for a value that is not a type. Never NULL. */
PTOG_API const char *ptog_dtype_name(enum ptog_dtype dtype);

/* The name that C++ kernels use, "float", "bfloat16_t"; "none" for a value that is not a type. Never NULL. */
PTOG_API const char *ptog_dtype_cxx_name(enum ptog_dtype dtype);

/* Finds a type by any spelling in use, for programs that read types from files or users: short ("f32"), C++ ("float"),
 * MLIR ("f8E4M3FN", "si8", "ui16"), numpy
 * ("float32"). Case matters. PTOG_DTYPE_NONE when unknown or NULL. */
PTOG_API enum ptog_dtype ptog_dtype_find(const char *name);

/* Writes one element at `bits` as text, the shortest that reads back to the same value ("1.5", "-inf", "nan"; hif8 and
 * pairs as their bits, "0x3c"). Behaves like snprintf: returns the length without the terminator, and truncates to `size`. With
 * `text` NULL nothing is written and the length is returned; without `bits` the element counts as zero. */
PTOG_API size_t ptog_dtype_format(char *text, size_t size, enum ptog_dtype dtype, const void *bits);

/* The bits of the element of a floating-point type that is nearest to a number, ties to even. A type without a
 * published order of its numbers, hif8, counts as double. */
PTOG_API uint64_t ptog_dtype_from_real(enum ptog_dtype dtype, double value);

#endif
