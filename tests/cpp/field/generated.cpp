/* As compilers write kernels: numbered names, tiles of eleven parameters, set_mask_norm, addresses and extents as run-time values,
 * the words of the device compiler in every place. */
#include "pto/pto-inst.hpp"
#include "tensor.h"

using namespace pto;

extern "C" __global__ __attribute__((aiv)) [aicore] void double_rows(__gm__ float *v1, __gm__ float *v2, int32_t v3)
{
#if defined(__DAV_VEC__)
    set_mask_norm();
    set_vector_mask(-1, -1);
    unsigned v4 = 0;
    int64_t v5 = 0;
    int64_t v6 = 1024;
    int32_t v7 = 16;
    float v8 = 2.0f;
    using GTShape_1 = pto::Shape<1, 1, 1, -1, 16>;
    using GTStride_1 = pto::Stride<-1, -1, -1, 16, 1>;
    constexpr pto::Layout GT_1_layout = pto::Layout::ND;
    GTShape_1 v9 = GTShape_1(v3);
    GTStride_1 v10 = GTStride_1(v3 * v7, v3 * v7, v3 * v7);
    using GT_1 = GlobalTensor<float, GTShape_1, GTStride_1, GT_1_layout>;
    GT_1 v11 = GT_1(v1 + (v4 + v4 * (unsigned)v7), v9, v10);
    GT_1 v12 = GT_1(v2 + v4, v9, v10);
    Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, -1, 16, SLayout::NoneBox, 512, PadValue::Null, CompactMode::Null> v13 =
        Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, -1, 16, SLayout::NoneBox, 512, PadValue::Null, CompactMode::Null>(v3);
    Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512, PadValue::Null, CompactMode::Null> v14;
    v14.SetValidShape(v3, v7);
    TASSIGN(v13, v5);
    TASSIGN(v14, v6);
    TLOAD(v13, v11);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TMULS(v14, v13, v8);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(v12, v14);
    pipe_barrier(PIPE_ALL);
    dcci(v2, ENTIRE_DATA_CACHE);
    dcci(v2, cache_line_t::SINGLE_CACHE_LINE, dcci_dst_t::CACHELINE_OUT);
    dsb(DSB_DDR);
#endif
}

#include <cstdio>

int main()
{
    float from[256], to[256] = {};
    for (int i = 0; i < 256; i++)
        from[i] = static_cast<float>(i);
    double_rows<<<1, nullptr, nullptr>>>(from, to, 9);
    bool right = true;
    for (int i = 0; i < 256; i++)
        right = right && to[i] == (i < 9 * 16 ? 2.0f * static_cast<float>(i) : 0.0f);
    std::puts(right ? "right" : "wrong");
    return !right;
}
