/* What a missing flag looks like: the gather does not wait for the load of its indices. The report names this file,
 * the two lines, and the pair to put between them; the exit status is 1. */
#include <pto/pto-inst.hpp>

#include <cstdio>
#include <vector>

using namespace pto;

AICORE void lookup(__gm__ float *out, __gm__ float *table, __gm__ int32_t *ids)
{
    Tile<TileType::Vec, float, 16, 64> dst;
    Tile<TileType::Vec, int32_t, 1, 16> idx;
    GlobalTensor<float, Shape<1, 1, 1, 100, 64>, Stride<1, 1, 1, 64, 1>> tableGM(table);
    GlobalTensor<int32_t, Shape<1, 1, 1, 1, 16>, Stride<1, 1, 1, 16, 1>> idxGM(ids);
    GlobalTensor<float, Shape<1, 1, 1, 16, 64>, Stride<1, 1, 1, 64, 1>> outGM(out);
    TASSIGN(dst, 0x0);
    TASSIGN(idx, 0x1000);

    TLOAD(idx, idxGM);
    MGATHER<Coalesce::Row, GatherOOB::Clamp>(dst, tableGM, idx);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(outGM, dst);
}

int main()
{
    std::vector<float> table(100 * 64), out(16 * 64);
    std::vector<int32_t> ids(16);
    for (std::size_t i = 0; i < table.size(); i++)
        table[i] = static_cast<float>(i / 64);
    for (int i = 0; i < 16; i++)
        ids[i] = i * 37 % 100;

    ptog::gm_known known(out, table, ids); /* so that accesses past their ends are reported */
    lookup(out.data(), table.data(), ids.data());

    std::printf("rows");
    for (int i = 0; i < 4; i++)
        std::printf(" %.0f", out[i * 64]);
    std::printf(", wanted %d %d %d %d\n", ids[0], ids[1], ids[2], ids[3]);
    return 0;
}
