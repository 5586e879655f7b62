/* pto: the words of the device compiler that mean nothing to this one, and the sizes that kernels name. */
#ifndef PTO_PTOG_CONSTANTS_HPP
#define PTO_PTOG_CONSTANTS_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "the pto headers of ptogather need C++17: give the compiler -std=c++17 or a later one"
#endif

#include <cstdint>

#include <pto/ptog/device_macros.hpp>

/* Where a function runs, where a pointer points: all of it is host code and host memory here. */
#ifndef AICORE
#define AICORE
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __aicore__
#define __aicore__
#endif
#ifndef __gm__
#define __gm__
#endif
#ifndef __in__
#define __in__
#endif
#ifndef __out__
#define __out__
#endif
#ifndef __ubuf__
#define __ubuf__
#endif
#ifndef __cbuf__
#define __cbuf__
#endif
#ifndef __ca__
#define __ca__
#endif
#ifndef __cb__
#define __cb__
#endif
#ifndef __cc__
#define __cc__
#endif
#ifndef __fbuf__
#define __fbuf__
#endif
#ifndef __biasbuf__
#define __biasbuf__
#endif
#ifndef __tf__
#define __tf__
#endif
#ifndef PTO_INST
#define PTO_INST inline
#endif
#ifndef PTO_INTERNAL
#define PTO_INTERNAL inline
#endif
#ifndef PTO_INLINE
#define PTO_INLINE inline
#endif
#ifndef __cce_get_tile_ptr
#define __cce_get_tile_ptr(tile) (tile)
#endif

namespace pto
{

/* Sizes of the machine, in bytes, elements or repeats as their names say. */
inline constexpr int C0_SIZE_BYTE = 32, BLOCK_BYTE_SIZE = 32, REPEAT_BYTE = 256, BLOCK_LEN = 16, CUBE_BLOCK_SIZE = 512;
inline constexpr int REPEAT_MAX = 255, REPEAT_STRIDE_MAX = 255;
inline constexpr int FRACTAL_NZ_ROW = 16, FRACTAL_ZZ_ROW = 16, ACC_C0_SIZE = 16;
inline constexpr std::uint64_t BLOCK_MAX_PER_REPEAT = 8, MASK_LEN = 64;
inline constexpr std::uint32_t TMP_UB_SIZE = 8 * 1024, TMP_UB_OFFSET = 184 * 1024, B4_C0_SIZE = 64;
inline constexpr std::uint32_t SHIFT_BLOCK_LEN = 4, SHIFT_BLOCK_BYTE = 5, SHIFT_FRACTAL_BYTE = 9;
inline constexpr int DYNAMIC = -1;

/* Numbers that have names. */
inline constexpr int NUM_1 = 1, NUM_4 = 4, NUM_8 = 8, NUM_12 = 12, NUM_16 = 16, NUM_32 = 32, NUM_64 = 64, NUM_77 = 77,
                     NUM_96 = 96, NUM_128 = 128, NUM_256 = 256, NUM_512 = 512;

struct TileConfig {
    static constexpr int alignedSize = 32;
    static constexpr int fixedRowSize = 16;
    static constexpr int fixedColSize = 16;
    static constexpr int fractalABSize = 512;
    static constexpr int fractalCSize = 1024;
};

} // namespace pto

#endif
