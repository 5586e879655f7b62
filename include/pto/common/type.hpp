/* pto: element types, pipes and events as the device compiler knows them, and the enums of namespace pto with their
 * documented numbers. A gather moves bits: the small floats carry theirs, and convert where a host program needs it. */
#ifndef PTO_COMMON_TYPE_HPP
#define PTO_COMMON_TYPE_HPP

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ptog
{

inline std::uint32_t bits_of(float value)
{
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline float float_of(std::uint32_t bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/* The upper `keep` bits, rounded to nearest, ties to even. */
inline std::uint32_t rounded(std::uint32_t bits, int drop)
{
    std::uint32_t half_way = (1u << (drop - 1)) - 1 + ((bits >> drop) & 1);
    return (bits + half_way) >> drop;
}

inline std::uint16_t to_half(float value)
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

inline float from_half(std::uint16_t half_bits)
{
    std::uint32_t sign = (half_bits & 0x8000u) << 16, rest = half_bits & 0x7fffu;
    if (rest >= 0x7c00)
        return float_of(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest >= 0x400)
        return float_of(sign | (rest + 0x1c000) << 13);
    float small = static_cast<float>(rest) * 5.9604644775390625e-8f; /* 2^-24 */
    return float_of(sign | bits_of(small));
}

inline std::uint16_t to_bfloat16(float value)
{
    std::uint32_t bits = bits_of(value);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return static_cast<std::uint16_t>(bits >> 16 | 0x40);
    return static_cast<std::uint16_t>(rounded(bits, 16));
}

} // namespace ptog

/* The compiler's own type where it has one. */
#if defined(__FLT16_MANT_DIG__)
using half = _Float16;
#else
struct half {
    std::uint16_t bits;
    half() = default;
    half(float value) : bits(ptog::to_half(value))
    {
    }
    operator float() const
    {
        return ptog::from_half(bits);
    }
};
#endif

struct bfloat16_t {
    std::uint16_t bits;
    bfloat16_t() = default;
    bfloat16_t(float value) : bits(ptog::to_bfloat16(value))
    {
    }
    operator float() const
    {
        return ptog::float_of(static_cast<std::uint32_t>(bits) << 16);
    }
};

/* One-byte floats: bits only. */
struct float8_e4m3_t {
    std::uint8_t bits;
};
struct float8_e5m2_t {
    std::uint8_t bits;
};
struct hifloat8_t {
    std::uint8_t bits;
};
static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2 && sizeof(hifloat8_t) == 1, "element types are packed");
static_assert(std::is_trivial_v<half> && std::is_trivial_v<bfloat16_t>, "memset and memcpy are for numbers, too");

enum pipe_t {
    PIPE_S = 0,
    PIPE_V = 1,
    PIPE_MTE2 = 2,
    PIPE_MTE3 = 3,
    PIPE_M = 4,
    PIPE_MTE1 = 5,
    PIPE_FIX = 6,
    PIPE_ALL = 7
};
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

/* Operands of dcci and dsb, which do nothing here. */
enum cache_line_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum dcci_dst_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum mem_dsb_t { DSB_ALL, DSB_DDR, DSB_UB, DSB_SEQ };

namespace pto
{

enum class TileType : std::uint8_t { Vec = 0, Mat = 1, Left = 2, Right = 3, Acc = 4 };
enum class BLayout : std::uint8_t { RowMajor = 0, ColMajor = 1 };
enum class SLayout : std::uint8_t { NoneBox = 0, RowMajor = 1, ColMajor = 2 };
enum class Layout : std::uint8_t { ND = 0, DN = 1, NZ = 2 };
enum class Coalesce : std::uint8_t { Row = 0, Elem = 1 };
enum class GatherOOB : std::uint8_t { Undefined = 0, Clamp = 1, Wrap = 2, Zero = 3 };
enum class GatherAxis : std::uint8_t { ROW = 0, COL = 1 };
enum class PadValue : std::uint8_t { Null = 0, Zero = 1, Max = 2, Min = 3 };
enum class MaskPattern : std::uint8_t { P0101 = 1, P1010 = 2, P0001 = 3, P0010 = 4, P0100 = 5, P1000 = 6, P1111 = 7 };
enum class CmpMode : std::uint8_t { EQ = 0, NE = 1, LT = 2, LE = 3, GT = 4, GE = 5 };
enum GlobalTensorDim { DIM_0 = 0, DIM_1 = 1, DIM_2 = 2, DIM_3 = 3, DIM_4 = 4, TOTAL_DIM = 5 };

} // namespace pto

#endif
