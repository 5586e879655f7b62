/* runtime: the one call of the driver that the host side of kernels for both kinds of core makes. */
#ifndef RUNTIME_RT_H
#define RUNTIME_RT_H

#include <cstdint>

typedef std::int32_t rtError_t;

inline constexpr rtError_t RT_ERROR_NONE = 0, RT_ERROR_INVALID_VALUE = 107000;

/* The address of the counters between cores, which kernels pass on to set_ffts_base_addr: not looked at here. */
inline rtError_t rtGetC2cCtrlAddr(std::uint64_t *address, std::uint32_t *length)
{
    if (!address || !length)
        return RT_ERROR_INVALID_VALUE;
    *address = 0;
    *length = 0;
    return RT_ERROR_NONE;
}

#endif
