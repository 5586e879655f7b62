/* pto: MGATHER as the A2/A3 header declares it. Included before the others, with no target named, it
 * chooses a2a3. */
#ifndef PTO_NPU_A2A3_MGATHER_HPP
#define PTO_NPU_A2A3_MGATHER_HPP

#ifndef PTOG_INCLUDED_TARGET
#define PTOG_INCLUDED_TARGET "a2a3"
#endif

#include <pto/pto-inst.hpp>

#endif
