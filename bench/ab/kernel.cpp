/* bench/ab: kernels in C++ through the headers: one MGATHER, as bench/cpp.cpp has it, and launches of four blocks on
 * each kind of target. The target is that of the environment, so that one program serves all of them. */
#include <cstdlib>
#include <vector>

#include <pto/pto-inst.hpp>

#include "turn.h"

using namespace pto;

constexpr int kRows = 64, kCols = 128, kTableRows = 4096, kBlocks = 4, kBlockRows = kRows / kBlocks;

struct Data {
    std::vector<float> table, out;
    std::vector<int32_t> ids;
    Data() : table(std::size_t{kTableRows} * kCols), out(kRows * kCols), ids(kRows)
    {
        for (std::size_t i = 0; i < table.size(); i++)
            table[i] = static_cast<float>(i % 1000);
        for (std::size_t i = 0; i < ids.size(); i++)
            ids[i] = turn_index(i, kTableRows);
        ptog::gm_register(out.data(), out.size() * sizeof(float));
    }
};

using Table = GlobalTensor<float, Shape<1, 1, 1, kTableRows, kCols>, Stride<1, 1, 1, kCols, 1>>;
template <int N> using Ids = GlobalTensor<int32_t, Shape<1, 1, 1, 1, N>, Stride<1, 1, 1, N, 1>>;
template <int N> using Rows = GlobalTensor<float, Shape<1, 1, 1, N, kCols>, Stride<1, 1, 1, kCols, 1>>;

__global__ AICORE void embed(__gm__ float *out, __gm__ float *table, __gm__ int32_t *ids)
{
    Table tableGm(table);
    Ids<kBlockRows> idsGm(ids + get_block_idx() * kBlockRows);
    Rows<kBlockRows> outGm(out + get_block_idx() * kBlockRows * kCols);
    Tile<TileType::Vec, int32_t, 1, kBlockRows> idx;
    Tile<TileType::Vec, float, kBlockRows, kCols> dst;
    TASSIGN(idx, 0x0);
    TASSIGN(dst, 0x1000);
    TLOAD(idx, idsGm);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MGATHER<Coalesce::Row, GatherOOB::Clamp>(dst, tableGm, idx);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(outGm, dst);
}

/* `what` names the target; this is before the first call of the headers. */
static void *begin(const void *what)
{
    setenv("PTOG_TARGET", static_cast<const char *>(what), 1);
    return new Data;
}

static bool launch(void *state)
{
    auto *data = static_cast<Data *>(state);
    ptog::fn([](auto... a) { embed(a...); }).on(kBlocks)(data->out.data(), data->table.data(), data->ids.data());
    return data->out[0] == data->table[static_cast<std::size_t>(data->ids[0]) * kCols];
}

/* ---- the same gather again and again */

struct Gather {
    Data data;
    Table table{data.table.data()};
    Tile<TileType::Vec, float, kRows, kCols> dst;
    Tile<TileType::Vec, int32_t, 1, kRows> idx;
};

static void *begin_gather(const void *what)
{
    setenv("PTOG_TARGET", static_cast<const char *>(what), 1);
    setenv("PTOG_SANITIZE", "0", 1);
    auto *gather = new Gather;
    Ids<kRows> idsGm(gather->data.ids.data());
    TASSIGN(gather->dst, 0);
    TASSIGN(gather->idx, 0x8000);
    TLOAD(gather->idx, idsGm);
    return gather;
}

static bool gather(void *state)
{
    auto *g = static_cast<Gather *>(state);
    MGATHER<Coalesce::Row, GatherOOB::Clamp>(g->dst, g->table, g->idx);
    return true;
}

template <class T> static bool end(void *state)
{
    delete static_cast<T *>(state);
    return true;
}

int main(int argc, char **argv)
{
    const work works[] = {
        {"C++ MGATHER, host", "host", begin_gather, gather, end<Gather>},
        {"C++ launch, host", "host", begin, launch, end<Data>},
        {"C++ launch, a2a3", "a2a3", begin, launch, end<Data>},
        {"C++ launch, a5", "a5", begin, launch, end<Data>},
    };
    return turn_main(argc, argv, works, sizeof works / sizeof *works);
}
