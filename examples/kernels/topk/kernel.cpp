/* The 64 best of 4,096 scores, for each of four rows, with their numbers, for the device, with two sets of tiles: each 32
 * scores are sorted with their numbers, runs are merged four at a time, and the pairs are taken apart.
 *
 *     ptog-cxx --target a2a3 kernel.cpp -o topk && ./topk DATA OUT
 *
 * DATA is a folder that ../data.py has made, OUT an existing folder for best.npy and which.npy. */
#include "../common.hpp"

using namespace pto;

constexpr int Rows = 4, Scores = 4096, Best = 64;

__global__ AICORE void topk(__gm__ float *best, __gm__ int32_t *which, __gm__ float *scores, __gm__ uint32_t *ids)
{
    using Line = Tile<TileType::Vec, float, 1, Scores>;
    using Pairs = Tile<TileType::Vec, float, 1, 2 * Scores>;
    using Half = Tile<TileType::Vec, float, 1, Scores>;
    using Top = Tile<TileType::Vec, float, 1, 2 * Best>;
    using Values = Tile<TileType::Vec, float, 1, Best>;
    using Places = Tile<TileType::Vec, int32_t, 1, Best>;
    Tile<TileType::Vec, uint32_t, 1, Scores> numbers;
    Line row[2];
    Pairs p, q;
    Half low, high; /* of q */
    Top top;
    Values value[2];
    Places number[2];
    MrgSortExecutedNumList executed{};
    TASSIGN(numbers, 0x0);
    TASSIGN(p, 0x4000);
    TASSIGN(q, 0xc000);
    TASSIGN(low, 0xc000);
    TASSIGN(high, 0x10000);
    TASSIGN(top, 0x14000);
    for (int set = 0; set < 2; set++) {
        TASSIGN(row[set], 0x15000 + set * 0x5000);
        TASSIGN(value[set], 0x19000 + set * 0x5000);
        TASSIGN(number[set], 0x19100 + set * 0x5000);
        set_flag(PIPE_V, PIPE_MTE2, flag_of(set));
        set_flag(PIPE_MTE3, PIPE_V, flag_of(set));
    }
    GlobalTensor<uint32_t, Shape<1, 1, 1, 1, Scores>, Stride<1, 1, 1, Scores, 1>> all(ids);
    TLOAD(numbers, all);
    for (int i = 0; i < Rows; i++) {
        const int set = i % 2;
        const event_t flag = flag_of(set);
        GlobalTensor<float, Shape<1, 1, 1, 1, Scores>, Stride<1, 1, 1, Scores, 1>> these(scores + i * Scores);
        GlobalTensor<float, Shape<1, 1, 1, 1, Best>, Stride<1, 1, 1, Best, 1>> values(best + i * Best);
        GlobalTensor<int32_t, Shape<1, 1, 1, 1, Best>, Stride<1, 1, 1, Best, 1>> places(which + i * Best);
        wait_flag(PIPE_V, PIPE_MTE2, flag);
        TLOAD(row[set], these);
        set_flag(PIPE_MTE2, PIPE_V, flag);

        wait_flag(PIPE_MTE2, PIPE_V, flag);
        wait_flag(PIPE_MTE3, PIPE_V, flag);
        ordered();
        TSORT32(p, row[set], numbers); /* runs of 32 pairs */
        ordered();
        TMRGSORT(q, p, 64u); /* 128 pairs: lengths count elements */
        ordered();
        TMRGSORT(p, q, 256u); /* 512 */
        ordered();
        TMRGSORT(q, p, 1024u); /* 2,048 */
        ordered();
        TMRGSORT<Top, Pairs, Half, Half, false>(top, executed, p, low, high);
        ordered();
        TGATHER<Values, Top, MaskPattern::P0101>(value[set], top);
        TGATHER<Places, Top, MaskPattern::P1010>(number[set], top);
        set_flag(PIPE_V, PIPE_MTE2, flag);
        set_flag(PIPE_V, PIPE_MTE3, flag);

        wait_flag(PIPE_V, PIPE_MTE3, flag);
        TSTORE(values, value[set]);
        TSTORE(places, number[set]);
        set_flag(PIPE_MTE3, PIPE_V, flag);
    }
    wait_for_sets();
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const std::string data = std::string(argv[1]) + "/", place = std::string(argv[2]) + "/";
    std::vector<float> scores = load<float>(data + "scores.npy", Rows * Scores);
    std::vector<uint32_t> ids = load<uint32_t>(data + "ids.npy", Scores);
    std::vector<float> best(Rows * Best);
    std::vector<int32_t> which(Rows * Best);
    ptog::gm_known known(best, which, scores, ids); /* accesses past their ends are reported */
    topk<<<1, nullptr, nullptr>>>(best.data(), which.data(), scores.data(), ids.data());
    save(place + "best.npy", "<f4", best);
    save(place + "which.npy", "<i4", which);
    return 0;
}
