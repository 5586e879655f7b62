/* Vector cores of four blocks: each stores a row, all of them meet, and each reads the row of the next one. No macro of a core
 * is asked: the source is compiled once, and its cores run side by side. */
#include <pto/pto-inst.hpp>

#include <cstdio>

using namespace pto;

constexpr int Blocks = 4, Width = 16;
using Row = GlobalTensor<float, Shape<1, 1, 1, 1, Width>, Stride<1, 1, 1, Width, 1>>;

__global__ AICORE void turn(__gm__ float *rows, __gm__ float *out)
{
    Tile<TileType::Vec, float, 1, Width, BLayout::RowMajor, 1, Width> tile;
    const int me = static_cast<int>(get_block_idx());
    Row mine(rows + me * Width), next(rows + (me + 1) % Blocks * Width), result(out + me * Width);
    TASSIGN(tile, 0x0);
    TEXPANDS(tile, static_cast<float>(me));
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    TSTORE(mine, tile);
    set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);
    wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);
    SYNCALL();
    TLOAD(tile, next);
    set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID1);
    TSTORE(result, tile);
}

int main()
{
    static float rows[Blocks * Width], out[Blocks * Width];
    ptog::gm_known known(rows, out);
    ptog::fn([](auto... a) { turn(a...); }).on(Blocks)(&rows[0], &out[0]);
    int wrong = 0;
    for (int i = 0; i < Blocks * Width; i++)
        wrong += out[i] != static_cast<float>((i / Width + 1) % Blocks);
    std::printf("wrong %d\n", wrong);
    return 0;
}
