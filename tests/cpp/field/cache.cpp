// Elements that S scatters on A2/A3 stay in its data cache: argument 0 leaves them there, 1 flushes all lines, 2 one line and
// 3 another line. Each core scatters where its block alone (4: and its sub-block) tells it to.
#include <cstdio>
#include <cstdlib>

#include <pto/pto-inst.hpp>

using namespace pto;

__global__ AICORE void put(__gm__ float *table, __gm__ float *rows, __gm__ int *ids, int how)
{
    using Src = Tile<TileType::Vec, float, 1, 8, BLayout::RowMajor>;
    using Idx = Tile<TileType::Vec, int, 1, 8, BLayout::RowMajor>;
    GlobalTensor<float, Shape<1, 1, 1, 1, 8>, Stride<8, 8, 8, 8, 1>> from(rows);
    GlobalTensor<int, Shape<1, 1, 1, 1, 8>, Stride<8, 8, 8, 8, 1>> indices(ids);
    int64_t core = get_block_idx() * get_subblockdim() + (how == 4 ? get_subblockid() : 0);
    GlobalTensor<float, Shape<1, 1, 1, 1, 16>, Stride<16, 16, 16, 16, 1>> to(table + 16 * core);
    Src src;
    Idx idx;
    TASSIGN(src, 0);
    TASSIGN(idx, 0x400);
    TLOAD(src, from);
    TLOAD(idx, indices);
    pipe_barrier(PIPE_ALL);
    MSCATTER<Coalesce::Elem>(to, src, idx);
    if (how == 1 || how == 4)
        dcci(table, ENTIRE_DATA_CACHE);
    if (how == 2)
        dcci(table + 16 * core + 7, cache_line_t::SINGLE_CACHE_LINE, dcci_dst_t::CACHELINE_OUT);
    if (how == 3)
        dcci(table + 16 * core + 16, SINGLE_CACHE_LINE);
    dsb(DSB_DDR);
}

int main(int, char **arguments)
{
    static float table[64], rows[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static int ids[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    int how = std::atoi(arguments[1]);
    ptog::gm_register(table, sizeof table);
    ptog::fn([&](auto &&...a) { put(a...); }).on(1)(table, rows, ids, how);
    std::printf("%g %g\n", double(table[0]), double(table[16]));
}
