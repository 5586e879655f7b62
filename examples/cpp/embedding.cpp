/* Embedding look-up: rows of a table by their numbers, in four blocks. Builds with any C++17 compiler:
 *
 *     g++ -std=c++17 -DPTOG_TARGET=a2a3 embedding.cpp $(pkg-config --cflags --libs ptogather)
 *
 * On the device the launch is  lookup<float, 16, 64, 1000><<<4, nullptr, stream>>>(out, table, ids);  as ptog-cxx takes
 * it too. Here it is spelled out, for a compiler that does not know the syntax. */
#include <pto/pto-inst.hpp>

#include <cstdio>
#include <vector>

using namespace pto;

template <typename T, int R, int C, int TableRows>
__global__ AICORE void lookup(__gm__ T *out, __gm__ T *table, __gm__ int32_t *ids)
{
    using DstTile = Tile<TileType::Vec, T, R, C>;
    using IdxTile = Tile<TileType::Vec, int32_t, 1, R>;
    GlobalTensor<T, Shape<1, 1, 1, TableRows, C>, Stride<1, 1, 1, C, 1>> tableGM(table);
    GlobalTensor<int32_t, Shape<1, 1, 1, 1, R>, Stride<1, 1, 1, R, 1>> idxGM(ids + block_idx * R);
    GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, C, 1>> outGM(out + block_idx * R * C);
    DstTile dst;
    IdxTile idx;
    TASSIGN(dst, 0x0);
    TASSIGN(idx, 0x1000);

    TLOAD(idx, idxGM);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MGATHER<Coalesce::Row, GatherOOB::Clamp>(dst, tableGM, idx);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(outGM, dst);
}

int main()
{
    std::vector<float> table(1000 * 64), out(64 * 64);
    std::vector<int32_t> ids(64);
    for (std::size_t i = 0; i < table.size(); i++)
        table[i] = static_cast<float>(i / 64);
    for (int i = 0; i < 64; i++)
        ids[i] = i * 37 % 1000;
    ids[63] = 5000; /* outside: Clamp */

    ptog::gm_register(out.data(), out.size() * sizeof(float)); /* acl/acl.h's aclrtMalloc does it */
    ptog::fn([](auto... a) { lookup<float, 16, 64, 1000>(a...); }).on(4)(out.data(), table.data(), ids.data());

    for (int i = 0; i < 64; i += 9)
        std::printf("id %4d: row of %.0f\n", ids[i], out[i * 64]);
    return 0;
}
