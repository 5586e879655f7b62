/* pto: tiles, and views of global memory. */
#ifndef PTO_COMMON_PTO_TILE_HPP
#define PTO_COMMON_PTO_TILE_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <pto/common/constants.hpp>
#include <pto/common/type.hpp>
#include <pto/ptog/room.hpp>

namespace ptog
{

/* Five extents or strides; -1 is known at run time only, and then given to the constructor: exactly those, or all. */
template <int N0, int N1, int N2, int N3, int N4> struct five {
    static constexpr int staticShape[5] = {N0, N1, N2, N3, N4};
    static constexpr int dynamic = (N0 < 0) + (N1 < 0) + (N2 < 0) + (N3 < 0) + (N4 < 0);
    std::int64_t shape[5] = {N0, N1, N2, N3, N4};

    five() = default;

    template <class... I, std::enable_if_t<(std::is_convertible_v<I, std::int64_t> && ...) && (sizeof...(I) > 0) &&
                                               (sizeof...(I) == dynamic || sizeof...(I) == 5),
                                           int> = 0>
    five(I... values)
    {
        const std::int64_t given[] = {static_cast<std::int64_t>(values)...};
        int next = 0;
        for (int d = 0; d < 5; d++)
            if (sizeof...(I) == 5)
                shape[d] = staticShape[d] < 0 ? given[d] : staticShape[d];
            else if (staticShape[d] < 0)
                shape[d] = given[next++];
    }
};

} // namespace ptog

namespace pto
{

template <int N0 = DYNAMIC, int N1 = DYNAMIC, int N2 = DYNAMIC, int N3 = DYNAMIC, int N4 = DYNAMIC>
struct Shape : ptog::five<N0, N1, N2, N3, N4> {
    using ptog::five<N0, N1, N2, N3, N4>::five;
};

template <int N0 = DYNAMIC, int N1 = DYNAMIC, int N2 = DYNAMIC, int N3 = DYNAMIC, int N4 = DYNAMIC>
struct Stride : ptog::five<N0, N1, N2, N3, N4> {
    static constexpr const int (&staticStride)[5] = ptog::five<N0, N1, N2, N3, N4>::staticShape;
    using ptog::five<N0, N1, N2, N3, N4>::five;
};

template <typename Element, typename Shape_, typename Stride_, Layout Layout_ = Layout::ND> class GlobalTensor
{
  public:
    using Shape = Shape_;
    using Stride = Stride_;
    using RawDType = std::remove_cv_t<Element>;
    using DType = Element;
    static constexpr Layout layout = Layout_;
    static constexpr const int (&staticShape)[5] = Shape_::staticShape;
    static constexpr const int (&staticStride)[5] = Stride_::staticShape;

    GlobalTensor() = default;
    GlobalTensor(DType *data, const Shape &shape = Shape(), const Stride &stride = Stride())
        : data_(data), shape_(shape), stride_(stride)
    {
    }

    DType *data() const
    {
        return data_;
    }
    void SetAddr(DType *data)
    {
        data_ = data;
    }

    std::int64_t GetShape(int dim) const
    {
        return shape_.shape[dim];
    }
    std::int64_t GetStride(int dim) const
    {
        return stride_.shape[dim];
    }
    template <int Dim> std::int64_t GetShape() const
    {
        return shape_.shape[Dim];
    }
    template <int Dim> std::int64_t GetStride() const
    {
        return stride_.shape[Dim];
    }

  private:
    DType *data_ = nullptr;
    Shape shape_;
    Stride stride_;
};

template <TileType Loc_, typename Element, int Rows_, int Cols_, BLayout BFractal_ = BLayout::RowMajor,
          int ValidRow_ = Rows_, int ValidCol_ = Cols_, SLayout SFractal_ = SLayout::NoneBox,
          int SFractalSize_ = TileConfig::fractalABSize, PadValue PadVal_ = PadValue::Null>
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
    static constexpr bool isRowMajor = BFractal_ == BLayout::RowMajor;
    static constexpr bool isBoxedLayout = SFractal_ != SLayout::NoneBox;
    static constexpr int RowStride = isRowMajor ? Cols_ : 1;
    static constexpr int ColStride = isRowMajor ? 1 : Rows_;

    static_assert(Rows_ >= 1 && Cols_ >= 1, "a tile has at least one row and one column [tile-shape]");
    static_assert((ValidRow_ == DYNAMIC || (ValidRow_ >= 1 && ValidRow_ <= Rows_)) &&
                      (ValidCol_ == DYNAMIC || (ValidCol_ >= 1 && ValidCol_ <= Cols_)),
                  "valid extents lie between 1 and the padded extents; -1 is known at run time [tile-valid]");

    Tile() = default;

    /* Both valid extents; those that are static stay. */
    Tile(std::int64_t validRow, std::int64_t validCol)
        : valid_row_(ValidRow_ < 0 ? validRow : ValidRow_), valid_col_(ValidCol_ < 0 ? validCol : ValidCol_)
    {
    }

    /* The only one that is known at run time. */
    template <int R = ValidRow_, int C = ValidCol_, std::enable_if_t<(R < 0) != (C < 0), int> = 0>
    explicit Tile(std::int64_t valid) : Tile(valid, valid)
    {
    }

    std::int64_t GetValidRow() const
    {
        return valid_row_;
    }
    std::int64_t GetValidCol() const
    {
        return valid_col_;
    }

    /* The address on the chip, as a pointer: kernels pass it on. It cannot be followed; see ptog::peek. */
    TileDType data() const
    {
        return reinterpret_cast<TileDType>(static_cast<std::uintptr_t>(room.known_addr()));
    }

    ptog::room room; /* of these headers, not of the device's */

  private:
    std::int64_t valid_row_ = ValidRow_ < 0 ? Rows_ : ValidRow_;
    std::int64_t valid_col_ = ValidCol_ < 0 ? Cols_ : ValidCol_;
};

} // namespace pto

#endif
