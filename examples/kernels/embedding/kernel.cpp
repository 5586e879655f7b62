/* The embedding of automatic.pto for the device, with two sets of tiles: out[i] = table[words[i]] * 8 + position[i].
 *
 *     ptog-cxx --target a2a3 kernel.cpp -o embedding && ./embedding DATA OUT
 *
 * DATA is a folder that ../data.py has made, OUT an existing folder for out.npy. */
#include "../common.hpp"

using namespace pto;

constexpr int Words = 64, Step = 16, Width = 64, TableRows = 100;

__global__ AICORE void embedding(__gm__ float *out, __gm__ float *table, __gm__ int32_t *words, __gm__ float *position)
{
    using Block = GlobalTensor<float, Shape<1, 1, 1, Step, Width>, Stride<1, 1, 1, Width, 1>>;
    using Vectors = Tile<TileType::Vec, float, Step, Width>;
    using Numbers = Tile<TileType::Vec, int32_t, 1, Step>;
    GlobalTensor<float, Shape<1, 1, 1, TableRows, Width>, Stride<1, 1, 1, Width, 1>> rows(table);
    Vectors emb[2], pos[2];
    Numbers idx[2];
    for (int set = 0; set < 2; set++) {
        TASSIGN(emb[set], set * 0x4000);
        TASSIGN(pos[set], set * 0x4000 + 0x1000);
        TASSIGN(idx[set], set * 0x4000 + 0x2000);
        set_flag(PIPE_V, PIPE_MTE2, flag_of(set));
        set_flag(PIPE_MTE3, PIPE_V, flag_of(set));
    }
    for (int i = 0; i < Words / Step; i++) {
        const int set = i % 2;
        const event_t flag = flag_of(set);
        GlobalTensor<int32_t, Shape<1, 1, 1, 1, Step>, Stride<1, 1, 1, Step, 1>> these(words + i * Step);
        Block positions(position + i * Step * Width), result(out + i * Step * Width);
        wait_flag(PIPE_V, PIPE_MTE2, flag);
        TLOAD(idx[set], these);
        TLOAD(pos[set], positions);
        set_flag(PIPE_MTE2, PIPE_V, flag);

        wait_flag(PIPE_MTE2, PIPE_V, flag);
        wait_flag(PIPE_MTE3, PIPE_V, flag);
        MGATHER<Coalesce::Row, GatherOOB::Clamp>(emb[set], rows, idx[set]);
        ordered();
        TMULS(emb[set], emb[set], 8.0f);
        ordered();
        TADD(emb[set], emb[set], pos[set]);
        set_flag(PIPE_V, PIPE_MTE2, flag);
        set_flag(PIPE_V, PIPE_MTE3, flag);

        wait_flag(PIPE_V, PIPE_MTE3, flag);
        TSTORE(result, emb[set]);
        set_flag(PIPE_MTE3, PIPE_V, flag);
    }
    wait_for_sets();
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const std::string data = std::string(argv[1]) + "/";
    std::vector<float> table = load<float>(data + "table.npy", TableRows * Width);
    std::vector<float> position = load<float>(data + "position.npy", Words * Width), out(Words * Width);
    std::vector<int32_t> words = load<int32_t>(data + "words.npy", Words);
    ptog::gm_known known(out, table, words, position); /* accesses past their ends are reported */
    embedding<<<1, nullptr, nullptr>>>(out.data(), table.data(), words.data(), position.data());
    save(std::string(argv[2]) + "/out.npy", "<f4", out);
    return 0;
}
