/* Sparse attention, the last step, for the device, with two sets of tiles: partial results are added up by weight.
 *
 *     ptog-cxx --target a2a3 kernel.cpp -o merge && ./merge DATA OUT
 *
 * DATA is a folder that ../data.py has made, OUT an existing folder for out.npy. */
#include "../common.hpp"

using namespace pto;

constexpr int Queries = 32, Blocks = 8, Width = 64, Partials = 200;

__global__ AICORE void merge(__gm__ float *out, __gm__ float *partial, __gm__ int32_t *which, __gm__ float *lse)
{
    using Vectors = Tile<TileType::Vec, float, Queries, Width>;
    using Weights = Tile<TileType::Vec, float, Blocks, Queries>;
    using Line = Tile<TileType::Vec, float, 1, Queries>;
    using Column = Tile<TileType::Vec, float, Queries, 1, BLayout::ColMajor>;
    using Numbers = Tile<TileType::Vec, int32_t, 1, Queries>;
    GlobalTensor<float, Shape<1, 1, 1, Partials, Width>, Stride<1, 1, 1, Width, 1>> rows(partial);
    GlobalTensor<float, Shape<1, 1, 1, Blocks, Queries>, Stride<1, 1, 1, Queries, 1>> logarithms(lse);
    GlobalTensor<float, Shape<1, 1, 1, Queries, Width>, Stride<1, 1, 1, Width, 1>> result(out);
    Weights w;
    Line most, sum, one[2];
    Vectors acc, part[2];
    Column scale[2]; /* the same bytes as one */
    Numbers idx[2];
    TASSIGN(w, 0x0);
    TASSIGN(most, 0x400);
    TASSIGN(sum, 0x480);
    TASSIGN(acc, 0x1000);
    for (int set = 0; set < 2; set++) {
        TASSIGN(part[set], 0x4000 + set * 0x4000);
        TASSIGN(one[set], 0x6000 + set * 0x4000);
        TASSIGN(idx[set], 0x6100 + set * 0x4000);
        TRESHAPE(scale[set], one[set]);
        set_flag(PIPE_V, PIPE_MTE2, flag_of(set));
    }
    TLOAD(w, logarithms);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
    TCOLMAX(most, w);
    ordered();
    TCOLEXPANDEXPDIF(w, w, most);
    ordered();
    TCOLSUM(sum, w);
    ordered();
    TCOLEXPANDDIV(w, w, sum);
    TEXPANDS(acc, 0.0f);
    for (int i = 0; i < Blocks; i++) {
        const int set = i % 2;
        const event_t flag = flag_of(set);
        GlobalTensor<int32_t, Shape<1, 1, 1, 1, Queries>, Stride<1, 1, 1, Queries, 1>> these(which + i * Queries);
        wait_flag(PIPE_V, PIPE_MTE2, flag);
        TLOAD(idx[set], these);
        set_flag(PIPE_MTE2, PIPE_V, flag);

        wait_flag(PIPE_MTE2, PIPE_V, flag);
        MGATHER<Coalesce::Row, GatherOOB::Zero>(part[set], rows, idx[set]); /* a block that was skipped has row -1 */
        set_flag(PIPE_V, PIPE_MTE2, flag);
        ordered();
        TEXTRACT(one[set], w, i, 0);
        ordered();
        TROWEXPANDMUL(part[set], part[set], scale[set]);
        ordered();
        TADD(acc, acc, part[set]);
    }
    for (int set = 0; set < 2; set++)
        wait_flag(PIPE_V, PIPE_MTE2, flag_of(set));
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    TSTORE(result, acc);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const std::string data = std::string(argv[1]) + "/";
    std::vector<float> partial = load<float>(data + "partial.npy", Partials * Width),
                       lse = load<float>(data + "lse.npy", Blocks * Queries);
    std::vector<int32_t> which = load<int32_t>(data + "which.npy", Blocks * Queries);
    std::vector<float> out(Queries * Width);
    ptog::gm_known known(out, partial, which, lse); /* accesses past their ends are reported */
    merge<<<1, nullptr, nullptr>>>(out.data(), partial.data(), which.data(), lse.data());
    save(std::string(argv[2]) + "/out.npy", "<f4", out);
    return 0;
}
