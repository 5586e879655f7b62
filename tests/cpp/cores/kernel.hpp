/* A kernel for both kinds of core, with a FIFO: the cube core multiplies tiles of 16x16 by a matrix and pushes the products,
 * the vector cores add a row number to their halves and store them. Macros leave something out, or move it. */
#include <pto/pto-inst.hpp>

#include <pto/common/fifo.hpp>

#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef TILES
#define TILES 6
#endif
#ifndef POPS
#define POPS TILES
#endif

#ifdef __DAV_CUBE__
constexpr bool DAV_CUBE = true;
#else
constexpr bool DAV_CUBE = false;
#endif
#ifdef __DAV_VEC__
constexpr bool DAV_VEC = true;
#else
constexpr bool DAV_VEC = false;
#endif

using namespace pto;

constexpr int Side = 16;
template <class T, int Rows = Side> using View = GlobalTensor<T, Shape<1, 1, 1, Rows, Side>, Stride<1, 1, 1, Side, 1>>;
template <class T> using Matrix = Tile<TileType::Mat, T, Side, Side, BLayout::ColMajor, Side, Side, SLayout::RowMajor, 512>;
template <class T, int Rows> using Vector = Tile<TileType::Vec, T, Rows, Side, BLayout::RowMajor, Rows, Side>;
using Products = TileAcc<float, Side, Side, Side, Side>;
using Fifo = TPipe<0, Direction::DIR_C2V, Side * Side * sizeof(float), SLOTS>;

AICORE inline void produce(Fifo &fifo, __gm__ half *a, __gm__ half *b)
{
    Matrix<half> in_a, in_b;
    TileLeft<half, Side, Side> left;
    TileRight<half, Side, Side> right;
    Products acc;
    View<half> all_b(b);
    TASSIGN(in_a, 0x0);
    TASSIGN(in_b, 0x1000);
    TASSIGN(left, 0x0);
    TASSIGN(right, 0x0);
    TASSIGN(acc, 0x0);
    for (int i = 0; i < TILES; i++) {
        View<half> some(a + i * Side * Side);
        TLOAD(in_a, some);
        TLOAD(in_b, all_b);
        set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID1);
        wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID1);
        TMOV(left, in_a);
        TMOV(right, in_b);
        set_flag(PIPE_MTE1, PIPE_M, EVENT_ID1);
        wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID1);
        TMATMUL(acc, left, right);
#ifndef NO_FIX
        set_flag(PIPE_M, PIPE_FIX, EVENT_ID1);
        wait_flag(PIPE_M, PIPE_FIX, EVENT_ID1);
#endif
        TPUSH<Fifo, Products, TileSplitAxis::TILE_UP_DOWN>(fifo, acc);
        pipe_barrier(PIPE_ALL);
    }
}

AICORE inline void consume(Fifo &fifo, __gm__ float *out)
{
    Vector<float, Side / 2> part, sum;
    TASSIGN(sum, 0x8000);
    for (int i = 0; i < POPS; i++) {
        View<float, Side / 2> mine(out + i * Side * Side + get_subblockid() * Side * Side / 2);
        TPOP<Fifo, Vector<float, Side / 2>, TileSplitAxis::TILE_UP_DOWN>(fifo, part);
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
        wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
#ifdef EARLY_FREE
        TFREE<Fifo, TileSplitAxis::TILE_UP_DOWN>(fifo);
#endif
        TADDS(sum, part, static_cast<float>(i));
#if !defined(NO_FREE) && !defined(EARLY_FREE)
        TFREE<Fifo, TileSplitAxis::TILE_UP_DOWN>(fifo);
#endif
        set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
        wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
        TSTORE(mine, sum);
        pipe_barrier(PIPE_ALL);
    }
}

/* CROSSED: the cube core waits for counter 8 and then sets 9, the vector cores wait for 9 and then set 8. */
AICORE inline void cross()
{
    constexpr uint64_t Mode = 1 | 2 << 4;
    if constexpr (DAV_CUBE) {
        wait_flag_dev(8);
        ffts_cross_core_sync(PIPE_FIX, Mode | 9 << 8);
    }
    if constexpr (DAV_VEC) {
        wait_flag_dev(9);
        ffts_cross_core_sync(PIPE_MTE3, Mode | 8 << 8);
    }
}

template <class Out> __global__ AICORE void multiply(__gm__ Out *out, __gm__ half *a, __gm__ half *b, __gm__ float *slots)
{
    Fifo fifo((__gm__ void *)slots, 0x0, 0x0);
#ifdef CROSSED
    cross();
#endif
    if constexpr (DAV_CUBE)
        produce(fifo, a, b);
    if constexpr (DAV_VEC)
        consume(fifo, out);
#ifdef THROWS
    if (DAV_CUBE)
        throw 7;
#endif
}
