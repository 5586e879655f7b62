/* Embedding and projection for the device: out = table[words] * weight. Both kinds of core run this function: the vector
 * cores gather the rows of the words into global memory, 16 each of a step of 32; the cube core waits until both have
 * stored theirs, and multiplies them by the weights.
 *
 *     ptog-cxx --target a2a3 kernel.cpp -o projection && ./projection DATA OUT
 *
 * DATA is a folder that ../data.py has made, OUT an existing folder for out.npy. */
#include "../common.hpp"

using namespace pto;

constexpr int Words = 64, Vocabulary = 100, Width = 64, Out = 32, Step = 32, Part = Step / 2;
constexpr int Stored = 0; /* the counter: the rows of a step are in global memory */

template <typename T, int Rows, int Cols>
using View = GlobalTensor<T, Shape<1, 1, 1, Rows, Cols>, Stride<1, 1, 1, Cols, 1>>;
template <typename T, int Rows, int Cols>
using Matrix = Tile<TileType::Mat, T, Rows, Cols, BLayout::ColMajor, Rows, Cols, SLayout::RowMajor, 512>;
template <typename T, int Rows, int Cols>
using Vector = Tile<TileType::Vec, T, Rows, Cols, BLayout::RowMajor, Rows, Cols>;

AICORE inline void gather_rows(__gm__ half *rows, __gm__ half *table, __gm__ int32_t *words)
{
    Vector<int32_t, 1, Part> idx[2];
    Vector<half, Part, Width> emb[2];
    for (int set = 0; set < 2; set++) {
        TASSIGN(idx[set], set * 0x1000);
        TASSIGN(emb[set], 0x100 + set * 0x1000);
        set_flag(PIPE_V, PIPE_MTE2, flag_of(set));
        set_flag(PIPE_MTE3, PIPE_V, flag_of(set));
    }
    for (int at = 0; at < Words; at += Step) {
        const int set = at / Step % 2, from = at + static_cast<int>(get_subblockid()) * Part;
        View<half, Vocabulary, Width> all(table);
        View<int32_t, 1, Part> these(words + from);
        View<half, Part, Width> stored(rows + from * Width);
        wait_flag(PIPE_V, PIPE_MTE2, flag_of(set));
        TLOAD(idx[set], these);
        set_flag(PIPE_MTE2, PIPE_V, flag_of(set));
        wait_flag(PIPE_MTE2, PIPE_V, flag_of(set));
        wait_flag(PIPE_MTE3, PIPE_V, flag_of(set));
        MGATHER<Coalesce::Row, GatherOOB::Clamp>(emb[set], all, idx[set]);
        set_flag(PIPE_V, PIPE_MTE2, flag_of(set));
        set_flag(PIPE_V, PIPE_MTE3, flag_of(set));
        wait_flag(PIPE_V, PIPE_MTE3, flag_of(set));
#ifdef WRONG
        ffts_cross_core_sync(PIPE_MTE3, to_other_core(Stored)); /* the store is not complete: it has not even begun */
        TSTORE(stored, emb[set]);
#else
        TSTORE(stored, emb[set]);
        ffts_cross_core_sync(PIPE_MTE3, to_other_core(Stored));
#endif
        set_flag(PIPE_MTE3, PIPE_V, flag_of(set));
    }
    wait_for_sets();
}

AICORE inline void multiply_rows(__gm__ float *out, __gm__ half *rows, __gm__ half *weight)
{
    Matrix<half, Width, Out> weights;
    Matrix<half, Step, Width> step;
    TileLeft<half, Step, Width> left;
    TileRight<half, Width, Out> right;
    TileAcc<float, Step, Out> acc;
    View<half, Width, Out> all_weights(weight);
    TASSIGN(weights, 0x0);
    TASSIGN(step, 0x2000);
    TASSIGN(left, 0x0);
    TASSIGN(right, 0x0);
    TASSIGN(acc, 0x0);
    TLOAD(weights, all_weights);
    set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID1);
    TMOV(right, weights);
    set_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID1);
    set_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);
    set_flag(PIPE_FIX, PIPE_M, EVENT_ID1);
    for (int at = 0; at < Words; at += Step) {
        View<half, Step, Width> these(rows + at * Width);
        View<float, Step, Out> result(out + at * Out);
        wait_flag_dev(Stored);
        wait_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID1);
        TLOAD(step, these);
        set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID1);
        wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID1);
        wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);
        TMOV(left, step);
        set_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID1);
        set_flag(PIPE_MTE1, PIPE_M, EVENT_ID1);
        wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID1);
        wait_flag(PIPE_FIX, PIPE_M, EVENT_ID1);
        TMATMUL(acc, left, right);
        set_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);
        set_flag(PIPE_M, PIPE_FIX, EVENT_ID1);
        wait_flag(PIPE_M, PIPE_FIX, EVENT_ID1);
        TSTORE(result, acc);
        set_flag(PIPE_FIX, PIPE_M, EVENT_ID1);
    }
    wait_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID1);
    wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);
    wait_flag(PIPE_FIX, PIPE_M, EVENT_ID1);
}

__global__ AICORE void projection(__gm__ uint64_t *ffts, __gm__ float *out, __gm__ half *rows, __gm__ half *table,
                                  __gm__ int32_t *words, __gm__ half *weight)
{
    set_ffts_base_addr(reinterpret_cast<uint64_t>(ffts));
    if constexpr (on_vector)
        gather_rows(rows, table, words);
    if constexpr (on_cube)
        multiply_rows(out, rows, weight);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const std::string data = std::string(argv[1]) + "/";
    std::vector<half> table = load<half>(data + "table.npy", Vocabulary * Width), rows(Words * Width);
    std::vector<half> weight = load<half>(data + "weight.npy", Width * Out);
    std::vector<int32_t> words = load<int32_t>(data + "words.npy", Words);
    std::vector<float> out(Words * Out);
    ptog::gm_known known(out, rows, table, words, weight); /* accesses past their ends are reported */
    projection<<<1, nullptr, nullptr>>>(nullptr, out.data(), rows.data(), table.data(), words.data(), weight.data());
    save(std::string(argv[2]) + "/out.npy", "<f4", out);
    return 0;
}
