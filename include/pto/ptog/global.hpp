/* pto: shapes, strides and views of global memory. */
#ifndef PTO_PTOG_GLOBAL_HPP
#define PTO_PTOG_GLOBAL_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <pto/ptog/constants.hpp>
#include <pto/common/type.hpp>

namespace ptog
{

/* Five extents or strides; -1 is known at run time only, and then given to the constructor: exactly those, or all. */
template <std::int64_t Extent0, std::int64_t Extent1, std::int64_t Extent2, std::int64_t Extent3, std::int64_t Extent4> struct five {
    static constexpr std::int64_t staticShape[5] = {Extent0, Extent1, Extent2, Extent3, Extent4};
    static constexpr int dynamic = (Extent0 < 0) + (Extent1 < 0) + (Extent2 < 0) + (Extent3 < 0) + (Extent4 < 0);
    std::int64_t shape[5] = {Extent0, Extent1, Extent2, Extent3, Extent4};

    five() = default;

    template <class... Numbers, std::enable_if_t<(std::is_convertible_v<Numbers, std::int64_t> && ...) && (sizeof...(Numbers) > 0) &&
                                               (sizeof...(Numbers) == dynamic || sizeof...(Numbers) == 5),
                                           int> = 0>
    five(Numbers... values)
    {
        const std::int64_t given[] = {static_cast<std::int64_t>(values)...};
        int next = 0;
        for (int d = 0; d < 5; d++)
            if (sizeof...(Numbers) == 5)
                shape[d] = staticShape[d] < 0 ? given[d] : staticShape[d];
            else if (staticShape[d] < 0)
                shape[d] = given[next++];
    }
};

/* A product or quotient of extents; -1 where one of them is known at run time only. */
constexpr std::int64_t times(std::int64_t a, std::int64_t b)
{
    return a < 0 || b < 0 ? -1 : a * b;
}
constexpr std::int64_t over(std::int64_t a, std::int64_t b)
{
    return a < 0 ? -1 : a / b;
}

} // namespace ptog

namespace pto
{

template <std::int64_t Extent0 = DYNAMIC, std::int64_t Extent1 = DYNAMIC, std::int64_t Extent2 = DYNAMIC, std::int64_t Extent3 = DYNAMIC,
          std::int64_t Extent4 = DYNAMIC>
struct Shape : ptog::five<Extent0, Extent1, Extent2, Extent3, Extent4> {
    using ptog::five<Extent0, Extent1, Extent2, Extent3, Extent4>::five;
};
template <class... Numbers> Shape(Numbers...) -> Shape<>;

template <std::int64_t Extent0 = DYNAMIC, std::int64_t Extent1 = DYNAMIC, std::int64_t Extent2 = DYNAMIC, std::int64_t Extent3 = DYNAMIC,
          std::int64_t Extent4 = DYNAMIC>
struct Stride : ptog::five<Extent0, Extent1, Extent2, Extent3, Extent4> {
    static constexpr const std::int64_t (&staticStride)[5] = ptog::five<Extent0, Extent1, Extent2, Extent3, Extent4>::staticShape;
    using ptog::five<Extent0, Extent1, Extent2, Extent3, Extent4>::five;
};
template <class... Numbers> Stride(Numbers...) -> Stride<>;

/* The shape of a matrix of rows x cols elements in global memory, and its strides when it is packed. */
template <typename Type, std::int64_t rows = DYNAMIC, std::int64_t cols = DYNAMIC, Layout layout = Layout::ND>
struct TileShape2D : Shape<1, 1, 1, rows, cols> {
    TileShape2D() = default;
    TileShape2D(std::int64_t r, std::int64_t c) : Shape<1, 1, 1, rows, cols>(1, 1, 1, r, c)
    {
    }
};

template <typename Type, std::int64_t rows, std::int64_t cols>
struct TileShape2D<Type, rows, cols, Layout::NZ>
    : Shape<1, ptog::over(cols, C0_SIZE_BYTE / sizeof(Type)), ptog::over(rows, FRACTAL_NZ_ROW), FRACTAL_NZ_ROW,
            C0_SIZE_BYTE / sizeof(Type)> {
    static constexpr int C0Size = C0_SIZE_BYTE / sizeof(Type);
    using Parent = Shape<1, ptog::over(cols, C0Size), ptog::over(rows, FRACTAL_NZ_ROW), FRACTAL_NZ_ROW, C0Size>;
    TileShape2D() = default;
    TileShape2D(std::int64_t r, std::int64_t c) : Parent(1, c / C0Size, r / FRACTAL_NZ_ROW, FRACTAL_NZ_ROW, C0Size)
    {
    }
};

template <typename Type, std::int64_t rows = DYNAMIC, std::int64_t cols = DYNAMIC, Layout layout = Layout::ND>
struct BaseShape2D : Stride<ptog::times(rows, cols), ptog::times(rows, cols), ptog::times(rows, cols), cols, 1> {
    using Parent = Stride<ptog::times(rows, cols), ptog::times(rows, cols), ptog::times(rows, cols), cols, 1>;
    BaseShape2D() = default;
    BaseShape2D(std::int64_t r, std::int64_t c) : Parent(r * c, r * c, r * c, c, 1)
    {
    }
};

template <typename Type, std::int64_t rows, std::int64_t cols>
struct BaseShape2D<Type, rows, cols, Layout::DN>
    : Stride<ptog::times(rows, cols), ptog::times(rows, cols), ptog::times(rows, cols), 1, rows> {
    using Parent = Stride<ptog::times(rows, cols), ptog::times(rows, cols), ptog::times(rows, cols), 1, rows>;
    BaseShape2D() = default;
    BaseShape2D(std::int64_t r, std::int64_t c) : Parent(r * c, r * c, r * c, 1, r)
    {
    }
};

template <typename Type, std::int64_t rows, std::int64_t cols>
struct BaseShape2D<Type, rows, cols, Layout::NZ>
    : Stride<ptog::times(rows, cols), ptog::times(rows, C0_SIZE_BYTE / sizeof(Type)),
             FRACTAL_NZ_ROW * C0_SIZE_BYTE / sizeof(Type), C0_SIZE_BYTE / sizeof(Type), 1> {
    static constexpr int C0Size = C0_SIZE_BYTE / sizeof(Type);
    using Parent = Stride<ptog::times(rows, cols), ptog::times(rows, C0Size), FRACTAL_NZ_ROW * C0Size, C0Size, 1>;
    BaseShape2D() = default;
    BaseShape2D(std::int64_t r, std::int64_t c) : Parent(r * c, r * C0Size, FRACTAL_NZ_ROW * C0Size, C0Size, 1)
    {
    }
};

template <typename Element, typename Shape_, typename Stride_, Layout Layout_ = Layout::ND> class GlobalTensor
{
  public:
    using Shape = Shape_;
    using Stride = Stride_;
    using RawDType = std::remove_cv_t<Element>;
    using DType = Element;
    static constexpr Layout layout = Layout_;
    static constexpr const std::int64_t (&staticShape)[5] = Shape_::staticShape;
    static constexpr const std::int64_t (&staticStride)[5] = Stride_::staticShape;

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

#ifdef __CPU_SIM
    /* As sources for the CPU simulator reach single elements: by number, or by place. */
    DType GetElement(std::size_t number) const
    {
        return data_[number];
    }
    void SetElement(std::size_t number, const DType &value)
    {
        data_[number] = value;
    }
    DType GetElement(std::int64_t i0, std::int64_t i1, std::int64_t i2, std::int64_t i3, std::int64_t i4) const
    {
        return data_[element_at({i0, i1, i2, i3, i4})];
    }
    void SetElement(std::int64_t i0, std::int64_t i1, std::int64_t i2, std::int64_t i3, std::int64_t i4,
                    const DType &value)
    {
        data_[element_at({i0, i1, i2, i3, i4})] = value;
    }
#endif

    /* Extents or strides that are known at run time only: SetShape<3, 4>(rows, cols). */
    template <int... Dims, class... Numbers> void SetShape(Numbers... values)
    {
        static_assert(((staticShape[Dims] < 0) && ...), "SetShape: this extent is static");
        ((shape_.shape[Dims] = static_cast<std::int64_t>(values)), ...);
    }
    template <int... Dims, class... Numbers> void SetStride(Numbers... values)
    {
        static_assert(((staticStride[Dims] < 0) && ...), "SetStride: this stride is static");
        ((stride_.shape[Dims] = static_cast<std::int64_t>(values)), ...);
    }

  private:
    struct place {
        std::int64_t at[5];
    };
    std::int64_t element_at(const place &place) const
    {
        std::int64_t number = 0;
        for (int d = 0; d < 5; d++)
            number += place.at[d] * stride_.shape[d];
        return number;
    }

    DType *data_ = nullptr;
    Shape shape_;
    Stride stride_;
};

} // namespace pto

#endif
