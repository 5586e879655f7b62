/* An outside C++ kernel: what someone builds who has only the installed files. */
#include <pto/pto-inst.hpp>

#include <cstdio>

#include <ptog/ptog.h>

using namespace pto;

AICORE void lookup(__gm__ float *out, __gm__ float *table, __gm__ int32_t *ids)
{
    Tile<TileType::Vec, float, 2, 8> dst;
    Tile<TileType::Vec, int32_t, 1, 8, BLayout::RowMajor, 1, 2> idx;
    GlobalTensor<float, Shape<1, 1, 1, 3, 8>, Stride<1, 1, 1, 8, 1>> tableGM(table);
    GlobalTensor<int32_t, Shape<1, 1, 1, 1, 2>, Stride<1, 1, 1, 2, 1>> idxGM(ids);
    GlobalTensor<float, Shape<1, 1, 1, 2, 8>, Stride<1, 1, 1, 8, 1>> outGM(out);
    TLOAD(idx, idxGM);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MGATHER<Coalesce::Row>(dst, tableGM, idx);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(outGM, dst);
}

int main()
{
    float table[3][8], out[2][8] = {};
    int32_t ids[2] = {2, 0};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 8; c++)
            table[r][c] = static_cast<float>(10 * r + c);
    lookup(out[0], table[0], ids);
    std::printf("%s done %g %g\n", ptog_version(), double(out[0][3]), double(out[1][0]));
    return 0;
}
