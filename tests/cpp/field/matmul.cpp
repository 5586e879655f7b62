/* A tiled product as kernels of the cube core write it: K in steps through L0, accumulated, stored as it is, and scaled to bytes; what leaves
 * the accumulator also goes back to L1 as a factor. */
#include <pto/pto-inst.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace pto;

constexpr int M = 32, K = 64, N = 32, STEP = 32;
template <class Element, int Rows, int Cols>
using View = GlobalTensor<Element, Shape<1, 1, 1, Rows, Cols>, Stride<Rows * Cols, Rows * Cols, Rows * Cols, Cols, 1>>;
template <class Element, int Rows, int Cols>
using Matrix = Tile<TileType::Mat, Element, Rows, Cols, BLayout::ColMajor, Rows, Cols, SLayout::RowMajor, 512>;

template <pipe_t from, pipe_t to> AICORE inline void order()
{
    set_flag(from, to, EVENT_ID0);
    wait_flag(from, to, EVENT_ID0);
}

AICORE void multiply(__gm__ half *a, __gm__ half *b, __gm__ float *c, __gm__ int8_t *bytes, __gm__ half *square)
{
    View<half, M, K> aView(a);
    View<half, K, N> bView(b);
    View<float, M, N> cView(c);
    View<int8_t, M, N> byteView(bytes);
    View<half, M, N> squareView(square);
    Matrix<half, M, K> aTile;
    Matrix<half, K, N> bTile;
    Matrix<half, M, N> back;
    TileLeft<half, M, STEP> left;
    TileRight<half, STEP, N> right;
    TileAcc<float, M, N> acc;
    TASSIGN(aTile, 0x0);
    TASSIGN(bTile, 0x10000);
    TASSIGN(back, 0x20000);
    TASSIGN(left, 0x0);
    TASSIGN(right, 0x0);
    TASSIGN(acc, 0x0);

    set_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);
    TLOAD(aTile, aView);
    TLOAD(bTile, bView);
    order<PIPE_MTE2, PIPE_MTE1>();
    for (int k = 0; k < K; k += STEP) {
        wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);
        TEXTRACT(left, aTile, 0, k);
        TEXTRACT(right, bTile, k, 0);
        order<PIPE_MTE1, PIPE_M>();
        if (k == 0)
            TMATMUL(acc, left, right);
        else
            TMATMUL_ACC(acc, left, right);
        set_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);
    }
    wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);
    order<PIPE_M, PIPE_FIX>();
    TSTORE(cView, acc);
    const std::uint64_t half_signed = (std::uint64_t{1} << 46) | 0x3f000000;
    TSTORE<TileAcc<float, M, N>, View<int8_t, M, N>, AtomicType::AtomicNone, ReluPreMode::NormalRelu>(byteView, acc, half_signed);
    TMOV<Matrix<half, M, N>, TileAcc<float, M, N>, ReluPreMode::NormalRelu>(back, acc);
    order<PIPE_FIX, PIPE_MTE1>();
    TMOV(left, back);
    TEXTRACT(right, back, 0, 0);
    order<PIPE_MTE1, PIPE_M>();
    order<PIPE_FIX, PIPE_M>();
    TMATMUL(acc, left, right);
    order<PIPE_M, PIPE_FIX>();
    TSTORE(squareView, acc);
}

int main()
{
    std::vector<half> a(M * K), b(K * N), square(M * N);
    std::vector<float> c(M * N);
    std::vector<std::int8_t> bytes(M * N);
    for (int i = 0; i < M * K; i++) {
        a[i] = static_cast<half>(static_cast<float>(i % 7 - 3));
        b[i] = static_cast<half>(static_cast<float>(i % 5 - 2));
    }
    multiply(a.data(), b.data(), c.data(), bytes.data(), square.data());
    int wrong = 0;
    std::vector<float> kept(M * N);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += static_cast<float>(a[i * K + k]) * static_cast<float>(b[k * N + j]);
            kept[i * N + j] = sum > 0 ? sum : 0;
            wrong += c[i * N + j] != sum;
            float byte = std::nearbyint(kept[i * N + j] / 2);
            wrong += bytes[i * N + j] != (byte > 127 ? 127 : byte);
        }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += kept[i * N + k] * kept[k * N + j];
            wrong += static_cast<float>(square[i * N + j]) != static_cast<float>(static_cast<half>(sum));
        }
    std::printf(wrong == 0 ? "right\n" : "%d wrong\n", wrong);
    return wrong != 0;
}
