/* tests: acl/acl.h: what host programs call, with the codes that CANN returns. Prints what is not as it should be. */
#include <cstdio>

#include <acl/acl.h>

static int failed;

static void expect(int line, long long found, long long wanted)
{
    if (found != wanted) {
        std::printf("acl.cpp:%d: %lld, expected %lld\n", line, found, wanted);
        failed++;
    }
}
#define EXPECT(found, wanted) expect(__LINE__, static_cast<long long>(found), static_cast<long long>(wanted))

static void process()
{
    std::int32_t device = 7;
    std::uint32_t count = 0;
    EXPECT(aclFinalize(), 100001);
    EXPECT(aclInit(nullptr), 0);
    EXPECT(aclInit(nullptr), 100002);
    EXPECT(aclrtGetDeviceCount(&count), 0);
    EXPECT(count, 8);
    EXPECT(aclrtGetDevice(&device), 107002);
    EXPECT(aclrtSynchronizeDevice(), 107002);
    EXPECT(aclrtSetDevice(-1), 107001);
    EXPECT(aclrtSetDevice(8), 107001);
    void *data = nullptr;
    EXPECT(aclrtMalloc(&data, 4, ACL_MEM_MALLOC_HUGE_FIRST), 107002);
    EXPECT(aclrtSetDevice(3), 0);
    EXPECT(aclrtGetDevice(&device), 0);
    EXPECT(device, 3);
    EXPECT(aclrtSynchronizeDevice(), 0);
}

static void streams()
{
    aclrtStream one = nullptr, two = nullptr;
    EXPECT(aclrtCreateStream(nullptr), 100000);
    EXPECT(aclrtCreateStream(&one), 0);
    EXPECT(aclrtCreateStream(&two), 0);
    EXPECT(one != two && one != nullptr, 1);
    EXPECT(aclrtSynchronizeStream(one), 0);
    EXPECT(aclrtSynchronizeStream(nullptr), 0);
    EXPECT(aclrtDestroyStream(two), 0);
    EXPECT(aclrtDestroyStream(two), 107003);
    EXPECT(aclrtSynchronizeStream(two), 107003);
    int x = 1, y = 2;
    EXPECT(aclrtMemcpyAsync(&x, 4, &y, 4, ACL_MEMCPY_HOST_TO_HOST, two), 107003);
    EXPECT(aclrtMemcpyAsync(&x, 4, &y, 4, ACL_MEMCPY_HOST_TO_HOST, one), 0);
    EXPECT(x, 2);
    EXPECT(aclrtDestroyStream(one), 0);
}

static void copies(char *device, char *host)
{
    char back[100] = {1};
    EXPECT(aclrtMemcpy(back, 100, device, 100, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    for (char byte : back)
        EXPECT(byte, 0); /* device memory starts as zeros */
    for (int i = 0; i < 100; i++)
        host[i] = static_cast<char>(i);
    EXPECT(aclrtMemcpy(device, 100, host, 100, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    EXPECT(aclrtMemcpy(back, 50, device + 50, 50, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT(back[0], 50);
    EXPECT(aclrtMemcpy(device + 10, 90, device, 90, ACL_MEMCPY_DEVICE_TO_DEVICE), 0);
    EXPECT(aclrtMemcpy(back, 100, device, 100, ACL_MEMCPY_DEFAULT), 0);
    EXPECT(back[99], 89);
    EXPECT(aclrtMemcpy(nullptr, 1, host, 1, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
    EXPECT(aclrtMemcpy(device, 1, nullptr, 1, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
    EXPECT(aclrtMemcpy(device, 9, host, 10, ACL_MEMCPY_HOST_TO_DEVICE), 107000);    /* no room, as the caller says */
    EXPECT(aclrtMemcpy(device, 101, host, 101, ACL_MEMCPY_HOST_TO_DEVICE), 107000); /* no room, as we know */
    EXPECT(aclrtMemcpy(device + 99, 2, host, 2, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
    EXPECT(aclrtMemcpy(back, 100, device + 1, 100, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
    EXPECT(aclrtMemcpy(device, 4, host, 4, ACL_MEMCPY_DEVICE_TO_HOST), 107000); /* the other direction */
    EXPECT(aclrtMemcpy(host, 4, back, 4, ACL_MEMCPY_HOST_TO_DEVICE), 107000);   /* host memory as device memory */
    EXPECT(aclrtMemcpy(back, 4, device, 4, ACL_MEMCPY_HOST_TO_HOST), 107000);
    EXPECT(aclrtMemcpy(back, 4, host, 4, ACL_MEMCPY_DEVICE_TO_DEVICE), 107000);
    EXPECT(aclrtMemcpy(back, 4, host, 4, static_cast<aclrtMemcpyKind>(99)), 107000);
    EXPECT(aclrtMemset(device, 100, 5, 100), 0);
    EXPECT(aclrtMemset(device, 100, 5, 101), 107000);
    EXPECT(aclrtMemset(device, 101, 5, 101), 107000);
    EXPECT(aclrtMemset(nullptr, 1, 5, 1), 100000);
    EXPECT(aclrtMemcpy(back, 1, device + 99, 1, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT(back[0], 5);
}

static void memory()
{
    void *device = nullptr, *host = nullptr;
    EXPECT(aclrtMalloc(nullptr, 4, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
    EXPECT(aclrtMalloc(&device, 0, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
    EXPECT(aclrtMalloc(&device, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
    EXPECT(aclrtMalloc(&device, SIZE_MAX / 2, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
    EXPECT(aclrtMalloc(&device, 100, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    EXPECT(reinterpret_cast<std::uintptr_t>(device) % 512, 0);
    EXPECT(aclrtMallocHost(&host, 100), 0);
    copies(static_cast<char *>(device), static_cast<char *>(host));
    EXPECT(aclrtFree(nullptr), 100000);
    EXPECT(aclrtFree(static_cast<char *>(device) + 1), 107000);
    EXPECT(aclrtFree(host), 107000);
    EXPECT(aclrtFreeHost(device), 107000);
    EXPECT(aclrtFree(device), 0);
    EXPECT(aclrtFree(device), 107000);
    EXPECT(aclrtFreeHost(host), 0);
    EXPECT(aclrtFreeHost(host), 107000);
}

int main()
{
    process();
    streams();
    memory();
    EXPECT(aclrtResetDevice(9), 107001);
    EXPECT(aclrtResetDevice(3), 0);
    EXPECT(aclFinalize(), 0);
    EXPECT(aclFinalize(), 100037);
    std::printf("%d wrong\n", failed);
    return failed != 0;
}
