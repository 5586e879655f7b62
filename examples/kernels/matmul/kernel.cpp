/* The product of automatic.pto for the device: out = a * b on the cube core, with two sets of tiles in L0.
 *
 *     ptog-cxx --target a2a3 kernel.cpp -o matmul && ./matmul DATA OUT
 *
 * DATA is a folder that ../data.py has made, OUT an existing folder for out.npy. */
#include "../common.hpp"

using namespace pto;

constexpr int M = 64, K = 128, N = 96, Block = 32, Step = 64;

template <typename T, int Rows, int Cols, int Pitch>
using View = GlobalTensor<T, Shape<1, 1, 1, Rows, Cols>, Stride<1, 1, 1, Pitch, 1>>;
template <typename T, int Rows, int Cols>
using Matrix = Tile<TileType::Mat, T, Rows, Cols, BLayout::ColMajor, Rows, Cols, SLayout::RowMajor, 512>;

__global__ AICORE void matmul(__gm__ float *out, __gm__ half *a, __gm__ half *b)
{
    Matrix<half, Block, K> rows;
    Matrix<half, K, Block> cols;
    TileLeft<half, Block, Step> left[2];
    TileRight<half, Step, Block> right[2];
    TileAcc<float, Block, Block> acc;
    TASSIGN(rows, 0x0);
    TASSIGN(cols, 0x2000);
    TASSIGN(acc, 0x0);
    for (int set = 0; set < 2; set++) {
        TASSIGN(left[set], set * 0x1000);
        TASSIGN(right[set], set * 0x1000);
        set_flag(PIPE_M, PIPE_MTE1, flag_of(set));
    }
    set_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID1);
    set_flag(PIPE_FIX, PIPE_M, EVENT_ID1);
    for (int i = 0; i < M; i += Block)
        for (int j = 0; j < N; j += Block) {
            View<half, Block, K, K> these(a + i * K);
            View<half, K, Block, N> those(b + j);
            View<float, Block, Block, N> result(out + i * N + j);
            wait_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID1);
            TLOAD(rows, these);
            TLOAD(cols, those);
            set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID1);

            wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID1);
            for (int set = 0; set < 2; set++) {
                wait_flag(PIPE_M, PIPE_MTE1, flag_of(set));
                TEXTRACT(left[set], rows, 0, set * Step);
                TEXTRACT(right[set], cols, set * Step, 0);
                set_flag(PIPE_MTE1, PIPE_M, flag_of(set));
            }
            set_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID1);

            wait_flag(PIPE_FIX, PIPE_M, EVENT_ID1);
            wait_flag(PIPE_MTE1, PIPE_M, flag_of(0));
            TMATMUL(acc, left[0], right[0]);
            set_flag(PIPE_M, PIPE_MTE1, flag_of(0));
            wait_flag(PIPE_MTE1, PIPE_M, flag_of(1));
            pipe_barrier(PIPE_M);
            TMATMUL_ACC(acc, left[1], right[1]);
            set_flag(PIPE_M, PIPE_MTE1, flag_of(1));
            set_flag(PIPE_M, PIPE_FIX, EVENT_ID1);

            wait_flag(PIPE_M, PIPE_FIX, EVENT_ID1);
            TSTORE(result, acc);
            set_flag(PIPE_FIX, PIPE_M, EVENT_ID1);
        }
    for (int set = 0; set < 2; set++)
        wait_flag(PIPE_M, PIPE_MTE1, flag_of(set));
    wait_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID1);
    wait_flag(PIPE_FIX, PIPE_M, EVENT_ID1);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const std::string data = std::string(argv[1]) + "/";
    std::vector<half> a = load<half>(data + "a.npy", M * K), b = load<half>(data + "b.npy", K * N);
    std::vector<float> out(M * N);
    ptog::gm_known known(out, a, b); /* accesses past their ends are reported */
    matmul<<<1, nullptr, nullptr>>>(out.data(), a.data(), b.data());
    save(std::string(argv[2]) + "/out.npy", "<f4", out);
    return 0;
}
