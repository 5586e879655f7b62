/* bench: whole kernels of 64x128 tiles, launched with their flags: an addition, a softmax, a gather of rows and a gather
 * by index. The public simulator builds the same source (-D__CPU_SIM), where a kernel is called.
 *
 *     PTOG_TARGET=cpusim bench/cpp_kernels [LAUNCHES [ROUNDS]]
 *
 * A line for each kernel: its name, the microseconds of the thread that a launch takes, the best round, and the sum of
 * what it stored. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 64, kCols = 128, kTableRows = 1024;

template <class T, int rows, int cols>
using View = GlobalTensor<T, pto::Shape<1, 1, 1, rows, cols>, pto::Stride<1, 1, 1, cols, 1>>;
template <class T, int rows, int cols> using Vec = Tile<TileType::Vec, T, rows, cols, BLayout::RowMajor, rows, cols>;
template <class T, int rows> using Column = Tile<TileType::Vec, T, rows, 1, BLayout::ColMajor, rows, 1>;
using Matrix = Vec<float, kRows, kCols>;

static void loaded()
{
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
}

static void computed()
{
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
}

static void add(float *out, float *a, float *b, std::int32_t *)
{
    View<float, kRows, kCols> aGM(a), bGM(b), outGM(out);
    Matrix x, y, sum;
    TASSIGN(x, 0x0);
    TASSIGN(y, 0x8000);
    TASSIGN(sum, 0x10000);
    TLOAD(x, aGM);
    TLOAD(y, bGM);
    loaded();
    TADD(sum, x, y);
    computed();
    TSTORE(outGM, sum);
}

static void softmax(float *out, float *a, float *, std::int32_t *)
{
    View<float, kRows, kCols> aGM(a), outGM(out);
    Matrix x, tmp;
    Column<float, kRows> of_row;
    TASSIGN(x, 0x0);
    TASSIGN(tmp, 0x8000);
    TASSIGN(of_row, 0x10000);
    TLOAD(x, aGM);
    loaded();
    TROWMAX(of_row, x, tmp);
    pipe_barrier(PIPE_V);
    TROWEXPANDSUB(x, x, of_row);
    pipe_barrier(PIPE_V);
    TEXP(x, x);
    pipe_barrier(PIPE_V);
    TROWSUM(of_row, x, tmp);
    pipe_barrier(PIPE_V);
    TROWEXPANDDIV(x, x, of_row);
    computed();
    TSTORE(outGM, x);
}

static void rows(float *out, float *table, float *, std::int32_t *ids)
{
    View<float, kTableRows, kCols> tableGM(table);
    View<std::int32_t, 1, kRows> idsGM(ids);
    View<float, kRows, kCols> outGM(out);
    Matrix dst;
    Vec<std::int32_t, 1, kRows> idx;
    TASSIGN(dst, 0x0);
    TASSIGN(idx, 0x10000);
    TLOAD(idx, idsGM);
    loaded();
    MGATHER<Coalesce::Row, GatherOOB::Clamp>(dst, tableGM, idx);
    computed();
    TSTORE(outGM, dst);
}

static void by_index(float *out, float *a, float *, std::int32_t *ids)
{
    View<float, kRows, kCols> aGM(a), outGM(out);
    View<std::int32_t, kRows, kCols> idsGM(ids);
    Matrix dst, src;
    Vec<std::int32_t, kRows, kCols> idx, tmp;
    TASSIGN(dst, 0x0);
    TASSIGN(src, 0x8000);
    TASSIGN(idx, 0x10000);
    TASSIGN(tmp, 0x18000);
    TLOAD(src, aGM);
    TLOAD(idx, idsGM);
    loaded();
    TGATHER(dst, src, idx, tmp);
    computed();
    TSTORE(outGM, dst);
}

using Kernel = void (*)(float *, float *, float *, std::int32_t *);

static std::vector<float> table(static_cast<std::size_t>(kTableRows) * kCols), other(kRows *kCols, 1.5F),
    out(kRows *kCols);
static std::vector<std::int32_t> ids(kRows *kCols);

static void launch(Kernel kernel)
{
#ifdef __CPU_SIM
    kernel(out.data(), table.data(), other.data(), ids.data());
#else
    ptog::fn([kernel](auto... a) { kernel(a...); }).on(1)(out.data(), table.data(), other.data(), ids.data());
#endif
}

static double microseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

static void measure(const char *name, Kernel kernel, int launches, int rounds)
{
    double best = 1e30, sum = 0;
    launch(kernel);
    for (int round = 0; round < rounds; round++) {
        double start = microseconds();
        for (int i = 0; i < launches; i++)
            launch(kernel);
        best = std::min(best, (microseconds() - start) / launches);
    }
    for (float value : out)
        sum += static_cast<double>(value);
    std::printf("%s %.3f %.6g\n", name, best, sum);
}

int main(int argc, char **argv)
{
    const int launches = argc > 1 ? std::atoi(argv[1]) : 20, rounds = argc > 2 ? std::atoi(argv[2]) : 15;
    for (std::size_t i = 0; i < table.size(); i++)
        table[i] = static_cast<float>(i % 977) / 100;
    for (std::size_t i = 0; i < ids.size(); i++) /* below the rows of the table and the elements of a tile */
        ids[i] = static_cast<std::int32_t>(i * 40503U % kTableRows);
    measure("add", add, launches, rounds);
    measure("softmax", softmax, launches, rounds);
    measure("row-gather", rows, launches, rounds);
    measure("index-gather", by_index, launches, rounds);
    return 0;
}
