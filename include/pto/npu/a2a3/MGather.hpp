/* pto: MGATHER as the A2/A3 header declares it. Included first, with no target named, it
 * chooses a2a3. */
#ifndef PTO_NPU_A2A3_MGATHER_HPP
#define PTO_NPU_A2A3_MGATHER_HPP

#if !defined(PTOG_TARGET) && !defined(__CPU_SIM) && !defined(PTO_NPU_ARCH_A2A3) && !defined(PTO_NPU_ARCH_A5)
#define PTOG_TARGET a2a3
#endif

#include <pto/pto-inst.hpp>

#endif
