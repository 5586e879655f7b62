/* The documents' C++ examples, each as printed in a namespace of its own, and a main that runs one of them: NAME, or
 * NAME preset, with the tiles that nobody loads given. @NAME@ stands for the text of seeds/NAME.inc. */
#include <pto/pto-inst.hpp>

#include <pto/cpu/MGatherScatter.hpp>
#include <pto/npu/a2a3/MGather.hpp>
#include <pto/npu/a5/MGather.hpp>
#include <pto/npu/a5/custom/MGather.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static float floats[1024 * 64];
static half halves[65536 * 64];
static int32_t ids[1024];

namespace s000_embedding {
@000_embedding@
}
namespace s000_viewed { /* as Nx1, which the tile is */
@000_viewed@
}
namespace s000_flagged { /* and with the flag that it lacks */
@000_flagged@
}
namespace s000_sparse {
@000_sparse@
}
namespace s000_manual {
@000_manual@
}
/* 001 and 003 print no kernel: their form of the instruction, in the shape that 003 asks for. */
namespace s001_base {
using namespace pto;
void example(__gm__ float *table, __gm__ int32_t *indices)
{
    using DstT = Tile<TileType::Vec, float, 16, 16>;
    using IdxT = Tile<TileType::Vec, int32_t, 16, 16>;
    GlobalTensor<float, Shape<1, 1, 1, 64, 16>, Stride<1, 1, 1, 16, 1>> src(table);
    GlobalTensor<int32_t, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 16, 1>> idxGM(indices);
    DstT dst;
    IdxT idx;
    TLOAD(idx, idxGM);
    MGATHER(dst, src, idx);
}
} // namespace s001_base
namespace s002_auto {
pto::GlobalTensor<float, pto::Shape<1, 1, 1, 64, 16>, pto::Stride<1, 1, 1, 16, 1>> src(floats);
@002_auto@
}
namespace s002_manual {
pto::GlobalTensor<float, pto::Shape<1, 1, 1, 64, 16>, pto::Stride<1, 1, 1, 16, 1>> src(floats);
@002_manual@
}
namespace s002_embedding {
@002_embedding@
}
namespace s002_elem_2d {
using namespace pto;
@002_elem_2d@
}
namespace s002_row_colidx {
using namespace pto;
@002_row_colidx@
}
namespace s002_scalar {
using namespace pto;
@002_scalar@
}
namespace s002_dynamic {
using namespace pto;
void example(__gm__ float *srcGm)
{
    const int dstUbOffsetBytes = 0, idxUbOffsetBytes = 0x80;
@002_dynamic@
}
}
namespace s004_auto {
@004_auto@
}
namespace s004_manual {
@004_manual@
}

/* A tile of T at an address, as nothing in the examples has loaded it. */
template <class T, int R, int C, int VR = R, int VC = C>
static void preset(uint64_t addr, const T *values)
{
    pto::Tile<pto::TileType::Vec, T, R, C, pto::BLayout::RowMajor, VR, VC> tile;
    TASSIGN(tile, addr);
    ptog::preset(tile, values);
}

/* Each element of the tile at an address is table[want(r, c)]; says so when it is not. */
template <class T, int R, int C, int VR = R, int VC = C, class Want>
static void expect(uint64_t addr, const T *table, Want want)
{
    pto::Tile<pto::TileType::Vec, T, R, C, pto::BLayout::RowMajor, VR, VC> tile;
    T got[VR * VC];
    TASSIGN(tile, addr);
    ptog::peek(tile, got);
    for (int r = 0; r < VR; r++)
        for (int c = 0; c < VC; c++)
            if (std::memcmp(&got[r * VC + c], &table[want(r, c)], sizeof(T)) != 0) {
                std::printf("wrong at (%d, %d)\n", r, c);
                std::exit(3);
            }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    bool given = argc > 2;
    for (int i = 0; i < 1024 * 64; i++)
        floats[i] = static_cast<float>(i);
    for (int i = 0; i < 65536 * 64; i++)
        halves[i] = static_cast<half>(static_cast<float>(i % 2048));
    for (int i = 0; i < 1024; i++)
        ids[i] = i * 7 % 30;
    auto is = [&](const char *other) { return std::strcmp(name, other) == 0; };
    if (is("000_embedding")) {
        s000_embedding::example_embedding_lookup<float, 16, 32, 100>(floats, ids);
    } else if (is("000_viewed")) {
        s000_viewed::example_embedding_lookup<float, 16, 32, 100>(floats, ids);
    } else if (is("000_flagged")) {
        s000_flagged::example_embedding_lookup<float, 16, 32, 100>(floats, ids);
        expect<float, 16, 32>(0x1000, floats, [](int r, int c) { return ids[r] * 32 + c; });
    } else if (is("000_sparse")) {
        if (given)
            preset<int32_t, 16, 16>(0, ids);
        s000_sparse::example_sparse_gather(floats, ids);
        if (given)
            expect<float, 16, 16>(0x2000, floats, [](int r, int c) { return ids[r * 16 + c]; });
    } else if (is("000_manual")) {
        if (given)
            preset<int32_t, 8, 1>(0, ids);
        s000_manual::example_manual();
        if (given)
            expect<half, 8, 64>(0x1000, halves, [](int r, int c) { return ids[r] * 64 + c; });
    } else if (is("001_base")) {
        s001_base::example(floats, ids);
        expect<float, 16, 16>(1024, floats, [](int r, int c) { return ids[r * 16 + c]; });
    } else if (is("002_auto")) {
        if (given)
            preset<int32_t, 16, 16>(1024, ids);
        s002_auto::example_auto();
        if (given)
            expect<float, 16, 16>(0, floats, [](int r, int c) { return ids[r * 16 + c]; });
    } else if (is("002_manual")) {
        if (given)
            preset<int32_t, 16, 16>(0x2000, ids);
        s002_manual::example_manual();
        if (given)
            expect<float, 16, 16>(0x1000, floats, [](int r, int c) { return ids[r * 16 + c]; });
    } else if (is("002_embedding")) {
        s002_embedding::example_embedding_lookup<float, 16, 64, 64>(floats, ids, nullptr);
        expect<float, 16, 64>(0, floats, [](int r, int c) { return ids[r] * 64 + c; });
    } else if (is("002_embedding_large")) { /* dst reaches over the index tile */
        s002_embedding::example_embedding_lookup<float, 32, 64, 64>(floats, ids, nullptr);
    } else if (is("002_elem_2d")) {
        if (given)
            preset<int32_t, 8, 32>(0x800, ids);
        s002_elem_2d::example_elem_2d(floats, ids);
        if (given)
            expect<float, 8, 32>(0, floats, [](int r, int c) { return ids[r * 32 + c]; });
    } else if (is("002_row_colidx")) {
        s002_row_colidx::example_row_colidx(halves, ids);
        expect<half, 8, 64>(0, halves, [](int r, int c) { return ids[r] * 64 + c; });
    } else if (is("002_scalar")) {
        if (given)
            preset<int32_t, 1, 8, 1, 1>(0x80, ids + 1);
        s002_scalar::example_scalar(floats, ids);
        if (given)
            expect<float, 1, 8, 1, 1>(0, floats, [](int, int) { return ids[1]; });
    } else if (is("002_dynamic")) {
        if (given)
            preset<int32_t, 1, 16, 1, 9>(0x80, ids);
        s002_dynamic::example(floats);
        if (given)
            expect<float, 1, 16, 1, 9>(0, floats, [](int, int c) { return ids[c]; });
    } else if (is("004_auto")) {
        if (given) { /* tiles without TASSIGN lie in the order of their first use: dst, src0, idx */
            preset<float, 16, 16>(1024, floats);
            preset<int32_t, 16, 16>(2048, ids);
        }
        s004_auto::example_auto();
        if (given)
            expect<float, 16, 16>(0, floats, [](int r, int c) { return ids[r * 16 + c]; });
    } else if (is("004_manual")) {
        s004_manual::example_manual();
    } else {
        std::printf("no such example: %s\n", name);
        return 2;
    }
    return 0;
}
