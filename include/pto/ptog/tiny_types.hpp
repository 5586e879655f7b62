/* pto: exponents, and numbers of 4 bits. A byte of float4_e2m1x2_t or float4_e1m2x2_t holds two numbers, the first in its
 * low half; extents and strides of tiles and tensors count the numbers. */
#ifndef PTO_PTOG_TINY_TYPES_HPP
#define PTO_PTOG_TINY_TYPES_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ptog
{

/* The bits of such a type: sign, exponent and mantissa, with a bias that makes 1 the number with the exponent `Bias`.
 * Host programs of the CPU simulator take the low half of a pair for a number. */
template <int Exponent, int Mantissa, int Bias> struct tiny {
    static constexpr int magnitudes = 1 << (Exponent + Mantissa);
    std::uint8_t bits;
    tiny() = default;
    /* The next number towards 0. */
    tiny(double value) : bits(0)
    {
        double magnitude = std::fabs(value);
        while (bits + 1 < magnitudes && magnitude_of(bits + 1) <= magnitude)
            bits++;
        if (value < 0 && Mantissa > 0)
            bits = static_cast<std::uint8_t>(bits | magnitudes);
    }
    static constexpr tiny FromRaw(std::uint8_t bits)
    {
        tiny made{};
        made.bits = bits;
        return made;
    }
    constexpr std::uint8_t RawData() const
    {
        return bits;
    }
    operator double() const
    {
        double magnitude = magnitude_of(bits & (magnitudes - 1));
        return bits & magnitudes ? -magnitude : magnitude;
    }
    static double magnitude_of(int bits)
    {
        int exponent = bits >> Mantissa, mantissa = bits & ((1 << Mantissa) - 1);
        if (exponent > 0 || Mantissa == 0)
            return std::ldexp(mantissa | 1 << Mantissa, exponent - Bias - Mantissa);
        return std::ldexp(mantissa, 1 - Bias - Mantissa);
    }
};

} // namespace ptog

using float8_e8m0_t = ptog::tiny<8, 0, 127>;
using float4_e2m1x2_t = ptog::tiny<2, 1, 1>;
using float4_e1m2x2_t = ptog::tiny<1, 2, 1>;
static_assert(sizeof(float8_e8m0_t) == 1 && sizeof(float4_e2m1x2_t) == 1, "element types are packed");
static_assert(std::is_trivial_v<float4_e2m1x2_t>, "memset and memcpy are for pairs, too");

namespace pto
{

/* An integer of 4 bits in a byte. The CPU simulator stores each in a byte of its own, devices two in one. */
struct int4b_t {
    std::uint8_t storage;
    int4b_t() = default;
    explicit constexpr int4b_t(std::int32_t value) : storage(static_cast<std::uint8_t>(value & 15))
    {
    }
    constexpr operator std::int8_t() const
    {
        return static_cast<std::int8_t>((storage & 7) - (storage & 8));
    }
};

} // namespace pto

/* Bytes that hold two numbers. */
template <class Type> constexpr bool IsTwinType()
{
    return std::is_same_v<Type, float4_e2m1x2_t> || std::is_same_v<Type, float4_e1m2x2_t>;
}

/* The number at an offset that counts numbers. */
template <class Type> inline Type GetProperDataPart(Type *from, std::size_t offset)
{
    if constexpr (IsTwinType<Type>())
        return Type::FromRaw(static_cast<std::uint8_t>(from[offset / 2].bits >> 4 * (offset % 2) & 15));
    else
        return from[offset];
}
template <class Type> inline void SetProperDataPart(Type *to, std::size_t offset, Type value)
{
    if constexpr (IsTwinType<Type>()) {
        unsigned shift = 4 * (offset % 2);
        unsigned kept = to[offset / 2].bits & ~(15u << shift);
        to[offset / 2] = Type::FromRaw(static_cast<std::uint8_t>(kept | (value.bits & 15u) << shift));
    } else {
        to[offset] = value;
    }
}

#endif
