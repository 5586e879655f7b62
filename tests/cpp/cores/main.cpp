/* Launches the kernel of kernel.hpp, and prints how many of its products are wrong. */
#include "kernel.hpp"

#include <acl/acl.h>

#include <cstdio>

int second_file(float *out, half *a, half *b, float *slots);

/* A static object of the host: constructed once. */
static int constructed;
struct object {
    object()
    {
        std::printf("constructed %d\n", ++constructed);
    }
};
static object once;

static float wanted(int i)
{
    int tile = i / (Side * Side), row = i / Side % Side, col = i % Side;
    return static_cast<float>((row + tile) * (col % 3) + tile);
}

int main()
{
    constexpr int All = TILES * Side * Side;
    half *a, *b;
    float *out, *slots;
    aclrtSetDevice(0);
    aclrtMalloc(reinterpret_cast<void **>(&a), All * sizeof(half), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(reinterpret_cast<void **>(&b), Side * Side * sizeof(half), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(reinterpret_cast<void **>(&out), All * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(reinterpret_cast<void **>(&slots), SLOTS * Side * Side * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
    for (int i = 0; i < All; i++)
        a[i] = static_cast<half>(i % Side == 0 ? i / Side % Side + i / (Side * Side) : 0); /* the first column */
    for (int i = 0; i < Side * Side; i++)
        b[i] = static_cast<half>(i < Side ? i % 3 : 5);
#ifdef THROWS
    try {
        multiply<float><<<1, nullptr, nullptr>>>(out, a, b, slots);
    } catch (int number) {
        std::printf("caught %d\n", number);
    }
#else
    multiply<float><<<1, nullptr, nullptr>>>(out, a, b, slots);
#endif
    int wrong = 0;
    for (int i = 0; i < POPS * Side * Side; i++)
        wrong += out[i] != wanted(i);
#ifdef SECOND_FILE
    wrong += second_file(out, a, b, slots);
#endif
    std::printf("wrong %d\n", wrong);
    return 0;
}
