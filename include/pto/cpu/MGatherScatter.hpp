/* pto: MGATHER as the CPU simulator's header declares it. Included before the others, with no target named, it
 * chooses cpu. */
#ifndef PTO_CPU_MGATHER_SCATTER_HPP
#define PTO_CPU_MGATHER_SCATTER_HPP

#ifndef PTOG_INCLUDED_TARGET
#define PTOG_INCLUDED_TARGET "cpu"
#endif

#include <pto/pto-inst.hpp>

#endif
