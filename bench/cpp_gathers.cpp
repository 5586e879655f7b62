/* bench: plain calls of the four gathers of a C++ kernel against plain loops, turn by turn, best of many rounds. The
 * loops do what the calls do and check nothing. The source is one that the public simulator builds as well
 * (docs/explanation/performance-simulator.md).
 *
 *     PTOG_TARGET=host PTOG_SANITIZE=0 bench/cpp_gathers */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 64, kCols = 128, kTableRows = 1024, kCalls = 100, kRounds = 200;

using Table = GlobalTensor<float, pto::Shape<1, 1, 1, kTableRows, kCols>, pto::Stride<1, 1, 1, kCols, 1>>;
template <class T, int rows, int cols>
using View = GlobalTensor<T, pto::Shape<1, 1, 1, rows, cols>, pto::Stride<1, 1, 1, cols, 1>>;
template <class T, int rows, int cols> using Vec = Tile<TileType::Vec, T, rows, cols, BLayout::RowMajor, rows, cols>;

/* Nanoseconds that a call takes. */
template <class F> static double timed(F call)
{
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; i++)
        call();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / kCalls;
}

/* Both in turn, and whether what is stored is what the loop made. */
template <class Call, class Loop, class Store>
static bool compared(const char *name, Call call, Loop loop, Store store, std::vector<float> &want)
{
    double best_call = 1e30, best_loop = 1e30;
    for (int i = 0; i < kRounds; i++) {
        best_call = std::min(best_call, timed(call));
        best_loop = std::min(best_loop, timed(loop));
    }
    std::vector<float> got(want.size());
    store(got.data());
    std::printf("%-12s call %6.0f ns, loop %6.0f ns, %.2fx\n", name, best_call, best_loop, best_call / best_loop);
    if (got == want)
        return true;
    std::printf("%s: the call and the loop do not agree\n", name);
    return false;
}

/* Keeps the compiler from doing a loop once for all calls. */
static void touched(void *data)
{
    __asm__ volatile("" : : "r"(data) : "memory");
}

static std::vector<float> table(static_cast<std::size_t>(kTableRows) * kCols), out(kRows *kCols);
static std::vector<std::int32_t> ids(kRows *kCols);

static bool rows()
{
    Table tableGM(table.data());
    View<std::int32_t, 1, kRows> idsGM(ids.data());
    Vec<float, kRows, kCols> dst;
    Vec<std::int32_t, 1, kRows> idx;
    TASSIGN(dst, 0x0);
    TASSIGN(idx, 0x10000);
    TLOAD(idx, idsGM);
    auto loop = [] {
        for (int r = 0; r < kRows; r++)
            std::copy_n(&table[static_cast<std::size_t>(ids[r]) * kCols], kCols, &out[r * kCols]);
        touched(out.data());
    };
    auto store = [&](float *to) {
        View<float, kRows, kCols> toGM(to);
        TSTORE(toGM, dst);
    };
    return compared(
        "row 64x128", [&] { MGATHER<Coalesce::Row, GatherOOB::Undefined>(dst, tableGM, idx); }, loop, store, out);
}

static bool elements()
{
    std::vector<float> part(kRows * 64);
    Table tableGM(table.data());
    View<std::int32_t, kRows, 64> idsGM(ids.data());
    Vec<float, kRows, 64> dst;
    Vec<std::int32_t, kRows, 64> idx;
    TASSIGN(dst, 0x0);
    TASSIGN(idx, 0x10000);
    TLOAD(idx, idsGM);
    auto loop = [&] {
        for (int i = 0; i < kRows * 64; i++)
            part[i] = table[ids[i]];
        touched(part.data());
    };
    auto store = [&](float *to) {
        View<float, kRows, 64> toGM(to);
        TSTORE(toGM, dst);
    };
    return compared(
        "elem 64x64", [&] { MGATHER<Coalesce::Elem, GatherOOB::Undefined>(dst, tableGM, idx); }, loop, store, part);
}

static bool by_index()
{
    View<float, kRows, kCols> srcGM(table.data());
    View<std::int32_t, kRows, kCols> idsGM(ids.data());
    Vec<float, kRows, kCols> dst, src;
    Vec<std::int32_t, kRows, kCols> idx, tmp;
    TASSIGN(dst, 0x0);
    TASSIGN(src, 0x8000);
    TASSIGN(idx, 0x10000);
    TASSIGN(tmp, 0x18000);
    TLOAD(src, srcGM);
    TLOAD(idx, idsGM);
    auto loop = [] {
        for (int i = 0; i < kRows * kCols; i++)
            out[i] = table[ids[i]];
        touched(out.data());
    };
    auto store = [&](float *to) {
        View<float, kRows, kCols> toGM(to);
        TSTORE(toGM, dst);
    };
    return compared(
        "index 64x128", [&] { TGATHER(dst, src, idx, tmp); }, loop, store, out);
}

static bool by_mask()
{
    using Dst = Vec<float, kRows, 64>;
    using Src = Vec<float, kRows, kCols>;
    std::vector<float> part(kRows * 64);
    View<float, kRows, kCols> srcGM(table.data());
    Dst dst;
    Src src;
    TASSIGN(dst, 0x0);
    TASSIGN(src, 0x8000);
    TLOAD(src, srcGM);
    auto loop = [&] {
        for (int i = 0; i < kRows * 64; i++)
            part[i] = table[2 * i];
        touched(part.data());
    };
    auto store = [&](float *to) {
        View<float, kRows, 64> toGM(to);
        TSTORE(toGM, dst);
    };
    return compared(
        "mask 64x128", [&] { TGATHER<Dst, Src, MaskPattern::P0101>(dst, src); }, loop, store, part);
}

int main()
{
    for (std::size_t i = 0; i < table.size(); i++)
        table[i] = static_cast<float>(i);
    for (std::size_t i = 0; i < ids.size(); i++) /* below the rows of the table and the elements of a tile */
        ids[i] = static_cast<std::int32_t>(i * 40503u % kTableRows);
    bool good = rows();
    good = elements() && good;
    good = by_index() && good;
    good = by_mask() && good;
    return good ? 0 : 1;
}
