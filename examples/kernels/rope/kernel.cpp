/* RMS norm and rotary embedding for the device, with two sets of tiles. Neighbours are exchanged by a TGATHER.
 *
 *     ptog-cxx --target a2a3 kernel.cpp -o rope && ./rope DATA OUT
 *
 * DATA is a folder that ../data.py has made, OUT an existing folder for out.npy. */
#include "../common.hpp"

using namespace pto;

constexpr int Tokens = 64, Step = 16, Width = 64;

__global__ AICORE void rope(__gm__ float *out, __gm__ float *x, __gm__ float *weight, __gm__ float *cosine,
                            __gm__ float *sine, __gm__ int32_t *pairs)
{
    using Block = GlobalTensor<float, Shape<1, 1, 1, Step, Width>, Stride<1, 1, 1, Width, 1>>;
    using Vectors = Tile<TileType::Vec, float, Step, Width>;
    using Places = Tile<TileType::Vec, int32_t, Step, Width>;
    using Line = Tile<TileType::Vec, float, 1, Width>;
    using Column = Tile<TileType::Vec, float, Step, 1, BLayout::ColMajor>;
    using Flat = Tile<TileType::Vec, float, 1, Step>;
    GlobalTensor<int32_t, Shape<1, 1, 1, Step, Width>, Stride<1, 1, 1, Width, 1>> allPairs(pairs);
    GlobalTensor<float, Shape<1, 1, 1, 1, Width>, Stride<1, 1, 1, Width, 1>> allWeights(weight);
    Places swap, room[2];
    Line w;
    Vectors y[2], c[2], s[2], q[2], z[2], tmp[2];
    Column norm[2];
    Flat flat[2]; /* the same bytes as norm: arithmetic wants rows */
    TASSIGN(swap, 0x0);
    TASSIGN(w, 0x1000);
    for (int set = 0; set < 2; set++) {
        const int base = 0x2000 + set * 0x8000;
        TASSIGN(y[set], base);
        TASSIGN(c[set], base + 0x1000);
        TASSIGN(s[set], base + 0x2000);
        TASSIGN(q[set], base + 0x3000);
        TASSIGN(z[set], base + 0x4000);
        TASSIGN(tmp[set], base + 0x5000);
        TASSIGN(room[set], base + 0x6000);
        TASSIGN(norm[set], base + 0x7000);
        TRESHAPE(flat[set], norm[set]);
        set_flag(PIPE_V, PIPE_MTE2, flag_of(set));
        set_flag(PIPE_MTE3, PIPE_V, flag_of(set));
    }
    TLOAD(swap, allPairs);
    TLOAD(w, allWeights);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
    for (int i = 0; i < Tokens / Step; i++) {
        const int set = i % 2, at = i * Step * Width;
        const event_t flag = flag_of(set);
        Block xs(x + at), cs(cosine + at), ss(sine + at), result(out + at);
        wait_flag(PIPE_V, PIPE_MTE2, flag);
        TLOAD(y[set], xs);
        TLOAD(c[set], cs);
        TLOAD(s[set], ss);
        set_flag(PIPE_MTE2, PIPE_V, flag);

        wait_flag(PIPE_MTE2, PIPE_V, flag);
        wait_flag(PIPE_MTE3, PIPE_V, flag);
        TMUL(q[set], y[set], y[set]);
        ordered();
        TROWSUM(norm[set], q[set], tmp[set]);
        ordered();
        TMULS(flat[set], flat[set], 1.0f / Width);
        ordered();
        TADDS(flat[set], flat[set], 1e-6f);
        ordered();
        TSQRT(flat[set], flat[set]);
        ordered();
        TROWEXPANDDIV(q[set], y[set], norm[set]);
        ordered();
        TCOLEXPANDMUL(q[set], q[set], w);
        ordered();
        TGATHER(z[set], q[set], swap, room[set]);
        ordered();
        TMUL(q[set], q[set], c[set]);
        TMUL(z[set], z[set], s[set]);
        set_flag(PIPE_V, PIPE_MTE2, flag); /* the inputs have been read */
        ordered();
        TADD(z[set], q[set], z[set]);
        set_flag(PIPE_V, PIPE_MTE3, flag);

        wait_flag(PIPE_V, PIPE_MTE3, flag);
        TSTORE(result, z[set]);
        set_flag(PIPE_MTE3, PIPE_V, flag);
    }
    wait_for_sets();
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const std::string data = std::string(argv[1]) + "/";
    std::vector<float> x = load<float>(data + "x.npy", Tokens * Width),
                       weight = load<float>(data + "weight.npy", Width);
    std::vector<float> cosine = load<float>(data + "cos.npy", Tokens * Width),
                       sine = load<float>(data + "sin.npy", Tokens * Width);
    std::vector<int32_t> pairs = load<int32_t>(data + "pairs.npy", Step * Width);
    std::vector<float> out(Tokens * Width);
    ptog::gm_known known(out, x, weight, cosine, sine, pairs); /* accesses past their ends are reported */
    rope<<<1, nullptr, nullptr>>>(out.data(), x.data(), weight.data(), cosine.data(), sine.data(), pairs.data());
    save(std::string(argv[2]) + "/out.npy", "<f4", out);
    return 0;
}
