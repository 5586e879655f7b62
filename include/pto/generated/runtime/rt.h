/* pto: what host programs of kernels for both cores ask of the runtime under acl: where cross-core flags lie. They need no
 * memory here. Used where there is no other header of this name. */
#ifndef PTO_GENERATED_RUNTIME_RT_H
#define PTO_GENERATED_RUNTIME_RT_H

#include <cstdint>

typedef int rtError_t;
#ifndef RT_ERROR_NONE
#define RT_ERROR_NONE 0
#endif

inline rtError_t rtGetC2cCtrlAddr(std::uint64_t *at, std::uint32_t *bytes)
{
    *at = 0;
    *bytes = 0;
    return RT_ERROR_NONE;
}

#endif
