/* What the kernels of this folder have in common: the order of dependent vector instructions, and arrays in npy files.
 * The kernels are for the device, too; the files are for the machine that runs this. */
#ifndef PTOG_EXAMPLES_KERNELS_COMMON_HPP
#define PTOG_EXAMPLES_KERNELS_COMMON_HPP

#include <pto/pto-inst.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

/* An instruction on V that needs the result of one before it: A2/A3 wants a barrier, A5 waits by itself and has none.
 */
AICORE inline void ordered()
{
#ifdef PTO_NPU_ARCH_A2A3
    pipe_barrier(PIPE_V);
#endif
}

/* The flags of the first and of the second set of tiles. Id 0 is left to the instructions themselves. */
AICORE inline event_t flag_of(int set)
{
    return static_cast<event_t>(EVENT_ID1 + set);
}

/* The end of a kernel: both sets of tiles are free again, as they were before the first turn. */
AICORE inline void wait_for_sets()
{
    for (int set = 0; set < 2; set++) {
        wait_flag(PIPE_V, PIPE_MTE2, flag_of(set));
        wait_flag(PIPE_MTE3, PIPE_V, flag_of(set));
    }
}

/* Which cores this is compiled for: a kernel of both kinds is compiled for each. */
#ifdef __DAV_CUBE__
constexpr bool on_cube = true;
#else
constexpr bool on_cube = false;
#endif
#ifdef __DAV_VEC__
constexpr bool on_vector = true;
#else
constexpr bool on_vector = false;
#endif

/* The word of ffts_cross_core_sync that sets a counter of the other kind of core: mode 2. Two vector cores set it together. */
AICORE inline uint64_t to_other_core(int counter)
{
    return 1 | 2 << 4 | counter << 8;
}

/* Reads the numbers of an npy file, which has to have `count` of them. */
template <typename T> std::vector<T> load(const std::string &path, std::size_t count)
{
    std::ifstream file(path, std::ios::binary);
    char head[10] = {};
    file.read(head, sizeof head);
    file.ignore(static_cast<unsigned char>(head[8]) + 256 * static_cast<unsigned char>(head[9]));
    std::vector<T> data(count);
    file.read(reinterpret_cast<char *>(data.data()), static_cast<std::streamsize>(count * sizeof(T)));
    if (!file || file.peek() != EOF) {
        std::fprintf(stderr, "%s: not an array of %zu numbers\n", path.c_str(), count);
        std::exit(2);
    }
    return data;
}

/* Writes an npy file of one dimension; type is "<f4" or "<i4". */
template <typename T> void save(const std::string &path, const char *type, const std::vector<T> &data)
{
    std::string head = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (" +
                       std::to_string(data.size()) + ",), }";
    head.resize(117, ' ');
    head += '\n';
    std::ofstream file(path, std::ios::binary);
    file << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << head;
    file.write(reinterpret_cast<const char *>(data.data()), static_cast<std::streamsize>(data.size() * sizeof(T)));
    if (!file.flush()) {
        std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
        std::exit(2);
    }
}

#endif
