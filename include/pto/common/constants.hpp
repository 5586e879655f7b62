/* pto: the sizes that kernels name, and what the device's compiler knows without any header: flags, barriers, the counter
 * of time. */
#include <pto/ptog/other_library.hpp>
#ifndef PTO_COMMON_CONSTANTS_HPP
#define PTO_COMMON_CONSTANTS_HPP

#include <pto/ptog/builtins.hpp>
#include <pto/ptog/constants.hpp>

#endif
