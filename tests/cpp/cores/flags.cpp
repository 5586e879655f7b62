/* A5: the cube core stores a product, and tells each vector core so with a flag of its own. */
#include "kernel.hpp"

#include <cstdio>

__global__ AICORE void tell(__gm__ float *out, __gm__ float *product, __gm__ half *a)
{
#ifdef __DAV_CUBE__
    Matrix<half> in;
    TileLeft<half, Side, Side> left;
    TileRight<half, Side, Side> right;
    Products acc;
    View<half> all(a);
    View<float> result(product);
    TASSIGN(in, 0x0);
    TASSIGN(left, 0x0);
    TASSIGN(right, 0x0);
    TASSIGN(acc, 0x0);
    TLOAD(in, all);
    set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID1);
    TMOV(left, in);
    TMOV(right, in);
    set_flag(PIPE_MTE1, PIPE_M, EVENT_ID1);
    wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID1);
    TMATMUL(acc, left, right);
    set_flag(PIPE_M, PIPE_FIX, EVENT_ID1);
    wait_flag(PIPE_M, PIPE_FIX, EVENT_ID1);
    TSTORE(result, acc);
    set_intra_block(PIPE_FIX, 3);
#ifndef ONLY_ONE
    set_intra_block(PIPE_FIX, 3 + 16);
#endif
#endif
#ifdef __DAV_VEC__
    Vector<float, Side / 2> tile;
    const int64_t from = get_subblockid() * Side * Side / 2;
    View<float, Side / 2> part(product + from), mine(out + from);
    TASSIGN(tile, 0x0);
    wait_intra_block(PIPE_MTE2, 3);
    TLOAD(tile, part);
    set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID1);
    TSTORE(mine, tile);
#endif
}

int main()
{
    static half a[Side * Side];
    static float product[Side * Side], out[Side * Side];
    ptog::gm_known known(a, product, out);
    for (int i = 0; i < Side; i++)
        a[i * Side + i] = 2; /* twice the unit matrix */
    tell<<<1, nullptr, nullptr>>>(out, product, a);
    int wrong = 0;
    for (int i = 0; i < Side * Side; i++)
        wrong += out[i] != (i % (Side + 1) == 0 ? 4.0f : 0.0f);
    std::printf("wrong %d\n", wrong);
    return 0;
}
