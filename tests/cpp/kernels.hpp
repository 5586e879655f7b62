/* Kernels in the style people write them: templated run functions, tiles placed by hand, flags unless the tool chain
 * inserts them, and launch wrappers. matrix.py instantiates them for forms, targets and element types; it drops each
 * pair of set_flag and wait_flag in turn and expects a report, so a pair stands on two lines of its own. */
#ifndef TESTS_CPP_KERNELS_HPP
#define TESTS_CPP_KERNELS_HPP

#include <pto/common/constants.hpp>
#include <pto/common/pto_tile.hpp>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr uint64_t kDstAddr = 0x0, kIdxAddr = 0x8000, kSrcAddr = 0xA000, kTmpAddr = 0xC000;

template <typename T, int R, int C> using Packed = GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, C, 1>>;

/* ---- MGATHER, rows ---- */

template <typename T, typename TIdx, int R, int C, int VR, int VC, int TableRows, int Pitch, GatherOOB Oob>
__global__ AICORE void runRow(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    using DstTile = Tile<TileType::Vec, T, R, C, BLayout::RowMajor, VR, VC>;
    using IdxTile = Tile<TileType::Vec, TIdx, 1, R, BLayout::RowMajor, 1, VR>;
    GlobalTensor<T, Shape<1, 1, 1, TableRows, VC>, Stride<1, 1, 1, Pitch, 1>> tableGM(src);
    Packed<TIdx, 1, VR> idxGM(indices);
    Packed<T, VR, VC> outGM(out);
    DstTile dst;
    IdxTile idx;
    TASSIGN(dst, kDstAddr);
    TASSIGN(idx, kIdxAddr);

    TLOAD(idx, idxGM);
#ifndef __PTO_AUTO__
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
#endif
    MGATHER<Coalesce::Row, Oob>(dst, tableGM, idx);
#ifndef __PTO_AUTO__
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
#endif
    TSTORE(outGM, dst);
}

/* The index as a column, A5. */
template <typename T, typename TIdx, int R, int C, int TableRows, GatherOOB Oob>
__global__ AICORE void runRowColumn(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    using DstTile = Tile<TileType::Vec, T, R, C, BLayout::RowMajor, R, C>;
    using IdxTile = Tile<TileType::Vec, TIdx, R, 1, BLayout::ColMajor, R, 1>;
    Packed<T, TableRows, C> tableGM(src);
    GlobalTensor<TIdx, Shape<1, 1, 1, R, 1>, Stride<1, 1, 1, 1, 1>, Layout::DN> idxGM(indices);
    Packed<T, R, C> outGM(out);
    DstTile dst;
    IdxTile idx;
    TASSIGN<kDstAddr>(dst);
    TASSIGN<kIdxAddr>(idx);

    TLOAD(idx, idxGM);
#ifndef __PTO_AUTO__
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
#endif
    MGATHER<Coalesce::Row, Oob>(dst, tableGM, idx);
#ifndef __PTO_AUTO__
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
#endif
    TSTORE(outGM, dst);
}

/* All extents known at run time only. */
template <typename T, typename TIdx, int R, int C, int VR, int VC, int TableRows, GatherOOB Oob>
__global__ AICORE void runRowDynamic(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    using DynShape = Shape<1, 1, 1, -1, -1>;
    using DynStride = Stride<1, 1, 1, -1, 1>;
    using DstTile = Tile<TileType::Vec, T, R, C, BLayout::RowMajor, -1, -1>;
    using IdxTile = Tile<TileType::Vec, TIdx, 1, R, BLayout::RowMajor, 1, -1>;
    int64_t rows = VR, cols = VC, tableRows = TableRows;
    GlobalTensor<T, DynShape, DynStride> tableGM(src, DynShape(tableRows, cols), DynStride(cols));
    GlobalTensor<TIdx, DynShape, DynStride> idxGM(indices, DynShape(1, 1, 1, 1, rows), DynStride(rows));
    GlobalTensor<T, DynShape, DynStride> outGM(out, DynShape(rows, cols), DynStride(cols));
    DstTile dst(rows, cols);
    IdxTile idx(rows);
    TASSIGN(dst, kDstAddr);
    TASSIGN(idx, kIdxAddr);

    TLOAD(idx, idxGM);
#ifndef __PTO_AUTO__
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
#endif
    MGATHER<Coalesce::Row, Oob>(dst, tableGM, idx);
#ifndef __PTO_AUTO__
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
#endif
    TSTORE(outGM, dst);
}

/* In halves, through the same two tiles: the second round waits until the first has let go of them. */
template <typename T, typename TIdx, int R, int C, int TableRows, GatherOOB Oob>
__global__ AICORE void runRowTwice(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    constexpr int Half = R / 2;
    using DstTile = Tile<TileType::Vec, T, Half, C, BLayout::RowMajor, Half, C>;
    using IdxTile = Tile<TileType::Vec, TIdx, 1, Half, BLayout::RowMajor, 1, Half>;
    Packed<T, TableRows, C> tableGM(src);
    DstTile dst;
    IdxTile idx;
    TASSIGN(dst, kDstAddr);
    TASSIGN(idx, kIdxAddr);
    for (int i = 0; i < 2; i++) {
        Packed<TIdx, 1, Half> idxGM(indices + i * Half);
        Packed<T, Half, C> outGM(out + i * Half * C);
        TLOAD(idx, idxGM);
#ifndef __PTO_AUTO__
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
        wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
#endif
        MGATHER<Coalesce::Row, Oob>(dst, tableGM, idx);
#ifndef __PTO_AUTO__
        set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
        wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
#endif
        TSTORE(outGM, dst);
#ifndef __PTO_AUTO__
        set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);
        wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);
        set_flag(PIPE_MTE3, PIPE_V, EVENT_ID1);
        wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID1);
#endif
    }
}

/* Without TASSIGN, and with events instead of flags. */
template <typename T, typename TIdx, int R, int C, int TableRows, GatherOOB Oob>
__global__ AICORE void runRowEvents(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    Tile<TileType::Vec, T, R, C> dst;
    Tile<TileType::Vec, TIdx, 1, R> idx;
    Packed<T, TableRows, C> tableGM(src);
    Packed<TIdx, 1, R> idxGM(indices);
    Packed<T, R, C> outGM(out);
    Event<Op::TLOAD, Op::MGATHER> loaded;
    loaded = TLOAD(idx, idxGM);
    RecordEvent gathered = MGATHER<Coalesce::Row, Oob>(dst, tableGM, idx, loaded);
    TSTORE(outGM, dst, gathered);
}

/* ---- MGATHER, elements ---- */

template <typename T, typename TIdx, int R, int C, int VR, int VC, int TableSize, GatherOOB Oob>
__global__ AICORE void runElem(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    using DstTile = Tile<TileType::Vec, T, R, C, BLayout::RowMajor, VR, VC>;
    using IdxTile = Tile<TileType::Vec, TIdx, R, C, BLayout::RowMajor, VR, VC>;
    Packed<T, 1, TableSize> tableGM(src);
    Packed<TIdx, VR, VC> idxGM(indices);
    Packed<T, VR, VC> outGM(out);
    DstTile dst;
    IdxTile idx;
    TASSIGN(dst, kDstAddr);
    TASSIGN(idx, kIdxAddr);

    TLOAD(idx, idxGM);
#ifndef __PTO_AUTO__
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
#endif
    MGATHER<Coalesce::Elem, Oob>(dst, tableGM, idx);
#ifndef __PTO_AUTO__
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
#endif
    TSTORE(outGM, dst);
}

/* Column-major destination, A5. */
template <typename T, typename TIdx, int R, int C, int TableSize, GatherOOB Oob>
__global__ AICORE void runElemColumns(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    using DstTile = Tile<TileType::Vec, T, R, C, BLayout::ColMajor, R, C>;
    using IdxTile = Tile<TileType::Vec, TIdx, R, C, BLayout::RowMajor, R, C>;
    Packed<T, 1, TableSize> tableGM(src);
    Packed<TIdx, R, C> idxGM(indices);
    GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, 1, R>, Layout::DN> outGM(out);
    DstTile dst;
    IdxTile idx;
    TASSIGN(dst, kDstAddr);
    TASSIGN(idx, kIdxAddr);

    TLOAD(idx, idxGM);
#ifndef __PTO_AUTO__
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
#endif
    MGATHER<Coalesce::Elem, Oob>(dst, tableGM, idx);
#ifndef __PTO_AUTO__
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
#endif
    TSTORE(outGM, dst);
}

/* ---- MGATHER, NZ tables, A2/A3 ---- */

template <Coalesce Mode, typename T, typename TIdx, int R, int C, int BlockRows, GatherOOB Oob>
__global__ AICORE void runNz(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    constexpr int C0 = C0_SIZE_BYTE / sizeof(T), BlockCols = C / C0;
    constexpr int IR = Mode == Coalesce::Row ? 1 : R, IC = Mode == Coalesce::Row ? R : C;
    using DstTile = Tile<TileType::Vec, T, R, C, BLayout::ColMajor, R, C, SLayout::RowMajor, TileConfig::fractalABSize>;
    using IdxTile = Tile<TileType::Vec, TIdx, IR, IC, BLayout::RowMajor, IR, IC>;
    using TableShape = Shape<1, BlockCols, BlockRows, 16, C0>;
    using TableStride = Stride<BlockCols * BlockRows * 16 * C0, BlockRows * 16 * C0, 16 * C0, C0, 1>;
    using OutShape = Shape<1, BlockCols, R / 16, 16, C0>;
    using OutStride = Stride<R * C, R * C0, 16 * C0, C0, 1>;
    GlobalTensor<T, TableShape, TableStride, Layout::NZ> tableGM(src);
    Packed<TIdx, IR, IC> idxGM(indices);
    GlobalTensor<T, OutShape, OutStride, Layout::NZ> outGM(out);
    DstTile dst;
    IdxTile idx;
    TASSIGN(dst, kDstAddr);
    TASSIGN(idx, kIdxAddr);

    TLOAD(idx, idxGM);
#ifndef __PTO_AUTO__
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
#endif
    MGATHER<Mode, Oob>(dst, tableGM, idx);
#ifndef __PTO_AUTO__
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
#endif
    TSTORE(outGM, dst);
}

/* ---- MGATHER, the custom A5 form (IC == 1: rows), and the CPU form ---- */

template <typename T, typename TIdx, int R, int C, int IC, int TableRows, GatherOOB Oob>
__global__ AICORE void runCustom(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    using DstTile = Tile<TileType::Vec, T, R, C>;
    using IdxTile = Tile<TileType::Vec, TIdx, R, IC>;
    Packed<T, TableRows, C> tableGM(src);
    Packed<TIdx, R, IC> idxGM(indices);
    Packed<T, R, C> outGM(out);
    DstTile dst;
    IdxTile idx;
    TASSIGN(dst, kDstAddr);
    TASSIGN(idx, kIdxAddr);

    TLOAD(idx, idxGM);
#ifndef __PTO_AUTO__
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
#endif
    MGATHER<Oob>(dst, tableGM, idx);
#ifndef __PTO_AUTO__
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
#endif
    TSTORE(outGM, dst);
}

template <typename T, typename TIdx, int R, int C, int TableRows>
__global__ AICORE void runBase(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    Tile<TileType::Vec, T, R, C> dst;
    Tile<TileType::Vec, TIdx, R, C> idx;
    Packed<T, TableRows, C> tableGM(src);
    Packed<TIdx, R, C> idxGM(indices);
    Packed<T, R, C> outGM(out);
    TLOAD(idx, idxGM);
    MGATHER(dst, tableGM, idx);
    TSTORE(outGM, dst);
}

/* ---- TGATHER ---- */

template <typename T, typename TIdx, int SR, int SC, int R, int C, bool WithTmp>
__global__ AICORE void runIndex(__gm__ T __out__ *out, __gm__ T __in__ *src, __gm__ TIdx __in__ *indices)
{
    using SrcTile = Tile<TileType::Vec, T, SR, SC>;
    using DstTile = Tile<TileType::Vec, T, R, C>;
    using IdxTile = Tile<TileType::Vec, TIdx, R, C>;
    Packed<T, SR, SC> srcGM(src);
    Packed<TIdx, R, C> idxGM(indices);
    Packed<T, R, C> outGM(out);
    SrcTile src0;
    DstTile dst;
    IdxTile idx, tmp;
    TASSIGN(src0, kSrcAddr);
    TASSIGN(dst, kDstAddr);
    TASSIGN(idx, kIdxAddr);
    TASSIGN(tmp, kTmpAddr);

    TLOAD(src0, srcGM);
    TLOAD(idx, idxGM);
#ifndef __PTO_AUTO__
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
#endif
    if constexpr (WithTmp)
        TGATHER(dst, src0, idx, tmp);
    else
        TGATHER(dst, src0, idx);
#ifndef __PTO_AUTO__
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
#endif
    TSTORE(outGM, dst);
}

template <typename T, int R, int C, int DC, MaskPattern Pattern>
__global__ AICORE void runMask(__gm__ T __out__ *out, __gm__ T __in__ *src)
{
    using SrcTile = Tile<TileType::Vec, T, R, C>;
    using DstTile = Tile<TileType::Vec, T, R, DC>;
    Packed<T, R, C> srcGM(src);
    Packed<T, R, DC> outGM(out);
    SrcTile src0;
    DstTile dst;
    TASSIGN(src0, kSrcAddr);
    TASSIGN(dst, kDstAddr);

    TLOAD(src0, srcGM);
#ifndef __PTO_AUTO__
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
#endif
    TGATHER<DstTile, SrcTile, Pattern>(dst, src0);
#ifndef __PTO_AUTO__
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
#endif
    TSTORE(outGM, dst);
}

/* dst starts as zeros, which are loaded; positions, then counts, are stored. */
template <typename T, int R, int C, CmpMode Cmp, int Offset>
__global__ AICORE void runCompare(__gm__ int32_t __out__ *out, __gm__ T __in__ *src, __gm__ T __in__ *k)
{
    using SrcTile = Tile<TileType::Vec, T, R, C>;
    using KTile = Tile<TileType::Vec, T, 1, R>;
    using DstTile = Tile<TileType::Vec, int32_t, R, C>;
    using CountTile = Tile<TileType::Vec, int32_t, 1, R>;
    Packed<T, R, C> srcGM(src);
    Packed<T, 1, R> kGM(k);
    Packed<int32_t, R, C> outGM(out);
    Packed<int32_t, 1, R> countGM(out + R * C);
    SrcTile src0;
    KTile kTile;
    DstTile dst;
    CountTile count;
    TASSIGN(src0, kSrcAddr);
    TASSIGN(kTile, kTmpAddr);
    TASSIGN(dst, kDstAddr);
    TASSIGN(count, kIdxAddr);

    TLOAD(src0, srcGM);
    TLOAD(kTile, kGM);
    TLOAD(dst, outGM);
#ifndef __PTO_AUTO__
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
    set_flag(PIPE_MTE2, PIPE_S, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_S, EVENT_ID1);
#endif
    TGATHER<Cmp, Offset>(dst, count, src0, kTile);
#ifndef __PTO_AUTO__
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    set_flag(PIPE_S, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_S, PIPE_MTE3, EVENT_ID1);
#endif
    TSTORE(outGM, dst);
    TSTORE(countGM, count);
}

#endif
