/* pto: tiles of the cube core by short names. Included by pto/common/pto_tile.hpp inside namespace pto. The order of boxes of a left tile
 * is the target's; what the kernel says of it is not looked at. */
#ifndef PTO_PTOG_CUBE_TILES_HPP
#define PTO_PTOG_CUBE_TILES_HPP

#if defined(PTO_NPU_ARCH_A2A3)
inline constexpr BLayout left_order = BLayout::RowMajor;
#else
inline constexpr BLayout left_order = BLayout::ColMajor;
#endif

#define PTOG_CUBE_TILE(NAME, LOC, order, boxes, fractal)                                                               \
    template <typename Element, int Rows, int Cols, int ValidRow = Rows, int ValidCol = Cols>                          \
    using NAME = Tile<TileType::LOC, Element, Rows, Cols, order, ValidRow, ValidCol, SLayout::boxes,                   \
                      TileConfig::fractal>;                                                                            \
    template <typename Element, int Rows, int Cols, int ValidRow = Rows, int ValidCol = Cols>                          \
    using NAME##Compact = Tile<TileType::LOC, Element, Rows, Cols, order, ValidRow, ValidCol, SLayout::boxes,          \
                               TileConfig::fractal, PadValue::Null, CompactMode::Normal>;
PTOG_CUBE_TILE(TileLeft, Left, left_order, RowMajor, fractalABSize)
PTOG_CUBE_TILE(TileRight, Right, BLayout::RowMajor, ColMajor, fractalABSize)
PTOG_CUBE_TILE(TileAcc, Acc, BLayout::ColMajor, RowMajor, fractalCSize)
#undef PTOG_CUBE_TILE

#endif
