/* pto: the bits of small floats: rounded from float to nearest, ties to even, and back. */
#ifndef PTO_PTOG_SMALL_FLOAT_HPP
#define PTO_PTOG_SMALL_FLOAT_HPP

#include <cmath>
#include <cstdint>
#include <cstring>

/* Older compilers round small floats when the program runs only. */
#if defined(__clang__) || __GNUC__ >= 11
#define PTOG_BIT_CAST(Type, from) __builtin_bit_cast(Type, from)
#else
#define PTOG_BIT_CAST(Type, from) ptog::copied_bits<Type>(from)
#endif

namespace ptog
{

template <class To, class From> To copied_bits(From from)
{
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

constexpr std::uint32_t bits_of(float value)
{
    return PTOG_BIT_CAST(std::uint32_t, value);
}

constexpr float float_of(std::uint32_t bits)
{
    return PTOG_BIT_CAST(float, bits);
}

/* The upper `keep` bits, rounded to nearest, ties to even. */
constexpr std::uint32_t rounded(std::uint32_t bits, int drop)
{
    std::uint32_t half_way = (1u << (drop - 1)) - 1 + ((bits >> drop) & 1);
    return (bits + half_way) >> drop;
}

constexpr std::uint16_t to_half(float value)
{
    std::uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest >= 0x7f800000) /* infinity, or a NaN that stays one */
        return static_cast<std::uint16_t>(sign | 0x7c00 | (rest > 0x7f800000 ? 0x200 | (rest >> 13 & 0x3ff) : 0));
    if (rest >= 0x477ff000)
        return static_cast<std::uint16_t>(sign | 0x7c00);
    if (rest >= 0x38800000)
        return static_cast<std::uint16_t>(sign | rounded(rest - 0x38000000, 13));
    if (rest < 0x33000000)
        return static_cast<std::uint16_t>(sign);
    int shift = 126 - static_cast<int>(rest >> 23); /* subnormal */
    return static_cast<std::uint16_t>(sign | rounded((rest & 0x7fffff) | 0x800000, shift));
}

constexpr float from_half(std::uint16_t half_bits)
{
    std::uint32_t sign = (half_bits & 0x8000u) << 16, rest = half_bits & 0x7fffu;
    if (rest >= 0x7c00)
        return float_of(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest >= 0x400)
        return float_of(sign | (rest + 0x1c000) << 13);
    float small = static_cast<float>(rest) * 5.9604644775390625e-8f; /* 2^-24 */
    return float_of(sign | bits_of(small));
}

constexpr std::uint16_t to_bfloat16(float value)
{
    std::uint32_t bits = bits_of(value);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return static_cast<std::uint16_t>(bits >> 16 | 0x40);
    return static_cast<std::uint16_t>(rounded(bits, 16));
}

/* After the sign, a prefix says how many bits the exponent has: 11 four, 10 three, 01 two, 001 one, 0001 none; the rest
 * is the mantissa. The exponent has a sign of its own, and a leading 1 that is not stored. 0000 and M is 2^(M-23). */
inline float from_hif8(std::uint8_t bits)
{
    float sign = bits & 0x80 ? -1.0f : 1.0f;
    int rest = bits & 0x7f, width = (rest >> 5) + 1;
    if (rest == 0)
        return bits ? __builtin_nanf("") : 0.0f;
    if (rest == 0x6f)
        return sign * __builtin_inff();
    if (rest < 8)
        return sign * std::ldexp(1.0f, rest - 23);
    if (rest < 0x20)
        width = rest >> 4;
    int mantissa = width > 1 ? 5 - width : 3;
    int fraction = rest & ((1 << mantissa) - 1), top = width > 0 ? 1 << (width - 1) : 0;
    int exponent = top | ((rest >> mantissa) & (top > 0 ? top - 1 : 0));
    if (top > 0 && (rest >> mantissa) & top)
        exponent = -exponent;
    return sign * std::ldexp(static_cast<float>(fraction | 1 << mantissa), exponent - mantissa);
}

} // namespace ptog

#endif
