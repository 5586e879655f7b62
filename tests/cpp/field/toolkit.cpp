// Headers of the device's toolkit that host programs include, and a kernel source that includes sizes alone.
#include <pto/common/constants.hpp>
#include <runtime/rt.h>
#include <securec.h>

#include <cstdio>

__global__ AICORE void counts(int64_t *ticks)
{
    pipe_barrier(PIPE_ALL);
    ticks[0] = get_sys_cnt();
    ticks[1] = get_sys_cnt();
}

int main()
{
    char to[4] = {1, 2, 3, 4};
    uint64_t at = 1;
    uint32_t bytes = 1;
    int64_t ticks[2] = {0, 0};
    bool copies = memcpy_s(to, 4, "abcd", 3) == EOK && to[2] == 'c' && to[3] == 4 && memcpy_s(to, 4, "abcdefgh", 5) != EOK && to[0] == 0;
    bool sets = memset_s(to, 4, 7, 4) == EOK && to[3] == 7 && memset_s(to, 2, 9, 4) != EOK && to[1] == 9 && to[2] == 7 &&
                memmove_s(to, 4, nullptr, 2) != EOK;
    bool asks = rtGetC2cCtrlAddr(&at, &bytes) == RT_ERROR_NONE && bytes == 0;
    counts<<<1, nullptr, nullptr>>>(ticks);
    bool right = copies && sets && asks && ticks[0] < ticks[1];
    std::puts(right ? "right" : "wrong");
    return right ? 0 : 1;
}
