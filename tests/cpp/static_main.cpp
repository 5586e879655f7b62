/* What the documents call static, broken on purpose: each line with a comment `/// TARGETS: id` must be refused by the
 * compiler for these targets, with that rule's id and at that line; the other lines must compile. Never linked. */
/* clang-format off */ /* a case is a line */
#include <pto/pto-inst.hpp>
using namespace pto;

template <class T, int R, int C, BLayout B = BLayout::RowMajor, int VR = R, int VC = C, SLayout S = SLayout::NoneBox>
using Vec = Tile<TileType::Vec, T, R, C, B, VR, VC, S>;
template <class T, int R, int C>
using Mat = Tile<TileType::Mat, T, R, C>;
template <class T, int R, int C>
using Nz = Tile<TileType::Vec, T, R, C, BLayout::ColMajor, R, C, SLayout::RowMajor>;
template <class T, int R, int C, Layout L = Layout::ND>
using Table = GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, C, 1>, L>;
template <class T, int R3, int C4>
using NzTable = GlobalTensor<T, Shape<1, 2, 2, R3, C4>, Stride<1, 1, 1, 1, 1>, Layout::NZ>;

/* Operands out of nothing: only their types matter. */
template <class T>
T &make();

template <class A, class B, class C = void>
struct types {
    using a = A;
    using b = B;
    using c = C;
};
#define NAME_OF(line) case_##line
#define NAME(line) NAME_OF(line)
#define CASE3(call, ...)                                                                                               \
    void NAME(__LINE__)()                                                                                              \
    {                                                                                                                  \
        using t = types<__VA_ARGS__>;                                                                                  \
        call(make<t::a>(), make<t::b>(), make<t::c>());                                                                \
    }
#define ROW(...) CASE3(MGATHER<Coalesce::Row>, __VA_ARGS__)
#define ELEM(...) CASE3(MGATHER<Coalesce::Elem>, __VA_ARGS__)
#define PLAIN(...) CASE3(MGATHER, __VA_ARGS__)
#define CUSTOM(...) CASE3(MGATHER<GatherOOB::Clamp>, __VA_ARGS__)
#define INDEX(...) CASE3(TGATHER, __VA_ARGS__)
#define MASK(...)                                                                                                      \
    void NAME(__LINE__)()                                                                                              \
    {                                                                                                                  \
        using t = types<__VA_ARGS__>;                                                                                  \
        TGATHER<t::a, t::b, MaskPattern::P0101>(make<t::a>(), make<t::b>());                                           \
    }
#define USE(...)                                                                                                       \
    void NAME(__LINE__)()                                                                                              \
    {                                                                                                                  \
        static_assert(sizeof(__VA_ARGS__) > 0, "");                                                                    \
    }

using I16 = Vec<int32_t, 1, 16>;
using F = Vec<float, 16, 32>;
using T = Table<float, 64, 32>;
using E = Vec<int32_t, 16, 32>;

#ifdef ON_CUSTOM
using I16x1 = Vec<int32_t, 16, 1>;
CUSTOM(F, T, I16x1)
CUSTOM(F, T, E)
CUSTOM(Vec<float, 8, 32>, T, I16x1) /// a5-custom: mgather-rows-match
CUSTOM(F, T, Vec<int32_t, 16, 8>) /// a5-custom: mgather-index-columns
CUSTOM(F, GlobalTensor<float, Shape<1, 2, 1, 64, 32>, Stride<1, 2048, 1, 32, 1>>, E) /// a5-custom: mgather-table-rank
CUSTOM(Vec<hifloat8_t, 16, 32>, Table<hifloat8_t, 64, 32>, I16x1) /// a5-custom: mgather-dtype
CUSTOM(Vec<float, 16, 32, BLayout::ColMajor>, T, I16x1) /// a5-custom: mgather-dst-layout
CUSTOM(F, T, Vec<int32_t, 16, 32, BLayout::ColMajor>) /// a5-custom: mgather-index-layout
CUSTOM(Vec<float, 16, 4>, Table<float, 64, 4>, I16x1) /// a5-custom: mgather-dst-align
#else
ROW(F, T, I16)
ELEM(F, T, E)
ROW(Mat<float, 16, 32>, T, I16) /// a2a3 a5: tile-loc
ROW(F, T, Mat<int32_t, 1, 16>) /// a2a3 a5: tile-loc
ROW(Vec<int64_t, 16, 32>, Table<int64_t, 64, 32>, I16) /// a2a3 a5: mgather-dtype
ROW(Vec<float8_e4m3_t, 16, 32>, Table<float8_e4m3_t, 64, 32>, I16) /// a2a3: mgather-dtype
ROW(F, Table<int32_t, 64, 32>, I16) /// a2a3 a5: mgather-same-dtype
ROW(F, Table<half, 64, 32>, I16) /// a2a3 a5 cpu cpusim: mgather-same-dtype
ROW(F, T, Vec<int16_t, 1, 16>) /// a2a3 a5: mgather-index-dtype
ROW(F, T, Vec<float, 1, 16>) /// a2a3 a5 cpu cpusim: mgather-index-dtype
ROW(Vec<float, 16, 4>, Table<float, 64, 4>, I16) /// host cpu cpusim: text-tile-align a2a3 a5: mgather-dst-align
ROW(Vec<float, 4, 32>, T, Vec<int32_t, 1, 4>) /// host cpu cpusim: text-tile-align a2a3 a5: mgather-index-align
ROW(Vec<float, 16, 32, BLayout::ColMajor>, T, I16) /// a2a3: mgather-dst-layout
ROW(Nz<float, 16, 32>, T, I16) /// a2a3: mgather-layout-pair a5: mgather-dst-layout
ROW(F, NzTable<float, 16, 8>, I16) /// a2a3: mgather-layout-pair a5: mgather-row-width-exact
ELEM(F, T, Vec<int32_t, 16, 32, BLayout::ColMajor>) /// a2a3: mgather-index-layout
ROW(F, T, Vec<int32_t, 16, 1, BLayout::ColMajor>) /// a2a3: mgather-index-layout
ELEM(F, T, Nz<int32_t, 16, 32>) /// a2a3 a5: mgather-index-layout
ROW(Nz<float, 16, 16>, NzTable<float, 8, 8>, I16) /// a2a3: tensor-nz-rows a5: mgather-dst-layout
ROW(Nz<float, 16, 16>, NzTable<float, 16, 16>, I16) /// a2a3: tensor-nz-cols a5: mgather-dst-layout
ROW(Nz<float, 24, 16>, NzTable<float, 16, 8>, Vec<int32_t, 1, 24>) /// a2a3: tile-nz-rows a5: mgather-dst-layout
ROW(Nz<float, 16, 12>, NzTable<float, 16, 8>, I16) /// a2a3: tile-nz-cols a5: mgather-dst-layout
ROW(F, T, E) /// a2a3 a5: mgather-row-index-shape
PLAIN(Vec<float, 8, 32>, T, Vec<int32_t, 8, 32>) /// a2a3 a5: mgather-row-index-shape
ROW(F, T, Vec<int32_t, 16, 8, BLayout::RowMajor, 16, 1>) /// a2a3 a5: mgather-row-index-shape
ROW(F, Table<float, 64, 40>, I16) /// a5: mgather-row-width-exact
ELEM(F, T, I16) /// a2a3 a5: mgather-elem-index-shape
INDEX(F, F, E)
INDEX(Vec<int8_t, 16, 32>, Vec<int8_t, 16, 32>, E) /// a2a3: tgather-dtype
INDEX(Vec<bfloat16_t, 16, 32>, Vec<bfloat16_t, 16, 32>, E) /// a2a3 a5: tgather-dtype
INDEX(F, Vec<int32_t, 16, 32>, E) /// a2a3 a5: tgather-same-dtype
INDEX(Vec<half, 16, 32>, Vec<half, 16, 32>, Vec<int16_t, 16, 32>) /// a2a3: tgather-index-dtype
INDEX(F, F, Vec<int64_t, 16, 32>) /// a2a3 a5: tgather-index-dtype
INDEX(F, F, Vec<int32_t, 16, 32, BLayout::RowMajor, 16, 16>) /// a2a3: tgather-contiguous a5: tgather-index-shape
CASE3(TCONCAT, Vec<float, 8, 16>, Vec<float, 8, 8>, Vec<float, 4, 8>) /// host cpu cpusim a2a3 a5: tconcat-rows
CASE3(TPARTADD, Vec<float, 8, 8>, Vec<float, 8, 8, BLayout::RowMajor, 4, 8>, Vec<float, 8, 8, BLayout::RowMajor, 4, 8>) /// a2a3 a5: tpart-shape
INDEX(F, Mat<float, 16, 32>, E) /// a2a3 a5: tile-loc
MASK(Vec<float, 16, 16>, F)
MASK(Vec<int64_t, 16, 16>, Vec<int64_t, 16, 32>) /// a2a3: tgather-mask-dtype
MASK(Vec<half, 16, 16>, F) /// a2a3 a5: tgather-mask-size
MASK(Vec<float, 16, 16>, Vec<float, 16, 32, BLayout::ColMajor>) /// a2a3 a5: tgather-mask-layout
MASK(Vec<float, 16, 16, BLayout::RowMajor, 16, 8>, F) /// a2a3: tgather-contiguous
MASK(Vec<float, 16, 16>, Mat<float, 16, 32>) /// a2a3 a5: tile-loc
#endif

USE(Vec<float, 4, 8, BLayout::RowMajor, 5, 8>) /// host cpu cpusim a2a3 a5 a5-custom: tile-valid
USE(Vec<float, 1, 30>) /// host cpu cpusim a2a3 a5 a5-custom: text-tile-align
USE(Vec<float, 0, 8>) /// host cpu cpusim a2a3 a5 a5-custom: tile-shape

/* Extents that only the run knows are left to it. */
ROW(Vec<float, 16, 32, BLayout::RowMajor, -1, -1>, GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>, Vec<int32_t, 1, 16, BLayout::RowMajor, 1, -1>) /// a5-custom: mgather-rows-match
