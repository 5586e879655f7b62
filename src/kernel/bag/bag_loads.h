/* kernel: elements of each type of a bag's rows as a vector of LANES doubles, in the compiler's vector types, for
 * bag_stamp.h. Two-byte and one-byte floats are widened to f32 by moving their bits, and a product that sets the bias
 * of the exponent. */
#ifndef PTOG_KERNEL_BAG_LOADS_H
#define PTOG_KERNEL_BAG_LOADS_H

typedef float ptog_bag_floats __attribute__((vector_size(LANES * 4)));
typedef uint32_t ptog_bag_words __attribute__((vector_size(LANES * 4)));
typedef int32_t ptog_bag_ints __attribute__((vector_size(LANES * 4)));
typedef uint16_t ptog_bag_halves __attribute__((vector_size(LANES * 2)));
typedef uint8_t ptog_bag_bytes __attribute__((vector_size(LANES)));
typedef int8_t ptog_bag_small __attribute__((vector_size(LANES)));

static inline ptog_bag_doubles bag_widen(ptog_bag_floats value)
{
#if defined(__AVX2__) && !defined(__clang__) /* gcc goes through memory otherwise */
    return __builtin_ia32_cvtps2pd256(value);
#else
    return __builtin_convertvector(value, ptog_bag_doubles);
#endif
}

/* `bits`: a number whose exponent starts at `exponent_bit` and whose exponents are all ones above `special`. */
static inline ptog_bag_doubles bag_from_small(ptog_bag_words bits, int shift, float bias, uint32_t special,
                                              uint32_t sign)
{
    ptog_bag_words magnitude = bits & (sign - 1), is_special = (ptog_bag_words)(magnitude >= special);
    ptog_bag_words number = (ptog_bag_words)((ptog_bag_floats)(magnitude << shift) * bias);
    ptog_bag_words negative = (ptog_bag_words)((bits & sign) != 0) & 0x80000000u;
    return bag_widen((ptog_bag_floats)(number | (is_special & 0x7f800000u) | negative));
}

static inline ptog_bag_doubles bag_load_F32(const unsigned char *from)
{
    ptog_bag_floats value;
    memcpy(&value, from, sizeof value);
    return bag_widen(value);
}

static inline ptog_bag_words bag_words_of_halves(const unsigned char *from)
{
    ptog_bag_halves halves;
    memcpy(&halves, from, sizeof halves);
    return __builtin_convertvector(halves, ptog_bag_words);
}

static inline ptog_bag_words bag_words_of_bytes(const unsigned char *from)
{
    ptog_bag_bytes bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(bytes, ptog_bag_words);
}

static inline ptog_bag_doubles bag_load_F16(const unsigned char *from)
{
    return bag_from_small(bag_words_of_halves(from), 13, 0x1p112f, 0x7c00, 0x8000);
}

static inline ptog_bag_doubles bag_load_BF16(const unsigned char *from)
{
    return bag_widen((ptog_bag_floats)(bag_words_of_halves(from) << 16));
}

static inline ptog_bag_doubles bag_load_I8(const unsigned char *from)
{
    ptog_bag_small bytes;
    memcpy(&bytes, from, sizeof bytes);
    return bag_widen(__builtin_convertvector(__builtin_convertvector(bytes, ptog_bag_ints), ptog_bag_floats));
}

/* No infinities, and one NaN. */
static inline ptog_bag_doubles bag_load_F8E4M3(const unsigned char *from)
{
    return bag_from_small(bag_words_of_bytes(from), 20, 0x1p120f, 0x7f, 0x80);
}

static inline ptog_bag_doubles bag_load_F8E5M2(const unsigned char *from)
{
    return bag_from_small(bag_words_of_bytes(from), 21, 0x1p112f, 0x7c, 0x80);
}

#endif
