/* The update of a paged key-value cache of automatic.pto for the device, with two sets of tiles: cache[slots[i]] = keys[i].
 *
 *     ptog-cxx --target a2a3 kernel.cpp -o kvcache && ./kvcache DATA OUT
 *
 * DATA is a folder that ../data.py has made, OUT an existing folder for cache.npy. */
#include "../common.hpp"

using namespace pto;

constexpr int Tokens = 64, Step = 16, Width = 64, Slots = 128;

__global__ AICORE void kvcache(__gm__ float *cache, __gm__ float *keys, __gm__ int32_t *slots)
{
    using Block = GlobalTensor<float, Shape<1, 1, 1, Step, Width>, Stride<1, 1, 1, Width, 1>>;
    using Vectors = Tile<TileType::Vec, float, Step, Width>;
    using Numbers = Tile<TileType::Vec, int32_t, 1, Step>;
    GlobalTensor<float, Shape<1, 1, 1, Slots, Width>, Stride<1, 1, 1, Width, 1>> pages(cache);
    Vectors key[2];
    Numbers idx[2];
    for (int set = 0; set < 2; set++) {
        TASSIGN(key[set], set * 0x2000);
        TASSIGN(idx[set], set * 0x2000 + 0x1000);
        set_flag(PIPE_V, PIPE_MTE2, flag_of(set));
    }
    for (int i = 0; i < Tokens / Step; i++) {
        const int set = i % 2;
        const event_t flag = flag_of(set);
        GlobalTensor<int32_t, Shape<1, 1, 1, 1, Step>, Stride<1, 1, 1, Step, 1>> these(slots + i * Step);
        Block block(keys + i * Step * Width);
        wait_flag(PIPE_V, PIPE_MTE2, flag);
        TLOAD(idx[set], these);
        TLOAD(key[set], block);
        set_flag(PIPE_MTE2, PIPE_V, flag);

        wait_flag(PIPE_MTE2, PIPE_V, flag);
        MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Skip>(pages, key[set], idx[set]);
        set_flag(PIPE_V, PIPE_MTE2, flag);
    }
    for (int set = 0; set < 2; set++)
        wait_flag(PIPE_V, PIPE_MTE2, flag_of(set));
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const std::string data = std::string(argv[1]) + "/";
    std::vector<float> keys = load<float>(data + "keys.npy", Tokens * Width);
    std::vector<float> cache = load<float>(data + "cache.npy", Slots * Width);
    std::vector<int32_t> slots = load<int32_t>(data + "slots.npy", Tokens);
    ptog::gm_known known(cache, keys, slots); /* accesses past their ends are reported */
    kvcache<<<1, nullptr, nullptr>>>(cache.data(), keys.data(), slots.data());
    save(std::string(argv[2]) + "/cache.npy", "<f4", cache);
    return 0;
}
