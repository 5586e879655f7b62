/* pto: where an element lies in the storage of a tile. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_CPU_TILE_OFFSETS_HPP
#define PTO_CPU_TILE_OFFSETS_HPP

#include <cstddef>

#include <pto/common/pto_tile.hpp>

namespace pto
{

/* In elements, of element (r, c): plain tiles, and boxes of InnerRows x InnerCols in the order of the tile. */
template <class Tile_> constexpr std::size_t GetTileElementOffset(std::size_t r, std::size_t c)
{
    constexpr std::size_t rows = Tile_::Rows, cols = Tile_::Cols;
    if constexpr (!Tile_::isBoxedLayout) {
        return Tile_::isRowMajor ? r * cols + c : c * rows + r;
    } else {
        constexpr std::size_t inner_rows = Tile_::InnerRows, inner_cols = Tile_::InnerCols;
        std::size_t box = Tile_::isRowMajor ? r / inner_rows * cols * inner_rows + c / inner_cols * Tile_::InnerNumel
                                            : c / inner_cols * rows * inner_cols + r / inner_rows * Tile_::InnerNumel;
        std::size_t row = r % inner_rows, col = c % inner_cols;
        return box + (Tile_::SFractal == SLayout::RowMajor ? row * inner_cols + col : col * inner_rows + row);
    }
}

} // namespace pto

#endif
