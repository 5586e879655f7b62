/* examples: an embedding lookup with its host program, as written for the device: four blocks look up 16 rows each.
 *
 *     ptog-cxx --target=a2a3 launch.cpp -o launch && ./launch */
#include <cstdint>
#include <cstdio>
#include <vector>

#include <acl/acl.h>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kVocabulary = 1000, kWidth = 64, kTokens = 64, kBlocks = 4, kRows = kTokens / kBlocks;

template <typename T, int Rows, int Width>
__global__ AICORE void embed(__gm__ T *out, __gm__ T *table, __gm__ int32_t *ids)
{
    using Table = GlobalTensor<T, Shape<1, 1, 1, kVocabulary, Width>, Stride<1, 1, 1, Width, 1>>;
    using Ids = GlobalTensor<int32_t, Shape<1, 1, 1, 1, Rows>, Stride<1, 1, 1, Rows, 1>>;
    using Out = GlobalTensor<T, Shape<1, 1, 1, Rows, Width>, Stride<1, 1, 1, Width, 1>>;
    Table tableGm(table);
    Ids idsGm(ids + get_block_idx() * Rows);
    Out outGm(out + get_block_idx() * Rows * Width);

    Tile<TileType::Vec, int32_t, 1, Rows> idx;
    Tile<TileType::Vec, T, Rows, Width> dst;
    TASSIGN(idx, 0x0);
    TASSIGN(dst, 0x1000);

    TLOAD(idx, idsGm);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MGATHER<Coalesce::Row, GatherOOB::Clamp>(dst, tableGm, idx);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(outGm, dst);
}

static bool check(aclError error, const char *what)
{
    if (error != ACL_SUCCESS)
        std::printf("%s: error %d\n", what, error);
    return error == ACL_SUCCESS;
}

/* Device memory with the contents of a vector. */
template <typename T> static T *to_device(const std::vector<T> &host)
{
    void *device = nullptr;
    size_t bytes = host.size() * sizeof(T);
    check(aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    check(aclrtMemcpy(device, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
    return static_cast<T *>(device);
}

int main()
{
    std::vector<float> table(kVocabulary * kWidth), out(kTokens * kWidth);
    std::vector<int32_t> ids(kTokens);
    for (int i = 0; i < kVocabulary * kWidth; i++)
        table[i] = static_cast<float>(i / kWidth) + static_cast<float>(i % kWidth) / kWidth;
    for (int i = 0; i < kTokens; i++)
        ids[i] = i * 7919 % kVocabulary;

    aclrtStream stream = nullptr;
    check(aclInit(nullptr), "aclInit");
    check(aclrtSetDevice(0), "aclrtSetDevice");
    check(aclrtCreateStream(&stream), "aclrtCreateStream");
    float *tableGm = to_device(table), *outGm = to_device(out);
    int32_t *idsGm = to_device(ids);

    embed<float, kRows, kWidth><<<kBlocks, nullptr, stream>>>(outGm, tableGm, idsGm);

    check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
    size_t bytes = out.size() * sizeof(float);
    check(aclrtMemcpy(out.data(), bytes, outGm, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
    int wrong = 0;
    for (int i = 0; i < kTokens * kWidth; i++)
        wrong += out[i] != table[ids[i / kWidth] * kWidth + i % kWidth];
    std::printf("%d blocks, %d rows each: token 1 is row %d, %g to %g; %d of %d elements wrong\n", kBlocks, kRows,
                ids[1], static_cast<double>(out[kWidth]), static_cast<double>(out[2 * kWidth - 1]), wrong,
                kTokens * kWidth);

    check(aclrtFree(tableGm), "aclrtFree");
    check(aclrtFree(outGm), "aclrtFree");
    check(aclrtFree(idsGm), "aclrtFree");
    check(aclrtDestroyStream(stream), "aclrtDestroyStream");
    check(aclrtResetDevice(0), "aclrtResetDevice");
    check(aclFinalize(), "aclFinalize");
    return wrong != 0;
}
