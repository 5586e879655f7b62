/* pto: MGATHER as the CPU simulator's header declares it. Included first, with no target named, it
 * chooses cpu. */
#ifndef PTO_CPU_MGATHER_SCATTER_HPP
#define PTO_CPU_MGATHER_SCATTER_HPP

#if !defined(PTOG_TARGET) && !defined(__CPU_SIM) && !defined(PTO_NPU_ARCH_A2A3) && !defined(PTO_NPU_ARCH_A5)
#define PTOG_TARGET cpu
#endif

#include <pto/pto-inst.hpp>

#endif
