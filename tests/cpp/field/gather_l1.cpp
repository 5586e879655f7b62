/* Rows and elements gathered straight into L1, as kernels of the cube core do it before a product. A product with the identity shows what came. */
#include <pto/pto-inst.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace pto;

constexpr int R = 16, C = 32, ROWS = 40;
template <class Element, int Rows, int Cols>
using View = GlobalTensor<Element, Shape<1, 1, 1, Rows, Cols>, Stride<Rows * Cols, Rows * Cols, Rows * Cols, Cols, 1>>;
template <class Element, int Rows, int Cols>
using Matrix = Tile<TileType::Mat, Element, Rows, Cols, BLayout::ColMajor, Rows, Cols, SLayout::RowMajor, 512>;

template <pipe_t from, pipe_t to> AICORE inline void order()
{
    set_flag(from, to, EVENT_ID0);
    wait_flag(from, to, EVENT_ID0);
}

template <Coalesce mode, GatherOOB oob>
AICORE void gather(__gm__ half *table, __gm__ int32_t *indices, __gm__ half *scratch, __gm__ half *ones, __gm__ float *out)
{
    View<half, ROWS, C> rows(table);
    View<half, R, C> room(scratch);
    View<half, C, C> identity(ones);
    View<float, R, C> result(out);
    Matrix<half, R, C> gathered;
    Matrix<half, C, C> unit;
    TileLeft<half, R, C> left;
    TileRight<half, C, C> right;
    TileAcc<float, R, C> acc;
    TASSIGN(gathered, 0x0);
    TASSIGN(unit, 0x8000);
    TASSIGN(left, 0x0);
    TASSIGN(right, 0x0);
    TASSIGN(acc, 0x0);

    if constexpr (mode == Coalesce::Row) {
        View<int32_t, 1, R> idx(indices);
        MGATHER<mode, oob>(gathered, rows, idx);
#if defined(PTO_NPU_ARCH_A2A3)
        order<PIPE_MTE2, PIPE_MTE3>();
        copy_cbuf_to_gm(scratch, gathered.data(), 0, C / 16, R, 0, 0); // as it lies in L1
#endif
    } else {
        View<int32_t, R, C> idx(indices);
#ifdef WITHOUT_SCRATCH
        MGATHER<mode, oob>(gathered, rows, idx);
#else
        MGATHER<mode, oob>(gathered, rows, idx, room);
#endif
    }
    TLOAD(unit, identity);
    order<PIPE_MTE2, PIPE_MTE1>();
    TMOV(left, gathered);
    TMOV(right, unit);
    order<PIPE_MTE1, PIPE_M>();
    TMATMUL(acc, left, right);
    order<PIPE_M, PIPE_FIX>();
    TSTORE(result, acc);
    pipe_barrier(PIPE_ALL);
}

int main()
{
    std::vector<half> table(ROWS * C), scratch(R * C), copy(R * C), ones(C * C);
    std::vector<int32_t> rows(R), elements(R * C);
    std::vector<float> out(R * C);
    int wrong = 0;
    for (int i = 0; i < ROWS * C; i++)
        table[i] = static_cast<half>(static_cast<float>(i));
    for (int i = 0; i < C; i++)
        ones[i * C + i] = static_cast<half>(1.0f);
    for (int i = 0; i < R; i++)
        rows[i] = i == 3 ? ROWS + 7 : i * 7 % ROWS;
    for (int i = 0; i < R * C; i++)
        elements[i] = i * 31 % (ROWS * C);

    gather<Coalesce::Row, GatherOOB::Zero>(table.data(), rows.data(), copy.data(), ones.data(), out.data());
    for (int i = 0; i < R * C; i++)
        wrong += out[i] != (i / C == 3 ? 0.0f : static_cast<float>(rows[i / C] * C + i % C));
#if defined(PTO_NPU_ARCH_A2A3)
    for (int i = 0; i < R * C; i++)
        wrong += static_cast<float>(copy[i % C / 16 * R * 16 + i / C * 16 + i % 16]) != out[i];
#endif
    gather<Coalesce::Elem, GatherOOB::Undefined>(table.data(), elements.data(), scratch.data(), ones.data(), out.data());
    for (int i = 0; i < R * C; i++)
        wrong += out[i] != static_cast<float>(elements[i]);
    std::printf(wrong ? "%d wrong\n" : "all right\n", wrong);
    return wrong > 0;
}
