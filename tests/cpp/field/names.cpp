/* The names of the public headers, each used once; what they are for is not the question here. */
#include "acl/acl.h"
#include <acl/acl.h>
#include <pto/common/constants.hpp>
#include <pto/common/pto_tile.hpp>
#include <pto/common/type.hpp>
#include <pto/pto-inst.hpp>

#include <cstdio>
#include <cstring>

using namespace pto;

static_assert(sizeof(aclFloat16) == 2 && BLOCK_BYTE_SIZE == 32, "");
static_assert(static_cast<int>(GatherAxis::GATHER_COL) == 1 && GatherAxis::GATHER_ROW == GatherAxis::ROW, "");
static_assert(static_cast<int>(ScatterOOB::Wrap) == 3 && static_cast<int>(ScatterAtomicOp::Min) == 3, "");
static_assert(static_cast<int>(ScatterConflict::Default) == 1 && static_cast<int>(ScatterAxis::SCATTER_COL) == 1, "");
static_assert(static_cast<int>(GatherExec::Simt) == 1 && static_cast<int>(CompactMode::RowPlusOne) == 2, "");
static_assert(static_cast<int>(RoundMode::CAST_ODD) == 6 && static_cast<int>(SaturationMode::OFF) == 1, "");
static_assert(static_cast<int>(DivAlgorithm::HIGH_PRECISION) == 1 && static_cast<int>(AtomicType::AtomicAdd) == 1, "");
static_assert(GetTimesByMask<MaskPattern::P1111>() == 1 && GetTimesByMask<MaskPattern::P1010>() == 2, "");
static_assert(GetTimesByMask<MaskPattern::P1000>() == 4 && GlobalTensorDim::DIM_3 == 3, "");
static_assert(Event<Op::TLOAD, Op::TADD>::srcPipe == PIPE_MTE2 && Event<Op::TLOAD, Op::TADD>::dstPipe == PIPE_V, "");
static_assert(Event<Op::MGATHER_VEC, Op::TSTORE_VEC>::dstPipe == PIPE_MTE3, "");
static_assert(Event<Op::TMOV_V2V, Op::SCALAR>::dstPipe == PIPE_S && Event<Op::TMATMUL, Op::VECTOR>::srcPipe == PIPE_M, "");

using NzShape = TileShape2D<float, 32, 16, Layout::NZ>;
using NzStride = BaseShape2D<float, 32, 16, Layout::NZ>;
static_assert(NzShape::staticShape[1] == 2 && NzShape::staticShape[2] == 2 && NzShape::staticShape[4] == 8, "");
static_assert(NzStride::staticStride[0] == 512 && NzStride::staticStride[1] == 256 && NzStride::staticStride[3] == 8, "");
static_assert(BaseShape2D<float, 32, 16, Layout::DN>::staticStride[4] == 32, "");
static_assert(TileShape2D<float, -1, 16>::staticShape[3] == -1 && TileShape2D<float, -1, 16>::staticShape[4] == 16, "");

PTO_INTERNAL bool extents()
{
    Shape all(1, 2, 3, 4, 5);
    Shape<1, 1, 1, -1, 8> one(4);
    TileShape2D<float> two(3, 8);
    BaseShape2D<float, -1, 8> strides(3, 8);
    float data[32] = {};
    GlobalTensor<float, Shape<1, 1, 1, -1, 8>, Stride<32, 32, 32, 8, 1>> view(data);
    view.SetShape<3>(4);
    return all.shape[4] == 5 && one.shape[3] == 4 && two.shape[3] == 3 && strides.shape[0] == 24 && view.GetShape(3) == 4 &&
           view.GetShape<4>() == 8 && view.GetStride(2) == 32 && view.data() == data;
}

/* A tile seen as another, and a window of it; single elements; the mask gather along columns. */
__global__ AICORE void views(__gm__ int32_t *out, __gm__ int32_t *in)
{
    using Whole = Tile<TileType::Vec, int32_t, 8, 16>;
    using Window = Tile<TileType::Vec, int32_t, 2, 16, BLayout::RowMajor, 2, 8>;
    GlobalTensor<int32_t, Shape<1, 1, 1, 8, 16>, Stride<1, 1, 1, 16, 1>> from(in);
    GlobalTensor<int32_t, Shape<1, 1, 1, 2, 8>, Stride<1, 1, 1, 8, 1>> to(out);
    Whole whole;
    Tile<TileType::Vec, int32_t, 16, 8> other;
    Window window;
    TASSIGN<0>(whole);
    TLOAD(whole, from);
    PtoSetWaitFlag<PIPE_MTE2, PIPE_S>();
    TRESHAPE(other, whole);
    TSUBVIEW(window, whole, 2, 8);
    int32_t value = whole.GetValue(40);
    out[16] = other.GetValue(41) - value;
    window.SetValue(0, value + 1000);
    PtoSetWaitFlag<PIPE_S, PIPE_MTE3>(EVENT_ID2, EVENT_ID2);
    PtoSetWaitFlag<PIPE_MTE2, PIPE_MTE3>();
    TSTORE(to, window);
    static_assert(Whole::GetValidRow() == 8 && Whole::Numel == 128 && Whole::RowStride == 16 && Whole::ColStride == 1, "");
    static_assert(std::is_same_v<Whole::DType, int32_t> && Window::Compact == CompactMode::Null, "");
}

/* Events by the public names, and words that do nothing. */
__global__ __aicore__ void events(__gm__ int32_t *out, __gm__ int32_t *in)
{
    GlobalTensor<int32_t, Shape<1, 1, 1, 4, 8>, Stride<1, 1, 1, 8, 1>> from(in), to(out);
    Tile<TileType::Vec, int32_t, 4, 8> a, b;
    TASSIGN(a, 0);
    TASSIGN(b, 128);
    Event<Op::TLOAD, Op::TADD> loaded;
    Event<Op::TADD, Op::TSTORE_VEC> added;
    loaded = TLOAD(a, from);
    added = TADD(b, a, a, loaded);
    TSTORE(to, b, added);
    TSYNC<Op::TADD>();
    preload(get_icache_prl_st(), 2);
    set_mask_count();
    dsb((mem_dsb_t)0);
}

int main()
{
    int32_t in[128], out[32] = {};
    MrgSortExecutedNumList executed = {1, 2, 3, 4};
    for (int i = 0; i < 128; i++)
        in[i] = i;
    views<<<1, nullptr, nullptr>>>(out, in);
    bool right = extents() && out[0] == 1040 && out[1] == 41 && out[8] == 56 && out[16] == 1 && executed.mrgSortList3 == 4;
    events<<<1>>>(out, in);
    right = right && out[31] == 62 && aclFloat16ToFloat(0x3c00) == 1.0f && aclFloatToFloat16(-2.0f) == 0xc000;
    std::puts(right ? "right" : "wrong");
    return !right;
}
