/* pto: the words of the device compiler that mean nothing to this one, and the sizes that kernels name. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_COMMON_CONSTANTS_HPP
#define PTO_COMMON_CONSTANTS_HPP

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

inline constexpr int C0_SIZE_BYTE = 32;
inline constexpr int FRACTAL_NZ_ROW = 16;
inline constexpr int BLOCK_BYTE_SIZE = 32;
inline constexpr int DYNAMIC = -1;

struct TileConfig {
    static constexpr int alignedSize = 32;
    static constexpr int fixedRowSize = 16;
    static constexpr int fixedColSize = 16;
    static constexpr int fractalABSize = 512;
    static constexpr int fractalCSize = 1024;
};

} // namespace pto

#endif
