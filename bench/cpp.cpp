/* bench: what the C++ headers add to a call. A 64x128 f32 row MGATHER, from a table of 65536 rows, through a plan of
 * the C interface and through MGATHER on the same target; best of many rounds, turn by turn. And a launch of a kernel
 * that loads one row of eight numbers and does nothing else.
 *
 *     PTOG_TARGET=host PTOG_SANITIZE=0 bench/cpp */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <pto/pto-inst.hpp>
#include <ptog/ptog.h>

using namespace pto;

constexpr int kRows = 64, kCols = 128, kTableRows = 65536, kCalls = 200, kRounds = 400;

using Table = GlobalTensor<float, Shape<1, 1, 1, kTableRows, kCols>, Stride<1, 1, 1, kCols, 1>>;
using Indices = GlobalTensor<int32_t, Shape<1, 1, 1, 1, kRows>, Stride<1, 1, 1, kRows, 1>>;
using Dst = Tile<TileType::Vec, float, kRows, kCols>;
using Idx = Tile<TileType::Vec, int32_t, 1, kRows>;

/* Nanoseconds a call takes. */
template <class F> static double timed(F call)
{
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; i++)
        call();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / kCalls;
}

static ptog_plan *plan_rows()
{
    ptog_mgather op{};
    op.dst = ptog_tile_vec(PTOG_F32, kRows, kCols);
    op.table = ptog_tensor_2d(PTOG_F32, kTableRows, kCols);
    op.idx = ptog_tile_vec(PTOG_I32, 1, kRows);
    op.oob = PTOG_OOB_CLAMP;
    ptog_plan *plan = nullptr;
    if (ptog_plan_mgather(&plan, ptog_target_find("host"), &op, nullptr) != PTOG_OK)
        std::exit(2);
    return plan;
}

/* Nanoseconds of a launch, with its only instruction. */
static double launched(std::vector<int32_t> &ids)
{
    auto kernel = [](int32_t *from) {
        GlobalTensor<int32_t, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>> view(from);
        Tile<TileType::Vec, int32_t, 1, 8> tile;
        TASSIGN(tile, 0);
        TLOAD(tile, view);
    };
    double best = 1e30;
    for (int i = 0; i < kRounds; i++)
        best = std::min(best, timed([&] { ptog::fn(kernel).on(1)(ids.data()); }));
    return best;
}

int main()
{
    std::vector<float> table(static_cast<std::size_t>(kTableRows) * kCols), out(kRows * kCols);
    std::vector<int32_t> ids(kRows);
    for (std::size_t i = 0; i < table.size(); i++)
        table[i] = static_cast<float>(i);
    for (int i = 0; i < kRows; i++)
        ids[i] = static_cast<int32_t>(i * 40503u % kTableRows);

    ptog_plan *plan = plan_rows();
    ptog_run run{};
    run.dst = {out.data(), out.size() * sizeof(float)};
    run.src = {table.data(), table.size() * sizeof(float)};
    run.idx = {ids.data(), ids.size() * sizeof(int32_t)};

    Table tableGM(table.data());
    Indices idsGM(ids.data());
    Dst dst;
    Idx idx;
    TASSIGN(dst, 0);
    TASSIGN(idx, 0x8000);
    TLOAD(idx, idsGM);

    double best_c = 1e30, best_cxx = 1e30;
    for (int i = 0; i < kRounds; i++) {
        best_c = std::min(best_c, timed([&] { ptog_plan_run(plan, &run, nullptr); }));
        best_cxx = std::min(best_cxx, timed([&] { MGATHER<Coalesce::Row, GatherOOB::Clamp>(dst, tableGM, idx); }));
    }
    std::vector<float> got(out.size());
    ptog::peek(dst, got.data());
    if (got != out) {
        std::puts("bench/cpp: the two do not agree");
        return 1;
    }
    std::printf("64x128 f32 row MGATHER: C plan %.0f ns, C++ headers %.0f ns, %.2fx\n", best_c, best_cxx,
                best_cxx / best_c);
    std::printf("a launch with a TLOAD of 1x8: %.0f ns\n", launched(ids));
    ptog_plan_free(plan);
    return 0;
}
