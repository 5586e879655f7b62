/* Softmax over rows for the device, with two sets of tiles: out = exp(x - max) / sum(exp(x - max)).
 *
 *     ptog-cxx --target a2a3 kernel.cpp -o softmax && ./softmax DATA OUT
 *
 * DATA is a folder that ../data.py has made, OUT an existing folder for out.npy. */
#include "../common.hpp"

using namespace pto;

constexpr int Rows = 64, Step = 16, Columns = 128;

__global__ AICORE void softmax(__gm__ float *out, __gm__ float *x)
{
    using Block = GlobalTensor<float, Shape<1, 1, 1, Step, Columns>, Stride<1, 1, 1, Columns, 1>>;
    using Matrix = Tile<TileType::Vec, float, Step, Columns>;
    using Column = Tile<TileType::Vec, float, Step, 1, BLayout::ColMajor>;
    using Room = Tile<TileType::Vec, float, Step, 64>;
    Matrix row[2], e[2];
    Room tmp[2];
    Column most[2], sum[2];
    for (int set = 0; set < 2; set++) {
        TASSIGN(row[set], set * 0x8000);
        TASSIGN(e[set], set * 0x8000 + 0x2000);
        TASSIGN(tmp[set], set * 0x8000 + 0x4000);
        TASSIGN(most[set], set * 0x8000 + 0x5000);
        TASSIGN(sum[set], set * 0x8000 + 0x5100);
        set_flag(PIPE_V, PIPE_MTE2, flag_of(set));
        set_flag(PIPE_MTE3, PIPE_V, flag_of(set));
    }
    for (int i = 0; i < Rows / Step; i++) {
        const int set = i % 2;
        const event_t flag = flag_of(set);
        Block from(x + i * Step * Columns), to(out + i * Step * Columns);
        wait_flag(PIPE_V, PIPE_MTE2, flag);
        TLOAD(row[set], from);
        set_flag(PIPE_MTE2, PIPE_V, flag);

        wait_flag(PIPE_MTE2, PIPE_V, flag);
        wait_flag(PIPE_MTE3, PIPE_V, flag);
        TROWMAX(most[set], row[set], tmp[set]);
        ordered();
        TROWEXPANDSUB(e[set], row[set], most[set]);
        set_flag(PIPE_V, PIPE_MTE2, flag); /* the input has been read */
        ordered();
        TEXP(e[set], e[set]);
        ordered();
        TROWSUM(sum[set], e[set], tmp[set]);
        ordered();
        TROWEXPANDDIV(e[set], e[set], sum[set]);
        set_flag(PIPE_V, PIPE_MTE3, flag);

        wait_flag(PIPE_V, PIPE_MTE3, flag);
        TSTORE(to, e[set]);
        set_flag(PIPE_MTE3, PIPE_V, flag);
    }
    wait_for_sets();
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    std::vector<float> x = load<float>(std::string(argv[1]) + "/x.npy", Rows * Columns), out(Rows * Columns);
    ptog::gm_known known(out, x); /* accesses past their ends are reported */
    softmax<<<1, nullptr, nullptr>>>(out.data(), x.data());
    save(std::string(argv[2]) + "/out.npy", "<f4", out);
    return 0;
}
