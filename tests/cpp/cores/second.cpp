/* Another source with the same kernel, and one for the vector cores alone: what the two sources have in common is not mixed up. */
#include "kernel.hpp"

#ifdef __DAV_VEC__
static AICORE void add_one(__gm__ float *out, int64_t *cores)
{
    Vector<float, Side> tile;
    View<float> all(out + get_block_idx() * Side * Side);
    TASSIGN(tile, 0x0);
    TLOAD(tile, all);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
    TADDS(tile, tile, 1.0f);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    TSTORE(all, tile);
    *cores += get_subblockdim();
}
#endif

static __global__ AICORE void add(__gm__ float *out, int64_t *cores)
{
#ifdef __DAV_VEC__
    add_one(out, cores);
#endif
}

int second_file(float *out, half *a, half *b, float *slots)
{
    float before = out[Side * Side - 1];
    int64_t cores = 0;
    multiply<float><<<1, nullptr, nullptr>>>(out, a, b, slots);
    bool same = out[Side * Side - 1] == before;
    add<<<2, nullptr, nullptr>>>(out, &cores);
    return !same + (out[Side * Side - 1] != before + 1) + (cores != 2);
}
