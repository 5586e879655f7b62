/* pto: tiles and tensors of C++ as the library describes them. */
#ifndef PTO_PTOG_DESCRIBE_HPP
#define PTO_PTOG_DESCRIBE_HPP

#include <cstdio>
#include <type_traits>

#include <ptog/insn.h>

#include <pto/common/pto_tile.hpp>

namespace ptog
{

template <class Type> constexpr ptog_dtype dtype_of()
{
    using raw = std::remove_cv_t<Type>;
    if constexpr (std::is_same_v<raw, half>)
        return PTOG_F16;
    else if constexpr (std::is_same_v<raw, bfloat16_t>)
        return PTOG_BF16;
    else if constexpr (std::is_same_v<raw, float>)
        return PTOG_F32;
    else if constexpr (std::is_same_v<raw, float8_e4m3_t>)
        return PTOG_F8E4M3;
    else if constexpr (std::is_same_v<raw, float8_e5m2_t>)
        return PTOG_F8E5M2;
    else if constexpr (std::is_same_v<raw, hifloat8_t>)
        return PTOG_HIF8;
    else if constexpr (std::is_same_v<raw, float8_e8m0_t>)
        return PTOG_F8E8M0;
    else if constexpr (std::is_same_v<raw, float4_e2m1x2_t>)
        return PTOG_F4E2M1X2;
    else if constexpr (std::is_same_v<raw, float4_e1m2x2_t>)
        return PTOG_F4E1M2X2;
    else if constexpr (std::is_same_v<raw, pto::int4b_t>)
#ifdef __CPU_SIM
        return PTOG_I4;
#else
        return PTOG_I4X2;
#endif
    else {
        static_assert(std::is_integral_v<raw>, PTOG_RULE_WORDS_operand_dtype);
        constexpr bool is_signed = std::is_signed_v<raw>;
        if constexpr (sizeof(raw) == 1)
            return is_signed ? PTOG_I8 : PTOG_U8;
        else if constexpr (sizeof(raw) == 2)
            return is_signed ? PTOG_I16 : PTOG_U16;
        else if constexpr (sizeof(raw) == 4)
            return is_signed ? PTOG_I32 : PTOG_U32;
        else
            return is_signed ? PTOG_I64 : PTOG_U64;
    }
}

template <class Type> struct is_tile : std::false_type {
};
template <pto::TileType Loc, class Element, int Rows, int Cols, pto::BLayout Order, int ValidRows, int ValidCols, pto::SLayout Boxes, int Fractal,
          pto::PadValue Pad, pto::CompactMode Compact>
struct is_tile<pto::Tile<Loc, Element, Rows, Cols, Order, ValidRows, ValidCols, Boxes, Fractal, Pad, Compact>> : std::true_type {
};
template <class Type> struct is_tile<const Type> : is_tile<Type> {
};

template <class Type> struct is_global : std::false_type {
};
template <class Element, class Shape, class Stride, pto::Layout Order>
struct is_global<pto::GlobalTensor<Element, Shape, Stride, Order>> : std::true_type {
};

inline constexpr auto pad_custom = static_cast<std::uint64_t>(pto::PadValue::CustomBase);

/* ---- pairs. C++ counts the numbers of 4 bits, and the library the bytes that hold two of them. ---- */

template <class Integer> constexpr Integer pairs_of(Integer numbers)
{
    return numbers / 2 + numbers % 2; /* -1, not known, stays */
}

template <class Type> constexpr bool has_pairs()
{
    return IsTwinType<std::remove_cv_t<Type>>() || dtype_of<Type>() == PTOG_I4X2;
}

/* Pairs lie along the rows of a tile, but in a tile of columns along these. The rows of an int4b_t tile of a device are
 * as long as if each number had a byte, and pairs fill their first half. */
template <class Tile> constexpr void count_pairs(ptog_tile &to)
{
    using raw = std::remove_cv_t<typename Tile::DType>;
    constexpr bool upright = !Tile::isRowMajor && !Tile::isBoxedLayout;
    if constexpr (IsTwinType<raw>()) {
        (upright ? to.rows : to.cols) /= 2;
        (upright ? to.valid_row : to.valid_col) = pairs_of(upright ? to.valid_row : to.valid_col);
    } else if constexpr (dtype_of<raw>() == PTOG_I4X2) {
        to.valid_col = pairs_of(to.valid_col);
    }
}

/* Libraries extract and insert bytes, and take each extent for so many of them. */
template <class Tile> void count_bytes(ptog_tile &to, const Tile &tile)
{
    to.dtype = PTOG_I8;
    to.rows = Tile::Rows;
    to.cols = Tile::Cols;
    to.valid_row = tile.GetValidRow();
    to.valid_col = tile.GetValidCol();
}

/* The dimension of a tensor along which pairs lie: numbers of columns, or of rows where the layout is DN, unless it is
 * rows that lie one after the other. */
template <class Global> constexpr int pair_dim(std::int64_t stride3)
{
    return Global::layout == pto::Layout::DN && stride3 == 1 ? 3 : 4;
}
template <class Global> constexpr void count_pairs(ptog_tensor &to)
{
    if constexpr (IsTwinType<std::remove_cv_t<typename Global::DType>>()) {
        int pairs = pair_dim<Global>(to.stride[3]);
        for (int d = 0; d < 5; d++) {
            to.shape[d] = d == pairs ? pairs_of(to.shape[d]) : to.shape[d];
            to.stride[d] = d == pairs ? to.stride[d] : pairs_of(to.stride[d]);
        }
    }
}

/* Each row or column of a tensor of pairs starts with a byte. */
template <class Global> bool has_whole_pairs(const Global &global, place at, const char *what)
{
    if constexpr (IsTwinType<std::remove_cv_t<typename Global::DType>>())
        for (int d = 0; d < 5; d++)
            if (d != pair_dim<Global>(global.GetStride(3)) && global.GetShape(d) > 1 && global.GetStride(d) % 2 != 0) {
                char why[160];
                std::snprintf(why, sizeof why, "stride %d is %lld numbers of 4 bits, so that rows start inside of bytes; make it even",
                              d, static_cast<long long>(global.GetStride(d)));
                say(at, what, why);
                return false;
            }
    return true;
}

/* What is known of a tile or tensor before the run. A description starts as a copy of it, in one piece: a struct
 * written field by field costs more than the rest of the call. */
template <class Tile> constexpr ptog_tile static_tile()
{
    ptog_tile to{};
    to.dtype = dtype_of<typename Tile::DType>();
    to.loc = static_cast<ptog_loc>(Tile::Loc);
    to.rows = Tile::Rows;
    to.cols = Tile::Cols;
    to.valid_row = Tile::ValidRow;
    to.valid_col = Tile::ValidCol;
    to.blayout = static_cast<ptog_blayout>(Tile::BFractal);
    to.slayout = static_cast<ptog_slayout>(Tile::SFractal);
    to.fractal = Tile::SFractalSize;
    constexpr auto pad = static_cast<std::uint64_t>(Tile::PadVal);
    to.pad = pad < pad_custom ? static_cast<ptog_pad>(pad) : PTOG_PAD_CUSTOM;
    to.pad_bits = pad < pad_custom ? 0 : pad - pad_custom;
    to.compact = Tile::Loc != pto::TileType::Vec && Tile::Compact == pto::CompactMode::Normal;
    to.placed = true;
    count_pairs<Tile>(to);
    return to;
}

template <class Global> constexpr ptog_tensor static_tensor()
{
    ptog_tensor to{};
    to.dtype = dtype_of<typename Global::DType>();
    to.layout = static_cast<ptog_layout>(Global::layout);
    for (int d = 0; d < 5; d++) {
        to.shape[d] = Global::staticShape[d];
        to.stride[d] = Global::staticStride[d];
    }
    count_pairs<Global>(to);
    return to;
}

/* Tiles of the cube core: an instruction that has one runs there. */
template <class... Operands> constexpr bool any_on_cube()
{
    bool found = false;
    auto look = [&](auto *operand) {
        using Operand = std::remove_pointer_t<decltype(operand)>;
        if constexpr (is_tile<Operand>::value)
            found = found || Operand::Loc != pto::TileType::Vec;
    };
    (look(static_cast<std::remove_reference_t<Operands> *>(nullptr)), ...);
    return found;
}
template <class... Operands> constexpr core_kind kind_of()
{
    return any_on_cube<Operands...>() ? core_kind::cube : core_kind::vector;
}

/* Whether an instruction has something to do on this tile. Where no row or no column is valid it does nothing, as the
 * released libraries do; negative extents are reported. */
template <class Tile> bool has_extents(const Tile &tile, place at, const char *what)
{
    if constexpr (Tile::ValidRow >= 1 && Tile::ValidCol >= 1)
        return true;
    long long rows = tile.GetValidRow(), cols = tile.GetValidCol();
    if (rows >= 1 && cols >= 1)
        return true;
    if (rows >= 0 && cols >= 0) {
        here().issued++;
        return false;
    }
    char why[160];
    std::snprintf(why, sizeof why, "the valid region is %lldx%lld in a tile of %dx%d; extents are not negative", rows,
                  cols, Tile::Rows, Tile::Cols);
    say(at, what, why);
    return false;
}

/* No row or no column of the tile is valid. */
template <class Tile> bool is_empty(const Tile &tile)
{
    return tile.GetValidRow() == 0 || tile.GetValidCol() == 0;
}

template <class... Tiles> bool have_extents(place at, const char *what, const Tiles &...tiles)
{
    return (has_extents(tiles, at, what) && ...);
}

/* Puts in what only the run knows: the name in the source, the place on the open core, and extents. */
template <class Tile>
void describe(ptog_tile &to, thread_state &t, Tile &tile, const char *name = nullptr, bool uses = true)
{
    to.name = name;
    if constexpr (Tile::ValidRow < 0)
        to.valid_row = tile.GetValidRow();
    if constexpr (Tile::ValidCol < 0)
        to.valid_col = tile.GetValidCol();
    if constexpr ((Tile::ValidRow < 0 || Tile::ValidCol < 0) && has_pairs<typename Tile::DType>()) {
        ptog_tile counted = to;
        counted.valid_row = tile.GetValidRow();
        counted.valid_col = tile.GetValidCol();
        count_pairs<Tile>(counted);
        to.valid_row = counted.valid_row;
        to.valid_col = counted.valid_col;
    }
    to.addr = addr_of(tile, t, uses);
    to.is_static = !tile.room.is_assigned();
}

template <class Global> void describe(ptog_tensor &to, const Global &global, const char *name = nullptr)
{
    to.name = name;
    if constexpr (Global::Shape::dynamic > 0)
        for (int d = 0; d < 5; d++)
            to.shape[d] = global.GetShape(d);
    if constexpr (Global::Stride::dynamic > 0)
        for (int d = 0; d < 5; d++)
            to.stride[d] = global.GetStride(d);
    if constexpr (Global::Shape::dynamic + Global::Stride::dynamic > 0 && has_pairs<typename Global::DType>()) {
        for (int d = 0; d < 5; d++) {
            to.shape[d] = global.GetShape(d);
            to.stride[d] = global.GetStride(d);
        }
        count_pairs<Global>(to);
    }
}

/* Bytes from a view's first element to the end of its last; 0 where an extent or stride is not known. */
inline std::size_t reach_of(const ptog_tensor &view)
{
    std::uint64_t last = 1;
    for (int d = 0; d < 5; d++) {
        if (view.shape[d] < 1 || view.stride[d] < 0)
            return 0;
        last += static_cast<std::uint64_t>(view.shape[d] - 1) * static_cast<std::uint64_t>(view.stride[d]);
    }
    return static_cast<std::size_t>(last * ptog_dtype_size(view.dtype));
}

} // namespace ptog

#endif
