/* The gate of a mixture of experts for the device, with two sets of tiles: two experts for each token, and their
 * counts.
 *
 *     ptog-cxx --target a2a3 kernel.cpp -o gate && ./gate DATA OUT
 *
 * DATA is a folder that ../data.py has made, OUT an existing folder for experts.npy,
 * shares.npy and counts.npy. */
#include "../common.hpp"

using namespace pto;

constexpr int Tokens = 64, Step = 16, Experts = 64, Chosen = 2;

__global__ AICORE void gate(__gm__ int32_t *experts, __gm__ float *shares, __gm__ float *counts, __gm__ float *scores)
{
    using Block = GlobalTensor<float, Shape<1, 1, 1, Step, Experts>, Stride<1, 1, 1, Experts, 1>>;
    using Matrix = Tile<TileType::Vec, float, Step, Experts>;
    using Column = Tile<TileType::Vec, float, Step, 1, BLayout::ColMajor>;
    using Mask = Tile<TileType::Vec, int8_t, Step, 32>;
    using Places = Tile<TileType::Vec, int32_t, Step, 8>;
    using Found = Tile<TileType::Vec, int32_t, 1, Step>;
    using Flat = Tile<TileType::Vec, float, 1, Step>;
    using Shares = Tile<TileType::Vec, float, Step, 8>;
    using TwoPlaces = Tile<TileType::Vec, int32_t, Step, 8, BLayout::RowMajor, Step, Chosen>;
    using TwoShares = Tile<TileType::Vec, float, Step, 8, BLayout::RowMajor, Step, Chosen>;
    using Line = Tile<TileType::Vec, float, 1, Experts>;
    GlobalTensor<float, Shape<1, 1, 1, 1, Experts>, Stride<1, 1, 1, Experts, 1>> countsOut(counts);
    Matrix ones, p[2], d[2], rest[2], tmp[2];
    Line total, many[2];
    Flat zeros;
    Column most[2], sum[2], limit[2];
    Mask mask[2];
    Places where[2], room[2];
    Found found[2];
    Shares share[2];
    TwoPlaces first[2], expert[2]; /* first and two: the valid columns of where and share */
    TwoShares two[2];
    TASSIGN(ones, 0x0);
    TASSIGN(total, 0x1000);
    TASSIGN(zeros, 0x1200);
    for (int set = 0; set < 2; set++) {
        const int base = 0x2000 + set * 0x8000;
        TASSIGN(p[set], base);
        TASSIGN(d[set], base + 0x1000);
        TASSIGN(rest[set], base + 0x2000);
        TASSIGN(tmp[set], base + 0x3000);
        TASSIGN(mask[set], base + 0x4000);
        TASSIGN(most[set], base + 0x4400);
        TASSIGN(sum[set], base + 0x4500);
        TASSIGN(limit[set], base + 0x4600);
        TASSIGN(where[set], base + 0x4800);
        TASSIGN(room[set], base + 0x4c00);
        TASSIGN(share[set], base + 0x5000);
        TASSIGN(expert[set], base + 0x5400);
        TASSIGN(found[set], base + 0x5800);
        TASSIGN(many[set], base + 0x5900);
        TRESHAPE(first[set], where[set]);
        TRESHAPE(two[set], share[set]);
        set_flag(PIPE_V, PIPE_MTE2, flag_of(set));
        set_flag(PIPE_MTE3, PIPE_V, flag_of(set));
    }
    TEXPANDS(ones, 1.0f);
    TEXPANDS(total, 0.0f);
    TEXPANDS(zeros, 0.0f);
    for (int i = 0; i < Tokens / Step; i++) {
        const int set = i % 2;
        const event_t flag = flag_of(set);
        Block from(scores + i * Step * Experts);
        GlobalTensor<int32_t, Shape<1, 1, 1, Step, Chosen>, Stride<1, 1, 1, Chosen, 1>> expertsOut(experts +
                                                                                                   i * Step * Chosen);
        GlobalTensor<float, Shape<1, 1, 1, Step, Chosen>, Stride<1, 1, 1, Chosen, 1>> sharesOut(shares +
                                                                                                i * Step * Chosen);
        wait_flag(PIPE_V, PIPE_MTE2, flag);
        TLOAD(p[set], from);
        set_flag(PIPE_MTE2, PIPE_V, flag);

        wait_flag(PIPE_MTE2, PIPE_V, flag);
        wait_flag(PIPE_MTE3, PIPE_V, flag);
        TROWMAX(most[set], p[set], tmp[set]);
        ordered();
        TROWEXPANDSUB(p[set], p[set], most[set]);
        ordered();
        TEXP(p[set], p[set]);
        ordered();
        TROWSUM(sum[set], p[set], tmp[set]);
        ordered();
        TROWEXPANDDIV(p[set], p[set], sum[set]);
        ordered();
        TROWMAX(most[set], p[set], tmp[set]);
        ordered();
        TROWEXPANDSUB(d[set], p[set], most[set]);
        ordered();
        TCMPS(mask[set], d[set], 0.0f, CmpMode::LT);
        ordered();
        TSELS(rest[set], mask[set], p[set], tmp[set], 0.0f); /* without the largest */
        ordered();
        TROWMAX(limit[set], rest[set], tmp[set]);
        ordered();
        TROWEXPANDSUB(d[set], p[set], limit[set]);
        ordered();
        TCMPS(mask[set], d[set], 0.0f, CmpMode::GE);
        ordered();
        TSELS(rest[set], mask[set], ones, tmp[set], 0.0f); /* 1 for the experts that are chosen */
        ordered();
        TCOLSUM(many[set], rest[set]);
        TEXPANDS(where[set], 0);
        ordered();
        TADD(total, total, many[set]);
        TGATHER<CmpMode::GT, 0>(where[set], found[set], rest[set], zeros);
        ordered();
        TGATHER(share[set], p[set], where[set], room[set]);
        TANDS(expert[set], first[set], Experts - 1);
        ordered();
        TROWSUM(sum[set], two[set], tmp[set]);
        set_flag(PIPE_V, PIPE_MTE2, flag); /* the probabilities have been read */
        ordered();
        TROWEXPANDDIV(two[set], two[set], sum[set]);
        set_flag(PIPE_V, PIPE_MTE3, flag);

        wait_flag(PIPE_V, PIPE_MTE3, flag);
        TSTORE(expertsOut, expert[set]);
        TSTORE(sharesOut, two[set]);
        set_flag(PIPE_MTE3, PIPE_V, flag);
    }
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID3);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID3);
    TSTORE(countsOut, total);
    wait_for_sets();
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const std::string place = std::string(argv[2]) + "/";
    std::vector<float> scores = load<float>(std::string(argv[1]) + "/scores.npy", Tokens * Experts);
    std::vector<float> shares(Tokens * Chosen), counts(Experts);
    std::vector<int32_t> experts(Tokens * Chosen);
    ptog::gm_known known(experts, shares, counts, scores); /* accesses past their ends are reported */
    gate<<<1, nullptr, nullptr>>>(experts.data(), shares.data(), counts.data(), scores.data());
    save(place + "experts.npy", "<i4", experts);
    save(place + "shares.npy", "<f4", shares);
    save(place + "counts.npy", "<f4", counts);
    return 0;
}
