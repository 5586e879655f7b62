/* pto: small arithmetic that kernels share. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_COMMON_UTILS_HPP
#define PTO_COMMON_UTILS_HPP

#include <cstdint>
#include <type_traits>

#include <pto/ptog/constants.hpp>

#ifndef PTO_CEIL
#define PTO_CEIL(x, y) ((((x) + (y)-1) / (y)) * (y))
#endif

namespace pto
{

template <class Type, class... Types> inline constexpr bool isSupportType = (std::is_same_v<Type, Types> || ...);

/* a / b rounded up, and a rounded up to a multiple of b; 0 where b is 0. */
constexpr std::int32_t CeilDivision(std::int32_t a, std::int32_t b)
{
    return b == 0 ? 0 : (a + b - 1) / b;
}
constexpr std::uint32_t CeilAlignment(std::uint32_t a, std::uint32_t b)
{
    return b == 0 ? 0 : (a + b - 1) / b * b;
}

} // namespace pto

#endif
