/* pto: the assertion of device sources. The released library leaves it out, and so do we: what it would say about an
 * instruction, the verifier reports. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_COMMON_DEBUG_H
#define PTO_COMMON_DEBUG_H

#include <pto/common/type.hpp>

#ifndef PTO_ASSERT
#define PTO_ASSERT(condition, message) ((void)0)
#endif
#ifndef PTO_STATIC_ASSERT
#define PTO_STATIC_ASSERT(...) static_assert(__VA_ARGS__)
#endif

#endif
