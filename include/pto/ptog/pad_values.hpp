/* pto: pad values of a kernel's own. CustomBase and the bits of one element
 * make one; bits that the element has no place for are left out. */
#ifndef PTO_PTOG_PAD_VALUES_HPP
#define PTO_PTOG_PAD_VALUES_HPP

#include <cstdint>
#include <type_traits>

#include <pto/common/type.hpp>

namespace pto
{

constexpr bool isCustomPadValue(PadValue pad)
{
    return static_cast<std::uint64_t>(pad) >= static_cast<std::uint64_t>(PadValue::CustomBase);
}
constexpr std::uint32_t getCustomPadBits(PadValue pad)
{
    return static_cast<std::uint32_t>(pad);
}

/* The bits of a 16-bit float, or of any element. */
constexpr PadValue PadValueCustom16(std::uint16_t bits)
{
    return static_cast<PadValue>(static_cast<std::uint64_t>(PadValue::CustomBase) | bits);
}
template <class Element> constexpr PadValue PadValueCustom(Element value)
{
    static_assert(sizeof(Element) <= 4, "PadValueCustom: an element has at most 4 bytes");
    using bits = std::conditional_t<sizeof(Element) == 4, std::uint32_t,
                                    std::conditional_t<sizeof(Element) == 2, std::uint16_t, std::uint8_t>>;
    return static_cast<PadValue>(static_cast<std::uint64_t>(PadValue::CustomBase) | __builtin_bit_cast(bits, value));
}

/* PadCustom<-1>; with C++20 also PadCustom<-1.0f>. */
template <auto value>
inline constexpr PadValue PadCustom =
    PadValueCustom(static_cast<std::conditional_t<std::is_integral_v<decltype(value)>, std::uint32_t, float>>(value));

} // namespace pto

#endif
