/* pto: tiles, and views of global memory. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_COMMON_PTO_TILE_HPP
#define PTO_COMMON_PTO_TILE_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <pto/ptog/constants.hpp>
#include <pto/common/type.hpp>
#include <pto/ptog/global.hpp>
#include <pto/ptog/room.hpp>
#include <pto/ptog/rule_words.hpp>
#include <pto/ptog/scalar.hpp>
#include <pto/ptog/tile_pointer.hpp>

namespace ptog
{

/* Where a tile lies on the open core; it is placed now when it was not before. */
template <class Tile> std::uint64_t addr_of(const Tile &tile, thread_state &t, bool uses)
{
    return tile.room.addr(t, static_cast<int>(Tile::Loc),
                          static_cast<std::uint64_t>(Tile::Numel) * sizeof(typename Tile::DType), uses);
}
template <class Tile> std::uint64_t addr_of(const Tile &tile)
{
    if (tile.room.is_assigned() && !here().core)
        return tile.room.known_addr(); /* before the first instruction, which says for which kind of core the kernel is */
    return addr_of(tile, with_core(), true);
}

} // namespace ptog

namespace pto
{

template <TileType Loc_, typename Element, int Rows_, int Cols_, BLayout BFractal_ = BLayout::RowMajor,
          int ValidRow_ = Rows_, int ValidCol_ = Cols_, SLayout SFractal_ = SLayout::NoneBox,
          int SFractalSize_ = TileConfig::fractalABSize, PadValue PadVal_ = PadValue::Null,
          CompactMode Compact_ = CompactMode::Null>
class Tile
{
  public:
    using DType = Element;
    using TileDType = __ubuf__ Element *;
    static constexpr TileType Loc = Loc_;
    static constexpr int Rows = Rows_;
    static constexpr int Cols = Cols_;
    static constexpr int Numel = Rows_ * Cols_;
    static constexpr int ValidRow = ValidRow_;
    static constexpr int ValidCol = ValidCol_;
    static constexpr BLayout BFractal = BFractal_;
    static constexpr SLayout SFractal = SFractal_;
    static constexpr int SFractalSize = SFractalSize_;
    static constexpr PadValue PadVal = PadVal_;
    static constexpr CompactMode Compact = Compact_;
    static constexpr bool isRowMajor = BFractal_ == BLayout::RowMajor;
    static constexpr bool isBoxedLayout = SFractal_ != SLayout::NoneBox;
    static constexpr int RowStride = isRowMajor ? Cols_ : 1;
    static constexpr int ColStride = isRowMajor ? 1 : Rows_;
    /* A box; a tile without boxes has boxes of one element. */
    static constexpr bool isInnerRowMajor = SFractal_ == SLayout::RowMajor;
    static constexpr int BoxDepth = SFractalSize_ == TileConfig::fractalCSize
                                        ? TileConfig::fixedColSize
                                        : TileConfig::alignedSize * (1 + IsTwinType<Element>()) /
                                              static_cast<int>(sizeof(Element));
    static constexpr int BoxRows = isInnerRowMajor ? TileConfig::fixedRowSize : BoxDepth;
    static constexpr int BoxCols = isInnerRowMajor ? BoxDepth : TileConfig::fixedRowSize;
    static constexpr int InnerRows = isBoxedLayout ? BoxRows : 1;
    static constexpr int InnerCols = isBoxedLayout ? BoxCols : 1;
    static constexpr int InnerNumel = InnerRows * InnerCols;

    static constexpr std::size_t GetSizeInBytes()
    {
        return sizeof(Element) * static_cast<std::size_t>(Rows_) * static_cast<std::size_t>(Cols_);
    }

    static_assert(Rows_ >= 1 && Cols_ >= 1, PTOG_RULE_WORDS_tile_shape);
    static_assert((ValidRow_ == DYNAMIC || (ValidRow_ >= 0 && ValidRow_ <= Rows_)) &&
                      (ValidCol_ == DYNAMIC || (ValidCol_ >= 0 && ValidCol_ <= Cols_)),
                  PTOG_RULE_WORDS_tile_valid);

    Tile() = default;

    /* Both valid extents; those that are static stay. */
    Tile(std::int64_t validRow, std::int64_t validCol)
        : valid_row_(ValidRow_ < 0 ? validRow : ValidRow_), valid_col_(ValidCol_ < 0 ? validCol : ValidCol_)
    {
    }

    /* The only one that is known at run time. */
    template <int Row = ValidRow_, int Col = ValidCol_, std::enable_if_t<(Row < 0) != (Col < 0), int> = 0>
    explicit Tile(std::int64_t valid) : Tile(valid, valid)
    {
    }

    /* Of a static extent also without a tile: Type::GetValidRow(). */
    template <int Row = ValidRow_> static constexpr std::enable_if_t<(Row >= 0), unsigned> GetValidRow()
    {
        return Row;
    }
    template <int Row = ValidRow_> std::enable_if_t<(Row < 0), std::int64_t> GetValidRow() const
    {
        return valid_row_;
    }
    template <int Col = ValidCol_> static constexpr std::enable_if_t<(Col >= 0), unsigned> GetValidCol()
    {
        return Col;
    }
    template <int Col = ValidCol_> std::enable_if_t<(Col < 0), std::int64_t> GetValidCol() const
    {
        return valid_col_;
    }

    void SetValidRow(std::int64_t rows)
    {
        static_assert(ValidRow_ < 0, "SetValidRow: the valid rows of this tile are static");
        valid_row_ = rows;
    }
    void SetValidCol(std::int64_t cols)
    {
        static_assert(ValidCol_ < 0, "SetValidCol: the valid columns of this tile are static");
        valid_col_ = cols;
    }
    void SetValidShape(std::int64_t rows, std::int64_t cols)
    {
        SetValidRow(rows);
        SetValidCol(cols);
    }

    /* How exactly a matrix product computes, and to what its depth is padded: products here are those of f32, and padding takes no part. */
    template <class Mode> void SetMadTF32Mode(Mode) const
    {
    }
    void ResetMadMode() const
    {
    }
    void SetKAligned(bool) const
    {
    }

    /* One element of the storage: S reads or writes it, and the kernel owes the flags from and to S. */
    Element GetValue(std::uint32_t offset, ptog::place at = {__builtin_FILE(), __builtin_LINE()}) const
    {
        ptog::thread_state &t = ptog::with_core(at);
        return ptog::get_value<Element>(t, vec_addr(), Numel, offset, at);
    }
    void SetValue(std::uint32_t offset, Element value, ptog::place at = {__builtin_FILE(), __builtin_LINE()})
    {
        ptog::thread_state &t = ptog::with_core(at);
        ptog::set_value(t, vec_addr(), Numel, offset, value, at);
    }

    /* On host, cpu and cpusim a pointer to the elements; on a machine the address on the chip, which kernels pass on and
     * cannot follow: see ptog::peek. */
    TileDType data() const
    {
        if (ptog::process_settings().target->machine != PTOG_NO_MACHINE && !room.is_assigned())
            return static_cast<TileDType>(ptog::tile_pointer(room.known_addr(), 0));
        return static_cast<TileDType>(ptog::tile_pointer(ptog::addr_of(*this), sizeof(Element) * Numel));
    }

    mutable ptog::room room; /* of these headers, not of the device's */

  private:
    std::uint64_t vec_addr() const
    {
        static_assert(Loc_ == TileType::Vec, "GetValue, SetValue: the tile must be a TileType::Vec tile");
        return ptog::addr_of(*this);
    }

    std::int64_t valid_row_ = ValidRow_ < 0 ? Rows_ : ValidRow_;
    std::int64_t valid_col_ = ValidCol_ < 0 ? Cols_ : ValidCol_;

    /* A row-major column is one of indices, which the documents have. It stands behind the members: after it
     * fails, clang knows no others. */
    static_assert(isBoxedLayout || (isRowMajor && Cols == 1) ||
                      (isRowMajor ? Cols : Rows) * sizeof(Element) % TileConfig::alignedSize == 0,
                  PTOG_RULE_WORDS_text_tile_align);
};

#include <pto/ptog/cube_tiles.hpp>

} // namespace pto

#endif
