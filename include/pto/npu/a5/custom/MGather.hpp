/* pto: MGATHER as the earlier custom A5 header declares it. Included first, with no target named, it
 * chooses a5-custom. */
#ifndef PTO_NPU_A5_CUSTOM_MGATHER_HPP
#define PTO_NPU_A5_CUSTOM_MGATHER_HPP

#if !defined(PTOG_TARGET) && !defined(__CPU_SIM) && !defined(PTO_NPU_ARCH_A2A3)
#define PTOG_TARGET a5 - custom
#endif

#include <pto/pto-inst.hpp>

#endif
