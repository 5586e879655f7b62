/* pto: element types, pipes and events as the device compiler knows them, and the enums of namespace pto with their
 * documented numbers. A gather moves bits: the small floats carry theirs, and convert where a host program needs it. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_COMMON_TYPE_HPP
#define PTO_COMMON_TYPE_HPP

#include <cstdint>
#include <type_traits>

#include <pto/ptog/constants.hpp>
#include <pto/ptog/small_float.hpp>

/* The compiler's own type where it has one. */
#if defined(__FLT16_MANT_DIG__)
using half = _Float16;
#else
struct half {
    std::uint16_t bits;
    half() = default;
    constexpr half(float value) : bits(ptog::to_half(value))
    {
    }
    constexpr operator float() const
    {
        return ptog::from_half(bits);
    }
};
#endif

struct bfloat16_t {
    std::uint16_t bits;
    bfloat16_t() = default;
    constexpr bfloat16_t(float value) : bits(ptog::to_bfloat16(value))
    {
    }
    constexpr operator float() const
    {
        return ptog::float_of(static_cast<std::uint32_t>(bits) << 16);
    }
};

/* One-byte floats: bits, and the numbers of hif8 where a host program compares them. */
struct float8_e4m3_t {
    std::uint8_t bits;
};
struct float8_e5m2_t {
    std::uint8_t bits;
};
struct hifloat8_t {
    std::uint8_t bits;
    explicit operator float() const
    {
        return ptog::from_hif8(bits);
    }
};
#include <pto/ptog/tiny_types.hpp>
static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2 && sizeof(hifloat8_t) == 1, "element types are packed");
static_assert(std::is_trivial_v<half> && std::is_trivial_v<bfloat16_t>, "memset and memcpy are for numbers, too");

using float16_t = half;
#if !defined(__fp16) && !defined(__ARM_FP16_FORMAT_IEEE)
#define __fp16 half /* clang has a type of this name that no parameter may have */
#endif
using float32_t = float;
/* A kernel's host side names halves as aclFloat16: numbers in the simulator's sources, bits (acl/acl.h) in a device's.
 */
#ifdef __CPU_SIM
using aclFloat16 = half;
inline float aclFloat16ToFloat(aclFloat16 value)
{
    return static_cast<float>(value);
}
#endif

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

/* Operands of dcci and dsb. */
enum cache_line_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum dcci_dst_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum mem_dsb_t { DSB_ALL, DSB_DDR, DSB_UB, DSB_SEQ };

namespace pto
{

enum class TileType : std::uint8_t {
    Vec = 0,
    Mat = 1,
    Left = 2,
    Right = 3,
    Acc = 4,
    Bias = 5,
    Scaling = 6,
    ScaleLeft = 7,
    ScaleRight = 8,
    Ctrl = 9
};
enum class BLayout : std::uint8_t { RowMajor = 0, ColMajor = 1 };
enum class SLayout : std::uint8_t { NoneBox = 0, RowMajor = 1, ColMajor = 2 };
/* Views of memory: instructions here take the first three. */
enum class Layout : std::uint8_t {
    ND = 0,
    DN = 1,
    NZ = 2,
    SCALE,
    MX_A_ND,
    MX_A_DN,
    MX_A_ZZ,
    MX_B_ND,
    MX_B_DN,
    MX_B_NN,
    HIF4_A_ZZ,
    HIF4_B_NN,
    NC1HWC0,
    GNC1HWC0,
    NCHW,
    GNCHW,
    NHWC,
    NDC1HWC0,
    NCDHW,
    FRACTAL_Z,
    FRACTAL_Z_S16S8,
    FRACTAL_Z_3D,
    MAX
};
enum class TileLayoutCustom : std::uint8_t { ND, DN, NZ, ZN, ZZ, NONE };
enum class PadValue : std::uint64_t { Null = 0, Zero = 1, Max = 2, Min = 3, CustomBase = 0x100000000 };

/* How TPRINT prints numbers: the width of each, and how many digits after the point. */
enum class PrintFormat : std::uint8_t { Width8_Precision4 = 0, Width8_Precision2 = 1, Width10_Precision6 = 2 };
enum class TFillPadMode : std::uint8_t { Normal = 0, InPlace = 1, Expand = 2 };
enum class CompactMode : std::uint8_t { Null = 0, Normal = 1, RowPlusOne = 2, RowAlignedPadding = 3 };
enum class Coalesce : std::uint8_t { Row = 0, Elem = 1 };
enum class GatherOOB : std::uint8_t { Undefined = 0, Clamp = 1, Wrap = 2, Zero = 3 };
enum class GatherAxis : std::uint8_t { ROW = 0, COL = 1, GATHER_ROW = 0, GATHER_COL = 1 };
enum class GatherExec : std::uint8_t { Scalar = 0, Simt = 1 };
enum class ScatterAxis : std::uint8_t { SCATTER_ROW = 0, SCATTER_COL = 1 };
enum class HistByte : std::uint8_t { BYTE_0 = 0, BYTE_1 = 1, BYTE_2 = 2, BYTE_3 = 3 };
enum class ScatterAtomicOp : std::uint8_t { None = 0, Add = 1, Max = 2, Min = 3 };
enum class ScatterOOB : std::uint8_t { Undefined = 0, Skip = 1, Clamp = 2, Wrap = 3 };
enum class ScatterConflict : std::uint8_t { Last = 0, Default = 1 };
/* Of accumulators: whether negative elements are stored as 0, and phases of products and stores that order themselves. */
enum class ReluPreMode : std::uint8_t { NoRelu = 0, NormalRelu = 1 };
enum class AccPhase : std::uint8_t { Unspecified = 0, Unknown = 0, Partial = 2, Final = 3 };
enum class STPhase : std::uint8_t { Unspecified = 0, Partial = 2, Final = 3 };
enum class AccToVecMode : std::uint8_t { SingleModeVec0 = 0, SingleModeVec1 = 1, DualModeSplitM = 2, DualModeSplitN = 3 };
enum class AtomicType : std::uint8_t { AtomicNone = 0, AtomicAdd = 1 };
enum class MaskPattern : std::uint8_t { P0101 = 1, P1010 = 2, P0001 = 3, P0010 = 4, P0100 = 5, P1000 = 6, P1111 = 7 };
enum class CmpMode : std::uint8_t { EQ = 0, NE = 1, LT = 2, LE = 3, GT = 4, GE = 5 };
enum class RoundMode : std::uint8_t {
    CAST_NONE = 0,
    CAST_RINT = 1,
    CAST_ROUND = 2,
    CAST_FLOOR = 3,
    CAST_CEIL = 4,
    CAST_TRUNC = 5,
    CAST_ODD = 6
};
enum class SaturationMode : std::uint8_t { ON = 0, OFF = 1 };
enum class QuantType : std::uint8_t { MXFP8 = 0, MXFP4_E2M1 = 1, INT8_SYM = 2, INT8_ASYM = 3 };
enum class QuantScaleAlg : std::uint8_t { OCP = 0, NV = 1 };
enum class MxQuantAlg : std::uint8_t { OcpMxFp8E4M3 = 0, NvMxFp8E4M3 = 1, OcpMxFp4E2M1 = 2, NvMxFp4E2M1 = 3, Hif4 = 4 };
enum class VecStoreMode : std::uint8_t { ND = 0, NZ = 1 };

/* How carefully an instruction computes. Here every result is rounded once, whatever the kernel chooses. */
#define PTOG_ALGORITHM(NAME)                                                                                           \
    enum class NAME##Algorithm : std::uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
PTOG_ALGORITHM(Div)
PTOG_ALGORITHM(Exp)
PTOG_ALGORITHM(Log)
PTOG_ALGORITHM(Sqrt)
PTOG_ALGORITHM(Rsqrt)
PTOG_ALGORITHM(Recip)
PTOG_ALGORITHM(Pow)
PTOG_ALGORITHM(Fmod)
PTOG_ALGORITHM(FmodS)
PTOG_ALGORITHM(Rem)
PTOG_ALGORITHM(RemS)
#undef PTOG_ALGORITHM

enum GlobalTensorDim { DIM_0 = 0, DIM_1 = 1, DIM_2 = 2, DIM_3 = 3, DIM_4 = 4, TOTAL_DIM = 5 };

/* Of how many elements a pattern keeps one. */
template <MaskPattern mask> constexpr int GetTimesByMask()
{
    if (mask == MaskPattern::P1111)
        return 1;
    return mask == MaskPattern::P0101 || mask == MaskPattern::P1010 ? 2 : 4;
}

} // namespace pto

#include <pto/ptog/pad_values.hpp>

#endif
