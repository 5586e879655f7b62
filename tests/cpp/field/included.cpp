/* Launches where sources have them: in included files, through several files, behind macros, of templates and of several kernels, on
 * more than one stream, with a dynUBufSize. */
#include "acl/acl.h"
#include <pto/pto-inst.hpp>

#include <cstdio>

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define VARIANT Twice

#include "parts/kernels.h"

int main()
{
    constexpr size_t count = 4 * 64, bytes = count * sizeof(float);
    float host[count], *device;
    aclrtStream first, second;
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&first);
    aclrtCreateStream(&second);
    aclrtMalloc((void **)&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    for (size_t i = 0; i < count; i++)
        host[i] = static_cast<float>(i);
    aclrtMemcpy(device, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    launchPlus<float>(device, 4, first);
    CONCAT(run, VARIANT)<float, 64><<<4, nullptr, second>>>(device);
    LAUNCH_PLUS(4, second)(device);
    aclrtSynchronizeStream(first);
    aclrtSynchronizeStream(second);
    aclrtMemcpy(host, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    bool right = true;
    for (size_t i = 0; i < count; i++)
        right = right && host[i] == (static_cast<float>(i) + 1) * 2 + 1;
    aclrtFree(device);
    aclrtDestroyStream(first);
    aclrtDestroyStream(second);
    aclrtResetDevice(0);
    aclFinalize();
    std::puts(right ? "right" : "wrong");
    return !right;
}
