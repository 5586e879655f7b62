/* Rows from a table in NZ order, blocks of 16 rows by 32 bytes, into an NZ tile: A2/A3 and host. */
#include <pto/pto-inst.hpp>

#include <cstdio>
#include <vector>

using namespace pto;

constexpr int R = 16, C = 64, BlockRows = 4, C0 = C0_SIZE_BYTE / sizeof(half), BlockCols = C / C0;

AICORE void gather_nz(__gm__ half *out, __gm__ half *table, __gm__ int32_t *ids)
{
    using DstTile = Tile<TileType::Vec, half, R, C, BLayout::ColMajor, R, C, SLayout::RowMajor>;
    using IdxTile = Tile<TileType::Vec, int32_t, 1, R>;
    using TableShape = Shape<1, BlockCols, BlockRows, 16, C0>;
    using TableStride = Stride<BlockCols * BlockRows * 16 * C0, BlockRows * 16 * C0, 16 * C0, C0, 1>;
    using OutShape = Shape<1, BlockCols, 1, 16, C0>;
    using OutStride = Stride<R * C, R * C0, 16 * C0, C0, 1>;
    GlobalTensor<half, TableShape, TableStride, Layout::NZ> tableGM(table);
    GlobalTensor<half, OutShape, OutStride, Layout::NZ> outGM(out);
    GlobalTensor<int32_t, Shape<1, 1, 1, 1, R>, Stride<1, 1, 1, R, 1>> idxGM(ids);
    DstTile dst;
    IdxTile idx;
    TASSIGN(dst, 0x0);
    TASSIGN(idx, 0x1000);

    TLOAD(idx, idxGM);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MGATHER<Coalesce::Row, GatherOOB::Clamp>(dst, tableGM, idx);
    TSTORE(outGM, dst); /* on A2/A3 the gather itself orders a store */
}

int main()
{
    std::vector<half> table(BlockRows * 16 * C), out(R * C);
    std::vector<int32_t> ids(R);
    for (int row = 0; row < BlockRows * 16; row++)
        for (int col = 0; col < C; col++) /* where NZ puts it */
            table[(col / C0 * BlockRows + row / 16) * 16 * C0 + row % 16 * C0 + col % C0] =
                half(float(row * 8 + col / 8));
    for (int i = 0; i < R; i++)
        ids[i] = i * 13 % 70; /* 64 and more are outside: Clamp */

    ptog::gm_known known(out, table, ids); /* so that accesses past their ends are reported */
    gather_nz(out.data(), table.data(), ids.data());

    for (int i = 0; i < R; i += 5)
        std::printf("id %2d: %.0f .. %.0f\n", ids[i], double(out[i * C0]),
                    double(out[(BlockCols - 1) * R * C0 + i * C0 + C0 - 1]));
    return 0;
}
