/* The host side of the kernels: CASE lines between two includes of this file name them; main runs one of them on the
 * files DIR/NAME.in0.bin, DIR/NAME.in1.bin and writes DIR/NAME.out.bin. */
#ifndef TESTS_CPP_MATRIX_MAIN_HPP
#define TESTS_CPP_MATRIX_MAIN_HPP

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernels.hpp"

using Bytes = std::vector<unsigned char>;

/* What the device tool chain makes of kernel<<<1, nullptr, stream>>>(out, in0, in1). */
template <class Kernel, class... Args> void launch(Kernel kernel, Args... args)
{
    void *stream = nullptr;
    ptog::fn([&](auto &&...a) { kernel(a...); }).on(1, nullptr, stream)(args...);
}

template <class... Args, std::size_t... I>
void launchOn(void (*kernel)(Args...), void **buffers, std::index_sequence<I...>)
{
    launch(kernel, static_cast<Args>(buffers[I])...);
}

template <class... Args> void run(void (*kernel)(Args...), void **buffers)
{
    launchOn(kernel, buffers, std::index_sequence_for<Args...>());
}

inline Bytes readFile(const char *dir, const char *name, const char *what)
{
    char path[512];
    std::snprintf(path, sizeof path, "%s/%s.%s.bin", dir, name, what);
    Bytes bytes;
    std::FILE *file = std::fopen(path, "rb");
    for (int c; file && (c = std::fgetc(file)) != EOF;)
        bytes.push_back(static_cast<unsigned char>(c));
    if (file)
        std::fclose(file);
    return bytes;
}

inline bool writeFile(const char *dir, const char *name, const Bytes &bytes)
{
    char path[512];
    std::snprintf(path, sizeof path, "%s/%s.out.bin", dir, name);
    std::FILE *file = std::fopen(path, "wb");
    bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    return file && std::fclose(file) == 0 && written;
}

struct Case {
    const char *name;
    std::size_t outBytes;
    void (*run)(void **buffers);
};

inline int runCase(const Case &c, const char *dir)
{
    Bytes in[2] = {readFile(dir, c.name, "in0"), readFile(dir, c.name, "in1")};
    Bytes out(c.outBytes);
    void *buffers[] = {out.data(), in[0].data(), in[1].data()};
    ptog::gm_register(out.data(), out.size());
    ptog::gm_register(in[0].data(), in[0].size());
    ptog::gm_register(in[1].data(), in[1].size());
    c.run(buffers);
    ptog::gm_unregister(out.data());
    return writeFile(dir, c.name, out) ? 0 : 2;
}

/* Runs the named cases; `report` is written at the end of the process, so a report needs a process of its own. */
inline int runCases(const Case *cases, std::size_t count, int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        std::size_t c = 0;
        while (c < count && std::strcmp(cases[c].name, argv[i]) != 0)
            c++;
        if (c == count || runCase(cases[c], argv[1]) != 0)
            return 2;
    }
    return 0;
}

#define CASE(name, bytes, ...) {name, bytes, [](void **buffers) { run(__VA_ARGS__, buffers); }},

#endif
