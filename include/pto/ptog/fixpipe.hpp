/* pto: how the cube core converts what it pushes: to another type, scaled by a number or by a tile of them, without what is
 * negative. */
#ifndef PTO_PTOG_FIXPIPE_HPP
#define PTO_PTOG_FIXPIPE_HPP

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <pto/common/type.hpp>
#include <pto/ptog/cross.hpp>
#include <pto/ptog/cube_issue.hpp>

/* Names of the device's compiler; their numbers mean nothing here. Those with a V are scaled by a tile. */
enum QuantMode_t {
    NoQuant,
    F322F16,
    F322BF16,
    DEQF16,
    VDEQF16,
    QF322B8_PRE,
    VQF322B8_PRE,
    REQ8,
    VREQ8,
    QF322F16_PRE,
    QF322BF16_PRE,
    QS322BF16_PRE,
    VQS322BF16_PRE,
    QF322HIF8_PRE,
    QF322FP8_PRE
};

namespace pto
{

enum class LayoutMode_t : std::uint8_t { NZ2NZ = 0, NZ2ND = 1, NZ2DN = 2 };
typedef enum { NOCLIP_RELU = 0, CLIP_RELU = 1 } ClipReluMode_t;

template <LayoutMode_t layout = LayoutMode_t::NZ2ND, QuantMode_t quant = QuantMode_t::NoQuant, ReluPreMode relu = ReluPreMode::NoRelu,
          STPhase phase = STPhase::Unspecified, std::uint8_t to = 0, AtomicType atomic = AtomicType::AtomicNone,
          ClipReluMode_t clip = NOCLIP_RELU, bool channel_split = false>
struct FixpipeParams {
    static constexpr LayoutMode_t LayoutMode = layout;
    static constexpr QuantMode_t QuantPre = quant;
    static constexpr ReluPreMode ReluMode = relu;
    static constexpr STPhase Phase = phase;
    static constexpr std::uint8_t SubBlockId = to;
    static constexpr AtomicType AtomicT = atomic;
    static constexpr ClipReluMode_t ClipReluMode = clip;
    static constexpr bool IsChannelSplit = channel_split;
};

} // namespace pto

namespace ptog
{

/* Where the scale of a mode comes from. */
enum class scale_kind { none, number, tile };

constexpr scale_kind scale_of(QuantMode_t mode)
{
    if (mode == NoQuant || mode == F322F16 || mode == F322BF16)
        return scale_kind::none;
    if (mode == VDEQF16 || mode == VQF322B8_PRE || mode == VREQ8 || mode == VQS322BF16_PRE)
        return scale_kind::tile;
    return scale_kind::number;
}

/* The type of the elements that are pushed; `kept`: that of the accumulator. */
constexpr ptog_dtype converted_type(QuantMode_t mode, ptog_dtype kept)
{
    switch (mode) {
    case F322F16: case DEQF16: case VDEQF16: case QF322F16_PRE:
        return PTOG_F16;
    case F322BF16: case QF322BF16_PRE: case QS322BF16_PRE: case VQS322BF16_PRE:
        return PTOG_BF16;
    case QF322B8_PRE: case VQF322B8_PRE: case REQ8: case VREQ8:
        return PTOG_I8;
    case QF322HIF8_PRE:
        return PTOG_HIF8;
    case QF322FP8_PRE:
        return PTOG_F8E4M3;
    default:
        return kept;
    }
}

/* What the pushes of a Config say of their FIFO. */
template <class Config> constexpr void put_config(ptog_fifo_options &options, ptog_dtype kept)
{
    static_assert(Config::Phase == pto::STPhase::Unspecified && Config::AtomicT == pto::AtomicType::AtomicNone &&
                      Config::ClipReluMode == pto::NOCLIP_RELU && !Config::IsChannelSplit && Config::SubBlockId != 1,
                  "not supported yet: a push with a phase, an atomic addition, a clipping relu, split channels, or to vector core 1");
    const ptog_dtype element = converted_type(Config::QuantPre, kept);
    if (element != kept)
        options.element = element;
    options.layout = PTOG_NZ;
    if (Config::LayoutMode == pto::LayoutMode_t::NZ2ND)
        options.layout = PTOG_ND;
    if (Config::LayoutMode == pto::LayoutMode_t::NZ2DN)
        options.layout = PTOG_DN;
    options.relu = Config::ReluMode == pto::ReluPreMode::NormalRelu;
}

/* The vector cores that a push of a Config is for. */
template <class Config> constexpr pto::TileSplitAxis split_of()
{
    if (Config::SubBlockId == 2)
        return pto::TILE_UP_DOWN;
    if (Config::SubBlockId == 3)
        return pto::TILE_LEFT_RIGHT;
    return pto::TILE_NO_SPLIT;
}

} // namespace ptog

namespace pto
{

/* The number by which what is pushed from here on is scaled, and the tile with a number for each column. */
template <class Out> PTO_INST RecordEvent SET_QUANT_SCALAR(float scale, PTOG_PLACE)
{
    ptog::thread_state &t = ptog::with_core(PTOG_HERE, ptog::core_kind::cube);
    std::uint32_t bits;
    std::memcpy(&bits, &scale, sizeof bits);
    t.scale_bits = bits | static_cast<std::uint64_t>(std::is_same_v<Out, std::int8_t>) << 46; /* signed results */
    return {PIPE_S};
}
template <class Scales> PTO_INST RecordEvent SET_QUANT_VECTOR(Scales &scales, PTOG_PLACE)
{
    static_assert(Scales::Loc == TileType::Scaling, "SET_QUANT_VECTOR: scales are a tile of TileType::Scaling");
    ptog::thread_state &t = ptog::with_core(PTOG_HERE, ptog::core_kind::cube);
    t.scale_tile = ptog::tile_of(t, scales, t.calls.find(PTOG_HERE, "SET_QUANT_VECTOR")[0]);
    t.has_scale_tile = true;
    return {PIPE_S};
}

} // namespace pto

#endif
