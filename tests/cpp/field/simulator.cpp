/* As sources of the public simulator are: compiled with -D__CPU_SIM, a main of googletest, the host side without acl/acl.h, kernels
 * that are called as functions. */
#include <pto/common/type.hpp>

#include <sstream>

#include <gtest/gtest.h>
#include <pto/pto-inst.hpp>

using namespace pto;

class GatherTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        NPUMemoryModel::Instance().Initialize(NPUArch::A5);
    }
};

template <GatherOOB Oob, typename T, int Rows, int Cols, int TableRows>
AICORE void runRow(__gm__ T __out__ *out, __gm__ T __in__ *table, __gm__ int32_t __in__ *indices)
{
    GlobalTensor<T, Shape<1, 1, 1, TableRows, Cols>, Stride<1, 1, 1, Cols, 1>> tableGlobal(table);
    GlobalTensor<int32_t, Shape<1, 1, 1, 1, Rows>, Stride<1, 1, 1, Rows, 1>> idxGlobal(indices);
    GlobalTensor<T, Shape<1, 1, 1, Rows, Cols>, Stride<1, 1, 1, Cols, 1>> outGlobal(out);
    Tile<TileType::Vec, T, Rows, Cols> dst;
    Tile<TileType::Vec, int32_t, 1, Rows> idx;
    TASSIGN(idx, 0x0);
    TASSIGN(dst, Rows * 4);
    TLOAD(idx, idxGlobal);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MGATHER<Coalesce::Row, Oob>(dst, tableGlobal, idx);
    set_flag(PIPE_V, PIPE_MTE3, 0);
    wait_flag(PIPE_V, PIPE_MTE3, 0);
    TSTORE(outGlobal, dst);
}

template <typename T, typename Launcher> void runTest(Launcher launcher, const int (&wanted)[8])
{
    constexpr size_t cols = 32, tableBytes = 8 * cols * sizeof(T);
    T *table, *out, *tableDevice, *outDevice;
    int32_t *idxDevice;
    const int32_t idx[8] = {7, 0, 3, 3, 1, 6, 9, 12};
    aclrtStream stream;
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    aclrtMallocHost((void **)&table, tableBytes);
    aclrtMallocHost((void **)&out, tableBytes);
    aclrtMalloc((void **)&tableDevice, tableBytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void **)&outDevice, tableBytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void **)&idxDevice, sizeof idx, ACL_MEM_MALLOC_HUGE_FIRST);
    for (size_t i = 0; i < 8 * cols; i++)
        table[i] = static_cast<T>(static_cast<float>(i / cols + 1));
    aclrtMemcpy(tableDevice, tableBytes, table, tableBytes, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemcpy(idxDevice, sizeof idx, idx, sizeof idx, ACL_MEMCPY_HOST_TO_DEVICE);
    launcher(outDevice, tableDevice, idxDevice);
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(out, tableBytes, outDevice, tableBytes, ACL_MEMCPY_DEVICE_TO_HOST);
    for (size_t row = 0; row < 8; row++)
        EXPECT_EQ(aclFloat16ToFloat(static_cast<aclFloat16>(static_cast<float>(out[row * cols + 5]))), static_cast<float>(wanted[row]));
    aclrtFree(tableDevice);
    aclrtFree(outDevice);
    aclrtFree(idxDevice);
    aclrtFreeHost(table);
    aclrtFreeHost(out);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
}

TEST_F(GatherTest, clamp)
{
    runTest<float>(runRow<GatherOOB::Clamp, float, 8, 32, 8>, {8, 1, 4, 4, 2, 7, 8, 8});
}

TEST_F(GatherTest, half_wrap)
{
    runTest<aclFloat16>(runRow<GatherOOB::Wrap, half, 8, 32, 8>, {8, 1, 4, 4, 2, 7, 2, 5});
}

TEST_F(GatherTest, zero)
{
    runTest<int16_t>(runRow<GatherOOB::Zero, int16_t, 8, 32, 8>, {8, 1, 4, 4, 2, 7, 0, 0});
}

TEST_F(GatherTest, has_a_name)
{
    EXPECT_TRUE(testing::UnitTest::GetInstance()->current_test_info()->name()[0] == 'h');
}

TEST_F(GatherTest, prints)
{
    Tile<TileType::Vec, float, 1, 8> numbers, copy;
    Tile<TileType::Vec, int8_t, 1, 32> bytes;
    TASSIGN(numbers, 0);
    TASSIGN(copy, 0x40);
    TASSIGN(bytes, 0x80);
    TEXPANDS(numbers, 1.23456f);
    TPREFETCH(copy, numbers);
    TEXPANDS(bytes, static_cast<int8_t>(-12));
    std::ostringstream printed;
    std::streambuf *before = std::cout.rdbuf(printed.rdbuf());
    TPRINT(copy);
    TPRINT<PrintFormat::Width8_Precision2>(copy, numbers);
    TPRINT<PrintFormat::Width10_Precision6>(numbers);
    TPRINT(bytes);
    std::cout.rdbuf(before);
    const std::string text = printed.str();
    EXPECT_TRUE(text.find("TPRINT 1x8\n  1.2346   1.2346") != std::string::npos);
    EXPECT_TRUE(text.find("\n    1.23     1.23") != std::string::npos);
    EXPECT_TRUE(text.find("\n  1.234560   1.234560") != std::string::npos);
    EXPECT_TRUE(text.find("TPRINT 1x32\n     -12      -12") != std::string::npos);
}
