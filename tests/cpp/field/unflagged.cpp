/* Kernels without their flags, for PTOG_APPLY_FIX: statements over several lines and in a lambda; in a macro; alone after an if. The
 * argument says which kernel runs. */
#include <pto/pto-inst.hpp>

#include <cstdio>
#include <cstdlib>

using namespace pto;

using Row = Tile<TileType::Vec, float, 1, 64>;
using Global = GlobalTensor<float, Shape<1, 1, 1, 1, 64>, Stride<64, 64, 64, 64, 1>>;

AICORE void lines(float *data)
{
    Global global(data);
    Row row;
    TASSIGN(row, 0);
    TLOAD(row, // a comment; with a semicolon
          global);
    auto twice = [](Row &of) {
        TMULS(of,
              /* another; one */ of, 2.0f);
    };
    twice(row);
    TSTORE(
        global,
        row);
}

#define LOAD_ROW(row, global) TLOAD(row, global)

AICORE void macro(float *data)
{
    Global global(data);
    Row row;
    TASSIGN(row, 0);
    LOAD_ROW(row, global);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
    TMULS(row, row, 2.0f);
    pipe_barrier(PIPE_ALL);
    LOAD_ROW(row, global);
    TSTORE(global, row);
}

AICORE void alone(float *data)
{
    Global global(data);
    Row row;
    TASSIGN(row, 0);
    if (data)
        TLOAD(row, global);
    TSTORE(global, row);
}

int main(int, char **argv)
{
    float data[64];
    for (int i = 0; i < 64; i++)
        data[i] = static_cast<float>(i);
    int which = std::atoi(argv[1]);
    if (which == 0)
        lines(data);
    else if (which == 1)
        macro(data);
    else
        alone(data);
    std::printf("%g\n", static_cast<double>(data[63]));
}
