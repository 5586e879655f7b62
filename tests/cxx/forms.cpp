/* tests: launches in all their forms, compiled and run. Every kernel prints what it was given. */
#include "mock.h"

#define PASTED(name, T, n) name##_##T<<<n, nullptr, stream>>>(1, 2)
#define LAUNCH(kernel, ...) kernel<<<__VA_ARGS__>>>
#define SAME(...) __VA_ARGS__

template <class T, int N> void k(T a, int b)
{
    std::printf("k %d %d %d\n", static_cast<int>(a), b, N);
}
void k_int(int a, int b)
{
    std::printf("k_int %d %d\n", a, b);
}
namespace ns
{
template <class T> struct S {
    template <int N> static void k(T a)
    {
        std::printf("ns %d %d\n", static_cast<int>(a), N);
    }
};
} // namespace ns
template <class T> struct Box {
    static constexpr int value = 2;
};
template <class T> void generic(T x, void *stream)
{
    ns::S<T>::template k<3><<<1, 0, stream>>>(x);
}
struct Member {
    int base;
    void k(int a)
    {
        std::printf("member %d\n", base + a);
    }
    void go(void *stream)
    {
        this->k<<<1, nullptr, stream>>>(1);
        k<<<Box<Box<int>>::value, nullptr, stream>>>(2);
    }
};
void pointer(const int *p)
{
    std::printf("pointer %d\n", p == nullptr);
}

int main()
{
    void *stream = nullptr;
    int a = 1, b = 3;
    a <<= 1;
    const char *text = "k<<<1>>>(x)", *raw = R"x(k<<<1>>>(")x"; /* k<<<1>>>(x) */
    k<int, (4 > 2)><<<2, 0, stream>>>(a << 1, b >> 1);
    k<int, 1 << 2>
        <<<1,
           nullptr, // >>>
           stream
        >>>
        (3,
         4);
    ::ns::S<int>::k<4><<<1>>>(5);
    PASTED(k, int, 2);
    LAUNCH(k_int, a < b ? 1 : 2, 0, stream)(7, 8);
    SAME(k<int, 5><<<1, 0, stream>>>(9, 10));
    generic(6, stream);
    Member{40}.go(stream);
    pointer<<<1>>>(nullptr);
    std::printf("%s %s %s:%d\n", text, raw, __FILE__, __LINE__);
}
