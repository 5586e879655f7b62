/* Products and stores with phases, which need no flags between them; tfillpad in L1; and the calls that send an accumulator to UB. */
#include <pto/pto-inst.hpp>

#include <cstdio>
#include <vector>

using namespace pto;

constexpr int SIZE = 32, USED = 20;
template <class Element, int Rows, int Cols>
using View = GlobalTensor<Element, Shape<1, 1, 1, Rows, Cols>, Stride<Rows * Cols, Rows * Cols, Rows * Cols, Cols, 1>>;
template <int Rows, int Cols>
using Matrix = Tile<TileType::Mat, half, SIZE, SIZE, BLayout::ColMajor, Rows, Cols, SLayout::RowMajor, 512, PadValue::Zero>;

template <pipe_t from, pipe_t to> AICORE inline void order()
{
    set_flag(from, to, EVENT_ID0);
    wait_flag(from, to, EVENT_ID0);
}

AICORE void multiply(__gm__ half *a, __gm__ half *b, __gm__ float *c)
{
    View<half, USED, USED> aView(a);
    View<half, SIZE, SIZE> bView(b);
    View<float, SIZE, SIZE> cView(c);
    Matrix<USED, USED> aMat;
    Matrix<SIZE, SIZE> bMat;
    TileLeft<half, SIZE, SIZE> left;
    TileRight<half, SIZE, SIZE> right;
    TileAcc<float, SIZE, SIZE> acc;
    TASSIGN(aMat, 0x0);
    TASSIGN(bMat, 0x1000);
    TASSIGN(left, 0x0);
    TASSIGN(right, 0x0);
    TASSIGN(acc, 0x0);
    TLOAD(aMat, aView);
    TLOAD(bMat, bView);
    TFILLPAD(aMat, aMat);
    order<PIPE_MTE2, PIPE_MTE1>();
    TEXTRACT(left, aMat, 0, 0);
    TMOV(right, bMat);
    order<PIPE_MTE1, PIPE_M>();
    TMATMUL<AccPhase::Partial>(acc, left, right);
    pipe_barrier(PIPE_M);
    TMATMUL_ACC<AccPhase::Final>(acc, left, right);
    TSTORE<STPhase::Final, decltype(acc), decltype(cView)>(cView, acc);
#ifndef PTO_NPU_ARCH_A2A3
    {
        Tile<TileType::Vec, float, SIZE, SIZE> vec;
        TASSIGN(vec, 0x0);
        order<PIPE_M, PIPE_FIX>();
        TMOV<decltype(vec), decltype(acc), AccToVecMode::SingleModeVec1>(vec, acc);
        pipe_barrier(PIPE_FIX);
        TMOV<decltype(vec), decltype(acc), AccToVecMode::DualModeSplitM, ReluPreMode::NormalRelu>(vec, acc);
        pipe_barrier(PIPE_FIX);
        TEXTRACT<decltype(vec), decltype(acc), AccToVecMode::SingleModeVec0>(vec, acc, 0, 0);
        pipe_barrier(PIPE_FIX);
        TINSERT<decltype(vec), decltype(acc), AccToVecMode::SingleModeVec0>(vec, acc, 0, 0);
    }
#endif
}

int main()
{
    std::vector<half> a(USED * USED), b(SIZE * SIZE);
    std::vector<float> c(SIZE * SIZE, -1.0f);
    for (int i = 0; i < USED * USED; i++)
        a[i] = static_cast<half>(static_cast<float>(i % 7 - 3));
    for (int i = 0; i < SIZE * SIZE; i++)
        b[i] = static_cast<half>(static_cast<float>(i % 5 - 2));
    multiply(a.data(), b.data(), c.data());
    int wrong = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            float sum = 0;
            for (int k = 0; k < USED && i < USED; k++)
                sum += 2 * static_cast<float>(a[i * USED + k]) * static_cast<float>(b[k * SIZE + j]);
            wrong += c[i * SIZE + j] != sum;
        }
    std::printf(wrong == 0 ? "right\n" : "%d wrong\n", wrong);
    return wrong != 0;
}
